"""The rulings on Kitara's rules, phase by phase, as docs/rulings.md lists them."""

import pytest

from mchezo.games.kitara import structs
from tests.games.kitara.positions import arranged, play, settle, start, to_start

ROW = "1.1 1.2 1.3 1.4 1.5 1.6"


# Set-up


def test_each_player_in_turn_takes_a_free_start_space_with_three_warriors() -> None:
    position = to_start(start(), ROW, "")
    assert (position.to_move, position.legal_moves) == (0, ["@a", "@f"])
    play(position, "@f")
    assert (position.to_move, position.legal_moves) == (1, ["@a"])
    play(position, "@a")
    assert position.view()["spaces"] == {
        "a": {"seat": 1, "W": 3, "A": 0, "H": 0},
        "f": {"seat": 0, "W": 3, "A": 0, "H": 0},
    }
    assert position.view()["supply"] == [{"W": 7, "A": 5, "H": 3}] * 2
    assert (position.to_move, position.view()["decision"]) == (0, "draft")


# Draft


def test_two_draft_symbols_offer_the_two_leftmost_cards() -> None:
    position = to_start(start(), ROW, "a f")
    assert position.legal_moves == ["+1.1", "+1.2"]


def test_the_row_slides_left_and_the_new_card_comes_in_at_the_right() -> None:
    position = play(to_start(start(players=3, starts="a f e"), ROW, "a f e"), "+1.2 =1.7")
    assert position.view()["row"] == ["1.1", "1.3", "1.4", "1.5", "1.6", "1.7"]


def test_a_turn_drafts_one_card_however_many_draft_symbols_there_are() -> None:
    position = play(to_start(start(), ROW, "a f"), "+1.1 =1.7")
    assert position.view()["decision"] == "recruit"


def test_without_draft_symbols_the_leftmost_card_is_taken() -> None:
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING, kingdoms=[["1.1"]], row=["1.2", "1.3"])
    assert position.legal_moves == ["+1.2"]


def test_more_draft_symbols_than_cards_offer_the_whole_row() -> None:
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING, row=["1.2"])
    assert position.legal_moves == ["+1.2"]
    assert position.view()["choices"] == 1


def test_the_new_card_does_not_count_for_its_own_draft_but_for_the_next() -> None:
    ages = ("D2 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = to_start(start(ages=ages, starting_card="D1W3"), ROW, "a f")
    assert position.legal_moves == ["+1.1"]
    play(position, "+1.1 =1.7")  # neither pawns nor moves; only one card can be fed
    play(position, "-0 xW@a xW@a xW@a =2.1")
    play(position, "+1.3 =3.1 W@f -0 xW@f xW@f xW@f =4.1")
    assert position.legal_moves == ["+1.5", "+1.6"]  # 1.2 and 1.4 were discarded from the row


def test_an_empty_deck_does_not_refill_the_row() -> None:
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING, row=["1.2", "1.3"], players=3, starts="a f e")
    play(position, "+1.2")
    assert position.view()["row"] == ["1.3"]
    assert position.view()["decision"] == "recruit"


def test_an_empty_row_skips_draft_and_recruit() -> None:
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING)
    settle(position)
    assert position.view()["decision"] == "move"
    assert position.view()["moves_left"] == 2


def test_with_two_players_the_leftmost_card_is_discarded_after_every_turn() -> None:
    position = play(to_start(start(), ROW, "a f"), "+1.2 =1.7 W@a .")
    play(position, "-0 xW@a xW@a xW@a")
    assert position.to_move == -1
    assert position.view()["row"] == ["1.3", "1.4", "1.5", "1.6", "1.7"]
    assert position.view()["discarded"] == ["0", "1.1"]
    play(position, "=2.1")
    assert position.view()["row"] == ["1.3", "1.4", "1.5", "1.6", "1.7", "2.1"]
    assert position.to_move == 1


def test_with_three_players_no_card_of_the_row_is_discarded() -> None:
    position = play(to_start(start(players=3, starts="a f e"), ROW, "a f e"), "+1.2 =1.7 W@a . -0 xW@a xW@a xW@a")
    assert position.to_move == 1
    assert position.view()["row"] == ["1.1", "1.3", "1.4", "1.5", "1.6", "1.7"]


