"""The ten reinforcement cards: when they are used, what they do, and both options where there are two."""

import pytest

import mchezo
from tests.games.kiwara.positions import KIWARA, animal, at, error, play, spaces

# Yellow has placed everything, Red has a gazelle, a crocodile and a lion left.
ONLY_RED = "GGGGGG/ZZZZZC/gggggC/zzzzzE/3ecL 17 r okapi"


def cards_offered(position: mchezo.Position) -> set[str]:
    """Return the cards among the legal moves, except the Wildebeest."""
    return {move.partition(":")[0] for move in position.legal_moves if move[0].islower()}


# All cards


def test_no_card_is_used_while_the_totem_is_set() -> None:
    position = at("6/6/6/6/6 - y boa,giraffe,wildebeest - - -")
    assert all(move.startswith("T") for move in position.legal_moves)
    play(position, "T3")
    assert (position.to_move, position.view()["decision"]) == (1, "place")


def test_without_a_usable_card_the_turn_ends_with_the_totem_move() -> None:
    position = at("6/6/6/6/6 2 r - baboon - -")
    play(position, "Gc1 +1")
    assert position.to_move == 0


def test_any_number_of_cards_may_be_used_in_a_turn() -> None:
    position = at("Z*4g/6/6/6/6 2 r - vulture,rhinoceros,wildebeest,warthog - -", reinforcement="pile")
    view = play(position, "vulture:a1 rhinoceros:f1 Gc1 -1 warthog")
    assert view["used"] == ["vulture", "rhinoceros", "wildebeest", "warthog"]
    assert (position.to_move, view["decision"]) == (0, "totem")


def test_a_card_is_used_once() -> None:
    position = at("Z*Z*4/6/6/6/6 2 r - vulture - -")
    view = play(position, "vulture:a1")
    assert (view["cards"], view["used"]) == ([[], []], ["vulture"])
    assert error(position, "vulture:b1") == "not-held"


def test_only_one_of_boa_porcupine_and_warthog_is_used_after_one_totem_move() -> None:
    position = at("6/6/6/6/6 2 r - boa,porcupine,warthog - -")
    play(position, "Gc1 +1")
    assert cards_offered(position) == {"boa", "porcupine", "warthog"}
    play(position, "porcupine:d1")
    assert position.to_move == 0
    position = at("6/6/6/6/6 2 r - boa,warthog,giraffe - -")
    view = play(position, "Gc1 +1 boa:d1")
    assert (view["decision"], view["boa"]) == ("after", "d1")
    assert position.legal_moves == ["giraffe", "."]
    assert error(position, "warthog") == "one-announcement"


def test_boa_porcupine_and_warthog_need_an_opponent_who_would_place() -> None:
    position = at(f"{ONLY_RED} boa,porcupine,warthog - y")
    play(position, "Ga5 +6")
    assert (position.to_move, position.view()["decision"]) == (1, "place")
    position = at(f"{ONLY_RED} boa,porcupine,warthog,giraffe - y")
    play(position, "Ga5 +6")
    assert position.legal_moves == ["giraffe", "."]
    assert error(position, "warthog") == "opponent-without-tokens"


def test_a_player_without_tokens_uses_no_card() -> None:
    position = at(f"{ONLY_RED.replace(' okapi', ' okapi,vulture,giraffe')} - - y")
    play(position, "Ga5 +6 Cb5 +1")
    assert position.to_move == 1


def test_a_card_received_in_a_turn_may_still_be_used_in_it() -> None:
    position = at("6/5G/5G/6/6 4 r - - - -", reinforcement="pile", chance="manual")
    play(position, "Ge2 =wildebeest")
    assert "-1" in position.legal_moves
    position = at("6/5G/5G/6/6 4 r - - - -", reinforcement="pile", chance="manual")
    play(position, "Ge2 =baboon")
    assert cards_offered(position) == set()
    position = at("6/5G/5G/6/6 4 r - - - -", reinforcement="pile", chance="manual")
    assert play(position, "Ge2 =boa +1")["decision"] == "after"


# Okapi


def test_the_okapi_is_worth_five_points_and_has_no_other_use() -> None:
    position = at("6/5G/5G/6/6 4 r - - - -", reinforcement="pile", chance="manual")
    assert play(position, "Ge2 =okapi")["scores"] == [6, 5]
    assert cards_offered(position) == set()


# Boa


