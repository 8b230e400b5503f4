"""Which kernels make up the library of each game, and building them."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module, resources
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from mchezo.core import compiled, library, registry
from mchezo.core.compiled import COMMON, KERNELS
from mchezo.core.library import symbol
from mchezo.core.signature import SETUP, STATE, signature

# Where kernels are, besides the games themselves.
MODULES = (
    "mchezo.core.kernels",
    "mchezo.search.alphabeta",
    "mchezo.search.tree",
    "mchezo.search.planner",
    "mchezo.search.selfplay",
    "mchezo.search.turnplay",
    "mchezo.arena.heuristics",
    "mchezo.arena.opponents",
    "mchezo.studies.katarenga",
    "mchezo.studies.kitara",
    "mchezo.envs.kernels",
)
LOADED = ("status", "sources", "allocate", "release", "array_type", "record_type")  # what the loader reads and writes


def import_kernels() -> None:
    """Import every module with kernels."""
    for module in MODULES:
        import_module(module)


def kernels_of(name: str) -> list[Callable[..., Any]]:
    """Return the kernels of a game: those that need a state, but for those of other games."""
    others = {game for game in registry.names() if game != name}
    return [
        kernel
        for kernel in KERNELS
        if (signature(kernel).place_of_state() is None) == (name == COMMON)
        and not others.intersection(kernel.__module__.split("."))
    ]


def layouts_of(name: str) -> dict[str, np.dtype[Any]]:
    """Return the layouts of a game's state and set-up."""
    if name == COMMON:
        return {}
    structs = import_module(f"{registry.MODULES[name]}.structs")
    return {STATE: structs.STATE, SETUP: structs.SETUP}


def build(targets: Sequence[str]) -> None:
    """Build the libraries of all games for these targets, each in a process of its own, unless they are current."""
    library.FOLDER.mkdir(exist_ok=True)
    names = (*registry.names(), COMMON)
    missing = [target for target in targets if not all(is_current(library.path(name, target)) for name in names)]
    if not missing:
        return
    with ProcessPoolExecutor(min(os.cpu_count() or 1, len(names)), get_context("spawn")) as pool:
        for line in pool.map(build_library, names, repeat(missing)):
            print(line, flush=True)


def is_current(file: Path) -> bool:
    """Return whether a library, for whichever target, was built from these sources."""
    return file.is_file() and compiled.source_hash().encode() in file.read_bytes()


def runtimes(target: str) -> list[str]:
    """Return the LLVM IR that a library for a target has besides the kernels."""
    names = ("runtime.ll", "windows.ll") if target.startswith("windows") else ("runtime.ll",)
    return [resources.files("mchezo.build").joinpath(name).read_text() for name in names]


def build_library(name: str, targets: Sequence[str]) -> str:
    """Build one library for these targets; return what was done."""
    from mchezo.build import numba_ir
    from mchezo.build.targets import TARGETS, link, machine_for, optimise

    began = time.process_time()
    import_kernels()
    if name != COMMON:
        registry.find(name)
    numba_ir.keep_ir()
    kernels = kernels_of(name)
    exported = [*LOADED, *map(symbol, kernels)]
    text = numba_ir.translate(name, kernels, layouts_of(name), compiled.source_hash())
    for target in targets:
        machine = machine_for(TARGETS[target])
        linked = numba_ir.parse(text, TARGETS[target].triple, machine, runtimes(target), exported)
        optimise(linked, machine)
        link(machine.emit_object(linked), TARGETS[target], library.path(name, target))
    return f"{name}: {len(kernels)} kernels for {', '.join(targets)} in {time.process_time() - began:.0f} s"
