"""The printed examples of the rulebook and the answers of its FAQ."""

import pytest

from tests.games.kiwara.positions import animal, at, play, spaces


def test_the_classic_board_has_the_printed_river_of_the_crocodile_example() -> None:
    # The crocodile at row 4, column 3: its left neighbour is across a river, its upper one is not.
    board = at("l5/E5/ZzG3/1G4/2g3 14 r okapi - - y").view()["board"].split("/")
    assert board[3][1] != board[3][2] == board[2][2]


def test_crocodile_example_two_gazelles_across_rivers_and_one_without() -> None:
    position = at("l5/E5/ZzG3/1G4/2g3 14 r okapi - - y")
    view = play(position, "Cc4")
    assert view["decision"] == "swap"
    assert view["crocodile"] == "c4"
    assert position.legal_moves == ["~b4", "~c5", "."]
    view = play(position, "~b4")
    assert [animal(view, space) for space in ("b4", "c4")] == ["c", "G"]
    assert view["territories"]["A"] == {"spaces": 5, "tokens": [2, 3], "points": 18, "leader": 1}


def test_crocodile_example_it_may_stay_where_it_is() -> None:
    position = at("l5/E5/ZzG3/1G4/2g3 14 r okapi - - y")
    view = play(position, "Cc4 .")
    assert [animal(view, space) for space in ("b4", "c4", "c5")] == ["G", "c", "g"]
    assert view["decision"] == "totem"


def test_lion_example_the_elephant_stays_the_gazelles_flee_and_the_zebra_hides() -> None:
    position = at("2c3/2E3/1Z1g2/1ZGg2/2z3 14 r - - - -")
    assert spaces(position, "L") == ["c3"]
    before = position.view()["hands"]
    view = play(position, "Lc3")
    assert [animal(view, space) for space in ("c2", "b3", "d3", "c4")] == ["E", "Z*", "-", "-"]
    assert [animal(view, space) for space in ("c1", "b4", "d4", "c5")] == ["c", "Z", "g", "z"]
    assert [view["hands"][seat]["G"] - before[seat]["G"] for seat in (0, 1)] == [1, 1]


@pytest.mark.parametrize(("totem", "space"), [(3, "d3"), (9, "c4")])
def test_lion_example_later_gazelles_and_zebras_arrive_hidden_on_the_starred_spaces(totem: int, space: str) -> None:
    for letter, shown in (("G", "G*"), ("Z", "Z*"), ("C", "C"), ("L", "L")):
        position = at(f"2c3/2E3/1Z*l3/1Z1g2/2z3 {totem} y - - - -")
        assert animal(play(position, f"{letter}{space}"), space) == shown


def test_scoring_example_yellow_leads_four_to_three_and_takes_twenty_points() -> None:
    view = at("1Z4/1Z*l3/2E3/2Cgz1/6 11 y okapi - - y").view()
    assert view["territories"]["B"] == {"spaces": 7, "tokens": [4, 3], "points": 20, "leader": 0}
    assert view["scores"] == [20 + 5, 0]


def test_faq_several_successive_exchanges_with_the_same_crocodile() -> None:
    # a5-b5 have no river between them, b5-c5 and c5-c4 have.
    position = at("6/6/6/2g3/2G3 15 r - - - -")
    view = play(position, "Cb5 ~c5 ~c4")
    assert [animal(view, space) for space in ("b5", "c5", "c4")] == ["G", "g", "c"]
    assert view["decision"] == "totem"


def test_faq_nobody_wins_the_card_when_the_last_animal_is_a_lion_that_scares_a_gazelle_of_the_territory() -> None:
    # D is e2, f2, f3.
    position = at("6/5g/5z/6/6 4 y - - - -")
    view = play(position, "Le2")
    assert animal(view, "f2") == "-"
    assert view["reinforced"] is None
    assert view["okapi_open"]
    assert view["cards"] == [[], []]


def test_faq_a_player_who_fills_with_a_crocodile_and_exchanges_it_wins_the_card() -> None:
    # e2 fills D; then the crocodile leaves D for d2, and Yellow's gazelle comes in.
    position = at("6/3G1z/5z/6/6 4 r - - - -")
    view = play(position, "Ce2 ~d2")
    assert [animal(view, space) for space in ("d2", "e2")] == ["c", "G"]
    assert view["reinforced"] == 1
    assert view["cards"] == [[], ["okapi"]]
