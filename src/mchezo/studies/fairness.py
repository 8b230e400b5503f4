"""Fairness ratings of Katarenga boards, by empirical Bayes (beta-binomial).

Each board has few games, so raw scores flatter the boards that are selected for them. Every score is therefore shrunk
towards a prior: a long search before the first move predicts the score, a regression over all games says how reliable
that prediction is, and the prediction then counts as a number of additional games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from mchezo.arena.statistics import Z95, Rate, interval
from mchezo.core.structs import Numbers
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.catalogue import Rating
from mchezo.games.katarenga.effects import moves_of
from mchezo.studies.katarenga import TURNS, BoardResult, start

Truths = npt.NDArray[np.bool_]
TurnsOf = Callable[[Sequence[BoardResult]], Sequence[Sequence[int]]]  # which turns of each board count

LARGEST_LOOK = 0.99  # predictions are clipped to this, and symmetrically below


@dataclass(frozen=True)
class Rated:
    """A board with White's score for each of its turns."""

    played: BoardResult
    turns: tuple[Rate, ...]

    @property
    def white(self) -> Rate:
        """White's score when Black chooses the baseline."""
        return self.turns[self.played.chosen]

    @property
    def rating(self) -> Rating:
        """The entry in the catalogue, in percent."""
        return Rating(tuple((100 * score, 100 * half) for score, half in self.turns), self.played.chosen)

    @property
    def balanced(self) -> bool:
        """Whether it favours neither side, as far as is known."""
        return self.rating.balanced


@dataclass(frozen=True)
class Expectation:
    """The prior of a board's score: a logistic model of the long search, and how many games it counts for."""

    level: float  # log-odds = level + slope * log-odds of the search + chosen if Black chose the turn
    slope: float
    chosen: float
    games: float

    def scores(self, looks: Numbers, chosen: Truths) -> Numbers:
        """Return White's expected scores."""
        return odds_score(self.level + self.slope * log_odds(looks) + self.chosen * chosen)


def log_odds(scores: Numbers) -> Numbers:
    """Convert scores to log-odds, clipped."""
    kept = np.clip(scores, 1 - LARGEST_LOOK, LARGEST_LOOK)
    return np.asarray(np.log(kept / (1 - kept)))


def odds_score(odds: Numbers) -> Numbers:
    """Convert log-odds to scores."""
    return np.asarray(1 / (1 + np.exp(-odds)))


def table_of(boards: Sequence[BoardResult]) -> tuple[Numbers, Truths, Numbers, Numbers]:
    """Return, for every turn of every board: the long search, whether Black chose it, games, and White's points."""
    looks = np.array([board.looks for board in boards], float).ravel()
    chosen = np.array([[turn == board.chosen for turn in range(TURNS)] for board in boards]).ravel()
    games = np.array([board.games for board in boards], float).ravel()
    points = np.array([board.points for board in boards], float).ravel()
    return looks, chosen, games, points


def expect(boards: Sequence[BoardResult]) -> Expectation:
    """Fit the prior to all games."""
    looks, chosen, games, points = table_of(boards)
    known = np.column_stack([np.ones(len(looks)), log_odds(looks), chosen.astype(float)])
    level, slope, more = logistic(known, games, points)
    expected = odds_score(known @ np.array([level, slope, more]))
    # Among boards with expected score m, the variance of the mean of n games is m (1 - m) (r + (1 - r) / n), where
    # r = 1 / (s + 1) and s is the number of games that the prior counts for.
    one_game = expected * (1 - expected)
    share = float(((points / games - expected) ** 2 / one_game - 1 / games).sum() / (1 - 1 / games).sum())
    share = min(max(share, 1e-3), 1.0)
    return Expectation(level, slope, more, 1 / share - 1)


def logistic(known: Numbers, games: Numbers, points: Numbers) -> tuple[float, ...]:
    """Logistic regression of points out of games by Newton's method, with a weak ridge penalty for few boards."""
    found = np.zeros(known.shape[1])
    for _ in range(25):
        expected = odds_score(known @ found)
        weights = games * expected * (1 - expected)
        curve = known.T @ (known * weights[:, None]) + np.eye(known.shape[1])
        found = found + np.linalg.solve(curve, known.T @ (points - games * expected) - found)
    return tuple(float(one) for one in found)


def rate(boards: Sequence[BoardResult], expectation: Expectation) -> list[Rated]:
    """Return the boards with posterior scores for each turn."""
    looks, chosen, games, points = table_of(boards)
    weight = expectation.games
    means = (weight * expectation.scores(looks, chosen) + points) / (weight + games)
    halves = Z95 * np.sqrt(means * (1 - means) / (weight + games + 1))
    pairs = list(zip(means.tolist(), halves.tolist(), strict=True))
    return [Rated(board, tuple(pairs[at * TURNS : (at + 1) * TURNS])) for at, board in enumerate(boards)]


@dataclass(frozen=True)
class Spread:
    """White's mean score over many boards, and the standard deviation between boards."""

    boards: int
    games: int
    mean: Rate
    deviation: float

    @property
    def unfairness(self) -> float:
        """The root mean square distance of boards from an even score."""
        return sqrt(self.deviation**2 + (self.mean[0] - 0.5) ** 2)


def difference(before: Sequence[BoardResult], after: Sequence[BoardResult], turns: TurnsOf) -> Rate:
    """Return the change in White's score over the same boards, paired by board."""
    first, second = on_same_boards(before, after, turns, lambda points, games: points / games)
    return interval(second - first)


