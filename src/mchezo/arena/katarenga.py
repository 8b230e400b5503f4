"""Self-played games of Katarenga that tell how fair a board is, with each of the four baselines that Black can choose.

All games of a board are played by one fast level: alpha-beta with a fixed number of nodes for every move. The first
moves of a game are chosen softly among good ones, so that games differ; then the player plays the best it knows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mchezo.core import registry, verbs
from mchezo.core.chance import Seed
from mchezo.core.compiled import compiled
from mchezo.core.dice import dice, throw
from mchezo.core.position import Position
from mchezo.core.structs import OVER, Actions, Numbers, Structs, Words64, wide
from mchezo.games.katarenga.components import ASSEMBLIES, assemble, assembly, canonical
from mchezo.search import alphabeta
from mchezo.search.alphabeta import Stack
from mchezo.search.deepening import AlphaBeta, new_stack
from mchezo.search.selfplay import choose

TURNS = 4
FREE_MOVES = 6  # of both sides together, chosen softly
SOFTNESS = 0.3  # a move that is worse by so many log-odds is chosen 2.7 times as rarely
TABLE = 1 << 13
LONG_LOOK = 50  # times the nodes of a move: what Black knows of a baseline before it chooses
RULES = ("printed", "never")  # the option `first_capture`


@dataclass(frozen=True)
class Sample:
    """How many games of a board are played with the baseline that Black chooses, and with each of the others."""

    chosen: int = 40
    others: int = 20

    @property
    def games(self) -> int:
        """Games of a board."""
        return self.chosen + (TURNS - 1) * self.others

    def sizes(self, chosen: int) -> list[int]:
        """Games with each turn of the board."""
        return [self.chosen if turn == chosen else self.others for turn in range(TURNS)]


@dataclass(frozen=True)
class Played:
    """What came of a board's games, for each of its four turns."""

    board: str  # the tile code that stands for all boards alike
    rule: str
    again: bool  # a second sample of the board
    looks: list[float]  # White's chances by a long look before the first move
    games: list[int]
    points: list[float]  # White's; a draw is half a point
    draws: list[int]
    moves: list[int]  # of both sides, in all games together

    @property
    def chosen(self) -> int:
        """The turn that Black chooses: the one that a long look likes least for White."""
        return int(np.argmin(self.looks))


def boards(seed: int) -> Iterator[str]:
    """Boards drawn by lot, one of all that are alike, none twice, by the tile codes that stand for them."""
    lots, drawn = Seed(seed), set[str]()
    while True:
        code = canonical(assemble(assembly(lots.below(ASSEMBLIES))))
        if code is not None and code not in drawn:
            drawn.add(code)
            yield code


def start(board: str, turn: int, rule: str) -> Position:
    """The first move on a board turned so."""
    position = registry.find("katarenga").start(board=board, choose_baseline=True, first_capture=rule)
    position.play(f"turn{90 * turn}")
    return position


def play_board(board: str, rule: str, sample: Sample, nodes: int, seed: int, again: bool = False) -> Played:
    """Play the games of a board; they follow from the seed and the board alone."""
    starts = [start(board, turn, rule) for turn in range(TURNS)]
    looks = [AlphaBeta().think(position, nodes=LONG_LOOK * nodes).chances[0] for position in starts]
    sizes = sample.sizes(int(np.argmin(looks)))
    points, draws, moves = [], [], []
    for turn, (position, size) in enumerate(zip(starts, sizes, strict=True)):
        results, lengths = play(position, size, nodes, dice(dice_seed(seed, board, rule, turn, again)))
        points.append(float(results.sum()))
        draws.append(int((results == 0.5).sum()))
        moves.append(int(lengths.sum()))
    return Played(board, rule, again, [round(look, 4) for look in looks], sizes, points, draws, moves)


def dice_seed(*parts: object) -> int:
    """A seed that follows from what is played."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest())


def play(position: Position, games: int, nodes: int, throws: Words64) -> tuple[Numbers, Actions]:
    """So many games from a position: White's points and the moves of each."""
    table = np.zeros((TABLE, 2), np.uint64)
    weights = position.game.weights(position.setups[0])
    results, lengths = np.zeros(games), np.zeros(games, np.int32)
    play_games(position.states, new_stack(position), table, weights, nodes, throws, results, lengths)
    return results, lengths


@compiled
def play_games(
    starts: Structs,
    stack: Stack,
    table: Structs,
    weights: Numbers,
    nodes: int,
    throws: Words64,
    results: Numbers,
    lengths: Actions,
) -> None:
    """Play a game for each place of `results`: White's points; `lengths` has the moves."""
    setup = stack.setups[0]
    games, children = np.repeat(starts, 1), np.repeat(starts, 1)
    roots = np.zeros(stack.actions.shape[1], np.int32)
    worths = np.zeros(stack.actions.shape[1])
    returned = np.zeros(2)
    for game in range(len(results)):
        table[:] = 0
        games[0] = starts[0]
        made = wide(0)
        seat = verbs.to_move(games[0])
        while seat != OVER:
            if made < FREE_MOVES:
                count = verbs.legal(games[0], setup, roots)
                for index in range(count):
                    children[0] = games[0]
                    verbs.apply(children[0], setup, wide(roots[index]))
                    if verbs.to_move(children[0]) == OVER:
                        value = alphabeta.final(children[0], setup, wide(1))
                    else:
                        stack.states[0] = children[0]
                        _, value = choose(stack, table, weights, nodes // count)
                    worths[index] = (1 - 2 * seat) * value / 1000.0
                action = wide(roots[softly(worths, count, throws)])
            else:
                stack.states[0] = games[0]
                action, _ = choose(stack, table, weights, nodes)
            verbs.apply(games[0], setup, action)
            made += 1
            seat = verbs.to_move(games[0])
        verbs.returns(games[0], setup, returned)
        results[game] = (1.0 + returned[0]) / 2.0
        lengths[game] = made


@compiled
def softly(worths: Numbers, count: int, throws: Words64) -> int:
    """One of so many, the better the likelier."""
    best = worths[:count].max()
    total = 0.0
    for index in range(count):
        worths[index] = math.exp((worths[index] - best) / SOFTNESS)
        total += worths[index]
    left = throw(throws, wide(1 << 30)) / (1 << 30) * total
    for index in range(count - 1):
        left -= worths[index]
        if left < 0:
            return index
    return count - 1
