"""Views, and the table in the terminal."""

import io
from xml.etree import ElementTree

import pytest
from rich.console import Console

from mchezo.core.position import Position
from mchezo.core.words import LANGUAGES
from mchezo.games.kitara.terminal import board
from tests.games.kitara.positions import GAME, arranged, pack_text, play, start, to_start


def test_the_view_at_the_start_of_a_game() -> None:
    position = to_start(start(), "1.1 1.2 1.3 1.4 1.5 1.6", "a f")
    view = position.view(0)
    expected = {
        "decision": "draft",
        "pack": "Small",
        "players": 2,
        "deck": "blue",
        "turns": "7/9",
        "rival": None,
        "round": 1,
        "last_round": None,
        "turn": 0,
        "row": ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6"],
        "deck_left": 5,
        "discarded": [],
        "cards": {"0": "D2W3M2", **{f"1.{place}": "W1" for place in range(1, 7)}},
        "spaces": {"a": {"seat": 0, "W": 3, "A": 0, "H": 0}, "f": {"seat": 1, "W": 3, "A": 0, "H": 0}},
        "kingdoms": [["0"], ["0"]],
        "supply": [{"W": 7, "A": 5, "H": 3}, {"W": 7, "A": 5, "H": 3}],
        "points": [0, 0],
        "tokens": [{"kept": 0, "drawn": 0}, {"kept": 0, "drawn": 0}],
        "own_tokens": {"kept": [], "drawn": []},
        "all_tokens": None,
        "bag": 39,
        "moves_left": None,
        "to_recruit": None,
        "choices": 2,
        "crossing": None,
        "retreating": None,
        "fleeing": None,
        "capacity": None,
        "to_remove": None,
        "forecast": [{"cards": 1, "fed": 1}, {"cards": 1, "fed": 1}],
    }
    assert {name: view[name] for name in expected} == expected
    assert set(view) - set(expected) == {"game", "seat", "to_move", "outcome", "pack_id"}


def test_before_the_first_card_it_is_the_turn_of_the_first_seat() -> None:
    view = start().view()
    assert (view["decision"], view["turn"], view["row"], view["own_tokens"]) == ("card", 0, [], None)


def test_the_forecast_counts_no_more_savannas_than_the_cards_need() -> None:
    position = arranged({"a": (0, "W1"), "b": (0, "W1"), "r": (0, "W1"), "f": (1, "A1")})
    assert position.view()["forecast"] == [{"cards": 1, "fed": 1}, {"cards": 1, "fed": 0}]


def shown(position: Position, seat: int | None, language: str, width: int = 100) -> str:
    """Return the table as plain text."""
    text = io.StringIO()
    Console(width=width, file=text, color_system=None).print(board(position.view(seat), language))
    assert all(len(line) <= width for line in text.getvalue().splitlines())
    return text.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_terminal_shows_a_whole_game_within_a_hundred_columns(players: int, language: str) -> None:
    position = GAME.start(players=players, deck="red", seed=players)
    while position.outcome is None:
        moves = position.legal_moves
        if len(position.steps) % 25 == 0:
            assert "…" not in shown(position, position.to_move, language)
        position.play(moves[len(position.steps) * 7 % len(moves)])
    final = shown(position, None, language)
    for points in position.outcome.scores:
        assert f"{points:g} = " in final


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80])
def test_a_narrow_terminal_still_lists_all_borders(width: int, language: str) -> None:
    position = GAME.start(players=4, seed=1)
    text = shown(position, None, language, width)
    assert "a1 a2 a3 a6" in text
    assert "…" not in text


def test_the_terminal_marks_what_may_be_drafted() -> None:
    text = shown(to_start(start(), "1.1 1.2 1.3 1.4 1.5 1.6", "a f"), None, "en")
    assert "+1.1" in text
    assert "+1.2" in text
    assert "+1.3" not in text


def test_the_terminal_shows_tokens_only_to_their_owner() -> None:
    position = arranged({"a": (0, "H2"), "b": (1, "W1"), "f": (1, "W1")}, kept=[[5], [3]])
    play(position, "a-b H2 =4")
    assert "[5]" in shown(position, 0, "en")
    assert "tokens drawn: 4" in shown(position, 0, "en")
    for seat in (1, None):
        assert "[5]" not in shown(position, seat, "en")
        assert "tokens drawn: 1" in shown(position, seat, "en")


def test_the_terminal_names_a_pack_that_is_not_the_reconstruction() -> None:
    assert "reconstruction" in shown(GAME.start(seed=1), None, "en")
    text = shown(GAME.start(pack=pack_text(), seed=1), None, "en")
    assert "pack Small" in text
    assert "reconstruction" not in text


def test_the_terminal_shows_the_retreating_seat_and_its_pawns() -> None:
    position = play(arranged({"a": (0, "W3"), "b": (1, "W1A1"), "f": (1, "W1")}), "a-b W3")
    assert "retreating: W1A1" in shown(position, 1, "en")
    assert "border: a to b" in shown(position, 1, "en")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_pack_can_be_drawn_with_or_without_shapes(players: int) -> None:
    small = pack_text(players=players, starts="a f e d")
    for pack in ("reconstruction", small):
        svg = GAME.start(players=players, seed=1, pack=pack).svg(0)
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