def test_the_boa_names_the_space_where_the_opponent_must_place_any_animal() -> None:
    position = at("6/6/6/6/6 2 r - boa - -")
    play(position, "Gc1 +1")
    assert position.legal_moves == ["boa:d1", "boa:d2", "boa:d3", "boa:d4", "boa:d5", "."]
    assert error(position, "boa:c3") == "not-in-line"
    view = play(position, "boa:d3")
    assert (position.to_move, view["boa"]) == (0, "d3")
    assert position.legal_moves == ["Gd3", "Zd3", "Cd3", "Ed3", "Ld3"]
    assert error(position, "Gd2") == "boa-in-force"


def test_the_boa_lasts_for_one_turn() -> None:
    position = at("6/6/6/6/6 2 r - boa - -")
    view = play(position, "Gc1 +1 boa:d3 Gd3 +1")
    assert (view["boa"], view["used"]) == (None, ["boa"])
    assert len(position.legal_moves) == 25


def test_the_baboon_may_not_evade_the_boa() -> None:
    position = at("6/6/6/6/6 3 y baboon - boa - boa:d3")
    assert cards_offered(position) == set()
    assert error(position, "baboon:Gc3") == "boa-stops-baboon"
    assert error(position, "baboon:Gd3") == "boa-stops-baboon"


def test_the_hyena_may_not_fill_the_space_of_the_boa() -> None:
    position = at("3G2/6/6/6/6 3 y hyena - boa - boa:d3")
    assert spaces(position, "hyena:d1") == ["d2", "d4", "d5"]
    assert error(position, "hyena:d1-d3") == "boa-stops-hyena"
    play(position, "hyena:d1-d2")
    assert position.legal_moves == ["Gd3", "Zd3", "Cd3", "Ed3", "Ld3"]


def test_the_first_placement_with_the_hyena_obeys_the_boa_and_the_second_is_free() -> None:
    position = at("6/6/6/6/6 3 y hyena - boa - boa:d3", hyena="place")
    play(position, "hyena")
    assert spaces(position, "G") == ["d3"]
    play(position, "Gd3")
    assert spaces(position, "G") == ["d1", "d2", "d4", "d5"]


# Baboon


def test_the_baboon_places_in_the_line_behind_or_ahead_while_the_totem_stays() -> None:
    position = at("6/6/6/6/6 2 y baboon - - -")
    assert spaces(position, "baboon:G") == [f"{column}{row}" for column in "bd" for row in range(1, 6)]
    assert error(position, "baboon:Gc3") == "baboon-lines"
    view = play(position, "baboon:Gb3")
    assert (animal(view, "b3"), view["totem"], view["decision"]) == ("G", 2, "totem")


def test_around_a_corner_the_baboon_reaches_a_row_and_a_column() -> None:
    position = at("6/6/6/6/6 5 y baboon - - -")
    row = ["a1", "b1", "c1", "d1", "e1", "f1"]
    assert spaces(position, "baboon:Z") == sorted([*row, "e2", "e3", "e4", "e5"])
    assert len(position.legal_moves) == len(set(position.legal_moves))


def test_the_baboon_is_unusable_if_both_lines_are_full() -> None:
    position = at("1G1G2/1G1G2/1G1G2/1Z1Z2/1Z1Z2 2 y baboon - - -")
    assert cards_offered(position) == set()
    assert error(position, "baboon:Zb3") == "occupied"


def test_a_crocodile_placed_with_the_baboon_swaps() -> None:
    position = at("g5/6/6/6/6 2 y baboon - - -")
    play(position, "baboon:Cb1")
    assert position.legal_moves == ["~a1", "."]


# Vulture


def test_the_vulture_sends_home_a_hidden_animal_of_either_player() -> None:
    position = at("Z*g*z3/6/6/6/6 3 y vulture - - -")
    assert spaces(position, "vulture") == ["a1", "b1"]
    assert error(position, "vulture:c1") == "not-hidden"
    assert error(position, "vulture:d1") == "nobody-there"
    view = play(position, "vulture:b1")
    assert (view["hands"][1]["G"], view["resting"]["G"], view["decision"]) == (6, 0, "place")


def test_the_vulture_is_used_before_placing_or_between_placing_and_totem() -> None:
    position = at("Z*5/6/6/6/6 3 y vulture - - -")
    play(position, "Gd1")
    assert "vulture:a1" in position.legal_moves
    view = play(position, "vulture:a1")
    assert (view["decision"], animal(view, "a1")) == ("totem", "-")
    assert "vulture:a1" in at("Z*5/6/6/6/6 3 y vulture - - -").legal_moves


