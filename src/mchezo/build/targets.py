"""The targets of the build: optimising with llvmlite's LLVM, linking with Zig."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm

from mchezo.build.exports import AddressExport, Export, PythonExport
from mchezo.core import library

# What the loader reads and writes besides the kernels.
FOR_PYTHON = ("status", "sources", "allocate", "release", "array_type", "record_type")
FOR_WEBASSEMBLY = ("status", "sources", "arena")


@dataclass(frozen=True)
class Target:
    """A platform: its triple for LLVM, processor and features, how Zig links for it, and what a library has there."""

    triple: str
    processor: str
    linker: tuple[str, ...]
    features: str = ""
    export: type[Export] = PythonExport
    loaded: tuple[str, ...] = FOR_PYTHON
    runtimes: tuple[str, ...] = ("runtime.ll", "python.ll")


def shared(name: str) -> tuple[str, ...]:
    """Return how Zig links a shared library, without a C library."""
    return ("cc", "-target", name, "-shared", "-nostdlib", "-s")


TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86-64-v2", shared("x86_64-linux-gnu.2.17")),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", "generic", shared("aarch64-linux-gnu.2.17")),
    "macos-aarch64": Target("arm64-apple-macosx11.0.0", "apple-m1", shared("aarch64-macos")),
    "macos-x86_64": Target("x86_64-apple-macosx11.0.0", "x86-64-v2", shared("x86_64-macos")),
    "windows-x86_64": Target(
        "x86_64-pc-windows-gnu",
        "x86-64-v2",
        ("lld-link", "-dll", "-Brepro", "-nodefaultlib", "-noimplib", "-entry:DllMainCRTStartup"),
        runtimes=("runtime.ll", "python.ll", "windows.ll"),
    ),
    # A side module, as Emscripten has them: linked to any place in the memory of whoever loads it, Pyodide for one.
    library.BROWSER: Target(
        "wasm32-unknown-unknown",
        "generic",
        ("wasm-ld", "-shared", "-Bsymbolic", "--experimental-pic", "--strip-all"),
        features="+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128",
        export=AddressExport,
        loaded=FOR_WEBASSEMBLY,
        runtimes=("runtime.ll", "arena.ll"),
    ),
}
INLINE = 225  # as clang -O3


def machine_for(target: Target) -> llvm.TargetMachine:
    """Return LLVM's back end for a target."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc="pic", codemodel="small"
    )


def optimise(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    """Optimise as Numba does: cheap passes that inline, then pruning of reference counts, then everything."""
    strip = llvm.create_new_module_pass_manager()
    strip.add_global_dead_code_eliminate_pass()
    strip.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0)))
    for function in module.functions:
        if not function.is_declaration:
            options = llvm.create_pipeline_tuning_options(3)
            options.loop_vectorization = options.slp_vectorization = False
            builder = llvm.create_pass_builder(machine, options)
            passes = builder.getFunctionPassManager()
            passes.add_refprune_pass()
            passes.run(function, builder)
    for level, first in ((0, True), (3, False)):
        options = llvm.create_pipeline_tuning_options(level)
        options.loop_vectorization = options.slp_vectorization = not first
        options.inlining_threshold = INLINE
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager()
        if first:
            passes.add_loop_rotate_pass()
            passes.add_instruction_combine_pass()
            passes.add_jump_threading_pass()
        passes.add_refprune_pass()
        passes.run(module, builder)


def link(code: bytes, target: Target, out: Path) -> None:
    """Link one object file to a library."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernels.o").write_bytes(code)
        output = [f"-out:{out.name}"] if target.linker[0] == "lld-link" else ["-o", out.name]
        command = [sys.executable, "-m", "ziglang", *target.linker, *output, "kernels.o"]
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        subprocess.run(command, cwd=folder, env=environment, check=True)
        # Renamed, not overwritten: processes that have loaded the old library go on with it.
        new = out.with_name(f".{out.name}.new")
        new.write_bytes((Path(folder) / out.name).read_bytes())
        new.replace(out)
