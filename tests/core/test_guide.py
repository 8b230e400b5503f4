"""The rules pages agree with the engine, and with each other: four languages, one game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mchezo
from mchezo.core import guide
from mchezo.core.errors import UserError
from mchezo.core.guide import Example
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.core.words import LANGUAGES

GAMES = mchezo.games()
EXAMPLES = [
    pytest.param(example, id=f"{game}-{name}") for game in GAMES for name, example in guide.examples(game).items()
]


@pytest.mark.parametrize("game", GAMES)
def test_the_four_languages_have_the_same_sections_examples_and_rulings(game: str) -> None:
    pages = [
        [
            (section.name, [(part.kind, part.name) for part in section.parts])
            for section in guide.page(game, language).sections
        ]
        for language in LANGUAGES
    ]
    assert pages == [pages[0]] * len(LANGUAGES)
    notes = [part for _, parts in pages[0] for part in parts if part[0] in ("ours", "print")]
    assert len(notes) == len(set(notes)) > 8


@pytest.mark.parametrize("game", GAMES)
def test_every_example_stands_on_the_page_once(game: str) -> None:
    shown = [
        part.name for section in guide.page(game, "en").sections for part in section.parts if part.kind == "example"
    ]
    assert sorted(shown) == sorted(guide.examples(game))


@pytest.mark.parametrize("game", GAMES)
def test_no_text_was_left_in_another_language(game: str) -> None:
    texts = [
        [part.text for section in guide.page(game, language).sections for part in section.parts if part.text]
        for language in LANGUAGES
    ]
    for said in zip(*texts, strict=True):
        assert len(set(said)) == len(LANGUAGES)
    for example in guide.examples(game).values():
        for said_in in (example.title, example.task, example.done, example.missed):
            assert len(set(said_in.values())) == len(LANGUAGES)


def test_an_unknown_example_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="no example called x"):
        guide.example("kiwara", "x")


# What each task asks for, in terms of the rules: the effects of the moves, and the view afterwards.

Effects = list[tuple[str, dict[str, Any]]]
Meets = Callable[[Effects, dict[str, Any], Position], bool]


def did(key: str, **wanted: object) -> Meets:
    """Return whether there was an effect with this key and these arguments."""
    return lambda effects, view, position: any(
        done == key and all(arguments[name] == value for name, value in wanted.items()) for done, arguments in effects
    )


def won(seat: int) -> Meets:
    """Return whether this seat won the game."""
    return lambda effects, view, position: position.outcome is not None and position.outcome.winners == (seat,)


def reaches_yellow(effects: Effects, view: dict[str, Any], position: Position) -> bool:
    (_, moved) = effects[0]
    file, rank = moved["to"]
    colour: str = view["board"].split("/")[8 - int(rank)]["abcdefgh".index(file)]
    return bool(moved["from"] == "e4") and colour == "Y"


def two_white_pawns_touch(effects: Effects, view: dict[str, Any], position: Position) -> bool:
    ranks = re.sub(r"\d", lambda empty: "." * int(empty[0]), view["position"].split()[0]).split("/")
    return any("ww" in line for line in (*ranks, *map("".join, zip(*ranks, strict=True))))


def frightens(effects: Effects, view: dict[str, Any], position: Position) -> bool:
    return [key for key, _ in effects].count("went-home") == 2 and any(key == "hid" for key, _ in effects)


def pawn_symbols(position: Position, card: str) -> int:
    symbols = position.view()["cards"][card]
    return sum(int(symbols[symbols.index(kind) + 1]) for kind in "WAH" if kind in symbols)


TASKS: dict[tuple[str, str], Meets] = {
    ("katarenga", "side"): did("turned", degrees=180),
    ("katarenga", "red"): did("moved", **{"from": "e6", "to": "c6"}),
    ("katarenga", "yellow"): reaches_yellow,
    ("katarenga", "green"): did("captured", at="g8"),
    ("katarenga", "blue"): did("captured", at="e6"),
    ("katarenga", "capture"): did("captured", at="d4"),
    ("katarenga", "baseline"): lambda effects, view, position: any(
        key == "captured" and said["at"][1] == "1" for key, said in effects
    ),
    ("katarenga", "camp"): did("entered-camp", seat=1),
    ("katarenga", "both-camps"): won(1),
    ("katarenga", "too-few"): won(1),
    ("katarenga", "congress-start"): two_white_pawns_touch,
    ("katarenga", "congress"): won(0),
    ("katarenga", "quebec"): won(0),
    ("katarenga", "isolation"): won(1),
    ("katarenga", "isolation-alone"): lambda effects, view, position: len(position.legal_moves) == 1,
    ("katarenga", "troika"): won(0),
    ("katarenga", "battle-stations"): did("captured", at="g5"),
    ("katarenga", "cornered"): won(1),
    ("katarenga", "central-park"): did("settled", at="d5"),
    ("katarenga", "colorado"): did("captured", at="e8"),
    ("katarenga", "north-west-passage"): did("must-leave", seat=1),
    ("katarenga", "greengage"): did("must-leave", seat=1),
    ("kiwara", "totem-start"): lambda effects, view, position: {move[1] for move in position.legal_moves} == {"c"},
    ("kiwara", "totem"): lambda effects, view, position: len({move[1:] for move in position.legal_moves}) == 1,
    ("kiwara", "totem-full"): did("totem-moved", steps=4),
    ("kiwara", "lion"): frightens,
    ("kiwara", "beside-lion"): lambda effects, view, position: (
        not view["animals"].get("d3", {"hidden": True})["hidden"]
    ),
    ("kiwara", "crocodile"): lambda effects, view, position: view["territories"]["A"]["leader"] == 1,
    ("kiwara", "chain"): lambda effects, view, position: (
        did("placed", animal="C", space="b5")(effects, view, position)
        and view["animals"].get("c4", {}).get("animal") == "C"
    ),
    ("kiwara", "fill"): did("card-gained", seat=0, card="okapi"),
    ("kiwara", "scoring"): lambda effects, view, position: (
        view["territories"]["B"] == {"spaces": 7, "tokens": [4, 3], "points": 20, "leader": 0}
    ),
    ("kiwara", "boa"): lambda effects, view, position: view["boa"] == "b2",
    ("kiwara", "vulture"): did("went-home", seat=1, space="c3"),
    ("kiwara", "wildebeest"): lambda effects, view, position: view["totem"] == 12,
    ("kitara", "draft"): lambda effects, view, position: any(
        key == "drafted" and "A" in view["cards"][said["card"]] for key, said in effects
    ),
    ("kitara", "recruit"): did("recruited", pawn="W", space="a1"),
    ("kitara", "move"): did("crossed", **{"from": "a1", "to": "a2", "pawns": "W2"}),
    ("kitara", "attack"): did("attacked", other=1, space="m1"),
    ("kitara", "hero"): did("token-drawn", seat=0),
    ("kitara", "retreat"): did("retreated", seat=1, to="b4"),
    ("kitara", "ruin"): lambda effects, view, position: any(
        view["spaces"].get(ruin, {}).get("A") for ruin in ("a5", "a6", "b5", "b6")
    ),
    ("kitara", "feed"): lambda effects, view, position: any(
        key == "discarded" and pawn_symbols(position, said["card"]) == 2 for key, said in effects
    ),
}


def sequences(
    position: Position, longest: int, made: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Position]]:
    """Yield the sequences of up to `longest` decisions that the seat to move can play in its turn."""
    seat = position.to_move
    for move in position.legal_moves:
        after = position.copy()
        after.play(move)
        yield (*made, move), after
        if longest > 1 and after.to_move == seat:
            yield from sequences(after, longest - 1, (*made, move))


def effects_between(start: Position, end: Position) -> Effects:
    """Return the effects of the moves that lead from one position to the other."""
    found: Effects = []
    states = [step.before for step in end.steps[len(start.steps) :]] + [end.states]
    for step, before, after in zip(end.steps[len(start.steps) :], states[:-1], states[1:], strict=True):
        action = end.game.notation.parse(step.text, before[0], end.setups[0])
        found += [
            (effect.key, dict(effect.arguments))
            for effect in end.game.effects.of(action, before[0], after[0], end.setups[0], True)
        ]
    return found


def test_every_example_has_a_task_that_can_be_checked() -> None:
    assert TASKS.keys() == {(game, name) for game in GAMES for name in guide.examples(game)}


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_answers_of_an_example_are_exactly_what_meets_its_task(example: Example) -> None:
    start, meets = example.start(), TASKS[example.game, example.name]
    assert start.to_move not in (None, CHANCE)
    found: set[tuple[str, ...]] = set()
    for moves, after in sequences(start, max(map(len, example.answers))):
        if any(moves[: len(earlier)] == earlier for earlier in found):
            continue  # the task was met before
        if meets(effects_between(start, after), after.view(start.to_move), after):
            found.add(moves)
    assert found == set(example.answers)


@pytest.mark.parametrize("example", EXAMPLES)
def test_moves_are_judged_on_the_way(example: Example) -> None:
    answer = example.answers[0]
    assert example.judge(answer) == "met"
    assert [example.judge(answer[:made]) for made in range(len(answer))] == ["open"] * len(answer)
    for move in example.start().legal_moves:
        if not any(answer[0] == move for answer in example.answers):
            assert example.judge((move,)) == "missed"


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_always_begins_alike(example: Example) -> None:
    assert example.start().view(0) == example.start().view(0)


def test_the_coach_of_kitara_explains_each_phase_during_that_phase() -> None:
    when = {hint.name: hint.when for hint in guide.lesson("kitara").hints}
    phases = ("start", "draft", "recruit", "move", "retreat", "discard")
    assert [when[phase] for phase in phases] == [{"decision": phase} for phase in phases]