def test_the_vulture_is_unusable_without_a_hidden_animal() -> None:
    assert cards_offered(at("Z5/6/6/6/6 3 y vulture - - -")) == set()


def test_the_totem_may_stop_at_a_line_that_the_vulture_has_just_opened() -> None:
    position = at("Z*GgGgG/6/6/6/6 4 y vulture - - -")
    play(position, "Ze2")
    assert "+2" not in position.legal_moves
    play(position, "vulture:a1")
    assert "+2" in position.legal_moves


def test_the_vulture_gives_an_opponent_without_tokens_a_turn_by_sending_one_home() -> None:
    # The yellow zebra on b2 is hidden.
    position = at("GGGGGG/ZZ*ZZZC/gggggC/zzzzzE/3ecL 17 r okapi vulture - y")
    play(position, "Ga5 vulture:b2 +3")
    assert (position.to_move, position.legal_moves) == (0, ["Zb2"])


# Rhinoceros


def test_the_rhinoceros_sends_home_a_visible_animal_on_the_edge() -> None:
    position = at("Zg*4/1E4/6/6/5c 3 y rhinoceros - - -")
    assert spaces(position, "rhinoceros") == ["a1", "f5"]
    assert error(position, "rhinoceros:b1") == "rhinoceros-hidden"
    assert error(position, "rhinoceros:b2") == "rhinoceros-edge"
    assert error(position, "rhinoceros:c1") == "nobody-there"
    view = play(position, "rhinoceros:f5")
    assert (view["hands"][1]["C"], view["decision"]) == (2, "place")


def test_on_the_edge_the_rhinoceros_may_also_be_used_between_placing_and_totem() -> None:
    position = at("6/6/6/6/5c 3 y rhinoceros - - -")
    play(position, "Gd1")
    assert spaces(position, "rhinoceros") == ["d1", "f5"]
    view = play(position, "rhinoceros:d1")
    assert (view["decision"], view["hands"][0]["G"], view["resting"]["G"]) == ("totem", 6, 1)


def test_by_option_the_rhinoceros_charges_next_to_the_animal_just_placed() -> None:
    position = at("6/2z3/1g1G*2/2E3/5c 2 y rhinoceros - - -", rhinoceros="neighbour")
    assert cards_offered(position) == set()
    assert error(position, "rhinoceros:b3") == "rhinoceros-after-placing"
    play(position, "Gc3")
    assert spaces(position, "rhinoceros") == ["b3", "c2", "c4"]
    assert error(position, "rhinoceros:f5") == "rhinoceros-neighbour"
    assert error(position, "rhinoceros:d3") == "rhinoceros-hidden"


def test_the_rhinoceros_charges_where_the_crocodile_stands_after_its_swaps() -> None:
    position = at("z5/6/6/2g3/1E4 1 y rhinoceros - - -", rhinoceros="neighbour")
    play(position, "Cb4 ~c4")
    assert spaces(position, "rhinoceros") == ["b4"]  # the gazelle, now on b4


def test_the_rhinoceros_is_unusable_next_to_an_animal_that_is_gone() -> None:
    position = at("6/6/2L3/6/6 1 y vulture,rhinoceros - - -", rhinoceros="neighbour")
    play(position, "Zb3")
    assert spaces(position, "rhinoceros") == ["c3"]
    play(position, "vulture:b3")
    assert spaces(position, "rhinoceros") == []


# Porcupine


def test_the_porcupine_forbids_one_space_for_one_turn() -> None:
    position = at("6/6/6/6/6 2 r - porcupine - -")
    view = play(position, "Gc1 +1 porcupine:d3")
    assert view["porcupine"] == "d3"
    assert spaces(position, "G") == ["d1", "d2", "d4", "d5"]
    assert error(position, "Gd3") == "porcupine-in-force"
    view = play(position, "Gd1 +1")
    assert view["porcupine"] is None


def test_the_last_free_space_of_a_line_cannot_be_forbidden() -> None:
    position = at("3G2/3g2/3Z2/3z2/6 2 r - porcupine,giraffe - -")
    play(position, "Gc1 +1")
    assert position.legal_moves == ["giraffe", "."]
    assert error(position, "porcupine:d5") == "porcupine-alone"