def unfairness_change(before: Sequence[BoardResult], after: Sequence[BoardResult], turns: TurnsOf) -> Rate:
    """Return the change in unfairness over the same boards (see Spread.unfairness)."""
    first, second = on_same_boards(before, after, turns, square_from_even)
    was, becomes = (sqrt(max(1e-9, float(squares.mean()))) for squares in (first, second))
    # Delta method: d sqrt(x) = dx / (2 sqrt(x)).
    _, half = interval(second / (2 * becomes) - first / (2 * was))
    return becomes - was, half


def square_from_even(points: float, games: float) -> float:
    """Return the squared distance of a score from even, corrected for sampling variance."""
    score = points / games
    return (score - 0.5) ** 2 - float(chance_variance(score, games))


def on_same_boards(
    before: Sequence[BoardResult], after: Sequence[BoardResult], turns: TurnsOf, value: Callable[[float, float], float]
) -> tuple[Numbers, Numbers]:
    """Return the mean of `value(points, games)` over its turns for each board that both have, in the same order."""
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
    """How two players of different strength agree on the same boards."""

    boards: int
    games: int  # of the other player
    same: float  # share of the boards on which Black chooses the same baseline
    likeness: float  # correlation of White's scores by baseline, corrected for sampling variance
    any_baseline: Rate  # change in White's score
    chosen: Rate


def agreement(ours: Sequence[BoardResult], others: Sequence[BoardResult]) -> Agreement | None:
    """Compare two players on the boards that both have played; None if there are too few."""
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
    """Return the sampling variance of each score."""
    return np.asarray(scores * (1 - scores) / np.maximum(games - 1, 1))


def scatter(scores: Numbers, games: Numbers) -> float:
    """Return the mean sampling variance."""
    return float(chance_variance(scores, games).mean())


def spread(boards: Sequence[BoardResult], turns: Sequence[Sequence[int]]) -> Spread:
    """Return the spread over these turns of each board, corrected for sampling variance."""
    pairs = [
        (board.points[turn], board.games[turn]) for board, taken in zip(boards, turns, strict=True) for turn in taken
    ]
    points, games = np.array(pairs, float).T
    scores = points / games
    # Cluster by board: turns of one board are not independent.
    ends = np.cumsum([len(taken) for taken in turns])
    by_board = np.array([part.mean() for part in np.split(scores, ends[:-1])])
    half = Z95 * float(by_board.std(ddof=1)) / sqrt(len(by_board)) if len(by_board) > 1 else 0.5
    deviation = sqrt(max(0.0, float(scores.var()) - scatter(scores, games)))
    return Spread(len(boards), int(games.sum()), (float(by_board.mean()), half), deviation)


def all_turns(boards: Sequence[BoardResult]) -> list[list[int]]:
    """Select every baseline of each board."""
    return [list(range(TURNS))] * len(boards)


def chosen_turns(boards: Sequence[BoardResult]) -> list[list[int]]:
    """Select the baseline that Black chooses on each board."""
    return [[board.chosen] for board in boards]


# What makes a board unfair


FEATURES = {
    "loose-black": "black pawns that White can capture at once and Black cannot recapture",
    "exposed-black": "black pawns that White can capture at once and Black can recapture",
    "loose-white": "white pawns that Black threatens to capture and White cannot recapture",
    "exposed-white": "white pawns that Black threatens to capture and White can recapture",
    "mobility-white": "first moves of White",
    "mobility-black": "first moves of Black, if it began",
    "away-white": "moves to Black's baseline, summed over the white pawns",
    "away-black": "moves to White's baseline, summed over the black pawns",
    # Every board has two squares of each colour on ranks 1 and 4, and two red ones on ranks 2 and 3. The rest of ranks
    # 2 and 3 complement each other, as do blue, yellow and green within a rank, so two counts describe them all.
    "yellow": "yellow instead of blue squares on White's second rank, minus those on Black's",
    "green": "green instead of blue squares on White's second rank, minus those on Black's",
}
COLOUR_NUMBERS = {"yellow": structs.YELLOW, "green": structs.GREEN}


def features(board: str, turn: int) -> dict[str, float]:
    """Return the features of a board before the first move."""
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
                protected = guarded(state, setup, number, place)
                exposed += protected
                loose += not protected
        found[f"loose-{side}"], found[f"exposed-{side}"] = loose, exposed
        found[f"mobility-{side}"] = len(moves[side])
        away = setup.moves_away[turn, number]
        found[f"away-{side}"] = float(sum(int(away[place]) for place in state.places[number].tolist()))
    colours = setup.colours[turn].reshape(8, 8)
    for colour, code in COLOUR_NUMBERS.items():
        found[colour] = float((colours[1] == code).sum()) - float((colours[6] == code).sum())
    return {name: found[name] for name in FEATURES}


def has_safe_side(board: str) -> bool:
    """Return whether Black has a baseline on which White cannot capture an unprotected pawn at once."""
    return any(features(board, turn)["loose-black"] == 0 for turn in range(TURNS))


def guarded(state: object, setup: object, number: int, place: int) -> bool:
    """Return whether another pawn of the side could recapture on this pawn's square."""
    taken = state.copy()  # type: ignore[attr-defined]  # a NumPy record
    taken.cells[place] = 2 - number
    taken.places[number][taken.places[number] == place] = structs.OUT
    taken.seat = number
    return any(to == place for _, to in moves_of(taken, setup))


@dataclass(frozen=True)
class FeatureEffects:
    """The effect of each feature on White's score, other features being equal, and the variance they explain."""

    by_name: Mapping[str, Rate]
    explained: float  # share of the variance between boards, corrected for sampling variance


def effects(boards: Sequence[BoardResult], seen: Sequence[Mapping[str, float]]) -> FeatureEffects:
    """Regress the scores of all turns on features, with standard errors clustered by board."""
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
    return FeatureEffects(by_name, 1 - unexplained / total if total > 0 else 0.0)
