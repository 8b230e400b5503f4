"""Measuring rules and search: perft tables, and the benchmark beside other engines in the same run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from mchezo.cli.common import ERR, OUT
from mchezo.core import kernels, registry
from mchezo.core.dice import dice
from mchezo.core.position import Position, perft
from mchezo.search.deepening import AlphaBeta
from mchezo.search.players import player, warm_up
from mchezo.search.signature import DEPTH, POSITIONS, nodes_to_depth, positions

ENOUGH_SECONDS = 1.0  # a speed is measured over at least this long
TIMES = 3  # and the best of so many is taken: other programs only ever slow one down


def perft_table(position: Position, depth: int, divide: bool) -> Table:
    """Leaves and speed for each depth, or the leaves behind each first move."""
    table = Table("move" if divide else "depth", "sequences", *(() if divide else ("seconds", "per second")))
    with Progress(console=ERR, transient=True) as progress:
        for plies in (depth,) if divide else range(depth + 1):
            began = time.perf_counter()
            behind = []
            # Move by move, so that it shows how far it is and can be interrupted.
            for move in progress.track(position.legal_moves if plies else [], description=f"depth {plies}"):
                after = position.copy()
                after.manual = True  # chance outcomes are counted, not drawn
                after.play(move)
                behind.append((move, perft(after, plies - 1)))
            leaves = sum(count for _, count in behind) if plies else 1
            seconds = time.perf_counter() - began
            if divide:
                for move, count in behind:
                    table.add_row(move, f"{count:,}")
            else:
                table.add_row(str(plies), f"{leaves:,}", f"{seconds:.3f}", f"{leaves / seconds:,.0f}")
    return table


def speed(run: Callable[[], int]) -> float:
    """How many things a second `run` does, which returns how many it did; the best of several times."""
    run()
    best = 0.0
    for _ in range(TIMES):
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < ENOUGH_SECONDS:
            done += run()
        best = max(best, done / (time.perf_counter() - began))
    return best


def perft_speed(position: Position) -> float:
    """Leaves a second at the first depth that has a million of them."""
    depth = 1
    while perft(position, depth) < 1_000_000:
        depth += 1
    return speed(lambda: perft(position, depth))


def random_speed(position: Position, least: int = 300_000) -> float:
    """Random decisions a second."""
    states = np.repeat(position.states, 2)
    actions, weights = (np.zeros(position.game.most_choices, np.int32) for _ in range(2))
    throws = dice(1)
    return speed(lambda: int(kernels.playouts(states, position.setups, actions, weights, throws, least)))


def search_speed(kind: str) -> float:
    """Nodes a second of alpha-beta, over the fixed positions of one kind of game."""
    engine, found = AlphaBeta(), positions(kind)
    return speed(lambda: sum(engine.think(position, nodes=50_000).nodes for position in found))


def punctuality(name: str) -> tuple[float, float]:
    """The most milliseconds that a search went on before it looked whether to stop, and the most it took of 500."""
    position, generator = registry.find(name).start(seed=1), random.Random(1)
    longest = most = 0.0
    looked: list[float] = []

    def look() -> bool:
        looked.append(time.perf_counter())
        return False

    for _ in range(6):
        looked.clear()
        look()
        player(name).think(position, seconds=0.5, stop=look)
        look()
        longest = max(longest, *np.diff(looked))
        most = max(most, looked[-1] - looked[0])
        for _ in range(6):
            position.play(generator.choice(position.legal_moves))
    return 1000 * longest, 1000 * most


def saved(kind: str) -> list[int]:
    """How many nodes a fixed depth takes: as it is, without table, without ordering, without both."""
    aids = ((True, True), (False, True), (True, False), (False, False))
    return [nodes_to_depth(kind, remember=remember, order=order) for remember, order in aids]


def chess_perft_speed() -> float:
    """python-chess: leaves a second of perft 4 from the start of chess."""
    import chess

    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        leaves = 0
        for move in board.legal_moves:
            board.push(move)
            leaves += count(board, depth - 1)
            board.pop()
        return leaves

    return speed(lambda: count(chess.Board(), 4))


def chess_random_speed() -> float:
    """python-chess: random plies a second, whole games with every end that its rules know."""
    import chess

    generator = random.Random(1)

    def game() -> int:
        board, plies = chess.Board(), 0
        while not board.is_game_over():
            board.push(generator.choice(list(board.legal_moves)))
            plies += 1
        return plies

    return speed(game)


def compile_seconds(name: str) -> tuple[float, float]:
    """Seconds to compile every kernel into an empty cache, and to load it from there, each in a new process."""
    program = (
        "import sys, time; began = time.perf_counter(); from mchezo.cli.measure import compile_all;"
        "compile_all(sys.argv[1:]); print(time.perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", program, name]
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    cold, warm = (float(run.stdout) for run in runs)
    return cold, warm


def compile_all(names: list[str]) -> None:
    """Compile or load the rules of these games and what their players need."""
    for name in names:
        for _ in kernels.warm_up(*registry.find(name).start(seed=1).arrays):
            pass
        warm_up(name)


def catan_random_speed() -> float:
    """catanatron, a four-player engine in plain Python: random decisions a second, whole games."""
    from catanatron import Color, Game, RandomPlayer

    def game() -> int:
        played = Game([RandomPlayer(color) for color in Color])
        played.play()
        return len(played.state.actions)

    return speed(game)


# Beside them we run, where they are installed: how many leaves of perft and random decisions they do in a second.
RIVALS: tuple[tuple[str, str, Callable[[], float] | None, Callable[[], float]], ...] = (
    ("python-chess", "chess", chess_perft_speed, chess_random_speed),
    ("catanatron", "catanatron", None, catan_random_speed),
)
# The version of a game that is measured.
FULLEST: dict[str, dict[str, Any]] = {"kiwara": {"reinforcement": "pile"}, "kitara": {"players": 4}}


def bench(names: list[str]) -> None:
    """Print the benchmark."""
    columns = SpinnerColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=ERR, transient=True) as progress:
        task = progress.add_task("")
        rivals = []
        for name, module, count_leaves, play in RIVALS:
            if find_spec(module) is not None:
                progress.update(task, description=name)
                rivals.append((name, count_leaves() if count_leaves else None, play()))
        ours = []
        compiled = []
        punctual = []
        for name in names:
            progress.update(task, description=f"{name}, compiling into an empty cache")
            compiled.append((name, *compile_seconds(name)))
            progress.update(task, description=name)
            position = registry.find(name).start(seed=1, **FULLEST.get(name, {}))
            ours.append((name, perft_speed(position), random_speed(position)))
            punctual.append((name, *punctuality(name)))
        progress.update(task, description="alpha-beta")
        searched = [(kind, search_speed(kind), saved(kind)) for kind, (name, _) in POSITIONS.items() if name in names]
    table = Table("one core", "perft leaves / s", "random decisions / s", title="The rules, measured in one run")
    for name, leaves, decisions in (*ours, *rivals):
        table.add_row(name, "" if leaves is None else f"{leaves:,.0f}", f"{decisions:,.0f}")
    for rival, leaves, decisions in rivals:
        for name, our_leaves, our_decisions in ours:
            times = "" if leaves is None else f"{our_leaves / leaves:,.0f} times"
            table.add_row(f"{name} : {rival}", times, f"{our_decisions / decisions:,.0f} times")
    for column in table.columns[1:]:
        column.justify = "right"
    OUT.print(table)
    if searched:
        heads = ("nodes / s", f"nodes to depth {DEPTH}", "without table", "without ordering", "without both")
        table = Table("one core", *heads, title="Alpha-beta, measured in the same run")
        for kind, nodes, needed in searched:
            ratios = [f"{other / needed[0]:.1f} times" for other in needed[1:]]
            table.add_row(kind, f"{nodes:,.0f}", f"{needed[0]:,}", *ratios)
        for column in table.columns[1:]:
            column.justify = "right"
        OUT.print(table)
    for name, longest, most in punctual:
        OUT.print(f"{name}: a search stops within {longest:.1f} ms; given 500 ms, it took {most:.1f}.")
    for name, cold, warm in compiled:
        OUT.print(f"{name}: all kernels compiled in {cold:.1f} s, loaded from the cache in {warm:.1f} s.")
