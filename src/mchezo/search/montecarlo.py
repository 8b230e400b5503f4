"""Information-set MCTS as a player, for games with chance, hidden information or more than two seats."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Unpack

from mchezo.core import arrays, kernels
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import Actions
from mchezo.search import tree
from mchezo.search.budget import Budget
from mchezo.search.deepening import root_actions
from mchezo.search.thought import RootOptions, SearchOptions, Thought
from mchezo.search.turns import LONGEST_TURN, MOST_SEATS, POINT, Planning

NODES_A_BRANCH = 50  # no branch is created with fewer
MOST_BRANCHES = 100_000
FIRST_REPORT = 10_000  # nodes; the number doubles from one report to the next


class MonteCarlo:
    """Information-set MCTS as a player for any game and any number of seats."""

    name = "monte-carlo"

    def __init__(self, *, threads: int = 1, memory: int | None = None) -> None:
        self.threads = threads
        self.memory = memory or MOST_BRANCHES * tree.BRANCH.itemsize  # bytes, at most, of each thread's tree

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Search until the budget is exhausted or a stop is requested."""
        return self.best(position, 1, **options)[0]

    def best(self, position: Position, count: int, **options: Unpack[RootOptions]) -> list[Thought]:
        """Return thoughts on the `count` best turns, best first.

        Root parallelization: each thread grows its own tree with its share of the nodes, and the statistics of equal
        turns are added up.
        """
        if position.to_move is None or position.to_move < 0:
            raise ValueError("nobody is to move")
        only = options.get("only")
        firsts = arrays.zeros(0, arrays.int32) if only is None else root_actions(position, only)
        nodes, seed = options.get("nodes"), options.get("seed", 0)
        each = None if nodes is None else -(-nodes // self.threads)
        branches = max(8, self.memory // tree.BRANCH.itemsize)
        trees = [
            TreeSearch(position, firsts, each, seed * self.threads + number, branches) for number in range(self.threads)
        ]
        report = options.get("report")

        def show() -> None:
            if report is not None and (turns := merge_turns(position, trees[:1])):
                visited = sum(one.nodes for one in trees)
                report([turn.thought(position, visited) for turn in turns[:count]])

        def run(one: TreeSearch) -> None:
            one.run(
                Budget(each, options.get("seconds"), options.get("stop")), show if one is trees[0] else lambda: None
            )

        if self.threads == 1:
            run(trees[0])
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(run, trees))
        visited = sum(one.nodes for one in trees)
        return [turn.thought(position, visited) for turn in merge_turns(position, trees)[:count]]


class TreeSearch:
    """One tree, which can be resumed where it was left."""

    def __init__(
        self, position: Position, firsts: Actions, nodes: int | None, seed: int, branches: int = MOST_BRANCHES
    ) -> None:
        states, setups, most, self.seats = position.arrays
        most_branches = branches if nodes is None else min(branches, 8 + nodes // NODES_A_BRANCH)
        self.tree = tree.Tree(
            states=states,
            setups=setups,
            firsts=firsts,
            branches=arrays.zeros(most_branches, tree.BRANCH),
            counts=arrays.zeros(tree.COUNTS, arrays.int64),
            planning=Planning(
                weights=position.game.evaluation.weights(setups[0]),
                actions=arrays.zeros(most, arrays.int32),
                odds=arrays.zeros(most, arrays.int32),
                rng=new_rng(seed),
            ),
            path=arrays.repeat(states, 2 * LONGEST_TURN + 4),
            done=arrays.zeros(2 * LONGEST_TURN, arrays.int32),
            points=arrays.zeros(MOST_SEATS),
            chances=arrays.zeros(MOST_SEATS),
        )

    @property
    def nodes(self) -> int:
        """How many actions were applied."""
        return int(self.tree.counts[tree.NODES])

    def run(self, budget: Budget, show: Callable[[], None] = lambda: None) -> None:
        """Grow the tree until the budget is exhausted; `show` is called now and then."""
        following = FIRST_REPORT

        def resume(limit: int) -> bool:
            nonlocal following
            finished = self.resume(limit)
            if self.nodes >= following:
                following = 2 * self.nodes
                show()
            return finished

        budget.run(resume, lambda: self.nodes)

    def resume(self, limit: int) -> bool:
        """Run the compiled search up to `limit` nodes; it never finishes by itself."""
        tree.search(self.tree, self.seats, limit)
        return False

    @property
    def depth(self) -> int:
        """The length in turns of the most visited path."""
        at = turns = 0
        while (at := int(tree.most_visited(self.tree.branches, at))) != tree.NONE:
            turns += 1
        return turns

    def children(self, at: int) -> Iterable[Any]:
        """Yield the branches of a node."""
        number = int(self.tree.branches[at].first)
        while number != tree.NONE:
            yield self.tree.branches[number]
            number = int(self.tree.branches[number].following)


@dataclass
class TurnStatistics:
    """The merged statistics of a turn, up to where chance or another seat decides."""

    moves: tuple[str, ...]
    depth: int = 0
    visits: int = 0
    chances: list[float] = field(default_factory=list)  # sums, by seat
    points: list[float] = field(default_factory=list)

    def add(self, branch: Any, seats: int) -> None:
        """Add the statistics of a branch."""
        self.visits += int(branch.visits)
        self.chances = added(self.chances, branch.chances[:seats].tolist())
        self.points = added(self.points, branch.points[:seats].tolist())

    def value(self, seat: int) -> float:
        """Return the mean value for a seat, on the scale of `turns.value`."""
        return (self.chances[seat] + POINT * self.points[seat]) / self.visits

    def thought(self, position: Position, nodes: int) -> Thought:
        """Convert to a thought."""
        total = reduce(operator.add, self.chances)  # the sum of Python rounds otherwise
        return Thought(
            self.moves,
            len(self.moves),
            tuple(chance / total for chance in self.chances),
            tuple(points / self.visits for points in self.points) if position.game.rules.has_points else (),
            self.depth,
            nodes,
            False,
        )


def added(sums: list[float], more: list[float]) -> list[float]:
    """Return the sums of two lists; the first may be empty."""
    return [one + another for one, another in zip(sums or [0.0] * len(more), more, strict=True)]


def merge_turns(position: Position, trees: Iterable[TreeSearch]) -> list[TurnStatistics]:
    """Return the merged statistics of all turns at the root, best first.

    The best is the one with the highest mean, not the most visits: good turns are often found late.
    """
    seat, seats = position.to_move, len(position.seats)
    assert seat is not None
    found: dict[tuple[str, ...], TurnStatistics] = {}
    for one in trees:
        for branch in one.children(0):
            if branch.visits:
                moves = until_others(position, branch.turn[: branch.length].tolist())
                found.setdefault(moves, TurnStatistics(moves, one.depth)).add(branch, seats)
    return sorted(found.values(), key=lambda turn: -turn.value(seat))


def until_others(position: Position, turn: Iterable[int]) -> tuple[str, ...]:
    """Return the notation of a turn's decisions before chance or another seat decides."""
    states, setups, texts = position.states.copy(), position.setups, []
    for action in turn:
        if kernels.to_move(states) != position.to_move:
            break
        texts.append(position.game.notation.write(action, states[0], setups[0]))
        kernels.apply_action(states, setups, action)
    return tuple(texts)
