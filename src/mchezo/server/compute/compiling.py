"""Compiling rules that have no library, without blocking the server; games with a library are ready at once.

A child process fills the cache of Numba, then the server loads from it.

As a program (`python -m mchezo.server.compute.compiling`) it compiles the games, then the computer players, and prints
`GAME DONE TOTAL` after each step.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from mchezo.core import registry
from mchezo.core.compiled import Way, way_of_game
from mchezo.server.messages import GameReady

LOG = logging.getLogger("mchezo.server")
PLAYERS = "players"  # the computer players, in progress reports
CHILD = "child"  # the argument that makes the program end with the server that started it
ROUNDS = 3  # random games, played as the server does
MOVES = 60


def steps(name: str, rounds: int = ROUNDS) -> Iterator[int]:
    """Compile or load everything that a table of this game needs; yield how many steps are left after each."""
    from mchezo.core.kernels import KERNELS, warm_up
    from mchezo.server.projection.effects import previews

    game = registry.find(name)
    left = len(KERNELS) + rounds
    for _ in warm_up(*game.start(seed=1).arrays):
        left -= 1
        yield left
    for number in range(rounds):
        rng = random.Random(number)
        options: dict[str, Any] = {"players": rng.choice(game.players)} if len(game.players) > 1 else {}
        position = game.start(seed=number, **options)
        for _ in range(MOVES):
            if position.to_move is None:
                break
            position.view(position.to_move)
            legal = rng.sample(position.legal_moves, k=min(2, len(position.legal_moves)))
            previews(position, legal)
            position.play(legal[0])
        list(game.effects.score_lines(position.states[0], position.setups[0]))
        left -= 1
        yield left


def is_compiled_here(name: str) -> bool:
    """Return whether Numba compiles a game on this machine."""
    return way_of_game(name) is Way.JIT


@cache
def load(name: str) -> None:
    """Load a compiled game, or compile it in this process; done once."""
    if not is_compiled_here(name):
        registry.find(name).start(seed=1)
        return
    for _ in steps(name, rounds=1):
        pass


def player_steps() -> Iterator[int]:
    """Do the same for the computer players: the weakest and the strongest of each game think briefly."""
    from mchezo.search import analysis
    from mchezo.server.compute.opponents import Shipped

    shipped = Shipped()
    names = list(filter(is_compiled_here, registry.names()))
    left = 2 * len(names)
    for name in names:
        levels = shipped.levels(name)
        for info in (levels[0], levels[-1]):
            shipped.player(name, info.level).think(registry.find(name).start(seed=1), nodes=100)
            left -= 1
            yield left
        analysis.warm_up(name)


def load_players() -> None:
    """Load the compiled computer players, or compile them in this process."""
    for _ in player_steps():
        pass


def marker(name: str) -> Path | None:
    """Return the file whose existence says that a game's machine code is in the cache; None without a cache."""
    from mchezo.core.jit import CACHE, external_hash

    version = "" if name == PLAYERS else external_hash(registry.find(name).rules.state)
    return None if CACHE is None else CACHE / f"server-{name}{version}.ready"


def compile_all() -> None:
    """Compile everything: the work of the child process."""
    for name in filter(is_compiled_here, registry.names()):
        if is_marked(name):
            continue
        total = None
        for left in steps(name):
            total = total or left + 1
            print(name, total - left, total, flush=True)
        set_marker(name)
    total = None
    for left in player_steps():
        total = total or left + 2  # the last step is that the server loads them
        print(PLAYERS, total - left - 1, total, flush=True)
    set_marker(PLAYERS)


def is_marked(name: str) -> bool:
    """Return whether a game's machine code is in the cache."""
    return (file := marker(name)) is not None and file.exists()


def set_marker(name: str) -> None:
    """Record that a game's machine code is in the cache."""
    file = marker(name)
    if file is not None:
        file.touch()


class Readiness:
    """How far the games and the computer players are compiled, and who waits for them."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.games = {name: GameReady(0, 1, False) for name in names}
        self.players = GameReady(0, 1, False)
        self.waiting: dict[Callable[[], None], None] = {}  # called after every step

    def is_ready(self, name: str) -> bool:
        """Return whether a game can be played."""
        return self.games[name].ready if name in self.games else True

    @property
    def all_ready(self) -> bool:
        """Whether all games can be played."""
        return all(game.ready for game in self.games.values())

    def report(self, name: str, done: int, total: int, ready: bool = False) -> None:
        """Update the progress of a game or of the computer players, and wake everybody who waits."""
        if name == PLAYERS:
            self.players = GameReady(done, total, ready)
        else:
            self.games[name] = GameReady(done, total, ready)
        for wake in list(self.waiting):
            wake()


async def prepare(readiness: Readiness, load_computers: Callable[[], None]) -> None:
    """Prepare all games, one after the other, then the computer players."""
    names = list(readiness.games)
    to_compile = list(filter(is_compiled_here, names))
    missing = [name for name in (*to_compile, PLAYERS) if to_compile and not is_marked(name)]
    for name in names:
        if name not in missing:
            await load_game(readiness, name)
    if missing and marker(PLAYERS) is not None:
        await compile_in_child(readiness)
    for name in names:
        if not readiness.is_ready(name):  # there is no cache, or the child failed
            await load_game(readiness, name)
    await in_daemon_thread(load_computers)
    readiness.report(PLAYERS, 1, 1, ready=True)


async def load_game(readiness: Readiness, name: str) -> None:
    """Load a game in a thread."""
    await in_daemon_thread(load, name)
    readiness.report(name, 1, 1, ready=True)
    LOG.info("game ready", extra={"game": name})


async def in_daemon_thread(work: Callable[..., None], *arguments: object) -> None:
    """Run slow work in a thread that does not keep a stopping server alive."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def finish(error: BaseException | None) -> None:
        if not done.done():
            done.set_result(None) if error is None else done.set_exception(error)

    def run() -> None:
        error: BaseException | None = None
        try:
            work(*arguments)
        except BaseException as caught:
            error = caught
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(finish, error)

    threading.Thread(target=run, name="loading", daemon=True).start()
    await done


async def compile_in_child(readiness: Readiness) -> None:
    """Compile in a child process, which ends with this one."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "mchezo.server.compute.compiling",
        CHILD,
        *(f"{name}={module}" for name, module in registry.MODULES.items()),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    try:
        async for line in child.stdout:
            name, done, total = line.decode().split()
            if name == PLAYERS or not readiness.is_ready(name):
                readiness.report(name, int(done), int(total))
                if done == total:
                    await load_game(readiness, name)
        if await child.wait():
            LOG.error("compiling in a child process failed", extra={"code": child.returncode})
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


def end_with_parent() -> None:
    """Exit when the server does: it closes the pipe that is our standard input."""
    sys.stdin.read(1)
    os._exit(1)


if __name__ == "__main__":
    if CHILD in sys.argv:
        threading.Thread(target=end_with_parent, daemon=True).start()
        for argument in sys.argv[2:]:
            registry.register(*argument.split("="))
    compile_all()
