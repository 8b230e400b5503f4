"""Alpha-beta as a player: iterative deepening with aspiration windows until the budget is exhausted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Unpack

from mchezo.core import arrays, kernels
from mchezo.core.network import HIDDEN, MOST_INPUTS, NONE
from mchezo.core.position import Position
from mchezo.core.structs import Actions, Structs
from mchezo.search import alphabeta, solitaire
from mchezo.search.alphabeta import HISTORY, INFINITE, MATE_BOUND, MOST_PLIES, PLY, SEARCH_STATE, Stack
from mchezo.search.budget import Budget
from mchezo.search.thought import RootOptions, SearchOptions, Thought

ASPIRATION = 400  # half the width of the aspiration window, in thousandths of log-odds
ASPIRATION_DEPTH = 4  # shallower iterations use an open window
LARGEST_TABLE = 1 << 21  # entries
LARGE_TABLE = 1 << 18  # to clear it would take longer than to start a search
SMALLEST_TABLE = 1 << 12
ENTRY_BYTES = 16
CACHE_LINE = 64  # bytes


@dataclass(frozen=True)
class Variation:
    """A principal variation and its value for seat 0."""

    actions: tuple[int, ...]
    value: int
    solved: bool


def new_stack(position: Position, ordered: bool = True, selective: bool = False, tactical: bool = False) -> Stack:
    """Allocate the arrays for a search from a position."""
    states, setups, most, _ = position.arrays
    tables = position.game.evaluation.tables(setups[0]) if tactical else arrays.zeros(0, arrays.int64)
    stack = Stack(
        searches=arrays.zeros(1, SEARCH_STATE),
        plies=arrays.zeros(MOST_PLIES + 1, PLY),
        states=arrays.repeat(states, MOST_PLIES),
        setups=setups,
        actions=arrays.zeros((MOST_PLIES, most), arrays.int32),
        ordering=arrays.zeros((MOST_PLIES, most), arrays.int64),
        odds=arrays.zeros((MOST_PLIES, most), arrays.int32),
        pv=arrays.zeros((MOST_PLIES + 1, MOST_PLIES + 1), arrays.int32),
        pv_lengths=arrays.zeros(MOST_PLIES + 1, arrays.int32),
        history=arrays.zeros((2, HISTORY), arrays.int64),
        inputs=arrays.zeros(MOST_INPUTS, arrays.int32),
        hidden=arrays.zeros(HIDDEN, arrays.int16),
        tables=arrays.array([*tables.tolist(), 0], arrays.int64),
    )
    stack.searches[0].ordered = ordered
    stack.searches[0].selective = selective
    stack.searches[0].tactical = len(tables) > 0
    stack.plies["killers"] = -1
    return stack


class AlphaBetaSearch:
    """One thread's search of a position; the transposition table may be shared with other threads."""

    def __init__(
        self,
        position: Position,
        table: Structs,
        ordered: bool = True,
        network: bool = False,
        selective: bool = False,
        tactical: bool = False,
    ) -> None:
        self.position = position
        self.stack = new_stack(position, ordered, selective, tactical)
        self.table = table
        self.weights = position.game.evaluation.weights(self.stack.setups[0])
        known = position.game.evaluation.network
        self.network = known.of(self.stack.setups[0]) if network and known else NONE

    @property
    def nodes(self) -> int:
        """How many nodes were visited."""
        return int(self.stack.searches[0].nodes)

    def iterate(
        self, roots: Actions, depth: int, low: int, high: int, budget: Budget, restricted: bool
    ) -> Variation | None:
        """Run one iteration over these root actions; None if the budget ran out before anything was found."""
        stack = self.stack
        alphabeta.begin(stack, depth, low, high, restricted)

        def advance(limit: int) -> bool:
            return bool(alphabeta.run(stack, roots, self.table, self.weights, self.network, limit))

        finished = budget.run(advance, lambda: self.nodes)
        pv = tuple(stack.pv[0, : stack.pv_lengths[0]].tolist())
        root = stack.plies[0]
        if finished:
            value, heuristic = int(stack.searches[0].value), stack.searches[0].heuristic
            return Variation(pv or (int(root.best_action),), value, not heuristic)
        if not pv:
            return None
        return Variation(pv, int(root.best) * int(root.sign), solved=False)


