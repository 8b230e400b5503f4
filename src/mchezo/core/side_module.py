"""A game's library in the browser: a WebAssembly module in the interpreter's own memory.

Pyodide's dynamic linker loads it. An array is passed as its address and its extents, a struct as its address; nothing
is copied.
"""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mchezo.core import arrays
from mchezo.core.library import FAILED, Library, symbol, void
from mchezo.core.signature import Array, Leaf, Record, flat, signature

ARENA = 1 << 20  # bytes, for the arrays that kernels make for themselves
ALIGNMENT = 16


class SideModule(Library):
    """The loaded module of a game."""

    def __init__(self, file: Path) -> None:
        self.code = ctypes.CDLL(str(file))
        self.status = ctypes.c_int64.in_dll(self.code, "status")
        self.arena = (ctypes.c_char * (ARENA + ALIGNMENT))()
        begin = -(-ctypes.addressof(self.arena) // ALIGNMENT) * ALIGNMENT
        (ctypes.c_int64 * 2).in_dll(self.code, "arena")[:] = [begin, begin + ARENA]

    @property
    def is_current(self) -> bool:
        """Modules and sources come to the browser together."""
        return True

    def function(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """Return a kernel's function for callers in Python."""
        described = signature(kernel)
        leaves, returned = described.leaves, described.returned
        native = self.code[symbol(kernel)]
        native.argtypes = [kind for leaf in leaves for kind in argument_types(leaf)]
        native.restype = {float: ctypes.c_double, arrays.uint64: ctypes.c_uint64}.get(returned, ctypes.c_int64)
        failed = FAILED & (1 << 64) - 1 if returned is arrays.uint64 else FAILED
        conversions: dict[Any, Callable[[Any], Any]] = {None: void, bool: bool, arrays.uint64: arrays.uint64}
        convert = conversions.get(returned, lambda value: value)

        def call(*args: Any) -> Any:
            given: list[Any] = []
            for number, (leaf, value) in enumerate(zip(leaves, flat(args), strict=True)):
                if isinstance(leaf, Array):
                    if len(value.shape) != leaf.dimensions or not value.is_contiguous:
                        raise TypeError(f"{kernel.__name__}: argument {number + 1} has to be {leaf}, contiguous")
                    given += (value.address, *value.shape)
                elif isinstance(leaf, Record):
                    given.append(value._address)
                else:
                    given.append(leaf(value))
            value = native(*given)
            if (value == failed or value != value) and self.status.value:
                self.status.value = 0
                raise RuntimeError(f"{kernel.__name__} failed in compiled code")
            return convert(value)

        return call


def argument_types(leaf: Leaf) -> list[Any]:
    """Return the types for ctypes of what an argument is passed as."""
    if isinstance(leaf, Array):
        return [ctypes.c_uint32] * (1 + leaf.dimensions)
    if isinstance(leaf, Record):
        return [ctypes.c_uint32]
    return [{int: ctypes.c_int64, bool: ctypes.c_int32, float: ctypes.c_double}[leaf]]
