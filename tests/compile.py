"""Compile what has no library before the tests start: `python -m tests.compile`.

Each game is compiled by a process of its own, so that all cores are busy. Processes that write the same index of
Numba's cache at the same moment overwrite each other's entries, so a last process loads everything and compiles what
was lost.
"""

import subprocess
import sys
from collections import deque

import mchezo
from mchezo.core.compiled import Way, describe, way_of_game


def compile_game(name: str) -> None:
    """Compile one game for positions, computer players, environments and the server."""
    from mchezo.cli.measure import compile_all
    from mchezo.envs.batch import warm_up
    from mchezo.search import analysis
    from mchezo.server.compute.compiling import steps

    compile_all([name])
    warm_up(name)
    analysis.warm_up(name)
    deque(steps(name), maxlen=0)


def main() -> None:
    """Compile the games named, or all."""
    if sys.argv[1:]:
        deque(map(compile_game, sys.argv[1:]), maxlen=0)
        return
    names = [name for name in mchezo.games() if way_of_game(name) is Way.JIT]
    if not names:
        print(f"The rules are {describe()}.")
        return
    processes = [subprocess.Popen([sys.executable, "-m", "tests.compile", name]) for name in names]
    if sum(process.wait() for process in processes):
        sys.exit("compilation failed, see above")
    subprocess.run([sys.executable, "-m", "tests.compile", *names], check=True)
    subprocess.run([sys.executable, "-m", "mchezo.server.compute.compiling"], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