def test_cards_are_revealed_age_by_age() -> None:
    position = to_start(start(), ROW, "a f")
    play(position, "+1.1")
    assert position.legal_moves == ["=1.7"]


# Recruit


def test_recruits_join_any_space_of_their_player_one_by_one_warriors_first() -> None:
    ages = ("W1A1H1 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = arranged({"a": (0, "W1"), "r": (0, "W1")}, phase=structs.DRAFTING, row=["1.1"], ages=ages)
    play(position, "+1.1")
    assert position.view()["to_recruit"] == {"W": 1, "A": 1, "H": 1}
    assert position.legal_moves == ["W@a", "W@r"]
    play(position, "W@r")
    assert position.legal_moves == ["A@a", "A@r"]
    play(position, "A@a")
    assert position.legal_moves == ["H@a", "H@r"]
    play(position, "H@a")
    assert position.view()["spaces"]["a"] == {"seat": 0, "W": 1, "A": 1, "H": 1}
    assert position.view()["to_recruit"] is None


def test_only_the_new_cards_pawns_are_recruited() -> None:
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING, row=["1.1"], kingdoms=[["0", "1.2", "1.3"]])
    play(position, "+1.1")
    assert position.view()["to_recruit"] == {"W": 1, "A": 0, "H": 0}


