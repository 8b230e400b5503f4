"""What a refusal says, and the kinds of them."""

from typing import Any, Literal

from msgspec import Struct

from mchezo.server.messages.parts import Told

# Kinds of refusal, with their HTTP status.
CODES: dict[str, int] = {
    "bad-request": 400,  # cannot be decoded; says where
    "unreadable": 400,  # a move that the notation does not know
    "invalid-setup": 400,  # options that do not go
    "not-signed-in": 401,  # neither cookie nor token
    "bad-token": 401,  # a cookie or token that we did not sign
    "origin": 403,  # from another site
    "not-your-seat": 403,
    "bad-key": 403,  # not the key of an open seat
    "unknown-table": 404,
    "unknown-game": 404,
    "unknown-page": 404,
    "method": 405,
    "not-your-turn": 409,
    "illegal": 409,  # against the rules, and which one
    "stale": 409,  # that decision was answered before
    "conflict": 409,  # somebody was quicker; look again
    "duplicate": 409,  # the id was used for another command
    "not-running": 409,
    "not-open": 409,  # the game has started, or the seat is taken
    "not-possible": 409,  # not at this table, or not now
    "revealed": 409,  # no move is taken back that revealed something
    "too-large": 413,
    "media-type": 415,
    "too-often": 429,
    "internal": 500,
    "not-ready": 503,  # the rules are still being compiled, or the server stops
    "overloaded": 503,
}


def codes_as_type() -> Any:
    """The codes as a type, for the browser."""
    return Literal[tuple(CODES)]


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """What was asked was refused and changed nothing."""

    code: str  # one of CODES: what kind of refusal
    told: Told  # the very reason
    words: str  # the same in your language
    id: str | None = None  # of the command
