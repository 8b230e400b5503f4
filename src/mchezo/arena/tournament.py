"""Pairings of players, and the standings that follow from their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from mchezo.arena.matches import PlayedGame, Score, score
from mchezo.arena.ratings import PairResult, PlayerRating, rate
from mchezo.arena.sequential import Verdict


def round_robin(names: Sequence[str]) -> list[tuple[str, str]]:
    """Pair everybody with everybody."""
    return list(combinations(names, 2))


def ladder(names: Sequence[str]) -> list[tuple[str, str]]:
    """Pair every player with the one below, from the bottom up."""
    return [(upper, lower) for lower, upper in pairwise(names)]


@dataclass(frozen=True)
class Pairing:
    """Two players, their games, and the verdict of the sequential test of the first, if there was one."""

    first: str
    second: str
    games: Sequence[PlayedGame]
    verdict: Verdict | None = None

    @property
    def score(self) -> Score:
        """The first player's score."""
        return score(self.games)


def standings(pairings: Sequence[Pairing], anchor: str) -> list[PlayerRating]:
    """Return the ratings of all players, best first."""
    results = [
        PairResult(pairing.first, pairing.second, len(pairing.games), sum(game.share for game in pairing.games))
        for pairing in pairings
    ]
    return rate(results, anchor)
