"""Compiling the rules without stopping the server: a child process fills the cache, then we load from it.

As a program (`python -m mchezo.server.compiling`) it compiles everything, and prints a line `GAME DONE TOTAL` after
each step; when the games are done it goes on with the computer players.
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
from importlib import import_module
from pathlib import Path

from mchezo.core import registry
from mchezo.server.messages import GameReady

LOG = logging.getLogger("mchezo.server")
PLAYERS = "players"  # stands for the computer players in the progress
CHILD = "child"  # the argument which says that a server waits for us
ROUNDS = 3  # random games, of which the moves are shown as the server shows them
MOVES = 60


def steps(name: str, rounds: int = ROUNDS) -> Iterator[int]:
    """Compile, or load, all that a table of this game needs; yields how many steps are left after each."""
    from mchezo.core.kernels import KERNELS, warm_up
    from mchezo.server.sight import previews

    game = registry.find(name)
    left = len(KERNELS) + rounds
    for _ in warm_up(*game.start(seed=1).arrays):
        left -= 1
        yield left
    for number in range(rounds):
        dice = random.Random(number)
        players = dice.choice([option.values for option in game.options if option.name == "players"] or [(2,)])
        options = {"players": dice.choice(players or (2,))} if game.name == "kitara" else {}
        position = game.start(seed=number, **options)
        for _ in range(MOVES):
            if position.to_move is None:
                break
            position.view(position.to_move)
            legal = dice.sample(position.legal_moves, k=min(2, len(position.legal_moves)))
            previews(position, legal)
            position.play(legal[0])
        list(game.account(position.states[0], position.setups[0]))
        left -= 1
        yield left


@cache
def load(name: str) -> None:
    """Load what is compiled, or compile it here if need be; once is enough."""
    for _ in steps(name, rounds=1):
        pass


def player_steps() -> Iterator[int]:
    """The same for the computer players: the weakest and the strongest of each game think for a moment."""
    from mchezo.search import analysis
    from mchezo.server.opponents import Shipped

    shipped = Shipped()
    left = 2 * len(registry.names())
    for name in registry.names():
        levels = shipped.levels(name)
        for info in (levels[0], levels[-1]):
            shipped.player(name, info.level).think(registry.find(name).start(seed=1), nodes=100)
            left -= 1
            yield left
        analysis.warm_up(name)


def load_players() -> None:
    """Load the computer players, or compile them here."""
    for _ in player_steps():
        pass


def mark(name: str) -> Path | None:
    """The file which says that a game's machine code is in the cache."""
    from mchezo.core.compiled import CACHE

    return None if CACHE is None else CACHE / f"server-{name}.ready"


def compile_all() -> None:
    """What the child process does."""
    for name in registry.names():
        total = None
        for left in steps(name):
            total = total or left + 1
            print(name, total - left, total, flush=True)
        set_mark(name)
    total = None
    for left in player_steps():
        total = total or left + 2  # the last step is that the server loads them
        print(PLAYERS, total - left - 1, total, flush=True)
    set_mark(PLAYERS)


def set_mark(name: str) -> None:
    """Say that all is there."""
    file = mark(name)
    if file is not None:
        file.touch()


class Readiness:
    """How far the games and the computer players are, and who wants to know."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.games = {name: GameReady(0, 1, False) for name in names}
        self.players = GameReady(0, 1, False)
        self.waiting: set[asyncio.Event] = set()

    def is_ready(self, name: str) -> bool:
        """Whether a game can be played."""
        return self.games[name].ready if name in self.games else True

    @property
    def all_ready(self) -> bool:
        """Whether all can."""
        return all(game.ready for game in self.games.values())

    def report(self, name: str, done: int, total: int, ready: bool = False) -> None:
        """Note how far a game is, or the computer players are, and wake who waits."""
        if name == PLAYERS:
            self.players = GameReady(done, total, ready)
        else:
            self.games[name] = GameReady(done, total, ready)
        for event in self.waiting:
            event.set()


async def prepare(readiness: Readiness, load_computers: Callable[[], None]) -> None:
    """Make all games ready, one after the other, and then the computer players."""
    names = list(readiness.games)
    compiled = [name for name in [*names, PLAYERS] if (file := mark(name)) is not None and file.exists()]
    for name in names:
        if name in compiled:
            await ready_here(readiness, name)
    if len(compiled) <= len(names) and mark(PLAYERS) is not None:
        await in_child(readiness)
    for name in names:
        if not readiness.is_ready(name):  # no cache can be kept, or the child has failed: it is compiled here
            await ready_here(readiness, name)
    await in_thread(load_computers)
    readiness.report(PLAYERS, 1, 1, ready=True)


async def ready_here(readiness: Readiness, name: str) -> None:
    """Load a game in a thread."""
    await in_thread(load, name)
    readiness.report(name, 1, 1, ready=True)
    LOG.info("game ready", extra={"game": name})


async def in_thread(work: Callable[..., None], *given: object) -> None:
    """Do something slow in a thread that nobody waits for when the server stops meanwhile."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def finish(error: BaseException | None) -> None:
        if not done.done():
            done.set_result(None) if error is None else done.set_exception(error)

    def run() -> None:
        error: BaseException | None = None
        try:
            work(*given)
        except BaseException as caught:
            error = caught
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(finish, error)

    threading.Thread(target=run, name="loading", daemon=True).start()
    await done


async def in_child(readiness: Readiness) -> None:
    """Compile in a child process, which ends with us."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "mchezo.server.compiling",
        CHILD,
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
                    await ready_here(readiness, name)
        if await child.wait():
            LOG.error("compiling in a child process failed", extra={"code": child.returncode})
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


def end_with_parent() -> None:
    """Stop when the server does: the pipe that is our standard input is closed then."""
    sys.stdin.read(1)
    os._exit(1)


if __name__ == "__main__":
    if sys.argv[1:] == [CHILD]:
        threading.Thread(target=end_with_parent, daemon=True).start()
    import_module("mchezo.games")
    compile_all()
