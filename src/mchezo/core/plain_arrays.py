"""Arrays and structs over plain bytes, for Python without NumPy: what rules, views and searches use of NumPy, no more.

The layout in memory is NumPy's, which compiled code expects. Reading gives Python's own numbers, except for 64-bit
words, whose arithmetic wraps around as in compiled code. `core/arrays.py` says which of the two is used.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
MASK = (1 << 64) - 1

inf = math.inf


class int8(int):  # noqa: N801, named as in NumPy
    """A type of items: 8 bits."""

    code = "b"


class int16(int):  # noqa: N801, named as in NumPy
    """A type of items: 16 bits."""

    code = "h"


class int32(int):  # noqa: N801, named as in NumPy
    """A type of items: 32 bits."""

    code = "i"


class int64(int):  # noqa: N801, named as in NumPy
    """A type of items: 64 bits."""

    code = "q"


class float32(float):  # noqa: N801, named as in NumPy
    """A type of items: single precision."""

    code = "f"


class float64(float):  # noqa: N801, named as in NumPy
    """A type of items: double precision."""

    code = "d"


class uint64(int):  # noqa: N801, named as in NumPy
    """A word of 64 bits; sums, shifts and complements wrap around."""

    code = "Q"

    def __new__(cls, value: Any = 0) -> uint64:
        """Return the word of an integer."""
        return int.__new__(cls, int(value) & MASK)

    def __invert__(self) -> uint64:
        return uint64(int.__invert__(self))

    def __neg__(self) -> uint64:
        return uint64(int.__neg__(self))


def wrapping(name: str) -> Callable[[uint64, Any], uint64]:
    """Return an operator of integers whose result is a word."""
    operator: Callable[[int, Any], int] = getattr(int, name)
    return lambda word, other: uint64(operator(word, int(other)))


for _name in ("and", "or", "xor", "add", "sub", "mul", "lshift", "rshift", "floordiv", "mod"):
    for _operator in (f"__{_name}__", f"__r{_name}__"):
        setattr(uint64, _operator, wrapping(_operator))


class dtype(Generic[T]):  # noqa: N801, named as in NumPy
    """The type of an array's items: numbers, or structs with named fields."""

    def __new__(cls, kind: Any) -> dtype[Any]:
        """Return the type of numbers for a type; equal types are the same object."""
        if isinstance(kind, dtype):
            return kind
        return NUMBERS[KINDS.get(kind, kind)]

    @classmethod
    def of_numbers(cls, kind: Any) -> dtype[Any]:
        """Make a type of numbers."""
        made = object.__new__(cls)
        made.fields = None
        made.code = kind.code
        made.reader = struct.Struct(kind.code)
        made.itemsize = made.alignment = made.reader.size
        made.read = (lambda memory, at: uint64(made.reader.unpack_from(memory, at)[0])) if kind is uint64 else None
        return made

    fields: dict[str, tuple[dtype[Any], int, tuple[int, ...]]] | None  # of a struct: type, offset, shape
    code: Any  # of the struct module; mypy knows some texts only
    reader: struct.Struct
    itemsize: int
    alignment: int
    read: Callable[[Any, int], Any] | None
    record: type[record]

    def get(self, memory: memoryview, owner: Any, at: int) -> Any:
        """Return the item at an address."""
        if self.fields is not None:
            return self.record(memory, owner, at)
        return self.reader.unpack_from(memory, at)[0] if self.read is None else self.read(memory, at)

    def put(self, memory: memoryview, at: int, value: Any) -> None:
        """Write an item."""
        if self.fields is not None:
            memory[at : at + self.itemsize] = value._bytes()
        elif self.code in "df":
            self.reader.pack_into(memory, at, value)
        else:
            self.reader.pack_into(memory, at, int(value))


NUMBERS = {kind: dtype.of_numbers(kind) for kind in (int8, int16, int32, int64, uint64, float32, float64)}
KINDS = {int: int64, float: float64}


class record:  # noqa: N801, named as in NumPy
    """A struct in an array's memory; each layout has a class of its own, with its fields as properties.

    Its other names begin with an underscore, so that fields may have any name.
    """

    __slots__ = ("_memory", "_offset", "_owner")
    dtype: dtype[Any]

    def __init__(self, memory: memoryview, owner: Any, offset: int) -> None:
        self._memory, self._owner, self._offset = memory, owner, offset

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    @property
    def _address(self) -> int:
        """Where the struct is in the memory of the process."""
        return address_of(self._owner) + self._offset

    def _bytes(self) -> memoryview:
        """Return the memory of the struct."""
        return self._memory[self._offset : self._offset + self.dtype.itemsize]

    def copy(self) -> Any:
        """Return a copy with memory of its own."""
        copied = zeros(1, self.dtype)
        copied[0] = self
        return copied[0]


