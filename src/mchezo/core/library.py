"""A game's library: all its kernels as machine code made ahead of time, called with pointers to NumPy's memory.

A kernel's exported function takes arrays and structs as the objects that Python has, and checks them: their type,
items, dimensions, and that they are contiguous. It runs without the interpreter lock. `mchezo.build` makes the
libraries.
"""

import ctypes
import platform
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mchezo.core import arrays
from mchezo.core.compiled import PACKAGE, source_hash
from mchezo.core.signature import Array, Leaf, Record, flat, signature

FOLDER = PACKAGE / "libraries"
MACHINES = {"AMD64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows", "emscripten": "browser"}
SUFFIXES = {"linux": "so", "macos": "dylib", "windows": "dll", "browser": "wasm"}

SYSTEM, MACHINE = SYSTEMS.get(sys.platform, sys.platform), MACHINES.get(platform.machine(), platform.machine())
BROWSER = "browser-wasm32"
TARGET = BROWSER if SYSTEM == "browser" else f"{SYSTEM}-{MACHINE}"

# What a kernel returns that could not run; NaN if it returns a float. `status` in the library says why.
FAILED = -(1 << 63)
RAISED = -1  # `status` where compiled code raised an exception; else it is the number of the bad argument, from 1

# Where compiled code finds the fields of NumPy's objects, in bytes.
HEAD = 2 * ctypes.sizeof(ctypes.c_void_p)
ARRAY_DATA, ARRAY_DIMENSIONS, ARRAY_SHAPE, ARRAY_DTYPE, ARRAY_FLAGS = HEAD, HEAD + 8, HEAD + 16, HEAD + 40, HEAD + 48
RECORD_DATA, RECORD_DTYPE = HEAD + 8, HEAD + 16
DTYPE_NUMBER, DTYPE_SIZE = HEAD + 12, HEAD + 24


def path(name: str, target: str = TARGET) -> Path:
    """Return the file of a game's library."""
    return FOLDER / f"{name}-{target}.{SUFFIXES.get(target.split('-')[0], 'so')}"


def exists(name: str) -> bool:
    """Return whether there is a library for a game that this Python can use."""
    return path(name).is_file() and fits()


@cache
def fits() -> bool:
    """Return whether the objects of this NumPy and Python are laid out as compiled code expects."""
    if TARGET == BROWSER:  # no objects cross the border there
        return True
    if object.__basicsize__ != HEAD or HEAD != 16:
        return False
    array = arrays.zeros((2, 3), arrays.struct_type([("a", arrays.int32, ()), ("b", arrays.float64, ())]))
    record = array[1, 1]
    number, size = array.dtype.num, array.dtype.itemsize

    def read(kind: Any, address: int) -> Any:
        return kind.from_address(address).value

    dtype = read(ctypes.c_size_t, id(array) + ARRAY_DTYPE)
    shape = read(ctypes.c_size_t, id(array) + ARRAY_SHAPE)
    return bool(
        dtype == id(array.dtype)
        and read(ctypes.c_size_t, id(array) + ARRAY_DATA) == array.ctypes.data
        and read(ctypes.c_int32, id(array) + ARRAY_DIMENSIONS) == array.ndim
        and [read(ctypes.c_int64, shape + at) for at in (0, 8)] == [2, 3]
        and read(ctypes.c_int32, id(array) + ARRAY_FLAGS) & 0xFF == array.flags.num & 0xFF
        and read(ctypes.c_size_t, id(record) + RECORD_DATA) == array.ctypes.data + 4 * size
        and read(ctypes.c_size_t, id(record) + RECORD_DTYPE) == dtype
        and read(ctypes.c_int32, dtype + DTYPE_NUMBER) == number
        and read(ctypes.c_int64, dtype + DTYPE_SIZE) == size
    )


@cache
def load(name: str) -> "Library":
    """Load the library of a game."""
    if TARGET == BROWSER:
        from mchezo.core.side_module import SideModule

        return SideModule(path(name))
    return Library(path(name))


class Library:
    """The loaded library of a game."""

    def __init__(self, file: Path) -> None:
        self.code = ctypes.CDLL(str(file))
        self.status = ctypes.c_int64.in_dll(self.code, "status")
        # What compiled code needs of Python: memory, and how to recognise arrays and structs.
        memory = ctypes.pythonapi
        self._give("allocate", ctypes.cast(memory.PyMem_RawMalloc, ctypes.c_void_p).value)
        self._give("release", ctypes.cast(memory.PyMem_RawFree, ctypes.c_void_p).value)
        self._give("array_type", id(arrays.ndarray))
        self._give("record_type", id(arrays.record))

    def _give(self, name: str, address: int | None) -> None:
        ctypes.c_void_p.in_dll(self.code, name).value = address

    @property
    def is_current(self) -> bool:
        """Whether the sources are those that the library was built from."""
        made_of = (ctypes.c_char * len(source_hash())).in_dll(self.code, "sources").raw
        return made_of.decode() == source_hash()

    def function(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """Return a kernel's function for callers in Python."""
        described = signature(kernel)
        native = self.code[symbol(kernel)]
        native.argtypes = [argument_type(leaf) for leaf in described.leaves]
        returned = described.returned
        native.restype = {float: ctypes.c_double, arrays.uint64: ctypes.c_uint64}.get(returned, ctypes.c_int64)
        failed = FAILED & (1 << 64) - 1 if returned is arrays.uint64 else FAILED
        status = self.status

        def call(*args: Any) -> Any:
            try:
                value = native(*args)
            except ctypes.ArgumentError:  # NumPy's numbers are not taken for Python's
                plain = (
                    value if isinstance(leaf, Array | Record) else leaf(value)
                    for leaf, value in zip(described.leaves, args, strict=True)
                )
                value = native(*plain)
            if (value == failed or value != value) and status.value:
                raise self.error(kernel, args)
            return value

        def call_flat(*args: Any) -> Any:
            return call(*flat(args))

        run = call_flat if described.has_tuples else call
        if returned is None:
            return lambda *args: void(run(*args))
        return (lambda *args: bool(run(*args))) if returned is bool else run

    def error(self, kernel: Callable[..., Any], given: tuple[Any, ...]) -> Exception:
        """Return the exception for a kernel that could not run."""
        status, self.status.value = self.status.value, 0
        if status == RAISED:
            return RuntimeError(f"{kernel.__name__} failed in compiled code")
        wanted, value = signature(kernel).leaves[status - 1], given[status - 1]
        told = f"an array of {value.dtype}, shape {value.shape}" if isinstance(value, arrays.ndarray) else repr(value)
        return TypeError(f"{kernel.__name__}: argument {status} has to be {wanted}, contiguous, not {told}")


def void(value: Any) -> None:
    """Drop the status of a kernel that returns nothing."""


def symbol(kernel: Callable[..., Any]) -> str:
    """Return the name under which a library exports a kernel."""
    return f"{kernel.__module__}.{kernel.__name__}".removeprefix("mchezo.").replace(".", "_")


def argument_type(leaf: Leaf) -> Any:
    """Return the type for ctypes of one argument."""
    if isinstance(leaf, Array | Record):
        return ctypes.py_object
    return {int: ctypes.c_int64, bool: ctypes.c_bool, float: ctypes.c_double}[leaf]
