"""The guide to a game: a rules page in four languages, interactive examples, and a first game with a coach.

The folder of a guide has one Markdown file per language, and `examples.toml` and `lesson.toml` for all of them. In the
Markdown, a heading of level 2 begins a section, and the line `{#NAME}` before it names it. Containers mark what is
not just text: `:::example NAME` shows an example, `:::ours NAME` is a ruling of ours, `:::print NAME` points out an
oddity of the printed rulebooks.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_block_plugin
from mdit_py_plugins.container import container_plugin

from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.core.words import LANGUAGES

Kind = Literal["text", "example", "ours", "print"]
Verdict = Literal["open", "met", "missed"]
Translations = dict[str, str]  # language -> sentence

MARKDOWN = MarkdownIt("commonmark").enable("table").use(attrs_block_plugin)
for _kind in ("example", "ours", "print"):
    MARKDOWN.use(container_plugin, _kind)


@dataclass(frozen=True)
class Part:
    """A piece of a section: Markdown, a note with a name, or an example by its name."""

    kind: Kind
    text: str = ""
    name: str = ""


@dataclass(frozen=True)
class Section:
    """A chapter of the rules; its name is the same in all languages."""

    name: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Page:
    """A game's rules in one language."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True)
class Example:
    """A position, a task, and every sequence of moves that solves it."""

    game: str
    name: str
    options: dict[str, Any]
    before: tuple[str, ...]  # moves that lead there, including chance outcomes
    answers: tuple[tuple[str, ...], ...]
    title: Translations
    task: Translations
    done: Translations  # why the answer is right
    missed: Translations  # what helps after another move

    def start(self) -> Position:
        """Return the position; from here on a fixed seed decides chance."""
        position = registry.find(self.game).start(seed=1, chance="manual", **self.options)
        for move in self.before:
            position.play(move)
        position.draw_from_seed()
        return position

    def judge(self, moves: tuple[str, ...]) -> Verdict:
        """Return whether moves from the start solve the task."""
        if moves in self.answers:
            return "met"
        return "open" if any(answer[: len(moves)] == moves for answer in self.answers) else "missed"


@dataclass(frozen=True)
class Lesson:
    """A first game: the set-up of its table, and what the coach says when something first comes up."""

    seat: int  # of the learner
    level: int  # of the computer
    options: dict[str, Any]
    welcome: Translations
    farewell: Translations
    hints: tuple[CoachHint, ...]


@dataclass(frozen=True)
class CoachHint:
    """A sentence of the coach, and the conditions for it; all conditions in `when` must hold while it is shown.

    decision: the learner decides this · legal: a legal move matches this pattern · onto: one goes to a space of
    `them` · preview: one would have this effect · wins: one would have this effect and win the game · pick: the piece
    picked up matches this pattern · told: this effect happened since the learner's previous turn began · by: it was
    the effect of a move by `me` or by `them` · turns: the learner has finished this many turns. A hint without
    conditions is always true.
    """

    name: str
    when: dict[str, str | int]
    always: bool  # it is said whenever it is true, not only the first time
    say: Translations


@cache
def page(game: str, language: str) -> Page:
    """Return the rules page of a game."""
    source = read(game, f"{language}.md")
    lines = source.splitlines()
    blocks = [token for token in MARKDOWN.parse(source) if token.level == 0 and token.map is not None]
    title = ""
    sections: list[tuple[str, str, list[Part]]] = []
    for block in blocks:
        first, end = cast(list[int], block.map)
        if block.tag == "h1":
            title = lines[first].removeprefix("# ")
        elif block.tag == "h2":
            sections.append((str(block.attrs["id"]), lines[first].removeprefix("## "), []))
        elif not sections:
            raise ValueError(f"{game}/{language}.md: {lines[first]!r} precedes the first section")
        elif block.type.startswith("container_"):
            kind, name = block.info.split()
            text = " ".join(line.strip() for line in lines[first + 1 : end])
            sections[-1][2].append(Part(cast(Kind, kind), text, name))
        else:
            add_text(sections[-1][2], "\n".join(lines[first:end]).strip())
    return Page(title, tuple(Section(name, heading, tuple(parts)) for name, heading, parts in sections))


def add_text(parts: list[Part], text: str) -> None:
    """Add a block of text to a section; consecutive blocks are one part."""
    if parts and parts[-1].kind == "text":
        text = f"{parts.pop().text}\n\n{text}"
    parts.append(Part("text", text))


@cache
def examples(game: str) -> dict[str, Example]:
    """Return the examples of a game by name."""
    found = {}
    for name, given in tomllib.loads(read(game, "examples.toml")).items():
        answers = tuple(tuple(answer.split()) for answer in given["answers"])
        options = {key: tuple(value) if isinstance(value, list) else value for key, value in given["options"].items()}
        said = {key: {language: given[key][language] for language in LANGUAGES} for key in SENTENCES}
        found[name] = Example(game, name, options, tuple(given.get("before", "").split()), answers, **said)
    return found


SENTENCES = ("title", "task", "done", "missed")


def example(game: str, name: str) -> Example:
    """Return the example of that name."""
    found = examples(registry.find(game).name)
    if name not in found:
        raise UserError("unknown-example", given=name, allowed=", ".join(found))
    return found[name]


@cache
def lesson(game: str) -> Lesson:
    """Return the lesson of a game."""
    given = tomllib.loads(read(game, "lesson.toml"))
    hints = tuple(
        CoachHint(
            hint["name"], hint["when"], hint.get("always", False), {language: hint[language] for language in LANGUAGES}
        )
        for hint in given["hints"]
    )
    return Lesson(given["seat"], given["level"], given["options"], given["welcome"], given["farewell"], hints)


def read(game: str, file: str) -> str:
    """Read a file of a game's guide."""
    found = registry.find(game)
    if found.guide is None or not (found.guide / file).is_file():
        raise UserError("no-guide", game=found.title)
    return (found.guide / file).read_text(encoding="utf-8")