def align_to(offset: int, alignment: int) -> int:
    """Return the next multiple of an alignment."""
    return -(-offset // alignment) * alignment


def struct_type(columns: Sequence[tuple[str, Any, tuple[int, ...]]]) -> dtype[Any]:
    """Return the type of a struct with these fields, each aligned as C does."""
    fields, offset, alignment = {}, 0, 1
    for name, kind, shape in columns:
        item = dtype(kind)
        offset = align_to(offset, item.alignment)
        fields[name] = item, offset, shape
        offset += item.itemsize * math.prod(shape)
        alignment = max(alignment, item.alignment)
    made: dtype[Any] = object.__new__(dtype)
    made.fields, made.alignment, made.itemsize = fields, alignment, align_to(offset, alignment)
    members: dict[str, Any] = {name: field_property(*field) for name, field in fields.items()}
    made.record = type("record", (record,), {"__slots__": (), "dtype": made, **members})
    return made


def field_property(item: dtype[Any], offset: int, shape: tuple[int, ...]) -> property:
    """Return the property of a field: a number, or an array over the struct's memory."""

    def get(self: record) -> Any:
        if shape:
            return ndarray(shape, item, self._memory, self._offset + offset, self._owner)
        return item.get(self._memory, self._owner, self._offset + offset)

    def put(self: record, value: Any) -> None:
        if shape:
            get(self)[:] = value
        else:
            item.put(self._memory, self._offset + offset, value)

    return property(get, put)


def address_of(owner: Any) -> int:
    """Return where a buffer is in the memory of the process."""
    return ctypes.addressof(ctypes.c_char.from_buffer(owner))


def depth_of(value: Any) -> int:
    """Return the number of dimensions of what is written to an array."""
    if isinstance(value, ndarray):
        return value.ndim
    return 1 + depth_of(value[0] if value else 0) if isinstance(value, list | tuple) else 0


def contiguous(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """Return the strides of a C-contiguous array."""
    strides: list[int] = []
    for extent in reversed(shape):
        strides.insert(0, size)
        size *= extent
    return tuple(strides)


class ndarray(Generic[T]):  # noqa: N801, named as in NumPy
    """An array; indexing gives items, or arrays over the same memory."""

    __slots__ = ("dtype", "memory", "offset", "owner", "shape", "strides")

    def __init__(
        self,
        shape: int | Sequence[int],
        items: Any,
        buffer: Any,
        offset: int = 0,
        owner: Any = None,
        strides: tuple[int, ...] | None = None,
    ) -> None:
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = dtype(items)
        self.memory = buffer if isinstance(buffer, memoryview) else memoryview(buffer).cast("B")
        self.owner = buffer if owner is None else owner
        self.offset = offset
        self.strides = contiguous(self.shape, self.dtype.itemsize) if strides is None else strides

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of items."""
        return math.prod(self.shape)

    @property
    def is_contiguous(self) -> bool:
        """Whether the items follow each other in memory."""
        return self.strides == contiguous(self.shape, self.dtype.itemsize) or self.size == 0

    @property
    def address(self) -> int:
        """Where the first item is in the memory of the process."""
        return address_of(self.owner) + self.offset

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 1 and self.dtype.fields is None and self.dtype.read is None and self.is_contiguous:
            return iter(self.tolist())
        return (self[at] for at in range(len(self)))

    def __contains__(self, value: object) -> bool:
        return value in iter(self)

    def __eq__(self, other: object) -> bool:
        """Refuse: NumPy compares item by item, so that code for both compares lists."""
        raise TypeError("arrays are not compared: compare what tolist() returns")

    __hash__ = None  # type: ignore[assignment]  # as in NumPy

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and len(self.shape) == 1:  # the most frequent case
            extent = self.shape[0]
            if not -extent <= key < extent:
                raise IndexError(f"index {key} of an array of {extent}")
            at = self.offset + (key % extent) * self.strides[0]
            return self.dtype.get(self.memory, self.owner, at)
        if isinstance(key, str):
            return [getattr(item, key) for item in self]
        offset, shape, strides = self.locate(key)
        if not shape:
            return self.dtype.get(self.memory, self.owner, offset)
        return ndarray(shape, self.dtype, self.memory, offset, self.owner, strides)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            for item in self:
                setattr(item, key, value)
            return
        offset, shape, strides = self.locate(key)
        if not shape:
            self.dtype.put(self.memory, offset, value)
        else:
            ndarray(shape, self.dtype, self.memory, offset, self.owner, strides).fill(value)

    def locate(self, key: Any) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        """Return where the items of an index begin, their shape and their strides."""
        offset, shape, strides = self.offset, [], []
        keys = key if isinstance(key, tuple) else (key,)
        for part, extent, stride in zip(keys, self.shape, self.strides, strict=False):
            if isinstance(part, slice):
                first, last, step = part.indices(extent)
                offset += first * stride
                shape.append(len(range(first, last, step)))
                strides.append(step * stride)
            else:
                if not -extent <= part < extent:
                    raise IndexError(f"index {part} of {extent}")
                offset += int(part) % extent * stride
        return offset, (*shape, *self.shape[len(keys) :]), (*strides, *self.strides[len(keys) :])

    def fill(self, value: Any) -> None:
        """Write items; what has fewer dimensions is written everywhere."""
        whole = depth_of(value) == len(self.shape)
        if whole and len(value) != len(self):
            raise ValueError(f"{len(value)} items for {len(self)}")
        if len(self.shape) == 1:
            put, (stride,) = self.dtype.put, self.strides
            for at, item in enumerate(value if whole else (value for _ in range(len(self)))):
                put(self.memory, self.offset + at * stride, item)
        else:
            for at in range(len(self)):
                self[at].fill(value[at] if whole else value)

    def tolist(self) -> list[Any]:
        """Return the items as numbers of Python, in lists."""
        if self.ndim > 1:
            return [row.tolist() for row in self]
        item = self.dtype
        if self.is_contiguous and item.fields is None:
            return list(self.memory[self.offset : self.offset + self.size * item.itemsize].cast(item.code))
        return [int(value) if item.read else value for value in (self[at] for at in range(len(self)))]

    def copy(self) -> ndarray[Any]:
        """Return a contiguous copy."""
        copied = zeros(self.shape, self.dtype)
        if self.is_contiguous:
            size = self.size * self.dtype.itemsize
            copied.memory[:size] = self.memory[self.offset : self.offset + size]
        else:
            copied.fill(self)
        return copied

    def tobytes(self) -> bytes:
        """Return the memory of the items."""
        whole = self if self.is_contiguous else self.copy()
        return bytes(whole.memory[whole.offset : whole.offset + whole.size * whole.dtype.itemsize])

    def reshape(self, *shape: int) -> ndarray[Any]:
        """Return the same items, which have to be contiguous, in another shape."""
        return ndarray(shape, self.dtype, self.memory, self.offset, self.owner)

    def flatten(self) -> ndarray[Any]:
        """Return a copy with one dimension."""
        return self.copy().reshape(self.size)

    def any(self) -> bool:
        """Return whether an item is not zero."""
        return any(self.tolist())

    def max(self) -> Any:
        """Return the largest item."""
        return max(self.tolist())

    def sum(self) -> Any:
        """Return the sum of the integers."""
        return sum(self.tolist())


NDArray = ndarray


def zeros(shape: int | Sequence[int], items: Any = float64) -> ndarray[Any]:
    """Return a new array of zeros."""
    size = math.prod((shape,) if isinstance(shape, int) else shape) * dtype(items).itemsize
    return ndarray(shape, items, (ctypes.c_char * max(size, 1))())


empty = zeros


def array(values: Sequence[Any], items: Any = None) -> ndarray[Any]:
    """Return a new array of numbers or structs, or of rows of them."""
    shape, first = [len(values)], values[0] if len(values) else 0.0
    while isinstance(first, list | tuple | ndarray):
        shape.append(len(first))
        first = first[0]
    if items is None:
        items = first.dtype if isinstance(first, record) else float64 if isinstance(first, float) else int64
    made = zeros(shape, items)
    made.fill(values)
    return made


def full(shape: int | Sequence[int], value: Any, items: Any = None) -> ndarray[Any]:
    """Return a new array with the same number everywhere."""
    made = zeros(shape, items or type(value))
    made.fill(value)
    return made


def repeat(values: ndarray[Any], times: int) -> ndarray[Any]:
    """Return a new array in which every item is repeated."""
    made = zeros(len(values) * times, values.dtype)
    for at in range(len(made)):
        made[at] = values[at // times]
    return made


def field(struct: record, name: str) -> Any:
    """Return a field of a struct."""
    return getattr(struct, name)


def memory(source: Any) -> memoryview:
    """Return the memory of a struct, or of an array of structs."""
    if isinstance(source, record):
        return source._bytes()
    whole: memoryview = source.memory
    return whole[source.offset : source.offset + source.size * source.dtype.itemsize]


def fields(kind: dtype[Any]) -> dict[str, tuple[str, int, tuple[int, ...]]]:
    """Return the fields of a struct by name: the code of the module struct, the offset, the shape."""
    return {name: (item.code, offset, shape) for name, (item, offset, shape) in (kind.fields or {}).items()}


def align_within(values: ndarray[Any], boundary: int) -> int:
    """Return the number of items before the first that lies on a boundary of bytes."""
    return -values.address % boundary // values.dtype.itemsize


def untouched(count: int, kind: Any) -> ndarray[Any]:
    """Return zeros, as everywhere here; with NumPy in memory fresh from the system."""
    return zeros(count, kind)
