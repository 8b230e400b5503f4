"""Parts of the views of all games, as types on the wire."""

from msgspec import Struct


class BoardOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended on the board."""

    winners: list[int]
    scores: list[float]
    reason: str
