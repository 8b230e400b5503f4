"""At least one test for every row of the rulings table, from the first turn to a tie."""

import pytest

import mchezo
from tests.games.kiwara.positions import KIWARA, animal, at, error, play, spaces

# A full board that is 37 to 37 as long as nobody has the Okapi.
TIED = "GzegZC/G*ZGCGg/lz*ggzG/Z*LZ*Ezc/cg*ZgzG"


def test_the_first_player_only_sets_the_totem_and_the_opponent_places_the_first_animal() -> None:
    position = KIWARA.start()
    assert position.to_move == 0
    assert position.legal_moves == [f"T{number}" for number in range(22)]
    view = play(position, "T14")
    assert (position.to_move, view["decision"], view["totem"]) == (1, "place", 14)
    assert sorted(position.legal_moves) == sorted(f"{letter}c{row}" for letter in "GZCEL" for row in range(1, 6))
    view = play(position, "Ec3")
    assert (position.to_move, view["decision"]) == (1, "totem")
    play(position, "+3")
    assert (position.to_move, position.view()["totem"]) == (0, 17)


def test_a_player_places_only_what_is_in_hand() -> None:
    position = at("E5/6/6/6/6 2 y - - - -")
    assert spaces(position, "E") == []
    assert error(position, "Ec3") == "none-elephant"


def test_lions_scare_across_rivers_but_not_diagonally() -> None:
    position = at("Z5/2z3/6/6/6 1 r - - - -")  # a river between a1 and b1
    view = play(position, "Lb1")
    assert animal(view, "a1") == "Z*"
    assert animal(view, "c2") == "z"


def test_lions_scare_animals_of_both_players() -> None:
    position = at("6/2z3/1G1g2/2Z3/6 2 y - - - -")
    view = play(position, "Lc3")
    assert [animal(view, space) for space in ("c2", "b3", "d3", "c4")] == ["z*", "-", "-", "Z*"]
    assert [view["hands"][seat]["G"] for seat in (0, 1)] == [6, 6]


def test_only_zebras_and_gazelles_placed_next_to_a_lion_arrive_hidden() -> None:
    for letter, shown in (("G", "G*"), ("Z", "Z*"), ("C", "C"), ("E", "E"), ("L", "L")):
        position = at("6/6/2l3/6/6 7 y - - - -")
        assert animal(play(position, f"{letter}c2"), "c2") == shown


def test_the_crocodile_swaps_with_gazelles_of_either_colour_across_a_river_only() -> None:
    position = at("6/2g3/1G1g2/3g2/6 2 r - - - -")
    play(position, "Cc3")  # c2 lies in the same territory, d4 diagonally
    assert position.legal_moves == ["~b3", "~d3", "."]
    assert error(position, "~c2") == "no-river"
    assert error(position, "~d4") == "not-beside-crocodile"
    assert error(position, "~c4") == "no-gazelle"


def test_the_crocodile_cannot_see_a_hidden_gazelle() -> None:
    position = at("6/6/1G*1g2/6/6 2 r - - - -")
    play(position, "Cc3")
    assert position.legal_moves == ["~d3", "."]
    assert error(position, "~b3") == "gazelle-hidden"


def test_a_crocodile_without_a_possible_swap_is_not_asked() -> None:
    position = at("6/2g3/1G*4/6/6 2 r - - - -")
    assert play(position, "Cc3")["decision"] == "totem"


def test_only_the_crocodile_that_was_just_placed_swaps() -> None:
    position = at("6/6/2c3/6/6 1 r - - - -")
    assert play(position, "Gb3")["decision"] == "totem"


def test_in_one_chain_the_crocodile_never_returns_to_a_space_it_has_left() -> None:
    # The river loop b4-c4-c5-b5.
    position = at("6/6/6/2g3/1Gg3 1 r - - - -")
    play(position, "Cb4 ~c4")
    assert position.legal_moves == ["~c5", "."]
    assert error(position, "~b4") == "crocodile-was-there"
    view = play(position, "~c5 ~b5")
    assert [animal(view, space) for space in ("b4", "c4", "c5", "b5")] == ["g", "g", "G", "c"]
    assert view["decision"] == "totem"


def test_the_other_river_loop_of_the_classic_board_is_closed_as_well() -> None:
    position = at("6/6/5g/4gg/6 4 r - - - -")
    play(position, "Ce3")
    assert position.legal_moves == ["~f3", "~e4", "."]
    assert play(position, "~f3 ~f4 ~e4")["decision"] == "totem"


