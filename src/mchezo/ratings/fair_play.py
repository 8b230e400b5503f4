"""How the moves of a player compare with an engine's, and when that is worth a person's look.

Decisions count while the game is open: in a decided one many moves are equally good, and agreeing means nothing. The
thresholds were chosen from games between the levels of our own computers (docs/ratings.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

OPEN = (0.1, 0.9)  # chances of winning between which a game is open
LEAST_GAMES, LEAST_DECISIONS = 4, 80  # from which the figures mean something
AGREED = 0.72  # of the decisions, the engine's first choice
LOST = 0.010  # chances of winning given away by a decision, on average
UNIT = 10_000  # of chances, as they are stored


class Evaluated(Protocol):
    """A decision and its evaluation."""

    @property
    def seat(self) -> int:
        """Who decided."""

    @property
    def move(self) -> str:
        """What was played."""

    @property
    def best(self) -> Sequence[str]:
        """The engine's line, its first choice first."""

    @property
    def chances(self) -> Sequence[float]:
        """The chances of winning of every seat after the engine's choice."""

    @property
    def after(self) -> Sequence[float]:
        """The same after the move played."""


class Compared(NamedTuple):
    """The decisions of one or more games, beside the engine's."""

    games: int = 0
    decisions: int = 0  # while the game was open
    agreed: int = 0
    lost: int = 0  # chances of winning given away in all of them, in units

    def __add__(self, other: Compared) -> Compared:  # type: ignore[override]  # sums, not a longer tuple
        """Return both together."""
        return Compared(*(one + more for one, more in zip(self, other, strict=True)))

    @property
    def agreement(self) -> float:
        """The share of decisions that were the engine's first choice."""
        return self.agreed / self.decisions if self.decisions else 0.0

    @property
    def mean_loss(self) -> float:
        """The chances of winning that a decision gave away, on average."""
        return self.lost / UNIT / self.decisions if self.decisions else 0.0

    @property
    def flagged(self) -> bool:
        """Whether a person should look at the games: nearly everything is what the engine would have played."""
        enough = self.games >= LEAST_GAMES and self.decisions >= LEAST_DECISIONS
        return enough and self.agreement >= AGREED and self.mean_loss <= LOST


def compare(decisions: Iterable[Evaluated], seat: int) -> Compared:
    """Return how a seat's decisions in one game compare with the engine's."""
    counted = [one for one in decisions if one.seat == seat and one.best and OPEN[0] <= one.chances[seat] <= OPEN[1]]
    lost = sum(max(0.0, one.chances[seat] - one.after[seat]) for one in counted)
    return Compared(1, len(counted), sum(one.best[0] == one.move for one in counted), round(lost * UNIT))
