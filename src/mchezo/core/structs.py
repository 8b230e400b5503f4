"""The layout of states and set-ups: an annotated class is both the type for mypy and the NumPy struct."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, cast, get_args, get_type_hints

from mchezo.core import arrays

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


class FieldCache:
    """A struct whose fields are looked up once: each attribute of a NumPy record costs microseconds."""

    def __init__(self, struct: Any) -> None:
        self._struct = struct

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = arrays.field(self._struct, name)
        return found

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
