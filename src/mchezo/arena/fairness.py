"""What games on many boards say about each: ratings that know how little a few games tell.

A board's games are few, so a plain score flatters the boards that are picked for it. Every score is therefore weighed
against what boards of its kind are worth: a long look before the first move says what to expect, all games together
say how far that can be trusted, and this expectation counts as so many games more (beta-binomial, empirical Bayes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from mchezo.arena.balance import Z95, interval
from mchezo.arena.katarenga import TURNS, Played, start
from mchezo.core.structs import Numbers
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.catalogue import Rating
from mchezo.games.katarenga.tell import moves_of

Rate = tuple[float, float]  # a score of White, and half the width of its 95 % interval
Truths = npt.NDArray[np.bool_]
TurnsOf = Callable[[Sequence[Played]], Sequence[Sequence[int]]]  # which turns of each board count

LARGEST_LOOK = 0.99  # looks beyond it are taken for it, on both sides


@dataclass(frozen=True)
class Rated:
    """A board with White's score for each of its turns."""

    played: Played
    turns: tuple[Rate, ...]

    @property
    def white(self) -> Rate:
        """White's score when Black chooses the baseline."""
        return self.turns[self.played.chosen]

    @property
    def rating(self) -> Rating:
        """The same as the catalogue has it, in percent."""
        return Rating(tuple((100 * score, 100 * half) for score, half in self.turns), self.played.chosen)

    @property
    def balanced(self) -> bool:
        """Whether it favours nobody, as far as is known."""
        return self.rating.balanced


@dataclass(frozen=True)
class Expectation:
    """What a long look lets expect, and how many games it is worth."""

    level: float  # log-odds = level + slope * the look's log-odds + chosen if Black chose the turn
    slope: float
    chosen: float
    games: float

    def scores(self, looks: Numbers, chosen: Truths) -> Numbers:
        """White's expected scores."""
        return odds_score(self.level + self.slope * log_odds(looks) + self.chosen * chosen)


def log_odds(scores: Numbers) -> Numbers:
    """Scores as log-odds, within bounds."""
    kept = np.clip(scores, 1 - LARGEST_LOOK, LARGEST_LOOK)
    return np.asarray(np.log(kept / (1 - kept)))


def odds_score(odds: Numbers) -> Numbers:
    """Log-odds as scores."""
    return np.asarray(1 / (1 + np.exp(-odds)))


def table_of(boards: Sequence[Played]) -> tuple[Numbers, Truths, Numbers, Numbers]:
    """Of each turn of each board in order: the look, whether Black chose it, its games and White's points."""
    looks = np.array([board.looks for board in boards], float).ravel()
    chosen = np.array([[turn == board.chosen for turn in range(TURNS)] for board in boards]).ravel()
    games = np.array([board.games for board in boards], float).ravel()
    points = np.array([board.points for board in boards], float).ravel()
    return looks, chosen, games, points


def expect(boards: Sequence[Played]) -> Expectation:
    """Fit what looks let expect to all games."""
    looks, chosen, games, points = table_of(boards)
    known = np.column_stack([np.ones(len(looks)), log_odds(looks), chosen.astype(float)])
    level, slope, more = logistic(known, games, points)
    expected = odds_score(known @ np.array([level, slope, more]))
    # Of boards with one expectation m the scores of n games vary by m (1 - m) (r + (1 - r) / n), where r = 1 / (s + 1)
    # and s is the number of games that the expectation is worth.
    one_game = expected * (1 - expected)
    share = float(((points / games - expected) ** 2 / one_game - 1 / games).sum() / (1 - 1 / games).sum())
    share = min(max(share, 1e-3), 1.0)
    return Expectation(level, slope, more, 1 / share - 1)


def logistic(known: Numbers, games: Numbers, points: Numbers) -> tuple[float, ...]:
    """Logistic regression of points out of so many games, by Newton's method; a little held back, for few boards."""
    found = np.zeros(known.shape[1])
    for _ in range(25):
        expected = odds_score(known @ found)
        weights = games * expected * (1 - expected)
        curve = known.T @ (known * weights[:, None]) + np.eye(known.shape[1])
        found = found + np.linalg.solve(curve, known.T @ (points - games * expected) - found)
    return tuple(float(one) for one in found)


def rate(boards: Sequence[Played], expectation: Expectation) -> list[Rated]:
    """The boards, each turn's score weighed against its expectation."""
    looks, chosen, games, points = table_of(boards)
    worth = expectation.games
    means = (worth * expectation.scores(looks, chosen) + points) / (worth + games)
    halves = Z95 * np.sqrt(means * (1 - means) / (worth + games + 1))
    pairs = list(zip(means.tolist(), halves.tolist(), strict=True))
    return [Rated(board, tuple(pairs[at * TURNS : (at + 1) * TURNS])) for at, board in enumerate(boards)]


