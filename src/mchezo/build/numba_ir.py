"""The kernels of a game as one LLVM module, not yet optimised: Numba translates, nothing is made for the host.

Parts of Numba that optimise for this machine, or store exceptions with the paths of sources, are replaced; that relies
on the version of Numba that the build requires.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import resources
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

from mchezo.build.exports import I8, I64, Export
from mchezo.build.targets import Target
from mchezo.core import jit
from mchezo.core.library import symbol
from mchezo.core.signature import Array, Parameter, Record, signature

Layouts = Mapping[str, np.dtype[Any]]  # of a game: its STATE and its SETUP

SCALARS = {int: types.int64, bool: types.boolean, float: types.float64}

# Numba copies a struct as an array of bytes, which LLVM takes apart byte by byte.
STRUCT_COPY = re.compile(
    r"(%\S+) = load \[(\d+) x i8\], ptr (%\S+), align 1\n  store \[\2 x i8\] \1, ptr (%\S+), align 1\n"
)
CONSTANT_TEXT = re.compile(r"\.bytes\.-?\d+")
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
def translate(
    name: str,
    kernels: Sequence[Callable[..., Any]],
    layouts: Layouts,
    source_hash: str,
    conventions: Collection[type[Export]],
) -> dict[type[Export], str]:
    """Return LLVM IR of the kernels for a game with these layouts, with exported functions of each convention."""
    jit.register_all()
    context = cpu_target.target_context
    context.refresh()
    cpu_target.typing_context.refresh()
    compiled = [compile_kernel(kernel, layouts) for kernel in kernels]
    texts = {}
    for convention in conventions:
        made = context.codegen().create_library(name)
        for kernel, result in zip(kernels, compiled, strict=True):
            module = made.create_ir_module(symbol(kernel))
            convention(context, module, kernel, result)
            made.add_ir_module(module)
            made.add_linking_library(result.library)
        made.add_ir_module(constants(made, source_hash))
        made.finalize()
        text = STRUCT_COPY.sub(rf"call void @{MEMMOVE}(ptr \4, ptr \3, i64 \2, i1 false)\n", str(made._final_module))
        # Only texts of exceptions need it, and they are not kept.
        text = text.replace("@llvm.log10.f64(", "@log10_of_text(")
        texts[convention] = f"{number_texts(text)}\ndeclare void @{MEMMOVE}(ptr, ptr, i64, i1)\n"
    return texts


def number_texts(text: str) -> str:
    """Number constant texts: Numba names them by a hash that differs between processes, and macOS keeps the names."""
    numbers: dict[str, int] = {}
    return CONSTANT_TEXT.sub(lambda name: f".bytes.{numbers.setdefault(name[0], len(numbers))}", text)


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


def parse(text: str, target: Target, machine: llvm.TargetMachine, exported: Collection[str]) -> llvm.ModuleRef:
    """Return IR as a module for a target, with what it needs besides; everything but the exports is internal."""
    text = re.sub(r'target triple = "[^"]*"', f'target triple = "{target.triple}"', text)
    text = re.sub(r'target datalayout = "[^"]*"', f'target datalayout = "{machine.target_data}"', text)
    module = llvm.parse_assembly(text)
    for name in target.runtimes:
        support = llvm.parse_assembly(resources.files("mchezo.build").joinpath(name).read_text())
        support.triple, support.data_layout = target.triple, str(machine.target_data)
        module.link_in(support)
    for value in (*module.functions, *module.global_variables):
        if value.is_declaration or value.name.startswith("llvm."):
            continue
        if value.name in exported:
            value.storage_class = "dllexport" if "windows" in target.triple else "default"
        elif value.name not in MEMORY:
            value.linkage = "internal"
    module.verify()
    return module
