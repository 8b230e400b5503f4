"""The layout of states and set-ups: an annotated class is both the type for the checker and the NumPy struct."""

from collections.abc import Callable
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

Bytes = npt.NDArray[np.int8]
Shorts = npt.NDArray[np.int16]
Actions = npt.NDArray[np.int32]
Weights = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.float64]
Words64 = npt.NDArray[np.uint64]
Structs = npt.NDArray[Any]

# Compiled arithmetic starts from 64-bit integers: narrower ones overflow when interpreted, and compile once a width.
wide = cast(Callable[[Any], int], np.int64)
bits = cast(Callable[[Any], int], np.uint64)


def layout(fields: type) -> np.dtype[Any]:
    """The NumPy struct of a class whose fields read `Annotated[type, dtype, *shape]`."""
    columns = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        _, kind, *shape = get_args(hint)
        if hasattr(np.record, name):
            raise TypeError(f"interpreted code cannot read a field called {name}: records have a method of that name")
        columns.append((name, kind, tuple(shape)))
    # np.record gives attributes to interpreted code; align must be inside, outside it is dropped silently.
    return np.dtype((np.record, np.dtype(columns, align=True)))


class Fields:
    """The fields of a struct, each looked up once: a record's attributes take NumPy microseconds each."""

    def __init__(self, struct: Any) -> None:
        self._struct = struct

    def __getattr__(self, name: str) -> Any:
        found = self.__dict__[name] = np.void.__getitem__(self._struct, name)
        return found
