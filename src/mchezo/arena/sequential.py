"""A sequential test: games are played only until it is clear whether a player scores as much as is claimed.

It is the generalized sequential probability ratio test over whole rotations (with two seats: over pairs, whose five
results make it "pentanomial"), as chess engines are tested. After each rotation the logarithm of the likelihood ratio
of two hypotheses is computed, that the mean score is `least` or that it is `clear`; for each the distribution of the
rotations' scores is the likeliest one with that mean. The claim stands when the ratio passes log((1 - missed) / wrong),
and falls when it goes below log(missed / (1 - wrong)).

So a player whose true score is at most `least` passes with a probability of about `wrong`, one whose score is at least
`clear` falls with a probability of about `missed`, and one between them may take long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

import numpy as np

from mchezo.arena.matches import Match, Played, play, rotation_scores
from mchezo.core.structs import Numbers

UNSEEN = 1e-3  # as how many observations a result counts that has not been seen


class Verdict(Enum):
    """What a test says."""

    STANDS = "stands"
    FALLS = "falls"
    OPEN = "open"


@dataclass(frozen=True)
class Claim:
    """That a player scores at least so much, against a score at which it should be clear, with two error levels."""

    least: float = 0.6
    clear: float = 0.7
    wrong: float = 0.05  # the claim stands though it is wrong
    missed: float = 0.05  # it falls though the score is clear

    def __post_init__(self) -> None:
        if not 0 < self.least < self.clear < 1 or not (0 < self.wrong < 0.5 and 0 < self.missed < 0.5):
            raise ValueError("0 < least < clear < 1, and error levels lie between 0 and 0.5")

    @property
    def limits(self) -> tuple[float, float]:
        """Below the first the claim falls, above the second it stands."""
        return log(self.missed / (1 - self.wrong)), log((1 - self.missed) / self.wrong)

    def ratio(self, scores: Sequence[float], games: int = 2) -> float:
        """The logarithm of the likelihood ratio after these scores of rotations of so many games."""
        if not scores:
            return 0.0
        # Every half point that a rotation can score is possible, seen or not.
        possible = np.unique(np.concatenate([np.linspace(0, 1, 2 * games + 1), np.round(scores, 9)]))
        counts = np.array([np.isclose(scores, value).sum() for value in possible], float)
        counts[counts == 0] = UNSEEN
        seen = counts / counts.sum()
        likely, unlikely = with_mean(possible, seen, self.clear), with_mean(possible, seen, self.least)
        return float(counts.sum() * (seen * np.log(likely / unlikely)).sum())

    def verdict(self, scores: Sequence[float], games: int = 2, after: int = 0) -> tuple[Verdict, int]:
        """What is decided after how many of these scores, taken one after the other; the first so many did not."""
        falls, stands = self.limits
        for count in range(after + 1, len(scores) + 1):
            ratio = self.ratio(scores[:count], games)
            if not falls < ratio < stands:
                return (Verdict.STANDS if ratio >= stands else Verdict.FALLS), count
        return Verdict.OPEN, len(scores)


def with_mean(values: Numbers, seen: Numbers, mean: float) -> Numbers:
    """Of all distributions over these values with that mean, the one under which what was seen is likeliest."""
    # It is seen / (1 + t (value - mean)) for the one t at which its mean is right; the sum below falls with t.
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
    match: Match, claim: Claim | None, rotations: int, workers: int, known: Sequence[Played] = ()
) -> Iterator[Played]:
    """The games of a match that are still to be played, until the claim is decided; without a claim all of them."""
    games = [game for game in known if game.rotation < rotations]
    looked = 0

    def is_decided() -> bool:
        nonlocal looked
        if claim is None:
            return False
        scores = rotation_scores(whole(games, match.seats))
        verdict, _ = claim.verdict(scores, match.seats, looked)
        looked = len(scores)
        return verdict is not Verdict.OPEN

    if is_decided():
        return
    for game in play(match, range(rotations), workers, {(game.rotation, game.seat) for game in games}):
        games.append(game)
        yield game
        if is_decided():
            return


def whole(games: Sequence[Played], seats: int) -> list[Played]:
    """The games of the first rotations, as far as none has a gap."""
    there = {(game.rotation, game.seat) for game in games}
    rotations = 0
    while all((rotations, seat) in there for seat in range(seats)):
        rotations += 1
    return [game for game in games if game.rotation < rotations]
