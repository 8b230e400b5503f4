"""Reports on matches and ratings."""

from xml.etree import ElementTree

import pytest

from mchezo.arena import charts
from mchezo.arena.matches import PlayedGame
from mchezo.arena.ratings import PlayerRating
from mchezo.arena.sequential import Verdict
from mchezo.arena.strength_report import pairing_table, rating_chart, rating_table
from mchezo.arena.tournament import Pairing
from mchezo.core.errors import UserError
from mchezo.core.words import LANGUAGES

GAMES = [PlayedGame(number // 2, number % 2, share, "") for number, share in enumerate((1, 1, 0.5, 0))]
RATINGS = [PlayerRating("best", 312.4, 80.2, 40, 31.5), PlayerRating("last", -150.0, 0.0, 40, 8.5)]


def test_a_pairing_is_one_row() -> None:
    head, _, row = pairing_table([Pairing("x", "y", GAMES, Verdict.OPEN)]).splitlines()
    assert head.endswith("| claim |")
    assert row.startswith("| x | y | 4 | 2 1 1 | 62.5 % (")
    assert row.endswith("| open |")
    assert "claim" not in pairing_table([Pairing("x", "y", GAMES)])


def test_ratings_have_their_error_bars() -> None:
    _, _, best, last = rating_table(RATINGS).splitlines()
    assert best == "| best | 312 | 80 | 40 | 31.5 |"
    assert last == "| last | -150 |  | 40 | 8.5 |"


def test_ratings_are_drawn_weakest_first_with_bars_below_zero_too() -> None:
    drawn = ElementTree.fromstring(rating_chart("Ratings & more", RATINGS))
    space = "{http://www.w3.org/2000/svg}"
    texts = ["".join(text.itertext()) for text in drawn.iter(f"{space}text")]
    assert "Ratings & more" in texts
    assert texts.index("last") < texts.index("best")
    assert {"-150", "312"} <= set(texts)


def test_equal_ratings_give_equal_pictures() -> None:
    assert rating_chart("Ratings", RATINGS) == rating_chart("Ratings", RATINGS)


def test_without_matplotlib_a_report_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda name: None)
    with pytest.raises(UserError, match="matplotlib") as refused:
        rating_chart("Ratings", RATINGS)
    assert all("mchezo[reports]" in refused.value.say(language) for language in LANGUAGES)