@dataclass(frozen=True)
class Spread:
    """White's mean score on many boards, and how much the boards themselves differ (a standard deviation)."""

    boards: int
    games: int
    mean: Rate
    deviation: float

    @property
    def unfairness(self) -> float:
        """How far from even a board is, all in all: the root of the mean square distance."""
        return sqrt(self.deviation**2 + (self.mean[0] - 0.5) ** 2)


def difference(before: Sequence[Played], after: Sequence[Played], turns: TurnsOf) -> Rate:
    """By how much White's score on the same boards changes, board by board."""
    first, second = on_same_boards(before, after, turns, lambda points, games: points / games)
    return interval(second - first)


def unfairness_change(before: Sequence[Played], after: Sequence[Played], turns: TurnsOf) -> Rate:
    """By how much further from even the same boards are (see Spread.unfairness)."""
    first, second = on_same_boards(before, after, turns, square_from_even)
    was, becomes = (sqrt(max(1e-9, float(squares.mean()))) for squares in (first, second))
    # A root changes by half of what changes under it, divided by the root.
    _, half = interval(second / (2 * becomes) - first / (2 * was))
    return becomes - was, half


def square_from_even(points: float, games: float) -> float:
    """The square of a score's distance from even, without what few games scatter."""
    score = points / games
    return (score - 0.5) ** 2 - float(chance_variance(score, games))


def on_same_boards(
    before: Sequence[Played], after: Sequence[Played], turns: TurnsOf, value: Callable[[float, float], float]
) -> tuple[Numbers, Numbers]:
    """Of each board that both have, in the same order: the mean of a value of points and games over its turns."""
    both = {board.board for board in before} & {board.board for board in after}
    found = []
    for played in (before, after):
        known = sorted((board for board in played if board.board in both), key=lambda one: one.board)
        found.append(
            np.array(
                [
                    np.mean([value(board.points[turn], board.games[turn]) for turn in taken])
                    for board, taken in zip(known, turns(known), strict=True)
                ]
            )
        )
    return found[0], found[1]


@dataclass(frozen=True)
class Agreement:
    """What two players of different strength say of the same boards."""

    boards: int
    games: int  # of the other player
    same: float  # share of the boards on which Black chooses the same baseline
    likeness: float  # correlation of White's scores with each baseline, without what few games scatter
    any_baseline: Rate  # by how much White's score changes
    chosen: Rate


def agreement(ours: Sequence[Played], others: Sequence[Played]) -> Agreement | None:
    """Compare two players on the boards that both have played; None if these are too few."""
    by_board = {board.board: board for board in ours}
    pairs = [(by_board[board.board], board) for board in others if board.board in by_board]
    if len(pairs) < 3:
        return None
    first, second = ([pair[at] for pair in pairs] for at in (0, 1))
    scores, variances = [], []
    for boards in (first, second):
        _, _, games, points = table_of(boards)
        found = points / games
        scores.append(found)
        variances.append(max(1e-9, float(found.var()) - scatter(found, games)))
    together = float(np.cov(scores[0], scores[1], bias=True)[0, 1])
    return Agreement(
        len(pairs),
        sum(sum(board.games) for board in second),
        float(np.mean([one.chosen == other.chosen for one, other in pairs])),
        together / sqrt(variances[0] * variances[1]),
        difference(first, second, all_turns),
        difference(first, second, chosen_turns),
    )


def chance_variance(scores: Numbers | float, games: Numbers | float) -> Numbers:
    """How much each score varies because so few games were played."""
    return np.asarray(scores * (1 - scores) / np.maximum(games - 1, 1))


def scatter(scores: Numbers, games: Numbers) -> float:
    """The mean of that."""
    return float(chance_variance(scores, games).mean())


def spread(boards: Sequence[Played], turns: Sequence[Sequence[int]]) -> Spread:
    """The spread over these turns of each board; what few games scatter by chance is taken off."""
    pairs = [
        (board.points[turn], board.games[turn]) for board, taken in zip(boards, turns, strict=True) for turn in taken
    ]
    points, games = np.array(pairs, float).T
    scores = points / games
    # Turns of one board belong together: the board is the observation.
    ends = np.cumsum([len(taken) for taken in turns])
    by_board = np.array([part.mean() for part in np.split(scores, ends[:-1])])
    half = Z95 * float(by_board.std(ddof=1)) / sqrt(len(by_board)) if len(by_board) > 1 else 0.5
    deviation = sqrt(max(0.0, float(scores.var()) - scatter(scores, games)))
    return Spread(len(boards), int(games.sum()), (float(by_board.mean()), half), deviation)


