"""Rules pages with their examples, and tutorial games."""

from typing import Any, Literal

from msgspec import Struct

from mchezo.server.messages.commands import Preview
from mchezo.server.messages.parts import Language, Moves, Request, View


class RulesPart(Struct, frozen=True):
    """Part of a section: text, an example by its name, a ruling of ours, or a note on the printed rules."""

    kind: Literal["text", "example", "ours", "print"]
    name: str
    html: str


class RulesSection(Struct, frozen=True):
    """A section; its name is the same in all languages."""

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
    """The result of moves on an example's board. `words` explains it in the requested language."""

    moves: list[str]  # those that were played
    view: View
    legal: list[str]
    verdict: Literal["open", "met", "missed", "refused"]
    words: str
    previews: dict[str, Preview]


class LessonHint(Struct, frozen=True):
    """A sentence of the coach, and the conditions under which it is shown (`when`, see `core/guide.py`)."""

    name: str
    when: dict[str, str | int]
    always: bool  # said whenever it is true, not only the first time
    words: str


class Lesson(Struct, frozen=True):
    """A tutorial game: how to set up its table, and what the coach says during it."""

    game: str
    seat: int
    level: int
    options: dict[str, Any]
    welcome: str
    farewell: str
    hints: list[LessonHint]
