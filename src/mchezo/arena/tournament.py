"""Who meets whom, and what came of it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from mchezo.arena.matches import Played, Score, score
from mchezo.arena.ratings import Rating, Result, rate
from mchezo.arena.sequential import Verdict


def round_robin(names: Sequence[str]) -> list[tuple[str, str]]:
    """Everybody meets everybody."""
    return list(combinations(names, 2))


def ladder(names: Sequence[str]) -> list[tuple[str, str]]:
    """From the bottom, everybody meets the one below."""
    return [(upper, lower) for lower, upper in pairwise(names)]


@dataclass(frozen=True)
class Meeting:
    """Two players, their games, and what a claim about the first came to, where there was one."""

    first: str
    second: str
    games: Sequence[Played]
    verdict: Verdict | None = None

    @property
    def score(self) -> Score:
        """What the first player scored."""
        return score(self.games)


def standings(meetings: Sequence[Meeting], anchor: str) -> list[Rating]:
    """The ratings of all players, best first."""
    results = [
        Result(meeting.first, meeting.second, len(meeting.games), sum(game.share for game in meeting.games))
        for meeting in meetings
    ]
    return rate(results, anchor)
