"""Errors, and their codes."""

from typing import Any, Literal

from msgspec import Struct

from mchezo.server.messages.parts import Message

# Error codes, with their HTTP status.
CODES: dict[str, int] = {
    "bad-request": 400,  # cannot be decoded; says why
    "unreadable": 400,  # not a move in the game's notation
    "invalid-setup": 400,  # impossible options
    "not-signed-in": 401,  # neither cookie nor token
    "bad-token": 401,  # not signed by this server
    "origin": 403,  # from another site
    "not-your-seat": 403,
    "bad-key": 403,  # not the key of an open seat
    "unknown-table": 404,
    "unknown-game": 404,
    "unknown-page": 404,
    "method": 405,
    "not-your-turn": 409,
    "illegal": 409,  # against the rules; says which one
    "stale": 409,  # the decision was already answered
    "conflict": 409,  # somebody else was faster
    "duplicate": 409,  # the idempotency key was used for another command
    "not-running": 409,
    "not-open": 409,  # the game has started, or the seat is taken
    "not-possible": 409,  # not at this table, or not now
    "set-aside": 409,  # the table cannot be read; an operator has to repair it
    "revealed": 409,  # a move that revealed something cannot be taken back
    "too-large": 413,
    "media-type": 415,
    "too-often": 429,
    "internal": 500,
    "not-ready": 503,  # the rules are still being compiled
    "overloaded": 503,
    "unavailable": 503,  # the database is away or cannot be written; try again later
}


def codes_as_type() -> Any:
    """Return the codes as a type, for the browser."""
    return Literal[tuple(CODES)]


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """An error: the request was refused and changed nothing."""

    code: str  # one of CODES
    told: Message  # the exact reason
    words: str  # the reason in your language
    id: str | None = None  # of the command
