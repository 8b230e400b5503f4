"""Sequential probability ratio test (SPRT) of the claim that a player scores at least so much.

This is the generalized SPRT over whole rotations that chess engines are tested with; with two seats a rotation is a
pair of games, whose five results make it "pentanomial". After each rotation it computes the log-likelihood ratio (LLR)
of two hypotheses, that the mean score is `clear` and that it is `least`; for each, the distribution of rotation scores
is the maximum-likelihood one with that mean. The claim stands when the LLR exceeds log((1 - missed) / wrong) and falls
when it drops below log(missed / (1 - wrong)).

A player whose true score is `least` passes with a probability of about `wrong` (type I error), one whose score is
`clear` fails with a probability of about `missed` (type II error); between the two the test may take long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

import numpy as np

from mchezo.arena.matches import Match, PlayedGame, play, rotation_scores
from mchezo.core.structs import Numbers
from mchezo.workers.units import Workers

UNSEEN = 1e-3  # pseudo-count of a result that has not been observed


class Verdict(Enum):
    """The state of a test."""

    STANDS = "stands"
    FALLS = "falls"
    OPEN = "open"


@dataclass(frozen=True)
class Sprt:
    """A sequential test with the scores of its two hypotheses and its error probabilities."""

    least: float = 0.6  # null hypothesis
    clear: float = 0.7  # alternative hypothesis
    wrong: float = 0.05  # type I error: the claim stands although the score is `least`
    missed: float = 0.05  # type II error: it falls although the score is `clear`

    def __post_init__(self) -> None:
        if not 0 < self.least < self.clear < 1 or not (0 < self.wrong < 0.5 and 0 < self.missed < 0.5):
            raise ValueError("0 < least < clear < 1, and error levels lie between 0 and 0.5")

    @property
    def limits(self) -> tuple[float, float]:
        """The LLR below which the claim falls, and the one above which it stands."""
        return log(self.missed / (1 - self.wrong)), log((1 - self.missed) / self.wrong)

    def llr(self, scores: Sequence[float], games: int = 2) -> float:
        """Return the log-likelihood ratio after these scores of rotations of `games` games."""
        if not scores:
            return 0.0
        # Every half point that a rotation can score is possible, whether observed or not.
        possible = np.unique(np.concatenate([np.linspace(0, 1, 2 * games + 1), np.round(scores, 9)]))
        counts = np.array([np.isclose(scores, value).sum() for value in possible], float)
        counts[counts == 0] = UNSEEN
        seen = counts / counts.sum()
        likely, unlikely = with_mean(possible, seen, self.clear), with_mean(possible, seen, self.least)
        return float(counts.sum() * (seen * np.log(likely / unlikely)).sum())

    def verdict(self, scores: Sequence[float], games: int = 2, after: int = 0) -> tuple[Verdict, int]:
        """Return the verdict and how many scores decided it; the first `after` scores are known not to have."""
        falls, stands = self.limits
        for count in range(after + 1, len(scores) + 1):
            llr = self.llr(scores[:count], games)
            if not falls < llr < stands:
                return (Verdict.STANDS if llr >= stands else Verdict.FALLS), count
        return Verdict.OPEN, len(scores)


def with_mean(values: Numbers, seen: Numbers, mean: float) -> Numbers:
    """Return the maximum-likelihood distribution over these values among those with that mean."""
    # It is seen / (1 + t (value - mean)), where t makes its mean right; the sum below decreases in t, so bisect.
    apart = values - mean
    low, high = -1 / apart.max(), -1 / apart.min()
    for _ in range(100):
        t = (low + high) / 2
        if (seen * apart / (1 + t * apart)).sum() > 0:
            low = t
        else:
            high = t
    weights = seen / (1 + (low + high) / 2 * apart)
    likeliest: Numbers = weights / weights.sum()
    return likeliest


def play_until(
    match: Match, test: Sprt | None, rotations: int, workers: Workers, known: Sequence[PlayedGame] = ()
) -> Iterator[PlayedGame]:
    """Play and yield the missing games of a match until the test is decided; without a test all of them."""
    games = [game for game in known if game.rotation < rotations]
    checked = 0

    def is_decided() -> bool:
        nonlocal checked
        if test is None:
            return False
        scores = rotation_scores(complete(games, match.seats))
        verdict, _ = test.verdict(scores, match.seats, checked)
        checked = len(scores)
        return verdict is not Verdict.OPEN

    if is_decided():
        return
    for game in play(match, range(rotations), workers, {(game.rotation, game.seat) for game in games}):
        games.append(game)
        yield game
        if is_decided():
            return


def complete(games: Sequence[PlayedGame], seats: int) -> list[PlayedGame]:
    """Return the games of the leading rotations that are complete."""
    there = {(game.rotation, game.seat) for game in games}
    rotations = 0
    while all((rotations, seat) in there for seat in range(seats)):
        rotations += 1
    return [game for game in games if game.rotation < rotations]
