"""Kiwara on the classic board, studied: what each first position of the totem is worth, and what it costs to solve.

A study consists of units that are determined by their arguments alone:

- `look_at_replies`: a long search of every answer to an opening, a still longer one of the best, and what to answer;
- `play_batch`: self-play from an opening, to rate it;
- `follow_best_line`: the longest searches, for the opening book: the best answer, and the best answer to that;
- `solve_endings`: the cost of solving positions of one game of self-play;
- `solve_reduced`: a part of the board, solved from the first move.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mchezo.core import registry, verbs
from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled, kernel
from mchezo.core.network import ShortRows
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import OVER, Numbers, States, Words64, wide
from mchezo.games.kiwara.components import COLUMNS, LETTERS, SPACES
from mchezo.games.kiwara.structs import ALL, PLACING, POSITIONS, empty
from mchezo.search import alphabeta
from mchezo.search.alphabeta import MOST_PLIES, Stack, Table
from mchezo.search.deepening import AlphaBeta, AlphaBetaSearch, new_table
from mchezo.search.players import log_odds
from mchezo.search.selfplay import choose
from mchezo.search.solving import TO_THE_END, solve
from mchezo.studies.softmax import softmax_choice

GAMES = 50  # in a unit
SOFTNESS = 0.08  # temperature of the softmax over what a decision is worth, in log-odds
FREE_DECISIONS = 4  # drawn by softmax after the first answer: the next turn of either seat
FREE_LOOK = 4  # nodes for all choices of such a decision together, as a multiple of those of a turn
SOLVED = 9  # empty spaces from which on everybody plays perfectly
TABLE = 1 << 16  # entries of the transposition table
BEST = 6  # answers that are searched longer, and then played
LONGER = 10  # times as long


@dataclass(frozen=True)
class Reply:
    """An answer to an opening, as moves; the first player's chance of winning after it; the best answer to it."""

    moves: list[str]
    chance: float
    nodes: int
    answer: list[str]


@dataclass(frozen=True)
class Replies:
    """All answers to an opening, the best first."""

    opening: int
    replies: list[Reply]


@dataclass(frozen=True)
class BestLine:
    """The best answer to an opening, the best answer to that, and the first player's chance of winning after each."""

    opening: int
    nodes: int
    turns: list[list[str]]
    chances: list[float]


@dataclass(frozen=True)
class Batch:
    """Games from an opening: how often each answer was drawn, and how often the first player then won."""

    opening: int
    number: int
    nodes: int
    games: list[int]  # by the answer's place in `Replies`
    wins: list[int]


@dataclass(frozen=True)
class Endings:
    """Positions of one game at the beginning of turns: empty spaces, the winner (None if too costly), nodes."""

    number: int
    empty: list[int]
    winners: list[int | None]
    nodes: list[int]


@dataclass(frozen=True)
class Reduced:
    """A corner of the board, solved: the winner for each position of the totem that faces it, and the nodes."""

    rows: int
    columns: int
    tokens: str
    winners: dict[str, int | None] = field(default_factory=dict)
    nodes: dict[str, int] = field(default_factory=dict)


def engine() -> AlphaBeta:
    """Return the search of level 8."""
    return AlphaBeta(network=True, selective=True)


def start(opening: int) -> Position:
    """Return the position after the totem has been set."""
    position = registry.find("kiwara").start(seed=0)
    position.play(f"T{opening}")
    return position