def test_a_gazelle_swapped_next_to_a_lion_hides_at_once_and_stays_there() -> None:
    position = at("6/6/1L4/2g3/6 1 r - - - -")
    view = play(position, "Cb4 ~c4")
    assert [animal(view, space) for space in ("b4", "c4")] == ["g*", "c"]
    assert view["hands"][1]["G"] == 5


def test_a_lion_placed_next_to_hidden_animals_leaves_them_where_they_are() -> None:
    position = at("6/3z*2/2g*3/6/6 3 y - - - -")
    view = play(position, "Ld3")
    assert [animal(view, space) for space in ("c3", "d2")] == ["g*", "z*"]


def test_both_seats_see_what_is_hidden() -> None:
    view = at("6/3z*2/2g*3/6/6 3 y - - - -").view(1)
    assert view["animals"]["c3"] == {"animal": "G", "seat": 1, "hidden": True}


def test_a_hidden_animal_stays_hidden_when_the_lion_is_gone() -> None:
    position = at("LZ*4/6/6/6/6 2 r - rhinoceros - -")
    view = play(position, "rhinoceros:a1")
    assert [animal(view, space) for space in ("a1", "b1")] == ["-", "Z*"]


def test_an_animal_placed_again_from_the_hand_is_face_up() -> None:
    position = at("Z*5/6/6/6/6 21 r - vulture - -")
    play(position, "vulture:a1 Gd1 +3")
    assert position.to_move == 0
    position = at("6/6/6/6/6 21 y - - vulture -")
    assert animal(play(position, "Za1"), "a1") == "Z"


def test_a_token_sent_home_is_placed_in_the_next_turn_at_the_earliest() -> None:
    # All five zebras of Yellow are on the board; one comes home.
    position = at("ZZZZZ*1/6/6/6/6 7 y vulture - - -")
    view = play(position, "vulture:e1")
    assert (view["hands"][0]["Z"], view["resting"]["Z"]) == (1, 1)
    assert spaces(position, "Z") == []
    assert error(position, "Zc2") == "resting"
    view = play(position, "Ga2 +1 Ea3 +1")
    assert (position.to_move, view["resting"]["Z"]) == (0, 0)
    assert spaces(position, "Z") == ["a4", "b4", "c4", "d4", "e4", "f4"]


def test_only_the_tokens_sent_home_in_this_turn_rest() -> None:
    position = at("Z*5/6/6/6/6 7 y vulture - - -")
    view = play(position, "vulture:a1")
    assert (view["hands"][0]["Z"], view["resting"]["Z"]) == (5, 1)
    assert "Zc2" in position.legal_moves


def test_a_token_sent_home_to_the_opponent_may_be_placed_in_the_opponents_next_turn() -> None:
    position = at("zzzzz*1/6/6/6/6 7 y vulture - - -")
    play(position, "vulture:e1 Gc2 +1")
    assert spaces(position, "Z") == ["a3", "b3", "c3", "d3", "e3", "f3"]


def test_the_reinforcement_goes_to_the_player_who_fills_the_first_territory_even_without_leading_it() -> None:
    position = at("6/5G/5G/6/6 4 r - - - -")
    view = play(position, "Ge2")
    assert view["reinforced"] == 1
    assert view["cards"] == [[], ["okapi"]]
    assert not view["okapi_open"]
    assert view["scores"] == [6, 5]


def test_a_card_of_the_pile_is_drawn_after_the_last_swap() -> None:
    position = at("6/3G1z/5z/6/6 4 r - - - -", reinforcement="pile", chance="manual")
    view = play(position, "Ce2")
    assert (view["decision"], view["reinforced"]) == ("swap", None)
    view = play(position, "~d2")
    assert (position.to_move, view["decision"]) == (mchezo.CHANCE, "draw")
    assert len(position.legal_moves) == 10
    view = play(position, "=vulture")
    assert (view["cards"], view["pile"], view["reinforced"]) == ([[], ["vulture"]], 9, 1)
    assert (position.to_move, view["decision"]) == (1, "totem")


def test_the_reinforcement_is_given_once_even_if_a_territory_reopens_and_is_filled_again() -> None:
    position = at("6/4g1/5G/6/6 7 y - - rhinoceros r", reinforcement="pile", chance="manual")
    view = play(position, "Gf2")
    assert (view["decision"], view["reinforced"], view["pile"]) == ("totem", 1, 9)
    position = at("6/4g1/5G/6/6 7 y - okapi - r")
    assert play(position, "Gf2")["cards"] == [[], ["okapi"]]


def test_a_second_full_territory_earns_nothing() -> None:
    position = at("6/4gG/5G/6/2zzzz 9 y okapi - - y")
    view = play(position, "Gf4")  # F is c5, d5, e5, f5, f4
    assert view["territories"]["F"]["tokens"] == [1, 4]
    assert (view["reinforced"], view["cards"]) == (0, [["okapi"], []])


