"""How a game changes the ratings of those who played it: two or more, people and computers of fixed levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mchezo.ratings import glicko
from mchezo.ratings.glicko import ESTABLISHED, POINT, Opponent, Rating

COUNTED_A_DAY = 10  # games between the same two players in one pool within 24 hours


class Anchor(NamedTuple):
    """A player of known strength, in points: a computer of a fixed level. Games do not change it."""

    rating: float
    deviation: float


class Entrant(NamedTuple):
    """Who played, and the place: 0 is the best, and players who share a place were equal."""

    strength: Rating | Anchor
    place: int


def rate_game(entrants: Sequence[Entrant], at: int) -> list[Rating | None]:
    """Return everybody's rating after a game; None for computers, and for people whose rating it does not change.

    With more than two players everybody meets everybody else. As in FIDE's rules, a sure rating does not change by a
    game against a provisional one, which would make new accounts a source of points.
    """
    weight = pair_weight(len(entrants))
    rated: list[Rating | None] = []
    for entrant in entrants:
        player = entrant.strength
        if isinstance(player, Anchor):
            rated.append(None)
            continue
        sure = player.at_time(at).deviation <= ESTABLISHED * POINT
        met = [
            opponent(entrant, other, at)
            for other in entrants
            if other is not entrant and not (sure and is_provisional(other.strength, at))
        ]
        rated.append(glicko.update(player, met, at, weight) if met else None)
    return rated


def pair_weight(players: int) -> float:
    """Return by how much each opponent counts: less than a game, as predicts best (docs/ratings.md).

    The meetings at a table of more than two are not independent of each other.
    """
    return 2 / 3 if players == 2 else 1 / 2


def is_provisional(strength: Rating | Anchor, at: int) -> bool:
    """Return whether a strength is not sure at a time."""
    return isinstance(strength, Rating) and strength.at_time(at).provisional


def opponent(entrant: Entrant, other: Entrant, at: int) -> Opponent:
    """Return one player's opponent, with the score against them."""
    score = 0.5 if entrant.place == other.place else float(entrant.place < other.place)
    strength = other.strength
    if isinstance(strength, Anchor):
        return Opponent(strength.rating, strength.deviation, score)
    now = strength.at_time(at)
    return Opponent(now.points, now.deviation_points, score)
