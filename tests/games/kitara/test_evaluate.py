"""The evaluation of Kitara: every feature by name, and the number of turns that remain."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from mchezo.core.position import Position
from mchezo.games.kitara import evaluate
from mchezo.games.kitara.evaluate import IN_POINTS, turns_left
from mchezo.games.kitara.structs import DRAFTING
from tests.games.kitara.positions import GAME, arranged, random_states

# Three turns remain for either seat. The map is a row of savannas a to f, with the ruins r and s next to c and d; each
# kingdom is the starting card D2W3M2, unless a case says otherwise.
THREE_TURNS: dict[str, Any] = {"round_number": 5, "last_round": 7}
PROSPEROUS = ("V2 V3 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
RAIDERS = {"a": (0, "W2H1"), "b": (1, "W1"), "f": (1, "W1")}

Spaces = Mapping[str, tuple[int, str]]


def own(**pawns: str) -> Spaces:
    """Return spaces of seat 0 with these pawns."""
    return {space: (0, group) for space, group in pawns.items()}


CASES: tuple[tuple[str, Spaces, dict[str, Any], float], ...] = (
    ("points", own(a="W1"), {"points": [4, 0], "kept": [[3, 5]]}, 4 + 3 + 5),
    ("cards", own(a="W1"), {"kingdoms": [["0", "1.1", "1.2"]]}, 2 * 3),
    ("prosperity", own(a="W1"), {"ages": PROSPEROUS, "kingdoms": [["1.1", "1.2"]]}, (2 + 3) * 3),
    ("ruins", own(r="A1", s="A2", a="A1"), {}, 2 * 2 * 3),
    ("unfed", own(a="W3", r="W1"), {"kingdoms": [["0", "1.1", "1.2"]]}, 3 - 1),
    ("reserve", own(a="W1", b="W1"), {}, 2 - 1),
    ("reserve", own(a="W1", b="W1", c="W1", d="W1"), {}, 2),
    ("draft", own(a="W1"), {"kingdoms": [["0"]]}, (2 - 1) * 3),
    ("draft", own(a="W1"), {"kingdoms": [["1.1"]]}, 0),
    ("moves", own(a="W1"), {"kingdoms": [["0"]]}, 2 * 3),
    ("warriors", own(a="W2A1", b="W3"), {}, 2 + 3),
    ("animals", own(a="W1A2", r="A1"), {}, 2 + 1),
    ("heroes", own(a="W1H1", b="H2"), {}, 1 + 2),
    ("spaces", own(a="W1", b="W1", r="A1"), {}, 3 - 1),
    ("raid", RAIDERS, {}, 1),
    ("raid", {"a": (0, "W2H1"), "b": (1, "W1")}, {}, 0),  # a player's only space cannot be attacked
    ("idle", own(a="A2", r="A1"), {}, 2),
    ("later-warriors", own(a="W2A1", b="W3"), {}, (2 + 3) * 3),
    ("later-animals", own(a="W1A2", r="A1"), {}, (2 + 1) * 3),
    ("later-heroes", own(a="W1H1", b="H2"), {}, (1 + 2) * 3),
    ("later-spaces", own(a="W1", b="W1", r="A1"), {}, (3 - 1) * 3),
    ("later-raid", RAIDERS, {}, 3),
    ("later-reserve", own(a="W1", b="W1", c="W1", d="W1"), {}, (4 - 1) * 3),
    ("later-reserve", own(a="W1", b="W1", c="W1", d="W1", e="W1", f="W1"), {}, 4 * 3),
    ("shaken-ruins", {"r": (0, "A1"), "a": (0, "W1"), "c": (1, "W2")}, {}, 1),
    ("shaken-ruins", {"r": (0, "A2"), "a": (0, "W1"), "c": (1, "W2")}, {}, 0),  # the groups are equal
    ("shaken-savannas", {"b": (0, "W1"), "f": (0, "W1"), "c": (1, "W2")}, {}, 1),
    ("shaken-savannas", {"b": (0, "W1"), "c": (1, "W2")}, {}, 0),  # a player's only space cannot be attacked
    ("prey", {"b": (0, "W3"), "a": (1, "W1"), "c": (1, "W2")}, {}, 2),
    ("way", own(a="A2"), {}, 2 * 3),
    ("way", own(a="A2", r="A1"), {}, 2 * 4),  # the ruin s is one border farther
    ("stack", own(a="W3A1H1", b="W4"), {}, 5 - 2),
    ("turns", own(a="W1"), {}, 3),
)


def features_of(position: Position, seat: int = 0) -> dict[str, float]:
    """Return the features of a seat by name."""
    out = np.zeros(len(IN_POINTS))
    evaluate.features(position.states[0], position.setups[0], seat, out)
    return {feature.name: float(value) for feature, value in zip(IN_POINTS, out, strict=True)}


@pytest.mark.parametrize(("name", "spaces", "given", "expected"), CASES)
def test_a_feature_has_the_value_that_its_name_says(
    name: str, spaces: Spaces, given: dict[str, Any], expected: float
) -> None:
    assert features_of(arranged(spaces, **THREE_TURNS, **given))[name] == expected


def test_every_feature_has_a_case() -> None:
    assert {name for name, _, _, _ in CASES} == {feature.name for feature in IN_POINTS}


def test_after_the_last_turn_only_points_and_cards_count() -> None:
    position = arranged(RAIDERS, seat=1, points=[4, 0], round_number=7, last_round=7)
    assert {name: value for name, value in features_of(position).items() if value} == {"points": 4, "cards": 2}


@pytest.mark.parametrize(("players", "turns"), [(2, 7), (3, 9), (4, 7)])
def test_a_player_knows_at_every_turn_how_many_turns_remain(players: int, turns: int) -> None:
    position = GAME.start(players=players, seed=1, chance="manual")
    seen = 0
    for states, _ in random_states(position, 1):
        state, setup = states[0], position.setups[0]
        if state.round_number and state.phase >= DRAFTING:
            seen += 1
            for seat in range(players):
                to_come = turns - int(state.round_number) + (seat >= state.seat)
                assert turns_left(state, setup, seat) == to_come
    assert seen > 100
