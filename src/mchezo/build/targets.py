"""The targets of the build: optimising with llvmlite's LLVM, linking with Zig."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm


@dataclass(frozen=True)
class Target:
    """A platform: its triple for LLVM, its name for Zig, processor and features."""

    triple: str
    zig: str
    processor: str
    features: str = ""


TARGETS = {
    "linux-x86_64": Target("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.17", "x86-64-v2"),
    "linux-aarch64": Target("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.17", "generic"),
    "macos-aarch64": Target("arm64-apple-macosx11.0.0", "aarch64-macos", "apple-m1"),
    "macos-x86_64": Target("x86_64-apple-macosx11.0.0", "x86_64-macos", "x86-64-v2"),
    "windows-x86_64": Target("x86_64-pc-windows-gnu", "x86_64-windows-gnu", "x86-64-v2"),
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
    """Link one object file to a shared library."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "kernels.o").write_bytes(code)
        zig = [sys.executable, "-m", "ziglang", "cc", "-target", target.zig, "-shared", "-nostdlib", "-s"]
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        subprocess.run([*zig, "-o", out.name, "kernels.o"], cwd=folder, env=environment, check=True)
        out.write_bytes((Path(folder) / out.name).read_bytes())
