"""A game's guide as messages: the rules page, its examples as they are tried, the first game's coach."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from markdown_it import MarkdownIt

from mchezo.core import guide, registry
from mchezo.core.errors import IllegalMove, InvalidMove
from mchezo.core.guide import Part
from mchezo.core.structs import CHANCE
from mchezo.core.words import unbroken
from mchezo.server import messages, sight

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def page(game: str, language: str) -> messages.RulesPage:
    """The rules of a game in one language."""
    found = guide.page(registry.find(game).name, language)
    sections = [
        messages.RulesSection(
            section.name, unbroken(section.title, language), [part_of(part, language) for part in section.parts]
        )
        for section in found.sections
    ]
    examples = {
        name: messages.RulesExample(said(example.title, language), said(example.task, language))
        for name, example in guide.examples(game).items()
    }
    return messages.RulesPage(game, cast(Any, language), found.title, sections, examples)


def part_of(part: Part, language: str) -> messages.RulesPart:
    """A piece of text, ready to be shown."""
    return messages.RulesPart(part.kind, part.name, unbroken(MARKDOWN.render(part.text), language) if part.text else "")


def said(sentence: Mapping[str, str], language: str) -> str:
    """A sentence in one language."""
    return unbroken(sentence[language], language)


def attempt(game: str, name: str, moves: list[str], language: str) -> messages.Attempted:
    """Play moves on an example's board; a move against the rules is answered by the rule, and not made."""
    example = guide.example(game, name)
    position = example.start()
    seat, made, refused = position.to_move, list[str](), ""
    for move in moves:
        if position.to_move != seat:
            break  # the task was met, or missed, before
        try:
            position.play(move)
        except (IllegalMove, InvalidMove) as refusal:
            refused = refusal.say(language)
            break
        made.append(next(step.text for step in reversed(position.steps) if step.by != CHANCE))
    verdict = example.judge(tuple(made))
    legal = position.legal_moves if verdict == "open" else []
    return messages.Attempted(
        moves=made,
        view=cast(Any, position.view(seat)),
        legal=legal,
        verdict="refused" if refused else verdict,
        words=refused
        or {"open": "", "met": said(example.done, language), "missed": said(example.missed, language)}[verdict],
        previews=sight.previews(position, legal),
    )


def lesson(game: str, language: str) -> messages.Lesson:
    """The first game, as its table is to be made, and what its coach says."""
    found = guide.lesson(registry.find(game).name)
    return messages.Lesson(
        game=game,
        seat=found.seat,
        level=found.level,
        options=found.options,
        welcome=said(found.welcome, language),
        farewell=said(found.farewell, language),
        hints=[messages.LessonHint(hint.name, hint.when, said(hint.say, language)) for hint in found.hints],
    )
