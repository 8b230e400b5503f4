"""Rules pages with their examples, and first games."""

from typing import Any, Literal

from msgspec import Struct

from mchezo.server.messages.commands import Preview
from mchezo.server.messages.parts import Language, Moves, Request, View


class RulesPart(Struct, frozen=True):
    """A piece of a section: text, an example by its name, a ruling of ours, or what is odd in print."""

    kind: Literal["text", "example", "ours", "print"]
    name: str
    html: str


class RulesSection(Struct, frozen=True):
    """A chapter; its name is the same in all languages."""

    name: str
    title: str
    parts: list[RulesPart]


class RulesExample(Struct, frozen=True):
    """An example that can be played."""

    title: str
    task: str


class RulesPage(Struct, frozen=True):
    """A game's rules in one language."""

    game: str
    language: Language
    title: str
    sections: list[RulesSection]
    examples: dict[str, RulesExample]


class Attempt(Request, frozen=True):
    """Moves on the board of an example, from its start."""

    moves: Moves = []


class Attempted(Struct, frozen=True):
    """What moves on an example's board come to. `words` says why, in the language asked for."""

    moves: list[str]  # those that were made
    view: View
    legal: list[str]
    verdict: Literal["open", "met", "missed", "refused"]
    words: str
    previews: dict[str, Preview]


class LessonHint(Struct, frozen=True):
    """A sentence of the coach, and what makes it matter (`core/guide.py` says what `when` may name)."""

    name: str
    when: dict[str, str | int]
    words: str


class Lesson(Struct, frozen=True):
    """A first game: make a table like this, and say what matters when it comes up."""

    game: str
    seat: int
    level: int
    options: dict[str, Any]
    welcome: str
    farewell: str
    hints: list[LessonHint]
