"""The layout of states and set-ups: an annotated class is both the type for mypy and the NumPy struct."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, cast, get_args, get_type_hints

import numpy as np
import numpy.typing as npt

# Who decides next, beside the seats from 0.
CHANCE = -1
OVER = -2

Int8 = Annotated[int, np.int8]
Int16 = Annotated[int, np.int16]
Int32 = Annotated[int, np.int32]
UInt64 = Annotated[int, np.uint64]


@dataclass(frozen=True)
class Array:
    """What a parameter of a kernel is for the machine: a C-contiguous array of these items."""

    item: Any  # a NumPy type; STATE or SETUP: the struct of whichever game it is
    dimensions: int = 1


STATE = "state"
SETUP = "setup"

Structs = npt.NDArray[Any]
States = Annotated[Structs, Array(STATE)]
Setups = Annotated[Structs, Array(SETUP)]
Bytes = Annotated[npt.NDArray[np.int8], Array(np.int8)]
Shorts = Annotated[npt.NDArray[np.int16], Array(np.int16)]
Actions = Annotated[npt.NDArray[np.int32], Array(np.int32)]
ActionRows = Annotated[npt.NDArray[np.int32], Array(np.int32, 2)]
Weights = Annotated[npt.NDArray[np.int32], Array(np.int32)]
Numbers = Annotated[npt.NDArray[np.float64], Array(np.float64)]
NumberRows = Annotated[npt.NDArray[np.float64], Array(np.float64, 2)]
Words64 = Annotated[npt.NDArray[np.uint64], Array(np.uint64)]

# Arithmetic starts from 64-bit integers: narrow ones overflow when interpreted, and each width compiles anew.
wide = cast(Callable[[Any], int], np.int64)
bits = cast(Callable[[Any], int], np.uint64)


def layout(fields: type) -> np.dtype[Any]:
    """Return the NumPy struct of a class whose fields are `Annotated[type, dtype, *shape]`."""
    columns = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        kind, *shape = (part for part in get_args(hint)[1:] if not isinstance(part, Array))
        if hasattr(np.record, name):
            raise TypeError(f"interpreted code cannot read a field called {name}: records have a method of that name")
        columns.append((name, kind, tuple(shape)))
    # np.record gives attributes to interpreted code; align must be inside, outside it is dropped silently.
    return np.dtype((np.record, np.dtype(columns, align=True)))


class FieldCache:
    """A struct whose fields are looked up once: each attribute of a NumPy record costs microseconds."""

    def __init__(self, struct: Any) -> None:
        self._struct = struct

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = np.void.__getitem__(self._struct, name)
        return found

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)
