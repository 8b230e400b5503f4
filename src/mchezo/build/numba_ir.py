"""The kernels of a game as one LLVM module, not yet optimised: Numba translates, nothing is made for the host.

Parts of Numba that optimise for this machine, or store exceptions with the paths of sources, are replaced; that relies
on the version of Numba that the build requires.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm
import llvmlite.ir as ir
import numba
import numpy as np
from numba.core import compiler, types
from numba.core.callconv import CPUCallConv
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np.arrayobj import make_array, populate_array

from mchezo.core import jit, library
from mchezo.core.library import symbol
from mchezo.core.signature import Array, Leaf, Parameter, Record, signature

Layouts = Mapping[str, np.dtype[Any]]  # of a game: its STATE and its SETUP

I8, I32, I64, F64, POINTER = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType(), ir.PointerType()
CONTIGUOUS = 1  # the flag of C-contiguous arrays in NumPy
SCALARS = {int: types.int64, bool: types.boolean, float: types.float64}
MACHINE_SCALARS = {int: I64, bool: I8, float: F64}

# Numba copies a struct as an array of bytes, which LLVM takes apart byte by byte.
STRUCT_COPY = re.compile(
    r"(%\S+) = load \[(\d+) x i8\], ptr (%\S+), align 1\n  store \[\2 x i8\] \1, ptr (%\S+), align 1\n"
)
MEMORY = ("DllMainCRTStartup", "memcpy", "memmove", "memset")  # what LLVM and the linker refer to by name
MEMMOVE = "llvm.memmove.p0.p0.i64"


def keep_ir() -> None:
    """Make Numba stop at LLVM IR, for the rest of this process."""
    cpu_target.target_context.codegen()  # Numba's own runtime is compiled before that

    def only_layout(self: Any, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def no_machine_code(self: Any) -> None:
        self._finalized = True

    CPUCallConv.set_static_user_exc = CPUCallConv.set_dynamic_user_exc = lambda self, *args, **named: None
    CPUCodeLibrary._optimize_functions = only_layout
    CPUCodeLibrary._optimize_final_module = lambda self: None
    CPUCodeLibrary._finalize_final_module = no_machine_code
    JITCodeLibrary.get_pointer_to_function = lambda self, name: 0
    JITCPUCodegen.set_env = lambda self, name, env: None


@global_compiler_lock
def translate(name: str, kernels: Sequence[Callable[..., Any]], layouts: Layouts, source_hash: str) -> str:
    """Return LLVM IR with an exported function for each kernel, for a game with these layouts."""
    jit.register_all()
    context = cpu_target.target_context
    context.refresh()
    cpu_target.typing_context.refresh()
    made = context.codegen().create_library(name)
    for kernel in kernels:
        compiled = compile_kernel(kernel, layouts)
        module = made.create_ir_module(symbol(kernel))
        export(context, module, kernel, compiled)
        made.add_ir_module(module)
        made.add_linking_library(compiled.library)
    made.add_ir_module(constants(made, source_hash))
    made.finalize()
    text = STRUCT_COPY.sub(rf"call void @{MEMMOVE}(ptr \4, ptr \3, i64 \2, i1 false)\n", str(made._final_module))
    # Only texts of exceptions need it, and they are not kept.
    text = text.replace("@llvm.log10.f64(", "@log10_of_text(")
    return f"{text}\ndeclare void @{MEMMOVE}(ptr, ptr, i64, i1)\n"


def constants(made: Any, source_hash: str) -> Any:
    """Return a module with the hash of the sources, and the places for what the loader writes."""
    module = made.create_ir_module("constants")
    held = ir.GlobalVariable(module, ir.ArrayType(I8, len(source_hash)), "sources")
    held.initializer = ir.Constant(held.value_type, bytearray(source_hash.encode()))
    held.global_constant = True
    for name in ("status", "array_type", "record_type"):
        ir.GlobalVariable(module, I64, name).initializer = I64(0)
    return module


def compile_kernel(kernel: Callable[..., Any], layouts: Layouts) -> Any:
    """Return Numba's result for a kernel, without the parts for Python."""
    flags = Flags()
    flags.nrt = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.error_model = "python"
    args = tuple(numba_type(parameter, layouts) for parameter in signature(kernel).parameters)
    return compiler.compile_extra(cpu_target.typing_context, cpu_target.target_context, kernel, args, None, flags, {})


def numba_type(parameter: Parameter, layouts: Layouts) -> Any:
    """Return Numba's type of a parameter."""
    if isinstance(parameter, tuple):
        kind, fields = parameter
        return types.NamedTuple([numba_type(field, layouts) for field in fields], kind)
    if isinstance(parameter, Array):
        return types.Array(numba.from_dtype(item_of(parameter, layouts)), parameter.dimensions, "C")
    return numba.from_dtype(parameter.item) if isinstance(parameter, Record) else SCALARS[parameter]


def item_of(array: Array, layouts: Layouts) -> np.dtype[Any]:
    """Return the items of an array; states and set-ups have the layouts of the game."""
    return np.dtype(layouts.get(array.item, array.item) if isinstance(array.item, str) else array.item)