class AlphaBeta:
    """Alpha-beta search as a player for two-seat games; what one seat can reach alone, the game solves itself."""

    name = "alpha-beta"

    def __init__(
        self,
        *,
        depth: int | None = None,
        threads: int = 1,
        memory: int | None = None,
        remember: bool = True,
        order: bool = True,
        network: bool = False,
        selective: bool = False,
        tactical: bool = False,
    ) -> None:
        self.depth = depth or MOST_PLIES - 1
        self.threads = threads
        self.memory = memory or LARGEST_TABLE * ENTRY_BYTES  # bytes, at most, of the transposition table
        # Benchmarks switch off the transposition table or move ordering to measure what they save.
        self.remember = remember
        self.order = order
        self.network = network  # whether the game's network, if it has one, corrects evaluations
        self.selective = selective  # whether nodes near the leaves are pruned by their evaluation
        self.tactical = tactical  # whether nodes are evaluated, ordered and pruned by what actions can gain

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Search until the budget is exhausted, the position is solved or a stop is requested."""
        return self.best(position, 1, **options)[0]

    def best(self, position: Position, count: int, **options: Unpack[RootOptions]) -> list[Thought]:
        """Return thoughts on the `count` best moves, best first; the seed has no effect."""
        if len(position.seats) == 1:
            return solitaire.best(position, count, options.get("only"))
        if position.to_move not in (0, 1):
            raise ValueError("nobody is to move")
        nodes = options.get("nodes")
        budget = Budget(nodes, options.get("seconds"), options.get("stop"))
        table = new_table(table_size(nodes, self.memory) if self.remember else 2)
        search = AlphaBetaSearch(position, table, self.order, self.network, self.selective, self.tactical)
        actions = root_actions(position, options.get("only"))
        report = options.get("report")
        done = threading.Event()

        def show(depth: int, variations: list[Variation]) -> None:
            if report is not None:
                report([explain(position, variation, search, depth) for variation in variations])

        # Lazy SMP: other threads search the same position and share results through the transposition table.
        helpers = [
            threading.Thread(
                target=deepen,
                args=(
                    AlphaBetaSearch(
                        position, table, network=self.network, selective=self.selective, tactical=self.tactical
                    ),
                    actions,
                    1,
                    self.depth,
                    Budget(None, None, done.is_set),
                    1 + number % 2,
                ),
            )
            for number in range(1, self.threads)
        ]
        for helper in helpers:
            helper.start()
        try:
            depth, variations = deepen(search, actions, count, self.depth, budget, 1, show)
        finally:
            done.set()
            for helper in helpers:
                helper.join()
        return [explain(position, variation, search, depth) for variation in variations]


def new_table(entries: int) -> Structs:
    """Return an empty transposition table; every bucket lies in one cache line."""
    # Memory of the system is zero until it is used, so that even a large table is there at once.
    count = 2 * entries + CACHE_LINE // 8
    memory = (arrays.zeros if entries < LARGE_TABLE else arrays.untouched)(count, arrays.uint64)
    first = arrays.align_within(memory, CACHE_LINE)
    return memory[first : first + 2 * entries].reshape(entries, 2)


def table_size(nodes: int | None, memory: int) -> int:
    """Return a power of two of entries with room for about every node, within bounds."""
    largest = max(SMALLEST_TABLE, 1 << (memory // ENTRY_BYTES).bit_length() - 1)
    if nodes is None:
        return largest
    return min(largest, max(SMALLEST_TABLE, 1 << nodes.bit_length()))


def root_actions(position: Position, only: Collection[str] | None) -> Actions:
    """Return the legal actions, or those of them whose notation is in `only`."""
    state, setup = position.states[0], position.setups[0]
    actions = position.choices()[0]
    if only is not None:
        actions = [action for action in actions if position.game.notation.write(action, state, setup) in only]
    return arrays.array(actions, arrays.int32)


def deepen(
    search: AlphaBetaSearch,
    actions: Actions,
    count: int,
    most: int,
    budget: Budget,
    first: int,
    show: Callable[[int, list[Variation]], None] = lambda depth, variations: None,
) -> tuple[int, list[Variation]]:
    """Iterative deepening (multi-PV) from depth `first` to `most`; return the depth reached and the best variations.

    `show` is called after every finished iteration but the last.
    """
    every: list[int] = actions.tolist()
    legal = len(search.position.choices()[0])
    count = min(count, len(every))
    best: list[Variation] = []
    reached = 0
    # The first iteration is finished however short the time is: a move must not be arbitrary.
    within = Budget(budget.nodes, None, None)
    for depth in range(first, most + 1):
        found: list[Variation] = []
        for rank in range(count):
            taken = [variation.actions[0] for variation in found]
            roots = arrays.array([action for action in every if action not in taken], arrays.int32)
            expected = best[rank].value if rank < len(best) and depth >= ASPIRATION_DEPTH else None
            variation = aspirate(search, roots, depth, expected, within, len(roots) < legal)
            if variation is not None:
                found.append(variation)
            if variation is None or within.exhausted(search.nodes):
                break
        within = budget
        ended = budget.exhausted(search.nodes)
        if len(found) == count or not best:
            best, reached = best_first(found, search) or best, depth
        elif found and count == 1:
            best = found
        if ended or (best and all(variation.solved for variation in best)):
            break
        show(reached, best)
    if not best:
        # Not even one move was searched: the first is as good as any.
        best = [Variation((int(actions[0]),), 0, solved=False)]
    return reached, best


def best_first(variations: list[Variation], search: AlphaBetaSearch) -> list[Variation]:
    """Sort variations by value for the seat to move."""
    sign = 1 if search.position.to_move == 0 else -1
    return sorted(variations, key=lambda variation: -sign * variation.value)


def aspirate(
    search: AlphaBetaSearch, roots: Actions, depth: int, expected: int | None, budget: Budget, restricted: bool
) -> Variation | None:
    """Search with an aspiration window around the expected value; re-search with an open side where it fails."""
    low, high = -INFINITE, INFINITE
    if expected is not None and abs(expected) < MATE_BOUND:
        low, high = expected - ASPIRATION, expected + ASPIRATION
    sign = 1 if search.position.to_move == 0 else -1
    while True:
        variation = search.iterate(roots, depth, low, high, budget, restricted)
        if variation is None or low < variation.value < high:
            return variation
        if budget.exhausted(search.nodes):
            # A move that fails high is known to be good; after a fail low no move is known to be best.
            return variation if sign * variation.value > sign * (low + high) // 2 else None
        if variation.value <= low:
            low = -INFINITE
        else:
            high = INFINITE


def explain(position: Position, variation: Variation, search: AlphaBetaSearch, depth: int) -> Thought:
    """Convert a variation to a thought in the game's notation."""
    game, seat, setups = position.game, position.to_move, position.setups
    states = position.states.copy()
    texts: list[str] = []
    deciders: list[int] = []

    def follow(actions: Iterable[int]) -> None:
        for action in actions:
            deciders.append(kernels.to_move(states))
            texts.append(game.notation.write(action, states[0], setups[0]))
            kernels.apply_action(states, setups, action)

    follow(variation.actions)
    if {*deciders, kernels.to_move(states)} == {seat}:
        # A hit in the transposition table cut the variation short in mid-turn; follow the table to the turn's end.
        rest = arrays.zeros(MOST_PLIES, arrays.int32)
        count = alphabeta.extend_pv(states.copy(), setups, search.table, search.stack.actions[0], rest)
        follow(rest[:count].tolist())
    turn = next((at for at, decider in enumerate(deciders) if decider != seat), len(deciders))
    chances = winning_chances(variation)
    expected = points(position, states, chances[0])
    return Thought(tuple(texts), turn, chances, expected, depth, search.nodes, variation.solved)


def winning_chances(variation: Variation) -> tuple[float, float]:
    """Return both seats' chances of winning."""
    if abs(variation.value) >= MATE_BOUND:
        return (1.0, 0.0) if variation.value > 0 else (0.0, 1.0)
    first = float(alphabeta.chance_of(variation.value))
    return first, 1.0 - first


def points(position: Position, states: Structs, chance: float) -> tuple[float, ...]:
    """Return the final points to expect after a variation with this chance of winning for seat 0."""
    if not position.game.rules.has_points:
        return ()
    if (expected := position.game.evaluation.expected) is not None:
        return expected(states, position.setups, chance)
    returned, scored = arrays.zeros(2), arrays.zeros(2)
    kernels.result(states, position.setups, returned, scored)
    return tuple(scored.tolist())