def test_the_porcupine_also_stops_baboon_and_hyena() -> None:
    position = at("5G/6/6/6/6 6 y baboon,hyena - porcupine - porcupine:e1")
    assert "e1" not in spaces(position, "baboon") + spaces(position, "hyena") + spaces(position, "G")
    assert error(position, "baboon:Ge1") == "baboon-lines"
    assert error(position, "hyena:f1-e1") == "porcupine-in-force"
    position = at("6/6/6/6/6 5 y baboon - porcupine - porcupine:f1")
    assert error(position, "baboon:Gf1") == "porcupine-in-force"


def test_the_porcupine_forbids_its_space_to_both_placements_of_the_hyena() -> None:
    position = at("6/6/6/6/6 3 y hyena - porcupine - porcupine:d3", hyena="place")
    play(position, "hyena")
    assert "d3" not in spaces(position, "G")
    play(position, "Gd1")
    assert "d3" not in spaces(position, "G")


# Wildebeest


def test_the_wildebeest_moves_the_totem_backwards() -> None:
    position = at("6/6/6/6/6 1 y wildebeest - - -")
    play(position, "Gb1")
    assert position.legal_moves == ["+1", "+2", "+3", "-1", "-2", "-3"]
    view = play(position, "-2")
    assert (view["totem"], view["used"]) == (21, ["wildebeest"])
    position = at("6/6/6/6/6 1 y - - - -")
    play(position, "Gb1")
    assert error(position, "-2") == "not-held"


def test_moving_backwards_the_totem_also_skips_to_the_first_open_line() -> None:
    position = at("6/6/GGGGGG/ZZZZZC/gggggg 16 r - wildebeest - y", reinforcement="pile")
    play(position, "Za1")
    assert [move for move in position.legal_moves if move[0] == "-"] == ["-1", "-2", "-3"]
    position = at("6/6/GGGGGG/ZZZZZC/gggggg 11 r - wildebeest - y", reinforcement="pile")
    play(position, "Zf1")
    assert [move for move in position.legal_moves if move[0] == "-"] == ["-4"]
    assert error(position, "-5") == "totem-too-far"


# Hyena, moving animals


def test_the_hyena_moves_one_or_two_of_the_players_animals_along_the_line() -> None:
    position = at("6/6/GzZ3/6/3E2 8 y hyena - - -")
    assert spaces(position, "hyena:a3") == ["d3", "e3", "f3"]
    assert error(position, "hyena:b3-d3") == "hyena-own"
    assert error(position, "hyena:d5-d3") == "not-in-line"
    assert error(position, "hyena:a3-a4") == "not-in-line"
    assert error(position, "hyena:a3-c3") == "occupied"
    view = play(position, "hyena:a3-d3")
    assert view["decision"] == "hyena"
    assert position.legal_moves == ["hyena:c3-a3", "hyena:c3-e3", "hyena:c3-f3", "."]
    assert error(position, "hyena:d3-e3") == "hyena-other"
    assert error(position, "Gb2") == "now-hyena"
    view = play(position, "hyena:c3-a3")  # the space that the first one left
    assert [animal(view, space) for space in ("a3", "b3", "c3", "d3")] == ["Z", "z", "-", "G"]
    assert (position.to_move, view["decision"], view["used"]) == (0, "place", ["hyena"])


def test_the_hyena_may_stop_after_one_animal() -> None:
    position = at("6/6/GzZ3/6/6 8 y hyena - - -")
    assert play(position, "hyena:a3-d3 .")["decision"] == "place"


def test_without_a_second_animal_the_hyena_is_finished() -> None:
    position = at("6/6/Gz4/6/6 8 y hyena - - -")
    assert play(position, "hyena:a3-d3")["decision"] == "place"


def test_the_hyena_needs_an_animal_of_the_player_in_the_line() -> None:
    assert cards_offered(at("6/6/z5/Z5/6 8 y hyena - - -")) == set()


def test_a_hidden_animal_moved_by_the_hyena_stays_hidden() -> None:
    position = at("6/6/G*5/6/6 8 y hyena - - -")
    assert animal(play(position, "hyena:a3-d3"), "d3") == "G*"


def test_a_lion_moved_by_the_hyena_scares_where_it_arrives() -> None:
    position = at("6/4g1/L4Z/4z1/6 8 y hyena - - -")
    view = play(position, "hyena:a3-e3")
    assert [animal(view, space) for space in ("e2", "f3", "e4")] == ["-", "Z*", "z*"]


