"""What the server refuses: a kind with a code, beside the reasons of the games."""

from __future__ import annotations

import numbers

from mchezo.core.deeds import Value
from mchezo.core.errors import (
    IllegalMove,
    InvalidMove,
    InvalidRecord,
    InvalidSetup,
    Refusal,
    UnknownGame,
    UnknownSeat,
)
from mchezo.core.words import Words
from mchezo.server import messages

WORDS = Words("mchezo.server")

# The games' own refusals, by kind.
KINDS: tuple[tuple[type[Refusal], str], ...] = (
    (InvalidMove, "unreadable"),
    (IllegalMove, "illegal"),
    (InvalidSetup, "invalid-setup"),
    (InvalidRecord, "invalid-setup"),
    (UnknownGame, "unknown-game"),
    (UnknownSeat, "not-your-seat"),
)


class TableRefusal(Refusal):
    """A refusal of the server; its code is one of messages.CODES."""

    def __init__(self, code: str, key: str, **values: object) -> None:
        super().__init__(key, WORDS, **values)
        self.code = code


def code_of(refusal: Refusal) -> str:
    """What kind of refusal it is."""
    if isinstance(refusal, TableRefusal):
        return refusal.code
    return next((code for kind, code in KINDS if isinstance(refusal, kind)), "not-possible")


def refused(refusal: Refusal, language: str, id: str | None = None) -> messages.Refused:
    """The message that tells a refusal."""
    told = refusal
    if isinstance(refusal, InvalidRecord) and refusal.cause is not None:
        told = refusal.cause
    arguments: dict[str, Value] = {name: plain(value) for name, value in told.values.items()}
    return messages.Refused(code_of(refusal), messages.Told(told.key, arguments), refusal.say(language), id)


def plain(value: object) -> str | int | float | bool | None:
    """A value as it can be sent."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, numbers.Real):
        return float(value)
    return str(value)
