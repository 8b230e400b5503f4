"""Alpha-beta as a player: it looks one ply deeper at a time until its nodes or its time are used up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

import numpy as np

from mchezo.core import kernels
from mchezo.core.position import Position
from mchezo.core.structs import Actions, Structs
from mchezo.search import alphabeta
from mchezo.search.alphabeta import HISTORY, INFINITE, MOST_PLIES, PLY, SEARCH, SURE, Stack
from mchezo.search.thought import Stop, Thought

SLICE_SECONDS = 0.004  # how long compiled code runs before the clock is looked at
FIRST_SLICE = 500
ASPIRATION = 400  # half the width of the first window, in thousandths of log-odds
ASPIRATION_DEPTH = 4
LARGEST_TABLE = 1 << 21
SMALLEST_TABLE = 1 << 12
TABLE_PIECE = 1 << 16  # entries that a machine brings into memory at once, where it has large pages


@dataclass(frozen=True)
class Line:
    """A line of play and its value for seat 0."""

    actions: tuple[int, ...]
    value: int
    solved: bool


class Clock:
    """Tells a search how many nodes it may make before it has to look up again, and when to end."""

    def __init__(self, nodes: int | None, seconds: float | None, stop: Stop | None) -> None:
        self.nodes = nodes
        self.end = None if seconds is None else time.perf_counter() + seconds
        self.stop = stop
        self.slice = FIRST_SLICE

    def run(self, go_on: Callable[[int], bool], made: Callable[[], int]) -> bool:
        """Let a search go on in slices until it is finished (True) or has to end (False)."""
        while True:
            before, began = made(), time.perf_counter()
            left = self.slice if self.end is None else max(1, int(self.slice * self.share(began)))
            limit = before + left if self.nodes is None else min(before + left, self.nodes)
            if go_on(limit):
                return True
            if self.over(made()):
                return False
            taken = max(time.perf_counter() - began, 1e-6)
            fitting = int((made() - before) * SLICE_SECONDS / taken)
            self.slice = max(100, min(fitting, 2 * self.slice))

    def share(self, now: float) -> float:
        """How much of a slice there is still time for."""
        assert self.end is not None
        return min(1.0, max(0.0, self.end - now) / SLICE_SECONDS)

    def over(self, made: int) -> bool:
        """Whether nodes or time are used up, or somebody said stop."""
        if self.nodes is not None and made >= self.nodes:
            return True
        if self.end is not None and time.perf_counter() >= self.end:
            return True
        return self.stop is not None and self.stop()


def new_stack(position: Position, ordered: bool = True) -> Stack:
    """The arrays for a search from a position."""
    states, setups, most, _ = position.arrays
    stack = Stack(
        searches=np.zeros(1, SEARCH),
        plies=np.zeros(MOST_PLIES + 1, PLY),
        states=np.repeat(states, MOST_PLIES),
        setups=setups,
        actions=np.zeros((MOST_PLIES, most), np.int32),
        orders=np.zeros((MOST_PLIES, most), np.int64),
        odds=np.zeros((MOST_PLIES, most), np.int32),
        lines=np.zeros((MOST_PLIES + 1, MOST_PLIES + 1), np.int32),
        lengths=np.zeros(MOST_PLIES + 1, np.int32),
        history=np.zeros((2, HISTORY), np.int64),
    )
    stack.searches[0].ordered = ordered
    stack.plies["killers"] = -1
    return stack


class Search:
    """One search of a position; the table may be shared with other threads."""

    def __init__(self, position: Position, table: Structs, ordered: bool = True) -> None:
        self.position = position
        self.stack = new_stack(position, ordered)
        self.table = table
        self.weights = position.game.weights(self.stack.setups[0])

    @property
    def nodes(self) -> int:
        """How many nodes were made."""
        return int(self.stack.searches[0].nodes)

    def look(self, roots: Actions, depth: int, low: int, high: int, clock: Clock, restricted: bool) -> Line | None:
        """One iteration over these root actions; None if it had to end before anything was found."""
        stack = self.stack
        alphabeta.begin(stack, depth, low, high, restricted)
        finished = clock.run(
            lambda limit: bool(alphabeta.run(stack, roots, self.table, self.weights, limit)), lambda: self.nodes
        )
        found = tuple(stack.lines[0, : stack.lengths[0]].tolist())
        root = stack.plies[0]
        if finished:
            value, judged = int(stack.searches[0].value), stack.searches[0].judged
            return Line(found or (int(root.best_action),), value, not judged)
        if not found:
            return None
        return Line(found, int(root.best) * int(root.sign), solved=False)


class AlphaBeta:
    """A player for games of two seats."""

    name = "alpha-beta"

    def __init__(
        self, *, depth: int | None = None, threads: int = 1, remember: bool = True, order: bool = True
    ) -> None:
        self.depth = depth or MOST_PLIES - 1
        self.threads = threads
        # Without its table, or without ordering moves, only to measure what they save.
        self.remember = remember
        self.order = order

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """Think until nodes or seconds are used up, all is solved, or somebody says stop; chance plays no part."""
        return self.best(position, 1, nodes=nodes, seconds=seconds, stop=stop)[0]

    def best(
        self,
        position: Position,
        count: int,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
        only: Collection[str] | None = None,
    ) -> list[Thought]:
        """The best moves (of all, or of `only` these), up to so many, with what is thought of each; the best first."""
        if position.to_move not in (0, 1):
            raise ValueError("nobody is to move")
        clock = Clock(nodes, seconds, stop)
        table = new_table(table_size(nodes) if self.remember else 2, clock)
        search = Search(position, table, self.order)
        actions = choices(position, only)
        done = threading.Event()
        # Other threads look at the same position and share what they find through the table.
        helpers = [
            threading.Thread(
                target=deepen,
                args=(Search(position, table), actions, 1, self.depth, Clock(None, None, done.is_set), 1 + number % 2),
            )
            for number in range(1, self.threads)
        ]
        for helper in helpers:
            helper.start()
        try:
            depth, lines = deepen(search, actions, count, self.depth, clock, 1)
        finally:
            done.set()
            for helper in helpers:
                helper.join()
        return [explain(position, line, search, depth) for line in lines]


def table_size(nodes: int | None) -> int:
    """Room for about every node, within bounds; a power of two."""
    if nodes is None:
        return LARGEST_TABLE
    return min(LARGEST_TABLE, max(SMALLEST_TABLE, 1 << nodes.bit_length()))


def new_table(size: int, clock: Clock) -> Structs:
    """An empty table, brought into memory piece by piece: all at once it can take longer than a stop may."""
    table = np.zeros((size, 2), np.uint64)
    for piece in range(0, size, TABLE_PIECE):
        table[piece] = 0
        if clock.over(0):
            break
    return table


def choices(position: Position, only: Collection[str] | None) -> Actions:
    """The actions to choose from."""
    state, setup = position.states[0], position.setups[0]
    actions = position.choices()[0]
    if only is not None:
        actions = [action for action in actions if position.game.write(action, state, setup) in only]
    return np.array(actions, np.int32)


def deepen(search: Search, actions: Actions, count: int, most: int, clock: Clock, first: int) -> tuple[int, list[Line]]:
    """Look deeper and deeper for the best moves; the depth reached and what was found."""
    every = len(search.position.choices()[0])
    count = min(count, len(actions))
    best: list[Line] = []
    reached = 0
    for depth in range(first, most + 1):
        lines: list[Line] = []
        for rank in range(count):
            taken = [line.actions[0] for line in lines]
            roots = actions[~np.isin(actions, taken)]
            about = best[rank].value if rank < len(best) and depth >= ASPIRATION_DEPTH else None
            line = aspire(search, roots, depth, about, clock, len(roots) < every)
            if line is not None:
                lines.append(line)
            if line is None or clock.over(search.nodes):
                break
        ended = clock.over(search.nodes)
        if len(lines) == count or not best:
            best, reached = sorted_lines(lines, search) or best, depth
        elif lines and count == 1:
            best = lines
        if ended or (best and all(line.solved for line in best)):
            break
    if not best:
        # Not even one move was looked at: the first is as good as any.
        best = [Line((int(actions[0]),), 0, solved=False)]
    return reached, best


def sorted_lines(lines: list[Line], search: Search) -> list[Line]:
    """The best line of the seat to move first."""
    sign = 1 if search.position.to_move == 0 else -1
    return sorted(lines, key=lambda line: -sign * line.value)


def aspire(
    search: Search, roots: Actions, depth: int, about: int | None, clock: Clock, restricted: bool
) -> Line | None:
    """Look with a window around the value found before, and with open sides where that was too narrow."""
    low, high = -INFINITE, INFINITE
    if about is not None and abs(about) < SURE:
        low, high = about - ASPIRATION, about + ASPIRATION
    sign = 1 if search.position.to_move == 0 else -1
    while True:
        line = search.look(roots, depth, low, high, clock, restricted)
        if line is None or low < line.value < high:
            return line
        if clock.over(search.nodes):
            # Better than expected is good news; of worse it is not known which move is the least bad.
            return line if sign * line.value > sign * (low + high) // 2 else None
        if line.value <= low:
            low = -INFINITE
        else:
            high = INFINITE


def explain(position: Position, line: Line, search: Search, depth: int) -> Thought:
    """A line of actions as a thought in the words of the game."""
    game, seat, setups = position.game, position.to_move, position.setups
    states = position.states.copy()
    texts: list[str] = []
    deciders: list[int] = []

    def follow(actions: Iterable[int]) -> None:
        for action in actions:
            deciders.append(kernels.who(states))
            texts.append(game.write(action, states[0], setups[0]))
            kernels.make(states, setups, action)

    follow(line.actions)
    if {*deciders, kernels.who(states)} == {seat}:
        # The line was cut short by what the table knew; there it goes on.
        rest = np.zeros(MOST_PLIES, np.int32)
        count = alphabeta.finish_turn(states.copy(), setups, search.table, search.stack.actions[0], rest)
        follow(rest[:count].tolist())
    turn = next((at for at, decider in enumerate(deciders) if decider != seat), len(deciders))
    return Thought(tuple(texts), turn, chances(line), points(position, states), depth, search.nodes, line.solved)


def chances(line: Line) -> tuple[float, float]:
    """The chances of winning that a value stands for."""
    if abs(line.value) >= SURE:
        return (1.0, 0.0) if line.value > 0 else (0.0, 1.0)
    first = float(alphabeta.chance_of(line.value))
    return first, 1.0 - first


def points(position: Position, states: Structs) -> tuple[float, ...]:
    """The points at the end of the line; what is to come after it is taken to be even."""
    if not position.game.has_points:
        return ()
    returned, scored = np.zeros(2), np.zeros(2)
    kernels.result(states, position.setups, returned, scored)
    return tuple(scored.tolist())
