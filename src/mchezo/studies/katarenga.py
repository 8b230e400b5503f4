"""Self-play of Katarenga on many boards, to measure how fair each is with each baseline that Black can choose.

Both sides are alpha-beta with a fixed number of nodes per move. The first moves of a game are drawn by a softmax over
their values, so that games differ; after that the player always plays its best move.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mchezo.core import registry, verbs
from mchezo.core.chance import Seed
from mchezo.core.compiled import kernel
from mchezo.core.network import NONE, ShortRows
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import OVER, Actions, Numbers, States, Words64, wide
from mchezo.games.katarenga.components import ASSEMBLIES, assemble, assembly, canonical
from mchezo.search import alphabeta
from mchezo.search.alphabeta import Stack, Table
from mchezo.search.deepening import AlphaBeta, new_stack
from mchezo.search.selfplay import choose
from mchezo.studies.softmax import softmax_choice

TURNS = 4
FREE_MOVES = 6  # plies drawn by softmax
SOFTNESS = 0.3  # temperature of the softmax, in log-odds
TABLE = 1 << 13  # entries of the transposition table
LONG_LOOK = 50  # nodes of the search that chooses the baseline, as a multiple of those of a move
RULES = ("printed", "never")  # the option `first_capture`


@dataclass(frozen=True)
class Sample:
    """How many games are played with the baseline that Black chooses, and with each of the others."""

    chosen: int = 40
    others: int = 20

    @property
    def games(self) -> int:
        """Games per board."""
        return self.chosen + (TURNS - 1) * self.others

    def sizes(self, chosen: int) -> list[int]:
        """Return the games for each turn of the board."""
        return [self.chosen if turn == chosen else self.others for turn in range(TURNS)]


@dataclass(frozen=True)
class BoardResult:
    """The results of a board's games, for each of its four turns."""

    board: str  # canonical tile code
    rule: str
    again: bool  # a second sample of the board
    looks: list[float]  # White's chances by a long search before the first move
    games: list[int]
    points: list[float]  # White's; a draw is half a point
    draws: list[int]
    moves: list[int]  # of both sides, in all games together

    @property
    def chosen(self) -> int:
        """The turn that Black chooses: the one where a long search gives White the lowest chance."""
        return int(np.argmin(self.looks))


def boards(seed: int) -> Iterator[str]:
    """Yield distinct random boards by canonical tile code."""
    rng, drawn = Seed(seed), set[str]()
    while True:
        code = canonical(assemble(assembly(rng.below(ASSEMBLIES))))
        if code is not None and code not in drawn:
            drawn.add(code)
            yield code


def start(board: str, turn: int, rule: str) -> Position:
    """Return the position before the first move on a board with this turn."""
    position = registry.find("katarenga").start(board=board, choose_baseline=True, first_capture=rule)
    position.play(f"turn{90 * turn}")
    return position


def play_board(board: str, rule: str, sample: Sample, nodes: int, seed: int, again: bool = False) -> BoardResult:
    """Play the games of a board, determined by the seed and the board alone."""
    starts = [start(board, turn, rule) for turn in range(TURNS)]
    looks = [AlphaBeta().think(position, nodes=LONG_LOOK * nodes).chances[0] for position in starts]
    sizes = sample.sizes(int(np.argmin(looks)))
    points, draws, moves = [], [], []
    for turn, (position, size) in enumerate(zip(starts, sizes, strict=True)):
        results, lengths = play(position, size, nodes, new_rng(rng_seed(seed, board, rule, turn, again)))
        points.append(float(results.sum()))
        draws.append(int((results == 0.5).sum()))
        moves.append(int(lengths.sum()))
    return BoardResult(board, rule, again, [round(look, 4) for look in looks], sizes, points, draws, moves)


def rng_seed(*parts: object) -> int:
    """Derive a seed from these parts."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest())


def play(position: Position, games: int, nodes: int, rng: Words64) -> tuple[Numbers, Actions]:
    """Play games from a position; return White's points and the length of each."""
    table = np.zeros((TABLE, 2), np.uint64)
    weights = position.game.evaluation.weights(position.setups[0])
    results, lengths = np.zeros(games), np.zeros(games, np.int32)
    play_games(position.states, new_stack(position), table, weights, NONE, nodes, rng, results, lengths)
    return results, lengths


@kernel
def play_games(
    starts: States,
    stack: Stack,
    table: Table,
    weights: Numbers,
    network: ShortRows,
    nodes: int,
    rng: Words64,
    results: Numbers,
    lengths: Actions,
) -> None:
    """Play one game per element of `results`; write White's points and the games' lengths in moves."""
    setup = stack.setups[0]
    games, children = np.empty(1, starts.dtype), np.empty(1, starts.dtype)
    roots = np.zeros(stack.actions.shape[1], np.int32)
    values = np.zeros(stack.actions.shape[1])
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
                        value = alphabeta.final_value(children[0], setup, wide(1))
                    else:
                        stack.states[0] = children[0]
                        _, value = choose(stack, table, weights, network, nodes // count)
                    values[index] = (1 - 2 * seat) * value / 1000.0
                action = wide(roots[softmax_choice(values, count, SOFTNESS, rng)])
            else:
                stack.states[0] = games[0]
                action, _ = choose(stack, table, weights, network, nodes)
            verbs.apply(games[0], setup, action)
            made += 1
            seat = verbs.to_move(games[0])
        verbs.returns(games[0], setup, returned)
        results[game] = (1.0 + returned[0]) / 2.0
        lengths[game] = made
