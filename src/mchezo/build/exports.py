"""The exported function of a kernel: it takes arguments apart, calls the kernel and returns what it returned.

For Python, arrays and structs are the objects that Python has, and are checked (`core/library.py`). In WebAssembly
there are none: an array is its address and its extents, a struct its address, and nothing is known about them to check.
"""

from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numba.core import types
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import as_dtype

from mchezo.core import library
from mchezo.core.library import symbol
from mchezo.core.signature import Array, Leaf, Record, signature

I8, I32, I64, F64, POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType(), ir.PointerType()
CONTIGUOUS = 1  # the flag of C-contiguous arrays in NumPy


class Export:
    """An exported function in the making."""

    boolean: ir.Type  # as an argument

    def __init__(self, context: Any, module: ir.Module, kernel: Callable[..., Any], compiled: Any) -> None:
        self.context, self.module = context, module
        self.described, self.typed = signature(kernel), compiled.signature
        self.name = symbol(kernel)
        returned = F64 if self.described.returned is float else I64
        plain = [kind for leaf in self.described.leaves for kind in self.machine_types(leaf)]
        function = ir.Function(module, ir.FunctionType(returned, plain), self.name)
        self.failed = F64(float("nan")) if returned is F64 else I64(library.FAILED)
        self.status = ir.GlobalVariable(module, I64, "status")
        self.builder = ir.IRBuilder(function.append_basic_block())
        self.given: Iterator[Any] = iter(function.args)
        self.number = 0  # of the leaf that is taken
        self.call(compiled)

    def call(self, compiled: Any) -> None:
        """Call the kernel and return what it returned."""
        typed, convention = self.typed, self.context.call_conv
        args = [self.take(kind) for kind in typed.args]
        callee = self.context.declare_function(self.module, compiled.fndesc)
        outcome, value = convention.call_function(self.builder, callee, typed.return_type, typed.args, args)
        self.require(library.RAISED, self.builder.not_(outcome.is_error))
        self.builder.ret(self.result(value))

    def machine_types(self, leaf: Leaf) -> list[ir.Type]:
        """Return the types of the arguments that a leaf arrives in."""
        if isinstance(leaf, Array | Record):
            return self.memory_types(leaf)
        return [{int: I64, bool: self.boolean, float: F64}[leaf]]

    def memory_types(self, leaf: Array | Record) -> list[ir.Type]:
        """Return the same for an array or a struct."""
        raise NotImplementedError

    def take(self, kind: Any) -> Any:
        """Return the next argument of the kernel, which has this type."""
        if isinstance(kind, types.BaseTuple):
            return self.context.make_tuple(self.builder, kind, [self.take(each) for each in kind.types])
        self.number += 1
        if isinstance(kind, types.Array):
            return self.array(kind, *self.array_parts(kind))
        if isinstance(kind, types.Record):
            return self.record(kind)
        value = next(self.given)
        return self.builder.icmp_signed("!=", value, self.boolean(0)) if kind == types.boolean else value

    def array_parts(self, kind: Any) -> tuple[Any, list[Any]]:
        """Return the address and the extents of an array."""
        raise NotImplementedError

    def record(self, kind: Any) -> Any:
        """Return the address of a struct."""
        raise NotImplementedError

    def array(self, kind: Any, address: Any, extents: list[Any]) -> Any:
        """Return a C-contiguous array as Numba has it."""
        item = I64(numpy_dtype(kind.dtype).itemsize)
        strides = [item]
        for extent in reversed(extents[1:]):
            strides.insert(0, self.builder.mul(strides[0], extent))
        made = make_array(kind)(self.context, self.builder)
        populate_array(made, address, extents, strides, item, None)
        return made._getvalue()

    def require(self, code: int, *conditions: Any) -> None:
        """Return with this status where a condition does not hold."""
        for condition in conditions:
            with self.builder.if_then(self.builder.not_(condition), likely=False):
                self.builder.store(I64(code), self.status)
                self.builder.ret(self.failed)

    def result(self, value: Any) -> Any:
        """Return what the exported function returns, checked against the kernel's annotation."""
        wanted, kind = self.described.returned, self.typed.return_type
        if wanted is None and kind == types.none:
            return I64(0)
        if wanted is bool and kind == types.boolean:
            return self.builder.zext(value, I64)
        if wanted is float and kind == types.float64:
            return value
        if wanted is int and isinstance(kind, types.Integer) and kind.signed:
            return self.builder.sext(value, I64) if kind.bitwidth < I64.width else value
        if wanted is np.uint64 and kind == types.uint64:
            return value
        raise TypeError(f"{self.name} is annotated with {wanted} but returns {kind}")


