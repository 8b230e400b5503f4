"""The layout of states and set-ups: an annotated class is both the type for mypy and the NumPy struct."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import prod
from struct import Struct, calcsize
from typing import Annotated, Any, TypeVar, cast, get_args, get_type_hints

from mchezo.core import arrays

T = TypeVar("T")

# Who decides next, beside the seats from 0.
CHANCE = -1
OVER = -2

Int8 = Annotated[int, arrays.int8]
Int16 = Annotated[int, arrays.int16]
Int32 = Annotated[int, arrays.int32]
UInt64 = Annotated[int, arrays.uint64]


@dataclass(frozen=True)
class Array:
    """What a parameter of a kernel is for the machine: a C-contiguous array of these items."""

    item: Any  # a NumPy type; STATE or SETUP: the struct of whichever game it is
    dimensions: int = 1


STATE = "state"
SETUP = "setup"

Structs = arrays.NDArray[Any]
States = Annotated[Structs, Array(STATE)]
Setups = Annotated[Structs, Array(SETUP)]
Bytes = Annotated[arrays.NDArray[arrays.int8], Array(arrays.int8)]
Shorts = Annotated[arrays.NDArray[arrays.int16], Array(arrays.int16)]
Actions = Annotated[arrays.NDArray[arrays.int32], Array(arrays.int32)]
ActionRows = Annotated[arrays.NDArray[arrays.int32], Array(arrays.int32, 2)]
Weights = Annotated[arrays.NDArray[arrays.int32], Array(arrays.int32)]
Longs = Annotated[arrays.NDArray[arrays.int64], Array(arrays.int64)]
Numbers = Annotated[arrays.NDArray[arrays.float64], Array(arrays.float64)]
NumberRows = Annotated[arrays.NDArray[arrays.float64], Array(arrays.float64, 2)]
Words64 = Annotated[arrays.NDArray[arrays.uint64], Array(arrays.uint64)]

# Arithmetic starts from 64-bit integers: narrow ones overflow when interpreted, and each width compiles anew.
wide = cast(Callable[[Any], int], arrays.int64)
bits = cast(Callable[[Any], int], arrays.uint64)


def layout(fields: type) -> arrays.dtype[Any]:
    """Return the struct of a class whose fields are `Annotated[type, dtype, *shape]`."""
    columns = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        kind, *shape = (part for part in get_args(hint)[1:] if not isinstance(part, Array))
        if hasattr(arrays.record, name):
            raise TypeError(f"interpreted code cannot read a field called {name}: records have a method of that name")
        columns.append((name, kind, tuple(shape)))
    return arrays.struct_type(columns)


class Plain:
    """A struct as numbers and lists of Python: NumPy's take several times as long to read and to use.

    `plain` makes it. It has the struct's fields, as they were when it was made; each use makes a new list.
    """

    __slots__ = ("_derived", "_memory", "_source", "_values")
    _unpack: Callable[[Any], tuple[Any, ...]]

    def __init__(self, source: Any) -> None:
        self._source = source
        self._memory = arrays.memory(source)
        self._derived: dict[Any, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        # Called where an attribute is missing: the numbers are read when the first of them is used.
        if name != "_values":
            raise AttributeError(name)
        self._values = values = self._unpack(self._memory)
        return values

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    @property
    def struct(self) -> Any:
        """The struct itself, as compiled code needs it."""
        return self._source[0] if isinstance(self._source, arrays.ndarray) else self._source

    def __reduce__(self) -> tuple[Any, ...]:
        return plain, (self._source,)

    def derive(self, function: Callable[[Any], T]) -> T:
        """Return what a function makes of the struct, found once."""
        if self._derived is None:
            self._derived = {}
        if function not in self._derived:
            self._derived[function] = function(self)
        return cast(T, self._derived[function])


MANY = 160  # numbers of a field that is read only when it is used


def plain(source: Any) -> Any:
    """Return a struct, or an array of one, as plain numbers and lists."""
    return source if isinstance(source, Plain) else plain_class(source.dtype)(source)


@cache
def plain_class(kind: arrays.dtype[Any]) -> type[Plain]:
    """Return the class of plain structs of a layout: small fields are read together, large ones when they are used."""
    members: dict[str, Any] = {"__slots__": ()}
    code, end, count = "=", 0, 0
    for name, (letter, offset, shape) in arrays.fields(kind).items():
        size = prod(shape)
        if size > MANY:
            members[name] = large_field(Struct(f"={size}{letter}"), offset, shape)
            continue
        code += f"{offset - end}x{size}{letter}"
        end = offset + calcsize(f"={size}{letter}")
        members[name] = small_field(count, shape)
        count += size
    members["_unpack"] = staticmethod(Struct(code).unpack_from)
    return type("Plain", (Plain,), members)


def small_field(at: int, shape: tuple[int, ...]) -> property:
    """Return the property of a field whose numbers begin at a place among those that are read together."""
    if not shape:
        return property(lambda self: self._values[at])
    end = at + prod(shape)
    if len(shape) == 1:
        return property(lambda self: list(self._values[at:end]))
    if len(shape) == 2:
        size = shape[1]
        return property(lambda self: [*zip(*[iter(self._values[at:end])] * size, strict=True)])
    return property(lambda self: nested(self._values[at:end], shape))


def large_field(reader: Struct, offset: int, shape: tuple[int, ...]) -> property:
    """Return the property of a field that is read by itself."""
    return property(lambda self: nested(reader.unpack_from(self._memory, offset), shape))


def nested(numbers: tuple[Any, ...], shape: tuple[int, ...]) -> list[Any]:
    """Return numbers as lists within lists."""
    if len(shape) == 1:
        return list(numbers)
    size = prod(shape[1:])
    return [nested(numbers[start : start + size], shape[1:]) for start in range(0, len(numbers), size)]
