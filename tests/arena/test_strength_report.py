"""Matches and ratings on paper."""

from xml.etree import ElementTree

from mchezo.arena.matches import Played
from mchezo.arena.ratings import Rating
from mchezo.arena.sequential import Verdict
from mchezo.arena.strength_report import meeting_table, rating_picture, rating_table
from mchezo.arena.tournament import Meeting

GAMES = [Played(number // 2, number % 2, share, "") for number, share in enumerate((1, 1, 0.5, 0))]
RATINGS = [Rating("best", 312.4, 80.2, 40, 31.5), Rating("last", -150.0, 0.0, 40, 8.5)]


def test_a_meeting_is_told_in_one_row() -> None:
    head, _, row = meeting_table([Meeting("x", "y", GAMES, Verdict.OPEN)]).splitlines()
    assert head.endswith("| claim |")
    assert row.startswith("| x | y | 4 | 2 1 1 | 62.5 % (")
    assert row.endswith("| open |")
    assert "claim" not in meeting_table([Meeting("x", "y", GAMES)])


def test_ratings_are_told_with_their_errors() -> None:
    _, _, best, last = rating_table(RATINGS).splitlines()
    assert best == "| best | 312 | 80 | 40 | 31.5 |"
    assert last == "| last | -150 |  | 40 | 8.5 |"


def test_ratings_are_drawn_weakest_first_with_bars_below_zero_too() -> None:
    drawn = ElementTree.fromstring(rating_picture("Ratings & more", RATINGS))
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in drawn.iter(f"{space}text")]
    assert texts[0] == "Ratings & more"
    assert texts.index("last") < texts.index("best")
    _, last, best = drawn.iter(f"{space}rect")
    zero = float(best.attrib["y"]) + float(best.attrib["height"])
    assert abs(float(last.attrib["y"]) - zero) < 0.2
    assert all(float(bar.attrib["height"]) > 0 for bar in (last, best))
