"""Hostile records, packs and positions: only errors that say what is wrong, and linear cost."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from mchezo import Record
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.words import LANGUAGES
from mchezo.games.kitara.pack import FOLDER, report
from mchezo.games.kitara.read_pack import read
from tests.core.costs import assert_linear
from tests.core.hostile import ANYTHING, mutated
from tests.games.kitara.positions import pack_text
from tests.rotation import examples

PACKS = (
    pack_text(),
    (FOLDER / "reconstruction.toml").read_text("utf-8"),
    (FOLDER / "template.toml").read_text("utf-8"),
)
POSITIONS = {
    "katarenga": ("bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -", "8/2w5/8/8/3b4/8/8/8 b a h"),
    "kiwara": ("6/6/6/6/6 - y - - - -", "G5/6/2z*3/6/6 3 r boa - okapi y porcupine:c3"),
}


def some_records() -> list[str]:
    texts = []
    for game in mchezo.games():
        position = mchezo.game(game).start(seed=1)
        generator = random.Random(1)
        while position.outcome is None and len(position.moves) < 12:
            position.play(generator.choice(position.legal_moves))
        texts.append(str(position.record()))
    return texts


RECORDS = some_records()


def attempt(run: Callable[[], object]) -> None:
    """Run something that may refuse; the error can be said in every language."""
    refused: list[UserError] = []
    try:
        run()
    except UserError as error:
        refused.append(error)
    assert all(error.say(language) for error in refused for language in LANGUAGES)


@given(text=mutated(RECORDS) | st.lists(ANYTHING, max_size=30).map("".join))
@settings(max_examples=examples(2_400, shares=8))
def test_a_hostile_record_is_refused_in_words_or_replays(text: str) -> None:
    def run() -> None:
        record = Record.parse(text)
        written = str(record)
        assert str(Record.parse(written)) == written
        if "pack" not in record.options:  # a local record may name a pack in the user's folder
            record.replay()

    attempt(run)


@given(text=mutated(PACKS) | st.lists(ANYTHING, max_size=30).map("".join))
@settings(max_examples=examples(2_400, shares=8))
def test_a_hostile_pack_is_refused_in_words_or_can_be_played_and_drawn(text: str) -> None:
    def run() -> None:
        pack = read(text)
        report(pack).lines()
        for players in pack.maps:
            for deck in pack.decks:
                position = mchezo.game("kitara").start(pack=pack, players=players, deck=deck, seed=1)
                position.play(position.legal_moves[0])
            position.svg()
            assert registry.packs().draw(pack, players) is not None

    attempt(run)


@pytest.mark.parametrize("game", list(POSITIONS))
@given(data=st.data())
@settings(max_examples=examples(1_600, shares=8))
def test_a_hostile_position_is_refused_in_words_or_can_be_played(game: str, data: st.DataObject) -> None:
    text = data.draw(mutated(POSITIONS[game]) | st.lists(ANYTHING, max_size=30).map("".join))

    def run() -> None:
        position = mchezo.game(game).start(position=text, seed=1)
        if position.outcome is None:
            position.play(position.legal_moves[0])
        position.svg()

    attempt(run)


OPTION_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | ANYTHING,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANYTHING, inner, max_size=2),
    max_leaves=5,
)


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
@given(data=st.data())
@settings(max_examples=examples(1_600, shares=8))
def test_hostile_options_are_refused_in_words(game: str, data: st.DataObject) -> None:
    names = [option.name for option in mchezo.game(game).setup.options if option.name != "pack"]
    options: dict[str, Any] = data.draw(st.dictionaries(st.sampled_from(names), OPTION_VALUES, max_size=3))
    attempt(lambda: mchezo.game(game).start(seed=1, **options))


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
@given(move=mutated(["a1-b2", "@a1", "turn90", "W2A1H1", "x W@a1", "=1.3", "hyena:a1-b2", "baboon:Ga1", "T12", "+0"]))
@settings(max_examples=examples(1_600, shares=8))
def test_hostile_moves_are_refused_in_words(game: str, move: str) -> None:
    attempt(lambda: mchezo.game(game).start(seed=1).play(move))


# Records of one kind in any size.
SHAPES: dict[str, Callable[[int], str]] = {
    "moves": lambda size: "a1-b2 " * size,
    "comments in one place": lambda size: "{a}" * size,
    "open comments": lambda size: "x " * size + "{ a" * size,
    "turn numbers": lambda size: "1. " * size,
    "tags": lambda size: "".join(f'[T{number} "x"]\n' for number in range(size)),
    "a long tag": lambda size: '[T "' + '\\"' * size + '"]',
    "a tag without end": lambda size: '[T "' + '\\"' * size,
    "blank lines": lambda size: "\n" * size,
    "control characters": lambda size: "\x1b" * size,
}


@pytest.mark.parametrize("shape", list(SHAPES))
def test_parsing_a_record_takes_linear_work_and_memory(shape: str) -> None:
    head = '[Game "katarenga"]\n[Rules "1"]\n'

    def parse(text: str) -> None:
        attempt(lambda: Record.parse(head + text))

    assert_linear(parse, SHAPES[shape], 500)


@pytest.mark.parametrize("game", list(POSITIONS))
@pytest.mark.parametrize("letters", ["6", "8", "w", "/", " ", "boa,", "G*", "."])
def test_reading_a_position_takes_linear_work_and_memory(game: str, letters: str) -> None:
    valid = POSITIONS[game][0]

    def start(text: str) -> None:
        attempt(lambda: mchezo.game(game).start(position=text, seed=1))

    assert_linear(start, lambda size: letters * size + valid, 500)


# Regular expressions: exponential time needs a repetition within a repetition.


JIT = ("mchezo.core.instructions", "mchezo.core.jit")  # modules that need Numba


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    for package in ("core", "games", "server"):
        found = importlib.import_module(f"mchezo.{package}")
        for info in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
            if "migrations" in info.name or (info.name in JIT and not find_spec("numba")):
                continue
            for name, value in vars(importlib.import_module(info.name)).items():
                if isinstance(value, re.Pattern):
                    yield f"{info.name}.{name}", value


def repeats_within_repeats(parsed: Any, inside: bool = False) -> bool:
    """Return whether an unbounded repetition that can backtrack contains another one."""
    constants: Any = importlib.import_module("re._constants")
    for operation, argument in parsed:
        if operation in (constants.MAX_REPEAT, constants.MIN_REPEAT):
            _, most, inner = argument
            unbounded = most is constants.MAXREPEAT or most > 100
            if (inside and unbounded) or repeats_within_repeats(inner, inside or unbounded):
                return True
        elif operation is constants.POSSESSIVE_REPEAT:
            if repeats_within_repeats(argument[2], False):
                return True
        elif operation is constants.SUBPATTERN:
            if repeats_within_repeats(argument[3], inside):
                return True
        elif operation is constants.BRANCH and any(repeats_within_repeats(one, inside) for one in argument[1]):
            return True
    return False


def test_no_regular_expression_can_take_exponential_time() -> None:
    found = dict(patterns())
    assert len(found) > 20
    parse = importlib.import_module("re._parser").parse
    assert repeats_within_repeats(parse("(a+)*b"))
    assert [
        name for name, value in found.items() if repeats_within_repeats(parse(value.pattern, value.flags & ~32))
    ] == []
