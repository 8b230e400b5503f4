"""What can be refused: each refusal says what was wrong and what would be right, in four languages."""

from typing import Any

from mchezo.core.words import WORDS, Words


class Refusal(Exception):
    """Something asked for was refused and changed nothing; `key` and `values` say why, `say` puts it into words."""

    def __init__(self, key: str, words: Words = WORDS, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values
        self.words = words

    def say(self, language: str = "en") -> str:
        """The reason as a sentence."""
        return self.words.say(self.key, language, **self.values)

    def __str__(self) -> str:
        return self.say()

    def __reduce__(self) -> tuple[Any, ...]:
        # All that was refused travels with it, to another process too.
        return _again, (type(self), self.__dict__)


def _again(kind: type[Refusal], held: dict[str, Any]) -> Refusal:
    """A refusal that has travelled."""
    refusal = kind.__new__(kind, held["key"])
    refusal.__dict__.update(held)
    return refusal


class UnknownGame(Refusal):
    """No game of that name."""


class UnknownSeat(Refusal):
    """No seat of that number in this game."""


class InvalidSetup(Refusal):
    """A start option that is unknown, unreadable, or does not go with the others."""


class InvalidMove(Refusal):
    """A move that cannot be read."""


class IllegalMove(Refusal):
    """A move that can be read but is against the rules."""


class InvalidRecord(Refusal):
    """A record that cannot be read or replayed, with the line where it goes wrong."""

    def __init__(self, key: str, words: Words = WORDS, *, line: int, cause: Refusal | None = None, **values: object):
        super().__init__(key, words, **values)
        self.line = line
        self.cause = cause

    def say(self, language: str = "en") -> str:
        """The line and the reason as a sentence."""
        reason = super().say(language) if self.cause is None else self.cause.say(language)
        return WORDS.say("record-line", language, line=self.line, reason=reason)
