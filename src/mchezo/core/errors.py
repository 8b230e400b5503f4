"""Errors that users see: each says in four languages what was wrong and what to do."""

from typing import Any

from mchezo.core.words import WORDS, Words


class UserError(Exception):
    """A request that was refused and changed nothing; `key` and `values` are the reason, `say` is its sentence."""

    def __init__(self, key: str, words: Words = WORDS, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values
        self.words = words

    def say(self, language: str = "en") -> str:
        """Return the reason as a sentence."""
        return self.words.say(self.key, language, **self.values)

    def __str__(self) -> str:
        return self.say()

    def __reduce__(self) -> tuple[Any, ...]:
        # The attributes of subclasses survive pickling, too.
        return _rebuild, (type(self), self.__dict__)


def _rebuild(kind: type[UserError], attributes: dict[str, Any]) -> UserError:
    """Rebuild an unpickled error."""
    error = kind.__new__(kind, attributes["key"])
    error.__dict__.update(attributes)
    return error


class UnknownGame(UserError):
    """There is no game of that name."""


class UnknownSeat(UserError):
    """The game has no seat of that number."""


class InvalidSetup(UserError):
    """A start option is unknown, unreadable, or incompatible with the others."""


class InvalidMove(UserError):
    """A move cannot be parsed."""


class IllegalMove(UserError):
    """A move can be parsed but is against the rules."""


class InvalidRecord(UserError):
    """A record cannot be parsed or replayed; `line` is where it fails."""

    def __init__(self, key: str, words: Words = WORDS, *, line: int, cause: UserError | None = None, **values: object):
        super().__init__(key, words, **values)
        self.line = line
        self.source = ""  # the file, where records were read from files
        self.cause = cause

    def say(self, language: str = "en") -> str:
        """Return the line and the reason as a sentence."""
        reason = super().say(language) if self.cause is None else self.cause.say(language)
        return WORDS.say("record-line", language, line=self.line, reason=reason)
