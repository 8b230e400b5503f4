"""The player for chance, hidden things and many seats: Monte Carlo tree search over whole turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from mchezo.core import kernels
from mchezo.core.dice import dice
from mchezo.core.position import Position
from mchezo.core.structs import Actions, Numbers
from mchezo.search import tree
from mchezo.search.deepening import Clock, choices
from mchezo.search.thought import Stop, Thought
from mchezo.search.turns import LONGEST_TURN, MOST_SEATS, POINT

NODES_A_BRANCH = 50  # no branch is made with fewer
MOST_BRANCHES = 100_000


class MonteCarlo:
    """A player for any game and any number of seats."""

    name = "monte-carlo"

    def __init__(self, *, threads: int = 1) -> None:
        self.threads = threads

    def think(
        self,
        position: Position,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Thought:
        """Think until nodes or seconds are used up or somebody says stop."""
        return self.best(position, 1, nodes=nodes, seconds=seconds, seed=seed, stop=stop)[0]

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
        """The best ways to go on (of all, or with `only` these moves first), up to so many; the best first.

        Each thread grows a tree of its own, by its share of the nodes; what they say of the same turn counts together.
        """
        if position.to_move is None or position.to_move < 0:
            raise ValueError("nobody is to move")
        firsts = np.zeros(0, np.int32) if only is None else choices(position, only)
        each = None if nodes is None else -(-nodes // self.threads)
        searches = [Search(position, firsts, each, seed * self.threads + number) for number in range(self.threads)]
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(lambda search: search.run(Clock(each, seconds, stop)), searches))
        made = sum(search.nodes for search in searches)
        found = opinions(position, searches)[:count]
        return [opinion.thought(position, made) for opinion in found]


class Search:
    """One tree: all its arrays, to be taken up where it was left."""

    def __init__(self, position: Position, firsts: Actions, nodes: int | None, seed: int) -> None:
        self.states, self.setups, most, self.seats = position.arrays
        self.firsts = firsts
        self.path = np.repeat(self.states, 2 * LONGEST_TURN + 4)
        room = MOST_BRANCHES if nodes is None else min(MOST_BRANCHES, 8 + nodes // NODES_A_BRANCH)
        self.branches = np.zeros(room, tree.BRANCH)
        self.counts = np.zeros(tree.COUNTS, np.int64)
        self.weights = position.game.weights(self.setups[0])
        self.actions, self.odds = np.zeros(most, np.int32), np.zeros(most, np.int32)
        self.done = np.zeros(2 * LONGEST_TURN, np.int32)
        self.points, self.chances = np.zeros(MOST_SEATS), np.zeros(MOST_SEATS)
        self.throws = dice(seed)

    @property
    def nodes(self) -> int:
        """How many actions were made."""
        return int(self.counts[tree.NODES])

    def run(self, clock: Clock) -> None:
        """Grow the tree until the clock says it is over."""
        clock.run(self.go_on, lambda: self.nodes)

    def go_on(self, limit: int) -> bool:
        """Run the compiled search; it never comes to an end by itself."""
        tree.search(
            self.states,
            self.setups,
            self.seats,
            self.firsts,
            self.path,
            self.branches,
            self.counts,
            self.weights,
            self.actions,
            self.odds,
            self.done,
            self.points,
            self.chances,
            self.throws,
            limit,
        )
        return False

    @property
    def depth(self) -> int:
        """How many turns long the line is that was tried most often."""
        at = turns = 0
        while (at := int(tree.most_visited(self.branches, at))) != tree.NONE:
            turns += 1
        return turns

    def below(self, at: int) -> Iterable[Any]:
        """The branches of a node."""
        number = int(self.branches[at].first)
        while number != tree.NONE:
            yield self.branches[number]
            number = int(self.branches[number].following)


@dataclass
class Opinion:
    """What the trees say of a turn, as far as it can be played before chance or another seat decides."""

    moves: tuple[str, ...]
    depth: int = 0
    visits: int = 0
    chances: Numbers | float = 0.0  # sums
    points: Numbers | float = 0.0

    def hear(self, branch: Any, seats: int) -> None:
        """Add what a tree says."""
        self.visits += int(branch.visits)
        self.chances = self.chances + branch.chances[:seats]
        self.points = self.points + branch.points[:seats]

    def worth(self, seat: int) -> float:
        """How much a seat likes it, as it likes a position."""
        return float((np.asarray(self.chances)[seat] + POINT * np.asarray(self.points)[seat]) / self.visits)

    def thought(self, position: Position, nodes: int) -> Thought:
        """It, as a thought."""
        chances = np.asarray(self.chances) / np.sum(self.chances)
        points = np.asarray(self.points) / self.visits
        return Thought(
            self.moves,
            len(self.moves),
            tuple(chances.tolist()),
            tuple(points.tolist()) if position.game.has_points else (),
            self.depth,
            nodes,
            False,
        )


def opinions(position: Position, searches: Iterable[Search]) -> list[Opinion]:
    """What the trees say of all turns that were tried, the best first.

    The best on average, not the one tried most often: good turns are found late, and then tried seldom.
    """
    seat, seats = position.to_move, len(position.seats)
    assert seat is not None
    found: dict[tuple[str, ...], Opinion] = {}
    for search in searches:
        for branch in search.below(0):
            if branch.visits:
                moves = until_others(position, branch.turn[: branch.length].tolist())
                found.setdefault(moves, Opinion(moves, search.depth)).hear(branch, seats)
    return sorted(found.values(), key=lambda opinion: -opinion.worth(seat))


def until_others(position: Position, turn: Iterable[int]) -> tuple[str, ...]:
    """The first decisions of a turn, in the words of the game, before chance or another seat decides."""
    states, setups, texts = position.states.copy(), position.setups, []
    for action in turn:
        if kernels.who(states) != position.to_move:
            break
        texts.append(position.game.write(action, states[0], setups[0]))
        kernels.make(states, setups, action)
    return tuple(texts)
