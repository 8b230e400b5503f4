"""Errors of the server: each has a code and a key, like the errors of the games."""

from __future__ import annotations

import numbers

from mchezo.core.effects import Value
from mchezo.core.errors import (
    IllegalMove,
    InvalidMove,
    InvalidRecord,
    InvalidSetup,
    UnknownGame,
    UnknownSeat,
    UserError,
)
from mchezo.core.words import Words
from mchezo.server import messages

WORDS = Words("mchezo.server")
MAX_ARGUMENT, MAX_SENTENCE = 300, 1_000  # characters: an error does not send back everything that it is about

# The codes of the games' errors.
KINDS: tuple[tuple[type[UserError], str], ...] = (
    (InvalidMove, "unreadable"),
    (IllegalMove, "illegal"),
    (InvalidSetup, "invalid-setup"),
    (InvalidRecord, "invalid-setup"),
    (UnknownGame, "unknown-game"),
    (UnknownSeat, "not-your-seat"),
)


class TableError(UserError):
    """An error of the server; its code is one of messages.CODES."""

    def __init__(self, code: str, key: str, **values: object) -> None:
        super().__init__(key, WORDS, **values)
        self.code = code


def code_of(error: UserError) -> str:
    """Return the code of an error."""
    if isinstance(error, TableError):
        return error.code
    return next((code for kind, code in KINDS if isinstance(error, kind)), "not-possible")


def error_message(error: UserError, language: str, id: str | None = None) -> messages.Refused:
    """Return an error as a message."""
    reason = error.cause if isinstance(error, InvalidRecord) and error.cause is not None else error
    arguments: dict[str, Value] = {name: plain(value) for name, value in reason.values.items()}
    words = shorten(error.say(language), MAX_SENTENCE)
    return messages.Refused(code_of(error), messages.Message(reason.key, arguments), words, id)


def plain(value: object) -> str | int | float | bool | None:
    """Return a value as it can be encoded, NumPy numbers converted."""
    if isinstance(value, str):
        return shorten(value, MAX_ARGUMENT)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return shorten(str(value), MAX_ARGUMENT)


def shorten(text: str, most: int) -> str:
    """Return a text, cut to a number of characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
