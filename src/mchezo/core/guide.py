"""How a game is explained: its rules as a page in four languages, examples to be played, a first game with a coach.

A game's folder has `guide/` with one Markdown file a language, and `examples.toml` and `lesson.toml` for all of them.
In the Markdown, `## Heading {#name}` begins a section, a line `@example NAME` shows an example, and a quotation that
begins with `ours NAME:` is a ruling of ours, one with `print NAME:` says what is odd in the printed rulebooks.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from mchezo.core import registry
from mchezo.core.errors import Refusal
from mchezo.core.position import Position
from mchezo.core.words import LANGUAGES

Kind = Literal["text", "example", "ours", "print"]
Verdict = Literal["open", "met", "missed"]
Said = dict[str, str]  # language -> sentence

HEADING = re.compile(r"## (?P<title>.+) \{#(?P<name>[a-z-]+)\}")
NOTE = re.compile(r"> (?P<kind>ours|print) (?P<name>[a-z-]+): ")


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
    """A position, a task, and every sequence of moves that meets it."""

    game: str
    name: str
    options: dict[str, Any]
    before: tuple[str, ...]  # moves that lead there, chance outcomes among them
    answers: tuple[tuple[str, ...], ...]
    title: Said
    task: Said
    done: Said  # why the answer is one
    missed: Said  # what helps after another move

    def start(self) -> Position:
        """The position; from here on chance plays itself, always in the same way."""
        position = registry.find(self.game).start(seed=1, chance="manual", **self.options)
        for move in self.before:
            position.play(move)
        position.go_on()
        return position

    def judge(self, moves: tuple[str, ...]) -> Verdict:
        """What moves from the start are worth for the task."""
        if moves in self.answers:
            return "met"
        return "open" if any(answer[: len(moves)] == moves for answer in self.answers) else "missed"


@dataclass(frozen=True)
class Lesson:
    """A first game: how its table is set up, and what the coach says when something first comes up."""

    seat: int  # of the learner
    level: int  # of the computer
    options: dict[str, Any]
    welcome: Said
    farewell: Said
    hints: tuple[Hint, ...]


@dataclass(frozen=True)
class Hint:
    """A sentence of the coach, and what on the table makes it matter; all that `when` names must hold.

    decision: the learner is asked this · legal: a legal move fits this pattern · onto: one goes where `them` stand
    (Kitara) · preview: one would do this · pick: what was picked up fits this pattern · told: this was done · played: a
    move that fits this pattern was made · by: these two by `me` or by `them` · turns: so many own turns are over.
    """

    name: str
    when: dict[str, str | int]
    say: Said


@cache
def page(game: str, language: str) -> Page:
    """The rules of a game."""
    lines = read(game, f"{language}.md").splitlines()
    title = lines[0].removeprefix("# ")
    sections: list[tuple[str, str, list[str]]] = []
    for line in lines[1:]:
        if heading := HEADING.fullmatch(line):
            sections.append((heading["name"], heading["title"], []))
        elif sections:
            sections[-1][2].append(line)
        elif line:
            raise ValueError(f"{game}/{language}.md: {line!r} stands before the first section")
    return Page(title, tuple(Section(name, title, tuple(parts_of(body))) for name, title, body in sections))


def parts_of(lines: list[str]) -> list[Part]:
    """A section's lines, taken apart at examples and notes."""
    found: list[Part] = []
    for block in "\n".join(lines).strip().split("\n\n"):
        if block.startswith("@example "):
            found.append(Part("example", name=block.removeprefix("@example ").strip()))
        elif note := NOTE.match(block):
            text = " ".join(line.removeprefix(">").strip() for line in block[note.end() - 1 :].splitlines())
            kind: Kind = "ours" if note["kind"] == "ours" else "print"
            found.append(Part(kind, text.strip(), note["name"]))
        elif found and found[-1].kind == "text":
            found[-1] = Part("text", f"{found[-1].text}\n\n{block}")
        else:
            found.append(Part("text", block))
    return found


@cache
def examples(game: str) -> dict[str, Example]:
    """The examples of a game by name."""
    found = {}
    for name, given in tomllib.loads(read(game, "examples.toml")).items():
        answers = tuple(tuple(answer.split()) for answer in given["answers"])
        options = {key: tuple(value) if isinstance(value, list) else value for key, value in given["options"].items()}
        said = {key: {language: given[key][language] for language in LANGUAGES} for key in SAID}
        found[name] = Example(game, name, options, tuple(given.get("before", "").split()), answers, **said)
    return found


SAID = ("title", "task", "done", "missed")


def example(game: str, name: str) -> Example:
    """The example of that name."""
    found = examples(registry.find(game).name)
    if name not in found:
        raise Refusal("unknown-example", given=name, allowed=", ".join(found))
    return found[name]


@cache
def lesson(game: str) -> Lesson:
    """The first game of a game."""
    given = tomllib.loads(read(game, "lesson.toml"))
    hints = tuple(
        Hint(hint["name"], hint["when"], {language: hint[language] for language in LANGUAGES})
        for hint in given["hints"]
    )
    return Lesson(given["seat"], given["level"], given["options"], given["welcome"], given["farewell"], hints)


def read(game: str, file: str) -> str:
    """A file of a game's guide."""
    registry.find(game)
    return files(registry.MODULES[game]).joinpath("guide", file).read_text(encoding="utf-8")