class PythonExport(Export):
    """For Python: a failure's status is the number of the argument that does not fit."""

    boolean = I8

    def memory_types(self, leaf: Array | Record) -> list[ir.Type]:
        """An object."""
        return [POINTER]

    def array_parts(self, kind: Any) -> tuple[Any, list[Any]]:
        """Return the address and the extents of an array, after checking it."""
        value, builder = next(self.given), self.builder
        self.check_type(value, "array_type")
        flags = builder.and_(self.field(I32, value, library.ARRAY_FLAGS), I32(CONTIGUOUS))
        self.require(
            self.number,
            builder.icmp_signed("==", self.field(I32, value, library.ARRAY_DIMENSIONS), I32(kind.ndim)),
            builder.icmp_signed("!=", flags, I32(0)),
        )
        self.check_items(self.field(POINTER, value, library.ARRAY_DTYPE), numpy_dtype(kind.dtype))
        shape = self.field(POINTER, value, library.ARRAY_SHAPE)
        extents = [self.field(I64, shape, 8 * axis) for axis in range(kind.ndim)]
        return self.field(POINTER, value, library.ARRAY_DATA), extents

    def record(self, kind: Any) -> Any:
        """Return the address of a struct, after checking it."""
        value = next(self.given)
        self.check_type(value, "record_type")
        self.check_items(self.field(POINTER, value, library.RECORD_DTYPE), numpy_dtype(kind))
        return self.field(POINTER, value, library.RECORD_DATA)

    def field(self, kind: Any, address: Any, offset: int) -> Any:
        """Return a field of an object."""
        return self.builder.load(self.builder.gep(address, [I64(offset)], source_etype=I8), typ=kind)

    def check_type(self, value: Any, name: str) -> None:
        """Check the type of an object."""
        known = self.module.globals.get(name) or ir.GlobalVariable(self.module, I64, name)
        is_known = self.builder.icmp_unsigned("==", self.field(I64, value, 8), self.builder.load(known, typ=I64))
        self.require(self.number, is_known)

    def check_items(self, dtype: Any, item: np.dtype[Any]) -> None:
        """Check the items of an array, or a struct."""
        kind = self.builder.icmp_signed("==", self.field(I32, dtype, library.DTYPE_NUMBER), I32(item.num))
        size = self.builder.icmp_signed("==", self.field(I64, dtype, library.DTYPE_SIZE), I64(item.itemsize))
        self.require(self.number, kind, size)


class AddressExport(Export):
    """For WebAssembly, where addresses and extents have 32 bits."""

    boolean = I32

    def memory_types(self, leaf: Array | Record) -> list[ir.Type]:
        """An address, and the extents of an array."""
        return [POINTER, *([I32] * leaf.dimensions if isinstance(leaf, Array) else [])]

    def array_parts(self, kind: Any) -> tuple[Any, list[Any]]:
        """Return the address and the extents of an array."""
        return next(self.given), [self.builder.zext(next(self.given), I64) for _ in range(kind.ndim)]

    def record(self, kind: Any) -> Any:
        """Return the address of a struct."""
        return next(self.given)


def numpy_dtype(kind: Any) -> np.dtype[Any]:
    """Return NumPy's type of the items that Numba knows as this."""
    return np.dtype(as_dtype(kind))
