"""Start options of Kitara."""

import re
from pathlib import Path
from typing import Any

import pytest

from mchezo.core.errors import InvalidSetup
from mchezo.core.words import LANGUAGES
from mchezo.games.kitara import structs
from tests.games.kitara.positions import GAME, pack_text, play

PAGE = Path(__file__).parents[3] / "docs" / "kitara.md"


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"players": 0}, "not-one-of"),
        ({"players": 5}, "not-one-of"),
        ({"players": "two"}, "not-one-of"),
        ({"players": True}, "not-one-of"),
        ({"deck": "green"}, "not-one-of"),
        ({"turns": "5/7"}, "not-one-of"),
        ({"players": 1, "rival": 6}, "not-one-of"),
        ({"players": 1, "scenario": "x"}, "not-one-of"),
        ({"rival": 3}, "only-alone"),
        ({"scenario": "heirs"}, "only-alone"),
        ({"pack": pack_text(), "players": 3}, "no-map"),
        ({"pack": pack_text(), "deck": "red"}, "no-deck"),
        ({"pack": pack_text(), "turns": "6/8"}, "turns-of-pack"),
        ({"map": "round"}, "unknown-option"),
    ],
)
def test_wrong_options_are_rejected_in_every_language(options: dict[str, Any], key: str) -> None:
    with pytest.raises(InvalidSetup) as error:
        GAME.start(**options)
    assert error.value.key == key
    for language in LANGUAGES:
        assert error.value.say(language)


def test_the_default_game_is_for_two_players_with_the_blue_deck() -> None:
    view = GAME.start(seed=1).view()
    assert (view["players"], view["deck"], view["turns"], view["pack"]) == (2, "blue", "7/9", "Reconstruction")


def test_options_survive_a_record() -> None:
    position = GAME.start(players=4, deck="red", turns="6/8", seed=1)
    assert position.record().options == {"players": "4", "deck": "red", "turns": "6/8"}
    assert position.record().replay().options == position.options


def test_there_is_no_revenge() -> None:
    with pytest.raises(InvalidSetup, match="no matches"):
        GAME.series()


def test_the_same_seed_deals_the_same_row() -> None:
    assert GAME.start(seed=4).view()["row"] == GAME.start(seed=4).view()["row"]
    assert len({tuple(GAME.start(seed=seed).view()["row"]) for seed in range(20)}) > 10


def test_the_docs_list_the_action_numbers() -> None:
    stretches = (
        structs.START,
        structs.CARD,
        structs.TOKEN,
        structs.DRAFT,
        structs.RECRUIT,
        structs.CROSS,
        structs.END_MOVES,
        structs.PAWNS,
        structs.RETREAT,
        structs.DISCARD,
        structs.REMOVE,
    )
    page = PAGE.read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"^\| ([0-9]+) \|", page, re.MULTILINE)]
    assert numbers == list(stretches)
    assert f"{structs.ACTIONS:,} numbers" in page


def test_the_game_in_the_docs_can_be_played() -> None:
    lines = re.findall(r"^    (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    moves = [word for word in " ".join(lines).split() if not re.fullmatch(r"[0-9]+\.|\.\.\.", word)]
    position = play(GAME.start(chance="manual"), " ".join(moves))
    assert position.view()["round"] == 2