def test_a_kind_with_none_left_in_the_supply_is_skipped() -> None:
    ages = ("W2H1 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    spaces = {"a": (0, "W9"), "b": (0, "H3")}
    position = arranged(spaces, phase=structs.DRAFTING, row=["1.1"], ages=ages)
    play(position, "+1.1")
    assert position.view()["to_recruit"] == {"W": 1, "A": 0, "H": 0}
    play(position, "W@a")
    assert position.view()["decision"] == "move"


def test_a_player_without_a_space_enters_on_a_free_start_space_and_the_rest_may_join() -> None:
    ages = ("W2 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = arranged({"a": (1, "W1")}, phase=structs.DRAFTING, row=["1.1"], ages=ages)
    play(position, "+1.1")
    assert position.legal_moves == ["W@f"]
    play(position, "W@f")
    assert position.legal_moves == ["W@f"]


def test_without_a_free_start_space_a_player_enters_on_a_free_savanna() -> None:
    spaces = {"a": (1, "W1"), "f": (1, "W1"), "b": (1, "W1")}
    position = arranged(spaces, phase=structs.DRAFTING, row=["1.1"])
    play(position, "+1.1")
    assert position.legal_moves == ["W@c", "W@d", "W@e"]


def test_without_a_free_savanna_a_player_enters_on_any_free_land_but_not_on_a_lake() -> None:
    spaces = dict.fromkeys("abcdef", (1, "W1"))
    position = arranged(spaces, phase=structs.DRAFTING, row=["1.1"])
    play(position, "+1.1")
    assert position.legal_moves == ["W@r", "W@s"]


def test_without_any_free_land_nobody_enters() -> None:
    spaces = dict.fromkeys("abcdefrs", (1, "W1"))
    position = arranged(spaces, phase=structs.DRAFTING, row=["1.1"])
    play(position, "+1.1")
    assert position.view()["decision"] == "move"
    assert position.legal_moves == ["."]
    play(position, ". -0")
    assert position.view()["supply"][0] == {"W": 10, "A": 5, "H": 3}


# Move


def test_the_moves_of_the_new_card_count_at_once() -> None:
    ages = ("M2 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING, row=["1.1"], ages=ages)
    play(position, "+1.1")
    assert position.view()["moves_left"] == 4


def test_a_move_takes_any_part_of_a_group_over_one_white_border() -> None:
    position = arranged({"c": (0, "W2A1")})
    assert position.legal_moves == ["c-b", "c-d", "c-r", "."]
    play(position, "c-r")
    assert position.view()["crossing"] == ["c", "r"]
    assert position.legal_moves == ["A1", "W1", "W1A1", "W2", "W2A1"]
    play(position, "W1A1")
    assert position.view()["spaces"] == {
        "c": {"seat": 0, "W": 1, "A": 0, "H": 0},
        "r": {"seat": 0, "W": 1, "A": 1, "H": 0},
    }
    assert position.view()["moves_left"] == 2


def test_pawns_may_move_on_and_join_others() -> None:
    position = play(arranged({"a": (0, "W2"), "c": (0, "A1")}), "a-b W2 b-c W1")
    assert position.view()["spaces"]["c"] == {"seat": 0, "W": 1, "A": 1, "H": 0}


def test_the_moves_are_over_when_all_are_used() -> None:
    position = play(arranged({"a": (0, "W2")}, moves_left=1, kingdoms=[["0"]]), "a-b W2")
    assert position.to_move == 1


def test_moves_need_not_be_used() -> None:
    position = play(arranged({"a": (0, "W2")}, moves_left=5), ".")
    assert position.to_move == 1


def test_players_never_share_a_space() -> None:
    position = arranged({"a": (0, "W2"), "b": (1, "W2"), "f": (1, "W1")})
    assert position.legal_moves == ["."]


# Attack


def test_an_attack_takes_more_pawns_than_the_defenders_whatever_their_kinds() -> None:
    position = arranged({"a": (0, "W1A1H1"), "b": (1, "H2"), "f": (1, "W1")})
    play(position, "a-b")
    assert position.legal_moves == ["W1A1H1"]


def test_an_equal_number_of_attackers_is_too_few() -> None:
    position = arranged({"a": (0, "W3"), "b": (1, "W3"), "f": (1, "W1")})
    assert "a-b" not in position.legal_moves


def test_a_players_only_space_cannot_be_attacked() -> None:
    assert "a-b" not in arranged({"a": (0, "W3"), "b": (1, "W1")}).legal_moves


def test_whether_it_is_the_only_space_is_determined_at_the_moment_of_attack() -> None:
    position = arranged({"a": (0, "W3"), "e": (0, "W3"), "b": (1, "W1"), "f": (1, "W1")})
    play(position, "e-f W3 >b")
    assert position.view()["spaces"]["b"]["W"] == 2
    assert "a-b" not in position.legal_moves


def test_an_attack_costs_one_move_and_kills_nobody() -> None:
    position = play(arranged({"a": (0, "W3"), "b": (1, "W1A1"), "f": (1, "W1")}), "a-b W3 >f")
    assert position.view()["spaces"] == {
        "b": {"seat": 0, "W": 3, "A": 0, "H": 0},
        "f": {"seat": 1, "W": 2, "A": 1, "H": 0},
    }
    assert position.view()["moves_left"] == 2
    assert position.view()["decision"] == "move"


def test_a_hero_among_the_attackers_draws_one_token_before_the_retreat() -> None:
    position = play(arranged({"a": (0, "W1H2"), "b": (1, "W1"), "f": (1, "W1")}), "a-b H2")
    assert (position.to_move, position.view()["decision"]) == (-1, "token")
    assert position.legal_moves == ["=2", "=3", "=4", "=5"]
    play(position, "=4")
    assert (position.to_move, position.view()["decision"]) == (1, "retreat")
    assert position.view(0)["own_tokens"] == {"kept": [], "drawn": [4]}
    assert position.view()["tokens"] == [{"kept": 0, "drawn": 1}, {"kept": 0, "drawn": 0}]


def test_a_hero_that_stays_behind_draws_nothing() -> None:
    position = play(arranged({"a": (0, "W2H1"), "b": (1, "W1"), "f": (1, "W1")}), "a-b W2")
    assert position.view()["decision"] == "retreat"


def test_a_hero_that_only_moves_draws_nothing() -> None:
    position = play(arranged({"a": (0, "H1"), "f": (1, "W1")}), "a-b H1")
    assert position.view()["decision"] == "move"


def test_an_empty_bag_gives_nothing() -> None:
    spaces = {"a": (0, "H2"), "b": (1, "W1"), "f": (1, "W1")}
    position = play(arranged(spaces, bag=[0, 0, 0, 0]), "a-b H2")
    assert position.view()["decision"] == "retreat"


# Retreat


def test_a_single_nearest_space_is_still_a_decision_of_the_retreating_player() -> None:
    position = play(arranged({"a": (0, "W3"), "b": (1, "W2"), "d": (1, "W1"), "f": (1, "W1")}), "a-b W3")
    assert (position.to_move, position.view()["retreating"]) == (1, 1)
    assert position.legal_moves == [">d"]
    assert position.view()["turn"] == 0


def test_of_several_nearest_spaces_the_retreating_player_chooses_one_for_all_pawns() -> None:
    position = play(arranged({"b": (0, "W4"), "c": (1, "W2A1"), "d": (1, "W1"), "r": (1, "H1")}), "b-c W4")
    assert position.view()["fleeing"] == {"W": 2, "A": 1, "H": 0}
    assert position.legal_moves == [">d", ">r"]
    play(position, ">r")
    assert position.view()["spaces"]["r"] == {"seat": 1, "W": 2, "A": 1, "H": 1}
    assert position.to_move == 0


def test_a_retreat_may_pass_through_occupied_spaces() -> None:
    position = play(arranged({"b": (0, "W3"), "a": (1, "W1"), "d": (0, "W2"), "f": (1, "W1")}), "b-a W3")
    assert position.legal_moves == [">f"]


def test_a_retreat_goes_around_lakes() -> None:
    links = "a-b b-c c-d d-e e-f a-g g-f c-r d-s"  # around the lake a and e are three apart, five along the row
    spaces = {"b": (0, "W2"), "a": (1, "W1"), "f": (1, "W1"), "d": (1, "W1")}
    position = play(arranged(spaces, links=links), "b-a W2")
    assert position.legal_moves == [">f"]


# Score


def test_a_card_that_cannot_be_fed_still_scores_once() -> None:
    ages = ("V3 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = play(arranged({"r": (0, "W1")}, kingdoms=[["1.1"]], ages=ages), ".")
    assert position.view()["points"] == [3, 0]
    assert position.view()["decision"] == "discard"


def test_a_ruin_with_master_animals_scores_two_however_many() -> None:
    position = play(arranged({"r": (0, "A2"), "s": (0, "W1"), "c": (0, "A1")}, kingdoms=[[]]), ".")
    assert position.view()["points"] == [2, 0]


def test_one_of_the_highest_tokens_of_a_turn_is_kept_and_the_rest_is_returned() -> None:
    spaces = {"b": (0, "H2"), "c": (1, "W1"), "d": (1, "W1"), "r": (1, "W1")}
    position = arranged(spaces, kingdoms=[[]], bag=[1, 0, 1, 2], tokens=[12, 12, 9, 6])
    play(position, "b-c H2 =5 >r c-d H2 =5 >r d-c H2 .")
    assert position.view(0)["own_tokens"] == {"kept": [5], "drawn": []}
    assert position.view()["tokens"][0] == {"kept": 1, "drawn": 0}
    assert position.view()["bag"] == 3


# Manage


def test_each_savanna_with_warriors_feeds_one_card_however_many_stand_there() -> None:
    spaces = {"a": (0, "W3"), "b": (0, "W1A1"), "c": (0, "A1"), "r": (0, "W1")}
    position = play(arranged(spaces, kingdoms=[["0", "1.1", "1.2"]]), ".")
    assert position.view()["capacity"] == 2
    assert position.legal_moves == ["-0", "-1.1", "-1.2"]


def test_no_more_cards_are_discarded_than_necessary() -> None:
    position = play(arranged({"a": (0, "W3")}, kingdoms=[["1.1", "1.2"]]), ". -1.2 xW@a")
    assert position.view()["kingdoms"][0] == ["1.1"]
    assert position.to_move == 1


def test_fed_cards_cannot_be_discarded() -> None:
    position = play(arranged({"a": (0, "W3")}, kingdoms=[["1.1"]]), ".")
    assert position.to_move == 1


def test_a_discarded_card_takes_its_pawns_off_the_board_from_spaces_of_choice() -> None:
    ages = ("W1A1H1 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    spaces = {"r": (0, "W1A1H1"), "s": (0, "W1H1")}
    position = play(arranged(spaces, kingdoms=[["1.1"]], ages=ages), ". -1.1")
    assert position.view()["to_remove"] == {"W": 1, "A": 1, "H": 1}
    assert position.legal_moves == ["xW@r", "xW@s"]
    play(position, "xW@s")
    assert position.legal_moves == ["xA@r"]
    play(position, "xA@r")
    assert position.legal_moves == ["xH@r", "xH@s"]
    play(position, "xH@s")
    assert position.view()["spaces"] == {"r": {"seat": 0, "W": 1, "A": 0, "H": 1}}
    assert position.view()["supply"][0] == {"W": 9, "A": 5, "H": 2}


def test_only_pawns_on_the_board_are_removed() -> None:
    ages = ("W2H1 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = play(arranged({"r": (0, "W1A1")}, kingdoms=[["1.1"]], ages=ages), ". -1.1")
    assert position.view()["to_remove"] == {"W": 1, "A": 0, "H": 0}
    play(position, "xW@r")
    assert position.to_move == 1


def test_warriors_removed_with_a_card_do_not_lower_the_capacity() -> None:
    spaces = {"a": (0, "W1"), "b": (0, "W1")}
    position = play(arranged(spaces, kingdoms=[["0", "1.1", "1.2"]]), ". -0")
    assert position.view()["capacity"] == 2
    play(position, "xW@a xW@b")
    assert position.to_move == 1
    assert position.view()["kingdoms"][0] == ["1.1", "1.2"]


def test_marked_cards_are_neither_fed_nor_discarded() -> None:
    ages = ("V1N W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    position = play(arranged({"r": (0, "W1")}, kingdoms=[["1.1", "1.2"]], ages=ages), ".")
    assert position.view()["forecast"][0] == {"cards": 1, "fed": 0}
    assert position.legal_moves == ["-1.2"]


def test_the_starting_card_is_fed_and_discarded_like_any_other() -> None:
    position = play(arranged({"a": (0, "W3")}, kingdoms=[["0", "1.1"]]), ". -0 xW@a xW@a xW@a")
    assert position.view()["kingdoms"][0] == ["1.1"]
    assert position.view()["discarded"] == ["0"]


def test_discarded_cards_never_return() -> None:
    position = play(to_start(start(), ROW, "a f"), "+1.2 =1.7 W@a . -1.2 xW@a")
    assert position.view()["discarded"] == ["1.1", "1.2"]
    assert position.legal_moves == ["=2.1"]


# End


@pytest.mark.parametrize(
    ("points", "kept", "winners", "reason", "scores"),
    [
        ([10, 9], [[], []], (0,), "prosperity", (12, 11)),
        ([10, 9], [[], [2]], (1,), "prosperity", (12, 13)),
        ([10, 8], [[], [2]], (1,), "tokens", (12, 12)),
        ([7, 6], [[4], [2, 3]], (1,), "tokens", (13, 13)),
        ([7, 7], [[2, 3], [3, 2]], (0, 1), "shared", (14, 14)),
        ([0, 0], [[], []], (0, 1), "shared", (2, 2)),
    ],
)
def test_tokens_and_cards_count_at_the_end_and_more_tokens_break_a_tie(
    points: list[int], kept: list[list[int]], winners: tuple[int, ...], reason: str, scores: tuple[float, ...]
) -> None:
    spaces = {"a": (0, "W1"), "f": (1, "W1")}
    position = arranged(spaces, seat=1, points=points, kept=kept, round_number=7, last_round=7)
    play(position, ".")
    outcome = position.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.scores) == (winners, reason, scores)
    assert position.view()["points"] == list(scores)
    assert position.view()["all_tokens"] == [sorted(tokens) for tokens in kept]


def test_of_three_players_tied_on_points_the_two_with_the_most_tokens_share_the_victory() -> None:
    spaces = {"a": (0, "W1"), "f": (1, "W1"), "e": (2, "W1")}
    position = arranged(
        spaces,
        players=3,
        starts="a f e",
        seat=2,
        points=[5, 2, 2],
        kept=[[], [3], [3]],
        round_number=9,
        last_round=9,
    )
    play(position, ".")
    assert position.outcome is not None
    assert (position.outcome.winners, position.outcome.reason) == ((1, 2), "shared")


def test_marked_and_starting_cards_count_two_points_each() -> None:
    ages = ("V1N W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")
    spaces = {"a": (0, "W1"), "f": (1, "W1")}
    kingdoms = [["0", "1.1"], []]
    position = arranged(spaces, seat=1, kingdoms=kingdoms, round_number=7, last_round=7, ages=ages)
    play(position, ".")
    assert position.outcome is not None
    assert position.outcome.scores == (4, 0)
