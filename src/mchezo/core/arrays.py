"""Arrays of numbers and structs: NumPy's where it is installed; in the browser our own over plain bytes.

Rules, set-ups, views and searches take from here what they need of arrays, so that the same code runs without NumPy
(`core/plain_arrays.py`). What only runs where NumPy is (learning, studies, environments) imports it directly.
"""

from __future__ import annotations

import mmap
import sys
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or find_spec("numpy"):
    import numpy as np
    from numpy import (
        array,
        dtype,
        empty,
        float32,
        float64,
        full,
        inf,
        int8,
        int16,
        int32,
        int64,
        ndarray,
        record,
        repeat,
        uint64,
        zeros,
    )
    from numpy.typing import NDArray

    field = np.void.__getitem__  # of a struct

    def struct_type(columns: list[tuple[str, Any, tuple[int, ...]]]) -> np.dtype[Any]:
        """Return the type of a struct with these fields, each aligned as C does."""
        # np.record gives attributes to interpreted code; align must be inside, outside it is dropped silently.
        return np.dtype((np.record, np.dtype(columns, align=True)))

    LARGE = 4096  # bytes
    CODES = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u8": "Q", "f4": "f", "f8": "d"}

    def memory(source: Any) -> Any:
        """Return the memory of a struct, or of an array of structs; perhaps a copy, which is faster for small ones."""
        return source.view(int8) if isinstance(source, ndarray) and source.nbytes > LARGE else source.tobytes()

    def fields(kind: np.dtype[Any]) -> dict[str, tuple[str, int, tuple[int, ...]]]:
        """Return the fields of a struct by name: the code of the module struct, the offset, the shape."""
        places = {name: (place[0], place[1]) for name, place in (kind.fields or {}).items()}
        return {name: (CODES[item.base.str[1:]], offset, item.shape) for name, (item, offset) in places.items()}

    def untouched(count: int, kind: type[np.generic]) -> NDArray[Any]:
        """Return zeros in memory fresh from the system; NumPy clears memory that it has used before."""
        size = count * np.dtype(kind).itemsize
        if sys.platform == "win32":
            return np.frombuffer(mmap.mmap(-1, size), kind)
        pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if sys.platform == "linux":
            with suppress(OSError):  # not every system has large pages, which are faster
                pages.madvise(mmap.MADV_HUGEPAGE)
        return np.frombuffer(pages, kind)

    def align_within(values: NDArray[Any], boundary: int) -> int:
        """Return the number of items before the first that lies on a boundary of bytes."""
        return -values.ctypes.data % boundary // values.itemsize

else:
    from mchezo.core.plain_arrays import (
        NDArray,
        align_within,
        array,
        dtype,
        empty,
        field,
        fields,
        float32,
        float64,
        full,
        inf,
        int8,
        int16,
        int32,
        int64,
        memory,
        ndarray,
        record,
        repeat,
        struct_type,
        uint64,
        untouched,
        zeros,
    )

__all__ = [
    "NDArray",
    "align_within",
    "array",
    "dtype",
    "empty",
    "field",
    "fields",
    "float32",
    "float64",
    "full",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "memory",
    "ndarray",
    "record",
    "repeat",
    "struct_type",
    "uint64",
    "untouched",
    "zeros",
]
