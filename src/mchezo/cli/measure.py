"""`mchezo perft` and `mchezo bench`: perft tables, and a benchmark of rules and search next to other engines."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from mchezo.cli.common import ERR, OUT
from mchezo.core import kernels, registry
from mchezo.core.compiled import describe
from mchezo.core.position import Position, perft
from mchezo.core.rng import new_rng
from mchezo.search.deepening import AlphaBeta
from mchezo.search.players import player, warm_up
from mchezo.search.signature import DEPTH, kinds, nodes_to_depth, positions

ENOUGH_SECONDS = 1.0  # least duration of a measurement
TIMES = 3  # measurements; the best one counts, since other processes only ever slow it down


def perft_table(position: Position, depth: int, divide: bool) -> Table:
    """Return leaves and speed for each depth, or the leaves after each first move."""
    table = Table("move" if divide else "depth", "sequences", *(() if divide else ("seconds", "per second")))
    with Progress(console=ERR, transient=True) as progress:
        for plies in (depth,) if divide else range(depth + 1):
            began = time.perf_counter()
            behind = []
            # Move by move, to show progress and allow interruption.
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
    """Return operations per second, best of several measurements; `run` returns how many operations it did."""
    run()
    best = 0.0
    for _ in range(TIMES):
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < ENOUGH_SECONDS:
            done += run()
        best = max(best, done / (time.perf_counter() - began))
    return best


def perft_speed(position: Position) -> float:
    """Return leaves per second at the first depth with at least a million leaves."""
    depth = 1
    while perft(position, depth) < 1_000_000:
        depth += 1
    return speed(lambda: perft(position, depth))


def random_speed(position: Position, least: int = 300_000) -> float:
    """Return random decisions per second."""
    states = np.repeat(position.states, 2)
    actions, weights = (np.zeros(position.game.rules.most_choices, np.int32) for _ in range(2))
    rng = new_rng(1)
    return speed(lambda: int(kernels.playouts(states, position.setups, actions, weights, rng, least)))


def search_speed(kind: str) -> float:
    """Return nodes per second of alpha-beta over the fixed positions of one kind of game."""
    engine, found = AlphaBeta(), positions(kind)
    return speed(lambda: sum(engine.think(position, nodes=50_000).nodes for position in found))


def punctuality(name: str) -> tuple[float, float]:
    """Return the longest time between two stop checks, and the longest search with a budget of 500, in milliseconds."""
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
    """Return the nodes to a fixed depth: as is, without transposition table, without move ordering, without both."""
    aids = ((True, True), (False, True), (True, False), (False, False))
    return [nodes_to_depth(kind, remember=remember, order=order) for remember, order in aids]


def chess_perft_speed() -> float:
    """Return leaves per second of perft 4 in python-chess."""
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
    """Return random plies per second of whole games in python-chess."""
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
    """Return the seconds to compile every kernel into an empty cache and to load it, each in a new process."""
    program = (
        "import sys, time; began = time.perf_counter(); from mchezo.cli.measure import compile_all;"
        "compile_all(sys.argv[1:]); print(time.perf_counter() - began)"
    )
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", program, name]
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "MCHEZO_JIT": "1"}
        runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    cold, warm = (float(run.stdout) for run in runs)
    return cold, warm


def rule_speeds(name: str) -> tuple[float, float]:
    """Return the perft leaves and the random decisions per second of a game."""
    game = registry.find(name)
    position = game.start(seed=1, **game.computers.benchmark)
    return perft_speed(position), random_speed(position)


def in_numba(measured: str) -> list[float]:
    """Return what an expression in this module gives in a process that compiles with Numba."""
    program = f"import json; from mchezo.cli.measure import *; print(json.dumps({measured}))"
    environment = {**os.environ, "MCHEZO_JIT": "1"}
    command = [sys.executable, "-c", program]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(number) for number in json.loads(run.stdout)]


def compile_all(names: list[str]) -> None:
    """Compile or load the rules of these games and what their players need."""
    for name in names:
        for _ in kernels.warm_up(*registry.find(name).start(seed=1).arrays):
            pass
        warm_up(name)


def catan_random_speed() -> float:
    """Return random decisions per second of whole games in catanatron, a four-player engine in pure Python."""
    from catanatron import Color, Game, RandomPlayer

    def game() -> int:
        played = Game([RandomPlayer(color) for color in Color])
        played.play()
        return len(played.state.actions)

    return speed(game)


# Other engines, measured if installed: module, perft leaves per second, random decisions per second.
RIVALS: tuple[tuple[str, str, Callable[[], float] | None, Callable[[], float]], ...] = (
    ("python-chess", "chess", chess_perft_speed, chess_random_speed),
    ("catanatron", "catanatron", None, catan_random_speed),
)


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
        by_numba = find_spec("numba") is not None
        for name in names:
            if by_numba:
                progress.update(task, description=f"{name}, compiling with Numba into an empty cache")
                compiled.append((name, *compile_seconds(name)))
            progress.update(task, description=name)
            ours.append((name, *rule_speeds(name)))
            if by_numba:
                jit_leaves, jit_decisions = in_numba(f"rule_speeds({name!r})")
                ours.append((f"{name}, by Numba", jit_leaves, jit_decisions))
            punctual.append((name, *punctuality(name)))
        progress.update(task, description="alpha-beta")
        searched = [(kind, search_speed(kind), saved(kind)) for kind, name in kinds().items() if name in names]
        reference = {kind: in_numba(f"[search_speed({kind!r})]")[0] for kind, *_ in searched if by_numba}
    table = Table("one core", "perft leaves / s", "random decisions / s", title="Rules, measured in one run")
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
        without = ("without transposition table", "without move ordering", "without both")
        heads = ("one core", "nodes / s", "by Numba", f"nodes to depth {DEPTH}", *without)
        table = Table(*heads, title="Alpha-beta, measured in the same run")
        for kind, nodes, needed in searched:
            ratios = [f"{other / needed[0]:.1f} times" for other in needed[1:]]
            by_jit = f"{reference[kind]:,.0f}" if kind in reference else ""
            table.add_row(kind, f"{nodes:,.0f}", by_jit, f"{needed[0]:,}", *ratios)
        for column in table.columns[1:]:
            column.justify = "right"
        OUT.print(table)
    for name, longest, most in punctual:
        OUT.print(f"{name}: a search stops within {longest:.1f} ms; with a budget of 500 ms it took {most:.1f} ms.")
    OUT.print(f"The rules are {describe()}.")
    for name, cold, warm in compiled:
        OUT.print(f"{name}: Numba compiles all kernels in {cold:.1f} s, and loads them from its cache in {warm:.1f} s.")