def test_gazelles_that_a_moved_lion_sends_home_to_the_player_rest() -> None:
    position = at("6/4G1/L5/6/6 8 y hyena - - -")
    view = play(position, "hyena:a3-e3")
    assert (view["hands"][0]["G"], view["resting"]["G"]) == (6, 1)


def test_zebras_and_gazelles_moved_next_to_a_lion_hide() -> None:
    position = at("6/4l1/G5/6/6 8 y hyena - - -")
    assert animal(play(position, "hyena:a3-e3"), "e3") == "G*"


def test_a_crocodile_moved_by_the_hyena_may_swap_and_still_counts_as_the_first_animal() -> None:
    # Row 4: a river between b4 and c4.
    position = at("6/6/6/2G1C1/6 9 y hyena - - -")
    view = play(position, "hyena:e4-b4")
    assert (view["decision"], view["crocodile"]) == ("swap", "b4")
    view = play(position, "~c4")
    assert (view["decision"], animal(view, "b4"), animal(view, "c4")) == ("hyena", "G", "C")
    assert {move[:8] for move in position.legal_moves} == {"hyena:b4", "."}
    assert error(position, "hyena:c4-d4") == "hyena-other"


def test_a_move_of_the_hyena_may_fill_the_first_full_territory() -> None:
    position = at("6/E4z/5z/6/6 7 y hyena - - -")
    view = play(position, "hyena:a2-e2")
    assert (view["reinforced"], view["cards"]) == (0, [["okapi"], []])
    position = at("6/E4z/5z/6/6 7 y hyena - - -", reinforcement="pile", chance="manual")
    view = play(position, "hyena:a2-e2 =baboon")
    assert view["decision"] == "place"
    assert "baboon" in cards_offered(position)


# Hyena, placing two animals


def test_by_option_the_hyena_allows_two_placements() -> None:
    position = at("6/6/6/6/6 8 y hyena - - -", hyena="place")
    assert error(position, "hyena:a3-b3") == "hyena-reading-place"
    play(position, "hyena Ea3")
    view = position.view()
    assert (position.to_move, view["decision"]) == (0, "place")
    assert spaces(position, "") == ["b3", "c3", "d3", "e3", "f3"]
    assert play(position, "Gb3")["decision"] == "totem"
    assert error(at("6/6/6/6/6 8 y hyena - - -"), "hyena") == "hyena-reading-move"


def test_no_card_is_used_between_the_placements_of_the_hyena_and_the_baboon_with_neither() -> None:
    position = at("Z*5/6/6/6/6 8 y hyena,vulture,baboon,giraffe - - -", hyena="place")
    play(position, "hyena")
    assert cards_offered(position) == {"vulture", "giraffe"}
    assert error(position, "baboon:Ga2") == "hyena-two-placements"
    play(position, "Ga3")
    assert cards_offered(position) == set()
    assert error(position, "vulture:a1") == "hyena-two-placements"
    assert error(position, "baboon:Ga2") == "hyena-two-placements"
    play(position, "Gb3")
    assert cards_offered(position) == {"vulture", "giraffe"}


def test_the_second_placement_needs_a_space_and_a_token() -> None:
    position = at("6/6/GgGgG1/6/6 8 y hyena - - -", hyena="place")
    assert play(position, "hyena Zf3")["decision"] == "totem"
    # Yellow's last token.
    position = at("GGGGGG/ZZZZZC/gggggC/zzzzzE/6 17 y hyena,okapi - - y", hyena="place")
    assert play(position, "hyena La5")["decision"] == "totem"


def test_a_gazelle_scared_home_by_the_first_placement_cannot_be_the_second() -> None:
    # Yellow has a lion in hand and nothing else; the lion sends Yellow's own gazelle home.
    position = at("GGGGGg/ZZZZZC/gggggC/GzzzzE/6 17 y hyena,okapi - - y", hyena="place")
    view = play(position, "hyena La5")
    assert (view["hands"][0]["G"], view["resting"]["G"], view["decision"]) == (1, 1, "totem")


# Warthog


