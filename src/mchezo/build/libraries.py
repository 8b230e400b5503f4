"""Which kernels make up the library of each game, and building them."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
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
    "mchezo.search.leaves",
    "mchezo.search.turnplay",
    "mchezo.arena.heuristics",
    "mchezo.arena.opponents",
    "mchezo.studies.katarenga",
    "mchezo.studies.kitara",
    "mchezo.studies.kiwara",
    "mchezo.envs.kernels",
)


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
    wanted = [TARGETS[target] for target in targets]
    conventions = dict.fromkeys(target.export for target in wanted)
    texts = numba_ir.translate(name, kernels, layouts_of(name), compiled.source_hash(), conventions)
    for target in targets:
        made, machine = TARGETS[target], machine_for(TARGETS[target])
        module = numba_ir.parse(texts[made.export], made, machine, [*made.loaded, *map(symbol, kernels)])
        optimise(module, machine)
        link(machine.emit_object(module), made, library.path(name, target))
    return f"{name}: {len(kernels)} kernels for {', '.join(targets)} in {time.process_time() - began:.0f} s"