# Yellow has placed everything, Red has a gazelle, a crocodile and a lion left.
ONLY_RED = "GGGGGG/ZZZZZC/gggggC/zzzzzE/3ecL 17 r okapi - - y"


def test_a_player_without_tokens_is_skipped_while_the_other_takes_full_turns() -> None:
    position = at(ONLY_RED)
    play(position, "Ga5")
    assert position.view()["decision"] == "totem"
    play(position, "+6")
    assert (position.to_move, position.view()["decision"]) == (1, "place")
    assert sorted(position.legal_moves) == ["Cb5", "Lb5"]


def test_a_lion_that_sends_a_gazelle_home_gives_its_owner_a_turn_again() -> None:
    position = at("zGGGGG/ZZZZZC/gggggC/zGzzzE/3ecL 17 r okapi - - y")
    play(position, "Lb5")
    assert position.legal_moves == ["+1"]
    play(position, "+1")
    assert (position.to_move, position.legal_moves) == (0, ["Gb4"])
    view = play(position, "Gb4")
    assert animal(view, "b4") == "G*"


def test_the_totem_moves_one_to_three_steps_clockwise_around_the_corners() -> None:
    for start, moves in ((20, {"+1": 21, "+2": 0, "+3": 1}), (5, {"+1": 6, "+2": 7, "+3": 8})):
        for move, totem in moves.items():
            position = at(f"6/6/6/6/6 {start} y - - - -")
            play(position, "Gf2" if start == 5 else "Ga2")
            assert position.legal_moves == ["+1", "+2", "+3"]
            assert play(position, move)["totem"] == totem


def test_the_totem_does_not_stop_at_a_full_line() -> None:
    position = at("GgGgGg/6/6/6/6 4 y - - - -")
    play(position, "Ze2")
    assert position.legal_moves == ["+1", "+3"]
    assert error(position, "+2") == "line-full"
    assert error(position, "+4") == "totem-too-far"
    assert error(position, "+0") == "totem-must-move"


def test_if_three_lines_are_full_the_totem_moves_on_to_the_first_open_one() -> None:
    position = at("GGGGGG/ZZZZZC/gggggg/6/6 5 r okapi - - y")
    play(position, "Zf5")
    assert position.legal_moves == ["+4"]
    assert error(position, "+3") == "line-full"
    assert error(position, "+5") == "totem-too-far"


def test_the_game_ends_at_once_when_the_thirtieth_space_is_occupied() -> None:
    position = at(ONLY_RED)
    view = play(position, "Ga5 +6 Cb5 +1 Lc5")
    assert position.to_move is None
    assert (view["decision"], len(view["animals"])) == (None, 30)
    assert position.outcome is not None
    assert position.outcome.reason == "points"
    assert sum(position.outcome.scores) == 2 * 48 - 6 + 5  # the lion hid one zebra


def test_the_crocodile_placed_last_still_swaps_before_the_end() -> None:
    position = at("GGGGGG/ZZZZZC/gggggC/zzgzz*E/ze1clL 17 r okapi - - y")
    assert play(position, "Cc5")["decision"] == "swap"
    play(position, "~c4")
    assert position.to_move is None


def test_hidden_animals_count_for_the_majority_but_not_for_the_points() -> None:
    view = at("6/4G*g*/5z/6/6 0 y - okapi - r").view()
    assert view["territories"]["D"] == {"spaces": 3, "tokens": [1, 2], "points": 6, "leader": 1}
    assert view["scores"] == [0, 11]


def test_a_territory_with_equal_numbers_has_no_leader() -> None:
    view = at("6/4Gg/6/6/6 0 y - - - -").view()
    assert view["territories"]["D"]["leader"] is None
    assert view["scores"] == [0, 0]


@pytest.mark.parametrize(("letter", "winner"), [("y", 0), ("r", 1)])
def test_the_player_with_the_card_for_the_first_full_territory_wins_a_tie(letter: str, winner: int) -> None:
    position = at(f"{TIED} 0 y - - boa {letter}", reinforcement="pile")
    assert position.outcome == mchezo.Outcome((winner,), (37.0, 37.0), "reinforcement")


def test_handicap_cards_do_not_break_a_tie() -> None:
    position = at(f"{TIED} 0 y boa,vulture - warthog r", reinforcement="pile")
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


def test_the_okapi_breaks_that_tie_with_its_five_points() -> None:
    position = at(f"{TIED} 0 y okapi - - r", reinforcement="pile")
    assert position.outcome == mchezo.Outcome((0,), (42.0, 37.0), "points")
