"""A game's guide as messages: the rules page, its playable examples, the tutorial game."""

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
from mchezo.server import messages
from mchezo.server.projection.effects import previews

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def page(game: str, language: str) -> messages.RulesPage:
    """Return the rules of a game in one language."""
    found = guide.page(registry.find(game).name, language)
    sections = [
        messages.RulesSection(
            section.name, unbroken(section.title, language), [rules_part(part, language) for part in section.parts]
        )
        for section in found.sections
    ]
    examples = {
        name: messages.RulesExample(translated(example.title, language), translated(example.task, language))
        for name, example in guide.examples(game).items()
    }
    return messages.RulesPage(game, cast(Any, language), found.title, sections, examples)


def rules_part(part: Part, language: str) -> messages.RulesPart:
    """Return a part of a section as HTML."""
    return messages.RulesPart(part.kind, part.name, unbroken(MARKDOWN.render(part.text), language) if part.text else "")


def translated(sentence: Mapping[str, str], language: str) -> str:
    """Return a sentence in one language."""
    return unbroken(sentence[language], language)


def attempt(game: str, name: str, moves: list[str], language: str) -> messages.Attempted:
    """Play moves on an example's board; an illegal move is answered with the rule it breaks, and not played."""
    example = guide.example(game, name)
    position = example.start()
    seat, played, refused = position.to_move, list[str](), ""
    for move in moves:
        if position.to_move != seat:
            break  # the task is already met or missed
        try:
            position.play(move)
        except (IllegalMove, InvalidMove) as error:
            refused = error.say(language)
            break
        played.append(next(step.text for step in reversed(position.steps) if step.by != CHANCE))
    verdict = example.judge(tuple(played))
    legal = position.legal_moves if verdict == "open" else []
    return messages.Attempted(
        moves=played,
        view=cast(Any, position.view(seat)),
        legal=legal,
        verdict="refused" if refused else verdict,
        words=refused
        or {"open": "", "met": translated(example.done, language), "missed": translated(example.missed, language)}[
            verdict
        ],
        previews=previews(position, legal),
    )


def lesson(game: str, language: str) -> messages.Lesson:
    """Return the tutorial game: how to set up its table, and what the coach says."""
    found = guide.lesson(registry.find(game).name)
    return messages.Lesson(
        game=game,
        seat=found.seat,
        level=found.level,
        options=found.options,
        welcome=translated(found.welcome, language),
        farewell=translated(found.farewell, language),
        hints=[
            messages.LessonHint(hint.name, hint.when, hint.always, translated(hint.say, language))
            for hint in found.hints
        ],
    )