def test_under_the_warthog_the_opponent_only_moves_the_totem() -> None:
    position = at("6/6/6/6/6 2 r - warthog - -")
    view = play(position, "Gc1 +1 warthog")
    assert (position.to_move, view["decision"], view["warthog"]) == (0, "totem", True)
    assert position.legal_moves == ["+1", "+2", "+3"]
    assert error(position, "Gd3") == "warthog-in-force"
    view = play(position, "+1")
    assert (position.to_move, view["decision"], view["warthog"]) == (1, "place", False)


def test_under_the_warthog_baboon_and_hyena_are_unusable_and_other_cards_are_not() -> None:
    position = at("3G*2/6/6/6/6 3 y baboon,vulture,wildebeest,hyena,boa - warthog - warthog")
    assert cards_offered(position) == {"vulture"}
    assert "-1" in position.legal_moves
    assert error(position, "baboon:Gc1") == "warthog-in-force"
    assert error(position, "hyena:d1-d2") == "warthog-in-force"
    assert play(position, "vulture:d1 -1")["decision"] == "after"


def test_under_the_warthog_the_rhinoceros_has_no_placed_animal_to_charge_next_to() -> None:
    position = at("3G2/6/6/6/6 3 y rhinoceros - warthog - warthog", rhinoceros="neighbour")
    assert cards_offered(position) == set()


# Giraffe


def test_the_giraffe_draws_three_keeps_one_and_discards_two_for_all_to_see() -> None:
    position = at("6/6/6/6/6 3 y giraffe - - -", reinforcement="pile", chance="manual")
    view = play(position, "giraffe")
    assert (position.to_move, view["decision"], view["pile"]) == (mchezo.CHANCE, "draw", 9)
    assert error(position, "=giraffe") == "not-in-pile"
    assert error(position, "Gd1") == "now-draw"
    view = play(position, "=boa =okapi =wildebeest")
    assert (position.to_move, view["decision"], view["drawn"]) == (0, "keep", ["okapi", "boa", "wildebeest"])
    assert position.legal_moves == ["keep:okapi", "keep:boa", "keep:wildebeest"]
    assert error(position, "keep:hyena") == "not-drawn"
    view = play(position, "keep:wildebeest")
    assert (view["cards"], view["used"]) == ([["wildebeest"], []], ["okapi", "boa", "giraffe"])
    assert (view["decision"], view["drawn"], view["pile"]) == ("place", [], 6)


@pytest.mark.parametrize(("before", "decision"), [("", "place"), ("Gd1", "totem"), ("Gd1 +1", "after")])
def test_the_giraffe_is_used_before_placing_and_before_or_after_the_totem(before: str, decision: str) -> None:
    position = at("6/6/6/6/6 3 y giraffe - - -", reinforcement="pile", chance="manual")
    assert play(position, before)["decision"] == decision
    view = play(position, "giraffe =boa =hyena =vulture keep:boa")
    assert view["decision"] == decision


def test_keeping_a_card_that_is_unusable_after_the_totem_ends_the_turn() -> None:
    position = at("6/6/6/6/6 3 y giraffe - - -", reinforcement="pile", chance="manual")
    play(position, "Gd1 +1 giraffe =boa =hyena =vulture keep:hyena")
    assert position.to_move == 1


def test_with_the_face_up_okapi_handicap_and_giraffe_draw_from_the_other_nine_cards() -> None:
    position = KIWARA.start(handicap=(0, 1), chance="manual")
    assert position.to_move == mchezo.CHANCE
    assert "=okapi" not in position.legal_moves
    assert len(position.legal_moves) == 9
    play(position, "=giraffe T3 Gd1 +1 giraffe")
    assert len(position.legal_moves) == 8


# Handicap


@pytest.mark.parametrize(("seat", "cards"), [(0, 1), (0, 2), (1, 1), (1, 2)])
def test_a_handicap_gives_one_seat_cards_face_up_from_the_start(seat: int, cards: int) -> None:
    position = KIWARA.start(handicap=(seat, cards), reinforcement="pile", seed=5)
    view = position.view()
    assert (len(view["cards"][seat]), view["cards"][1 - seat], view["pile"]) == (cards, [], 10 - cards)
    assert (position.to_move, view["decision"]) == (0, "totem-start")
    assert len(position.moves) == cards


def test_a_handicap_does_not_replace_the_card_for_the_first_full_territory() -> None:
    position = at("6/5G/5G/6/6 4 r - vulture - -", reinforcement="pile", chance="manual")
    assert play(position, "Ge2 =boa")["cards"] == [[], ["boa", "vulture"]]