def rng_seed(*parts: object) -> int:
    """Derive a seed from these parts."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest())


def turns(position: Position) -> list[list[str]]:
    """Return all turns of the seat to move, as lists of moves."""
    seat, found, open_lines = position.to_move, list[list[str]](), [list[str]()]
    while open_lines:
        line = open_lines.pop()
        at = position.copy()
        for move in line:
            at.play(move)
        if at.to_move == seat:
            open_lines += [[*line, move] for move in reversed(at.legal_moves)]
        else:
            found.append(line)
    return found


def after(position: Position, line: Sequence[str]) -> Position:
    """Return the position after these moves."""
    found = position.copy()
    for move in line:
        found.play(move)
    return found


def look_at_replies(opening: int, nodes: int) -> Replies:
    """Search every answer to an opening with this many nodes, and the best ones with more."""
    at = start(opening)
    replies = [look(at, line, nodes) for line in turns(at)]
    replies.sort(key=lambda reply: reply.chance)  # the second player answers
    replies[:BEST] = sorted((look(at, reply.moves, LONGER * nodes) for reply in replies[:BEST]), key=lambda r: r.chance)
    return Replies(opening, replies)


def look(position: Position, line: list[str], nodes: int) -> Reply:
    """Search the position after a turn."""
    thought = engine().think(after(position, line), nodes=nodes)
    return Reply(line, round(thought.chances[0], 4), nodes, list(thought.moves[: thought.turn]))


def follow_best_line(opening: int, nodes: int) -> BestLine:
    """Search the position after an opening with this many nodes, and again after the answer."""
    at = start(opening)
    found = BestLine(opening, nodes, [], [])
    for _ in range(2):
        thought = engine().think(at, nodes=nodes)
        turn = list(thought.moves[: thought.turn])
        found.turns.append(turn)
        found.chances.append(round(thought.chances[0], 4))
        at = after(at, turn)
    return found


def play_batch(replies: Replies, nodes: int, seed: int, number: int) -> Batch:
    """Play the games of a unit; the second player's answer is drawn by softmax from the best."""
    position = start(replies.opening)
    rng = np.random.default_rng(rng_seed(seed, replies.opening, nodes, number))
    best = replies.replies[:BEST]
    odds = np.array([log_odds(1 - reply.chance) for reply in best])
    chances = np.exp((odds - odds.max()) / SOFTNESS)
    drawn = rng.choice(len(best), GAMES, p=chances / chances.sum())
    starts = np.concatenate([after(position, best[index].moves).states for index in drawn])
    search = AlphaBetaSearch(position, new_table(TABLE), network=True, selective=True)
    results = np.zeros(GAMES)
    words = new_rng(int(rng.integers(1 << 62)))
    play_games(starts, search.stack, search.table, search.weights, search.network, nodes, words, results)
    games = np.bincount(drawn, minlength=len(odds))
    wins = np.bincount(drawn, results, minlength=len(odds))
    return Batch(replies.opening, number, nodes, games.tolist(), wins.astype(int).tolist())


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
) -> None:
    """Play one game from each start until few spaces are empty, and solve the rest; write 1 where seat 0 wins."""
    setup = stack.setups[0]
    games, children = np.empty(1, starts.dtype), np.empty(1, starts.dtype)
    roots = np.zeros(stack.actions.shape[1], np.int32)
    values = np.zeros(stack.actions.shape[1])
    for game in range(len(results)):
        table[:] = 0
        games[0] = starts[game]
        drawn = wide(0)
        seat = verbs.to_move(games[0])
        while seat != OVER:
            if games[0].phase == PLACING and popcount(empty(games[0])) <= SOLVED:
                stack.states[0] = games[0]
                results[game] = wide(is_won(stack, table, weights, network))
                break
            count = verbs.legal(games[0], setup, roots)
            if count == 1:
                verbs.apply(games[0], setup, wide(roots[0]))
            elif drawn < FREE_DECISIONS:
                drawn += 1
                for index in range(count):
                    children[0] = games[0]
                    verbs.apply(children[0], setup, wide(roots[index]))
                    stack.states[0] = children[0]
                    _, value = choose(stack, table, weights, network, FREE_LOOK * nodes // count)
                    values[index] = (1 - 2 * seat) * value / 1000.0
                verbs.apply(games[0], setup, wide(roots[softmax_choice(values, count, SOFTNESS, rng)]))
            else:
                stack.states[0] = games[0]
                action, _ = choose(stack, table, weights, network, nodes)
                verbs.apply(games[0], setup, action)
                # The rest of the turn was searched with it.
                if stack.pv_lengths[0] > 1 and stack.pv[0, 0] == action and verbs.to_move(games[0]) == seat:
                    second = wide(stack.pv[0, 1])
                    count = verbs.legal(games[0], setup, roots)
                    for index in range(count):
                        if roots[index] == second:
                            verbs.apply(games[0], setup, second)
                            break
            seat = verbs.to_move(games[0])


@compiled
def is_won(stack: Stack, table: Table, weights: Numbers, network: ShortRows) -> bool:
    """Return whether seat 0 wins the stack's first state by force."""
    search = stack.searches[0]
    count = verbs.legal(stack.states[0], stack.setups[0], stack.actions[0])
    roots = stack.actions[0, :count].copy()
    selective, search.selective = wide(search.selective), 0
    search.nodes = 0
    stack.history[:] = 0
    for ply in range(MOST_PLIES):
        stack.plies[ply].killers[:] = -1
    alphabeta.begin(stack, TO_THE_END, 0, 1, False)
    alphabeta.run(stack, roots, table, weights, network, wide(1 << 60))
    search.selective = selective
    return wide(search.value) > 0


def empty_spaces(position: Position) -> int | None:
    """Return how many spaces are empty at the beginning of a turn; None in its middle."""
    state = position.states[0]
    return int(empty(state)).bit_count() if state.phase == PLACING else None


def solve_endings(seed: int, number: int, nodes: int, fewest: int, most: int, limit: int) -> Endings:
    """Solve positions of one game of self-play between `most` and `fewest` empty spaces.

    A game begins with a random opening and a random answer, and every fourth one goes as far back as `most`.
    """
    rng = np.random.default_rng(rng_seed(seed, "endings", number))
    at = start(int(rng.integers(POSITIONS)))
    for _ in range(4):
        at.play(str(rng.choice(at.legal_moves)))
    player = engine()
    found = Endings(number, [], [], [])
    while at.to_move is not None:
        free = empty_spaces(at)
        if free is not None and free < fewest:
            break
        if free is not None and free <= most - (1 if number % 4 else 0) and free not in found.empty:
            solution = solve(at, limit)
            found.empty.append(free)
            found.winners.append(None if solution is None else solution.winner)
            found.nodes.append(limit if solution is None else solution.nodes)
        thought = player.think(at, nodes=nodes)
        for move in thought.moves[: thought.turn]:
            at.play(move)
    return found


# A player of a reduced board has the first tokens of this row: about the shares of the box.
ROW_OF_TOKENS = "GZCGLZEGZGZGZGC"


def reduced(rows: int, columns: int) -> Position:
    """Return the game on the first rows and columns of the board; all other spaces are closed.

    A closed space counts as occupied by nobody: it belongs to no territory, has no neighbours, and is no space of a
    line. The totem still walks round the whole board; it may stop before lines with an empty space only.
    """
    position = registry.find("kiwara").start(seed=0)
    inside = 0
    for space in range(len(SPACES)):
        row, column = divmod(space, len(COLUMNS))
        inside |= (1 << space) * int(row < rows and column < columns)
    setup, state = position.setups[0], position.states[0]
    for name in ("neighbours", "across_river", "territories", "lines"):
        parts = getattr(setup, name)
        for index in range(len(parts)):
            parts[index] &= inside
    state.own[0] = ALL & ~inside
    hand = ROW_OF_TOKENS[: rows * columns // 2]
    for seat in range(2):
        for animal, letter in enumerate(LETTERS):
            state.hands[seat, animal] = hand.count(letter)
    return position


def solve_reduced(rows: int, columns: int, limit: int) -> Reduced:
    """Solve a corner of the board after every first position of the totem that faces it."""
    found = Reduced(rows, columns, ROW_OF_TOKENS[: rows * columns // 2])
    for opening in range(POSITIONS):
        at = reduced(rows, columns)
        if not at.setups[0].lines[opening]:
            continue
        at.play(f"T{opening}")
        solution = solve(at, limit)
        found.winners[str(opening)] = None if solution is None else solution.winner
        found.nodes[str(opening)] = limit if solution is None else solution.nodes
    return found