def export(context: Any, module: Any, kernel: Callable[..., Any], compiled: Any) -> None:
    """Add a function that checks the objects it is given, takes them apart, and calls a compiled kernel."""
    described, typed = signature(kernel), compiled.signature
    returned = F64 if described.returned is float else I64
    plain = [MACHINE_SCALARS.get(leaf, POINTER) for leaf in described.leaves]  # type: ignore[arg-type]
    exported = ir.Function(module, ir.FunctionType(returned, plain), symbol(kernel))
    builder = ir.IRBuilder(exported.append_basic_block())
    status = ir.GlobalVariable(module, I64, "status")
    failed = F64(float("nan")) if returned is F64 else I64(library.FAILED)
    given = iter(enumerate(exported.args, 1))

    def fail(code: int) -> None:
        builder.store(I64(code), status)
        builder.ret(failed)

    def field(kind: Any, address: Any, offset: int) -> Any:
        return builder.load(builder.gep(address, [I64(offset)], source_etype=I8), typ=kind)

    def require(number: int, *conditions: Any) -> None:
        for condition in conditions:
            with builder.if_then(builder.not_(condition), likely=False):
                fail(number)

    def check_type(number: int, value: Any, name: str) -> None:
        known = module.globals.get(name) or ir.GlobalVariable(module, I64, name)
        require(number, builder.icmp_unsigned("==", field(I64, value, 8), builder.load(known, typ=I64)))

    def check_items(number: int, dtype: Any, item: np.dtype[Any]) -> None:
        kind = builder.icmp_signed("==", field(I32, dtype, library.DTYPE_NUMBER), I32(item.num))
        size = builder.icmp_signed("==", field(I64, dtype, library.DTYPE_SIZE), I64(item.itemsize))
        require(number, kind, size)

    def array(kind: Any, number: int, value: Any) -> Any:
        item = numba_dtype(kind.dtype)
        check_type(number, value, "array_type")
        flags = builder.and_(field(I32, value, library.ARRAY_FLAGS), I32(CONTIGUOUS))
        require(
            number,
            builder.icmp_signed("==", field(I32, value, library.ARRAY_DIMENSIONS), I32(kind.ndim)),
            builder.icmp_signed("!=", flags, I32(0)),
        )
        check_items(number, field(POINTER, value, library.ARRAY_DTYPE), item)
        shape = field(POINTER, value, library.ARRAY_SHAPE)
        extents = [field(I64, shape, 8 * axis) for axis in range(kind.ndim)]
        strides = [I64(item.itemsize)]
        for extent in reversed(extents[1:]):
            strides.insert(0, builder.mul(strides[0], extent))
        made = make_array(kind)(context, builder)
        populate_array(made, field(POINTER, value, library.ARRAY_DATA), extents, strides, I64(item.itemsize), None)
        return made._getvalue()

    def take(kind: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(builder, kind, [take(each) for each in kind.types])
        number, value = next(given)
        if isinstance(kind, types.Array):
            return array(kind, number, value)
        if isinstance(kind, types.Record):
            check_type(number, value, "record_type")
            check_items(number, field(POINTER, value, library.RECORD_DTYPE), numba_dtype(kind))
            return field(POINTER, value, library.RECORD_DATA)
        return builder.icmp_signed("!=", value, I8(0)) if kind == types.boolean else value

    args = [take(kind) for kind in typed.args]
    callee = context.declare_function(module, compiled.fndesc)
    outcome, value = context.call_conv.call_function(builder, callee, typed.return_type, typed.args, args)
    with builder.if_then(outcome.is_error, likely=False):
        fail(library.RAISED)
    builder.ret(result(builder, described.returned, typed.return_type, value, symbol(kernel)))


def numba_dtype(kind: Any) -> np.dtype[Any]:
    """Return NumPy's type of the items that Numba knows as this."""
    from numba.np.numpy_support import as_dtype

    return np.dtype(as_dtype(kind))


def result(builder: Any, wanted: Any, kind: Any, value: Any, name: str) -> Any:
    """Return what the exported function returns, checked against the kernel's annotation."""
    if wanted is None and kind == types.none:
        return I64(0)
    if wanted is bool and kind == types.boolean:
        return builder.zext(value, I64)
    if wanted is float and kind == types.float64:
        return value
    if wanted is int and isinstance(kind, types.Integer) and kind.signed:
        return builder.sext(value, I64) if kind.bitwidth < I64.width else value
    if wanted is np.uint64 and kind == types.uint64:
        return value
    raise TypeError(f"{name} is annotated with {wanted} but returns {kind}")


def parse(
    text: str, triple: str, machine: llvm.TargetMachine, runtimes: Sequence[str], exported: Sequence[str]
) -> llvm.ModuleRef:
    """Return IR as a module for a target, with what it needs besides; everything but the exports is internal."""
    text = re.sub(r'target triple = "[^"]*"', f'target triple = "{triple}"', text)
    text = re.sub(r'target datalayout = "[^"]*"', f'target datalayout = "{machine.target_data}"', text)
    module = llvm.parse_assembly(text)
    for runtime in runtimes:
        support = llvm.parse_assembly(runtime)
        support.triple, support.data_layout = triple, str(machine.target_data)
        module.link_in(support)
    for value in (*module.functions, *module.global_variables):
        if value.is_declaration or value.name.startswith("llvm."):
            continue
        if value.name in exported:
            value.storage_class = "dllexport" if "windows" in triple else "default"
        elif value.name not in MEMORY:
            value.linkage = "internal"
    module.verify()
    return module


__all__ = ["Leaf", "keep_ir", "parse", "translate"]