def all_turns(boards: Sequence[Played]) -> list[list[int]]:
    """Every baseline: nobody chooses."""
    return [list(range(TURNS))] * len(boards)


def chosen_turns(boards: Sequence[Played]) -> list[list[int]]:
    """The baseline that Black chooses."""
    return [[board.chosen] for board in boards]


# What makes a board unfair


FEATURES = {
    "loose-black": "black pawns that White can capture at once and Black cannot avenge",
    "exposed-black": "black pawns that White can capture at once and Black can avenge",
    "loose-white": "white pawns that Black could capture if White did nothing, and White not avenge",
    "exposed-white": "white pawns that Black could capture if White did nothing, and White avenge",
    "mobility-white": "first moves that White has",
    "mobility-black": "first moves that Black would have",
    "away-white": "moves to Black's baseline, all white pawns together",
    "away-black": "moves to White's baseline, all black pawns together",
    # On ranks 1 and 4 every board has two squares of each colour, on ranks 2 and 3 two red ones; the other two ranks
    # make up for each other, and so do blue, yellow and green on each of them.
    "yellow": "yellow squares on White's second rank instead of blue ones, less those on Black's",
    "green": "green squares on White's second rank instead of blue ones, less those on Black's",
}
COLOUR_NUMBERS = {"yellow": structs.YELLOW, "green": structs.GREEN}


def features(board: str, turn: int) -> dict[str, float]:
    """What can be seen of a board before the first move."""
    position = start(board, turn, "printed")
    setup, state = position.setups[0], position.states[0]
    found: dict[str, float] = {}
    other = state.copy()
    other.seat = structs.BLACK
    moves = {"white": moves_of(state, setup), "black": moves_of(other, setup)}
    reach = {side: {to for _, to in made} for side, made in moves.items()}
    for side, enemy, number in (("black", "white", structs.BLACK), ("white", "black", structs.WHITE)):
        loose = exposed = 0
        for place in state.places[number].tolist():
            if place in reach[enemy]:
                avenged = guarded(state, setup, number, place)
                exposed += avenged
                loose += not avenged
        found[f"loose-{side}"], found[f"exposed-{side}"] = loose, exposed
        found[f"mobility-{side}"] = len(moves[side])
        away = setup.moves_away[turn, number]
        found[f"away-{side}"] = float(sum(int(away[place]) for place in state.places[number].tolist()))
    colours = setup.colours[turn].reshape(8, 8)
    for colour, code in COLOUR_NUMBERS.items():
        found[colour] = float((colours[1] == code).sum()) - float((colours[6] == code).sum())
    return {name: found[name] for name in FEATURES}


def has_safe_side(board: str) -> bool:
    """Whether Black has a baseline from which White cannot take a pawn at once that nobody avenges."""
    return any(features(board, turn)["loose-black"] == 0 for turn in range(TURNS))


def guarded(state: object, setup: object, number: int, place: int) -> bool:
    """Whether another pawn of the side could move onto this pawn's square if an enemy stood there."""
    taken = state.copy()  # type: ignore[attr-defined]  # a NumPy record
    taken.cells[place] = 2 - number
    taken.places[number][taken.places[number] == place] = structs.OUT
    taken.seat = number
    return any(to == place for _, to in moves_of(taken, setup))


@dataclass(frozen=True)
class Effects:
    """By how much one more of each quantity changes White's score, the others being equal; and what they explain."""

    by_name: Mapping[str, Rate]
    explained: float  # of the variance between boards, without what few games scatter


def effects(boards: Sequence[Played], seen: Sequence[Mapping[str, float]]) -> Effects:
    """Regress the scores of all turns on what can be seen; errors take a board's turns as belonging together."""
    _, _, games, points = table_of(boards)
    scores = points / games
    known = np.array([[1.0, *one.values()] for one in seen])
    weights = games / games.mean()
    bread = np.linalg.pinv(known.T @ (known * weights[:, None]))
    found = bread @ (known.T @ (weights * scores))
    left = scores - known @ found
    pieces = (known * (weights * left)[:, None]).reshape(len(boards), TURNS, -1).sum(axis=1)
    errors = np.sqrt(np.diag(bread @ (pieces.T @ pieces) @ bread))
    noise = float(np.average(chance_variance(scores, games), weights=weights))
    total = float(np.average((scores - np.average(scores, weights=weights)) ** 2, weights=weights)) - noise
    unexplained = float(np.average(left**2, weights=weights)) - noise
    by_name = {name: (float(found[at]), Z95 * float(errors[at])) for at, name in enumerate(FEATURES, 1)}
    return Effects(by_name, 1 - unexplained / total if total > 0 else 0.0)
