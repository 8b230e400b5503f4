"""The worked examples of the games from Troika on, and what their set-ups refuse. All stand on the printed board."""

from typing import Any

import pytest

import mchezo
from mchezo import Position

KATARENGA = mchezo.game("katarenga")


def after(variant: str, moves: str = "", **options: Any) -> Position:
    """Return a game on the printed start array's board after some moves."""
    position = KATARENGA.start(**{"variant": variant, "board": "b0d3a0c3", "choose_baseline": False, **options})
    for move in moves.split():
        position.play(move)
    return position


def moves_of(position: Position) -> str:
    """Return the legal moves in order."""
    return " ".join(sorted(position.legal_moves))


def refusal(position: Position, move: str) -> str:
    """Return why a move is not legal."""
    with pytest.raises(mchezo.IllegalMove) as caught:
        position.play(move)
    return caught.value.key


def ending(position: Position) -> tuple[tuple[int, ...], str]:
    """Return who has won, and why."""
    assert position.outcome is not None
    return position.outcome.winners, position.outcome.reason


def onto_pawns(position: Position) -> set[str]:
    """Return White's moves onto black pawns."""
    return {move for move in position.legal_moves if move[-2:] in position.view()["pawns"]["black"]}


ALL_SIXTEEN = "b1 d1 f1 g2 a3 d3 h3 e4 d5 f5 a6 c6 f7 h7 c8 e8"


def test_isolation_alone_keeps_pawns_out_of_reach_of_each_other() -> None:
    open_squares = {move[1:] for move in after("isolation-alone", "@d4").legal_moves}
    assert not open_squares & {"c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5", "d4"}
    assert refusal(after("isolation-alone", "@d4"), "@e5") == "not-isolated"
    assert refusal(after("isolation-alone", "@d4"), "@d4") == "occupied"
    assert refusal(after("isolation-alone", "@d4"), "d4-d5") == "only-placing-now"


def test_all_sixteen_pawns_fit_on_the_printed_board_in_any_order() -> None:
    for squares in (ALL_SIXTEEN.split(), ALL_SIXTEEN.split()[::-1]):
        position = after("isolation-alone")
        for placed, square in enumerate(squares):
            assert position.to_move == 0
            assert len(position.view()["pawns"]["white"]) == (placed + 1) // 2
            position.play(f"@{square}")
        assert position.outcome == mchezo.Outcome((), (16.0,), "all-placed")


def test_a_player_alone_scores_the_pawns_placed_and_wins_against_nobody() -> None:
    position = after("isolation-alone")
    while position.outcome is None:
        position.play(position.legal_moves[0])
    assert position.outcome.winners == ()
    assert position.outcome.reason == "no-place"
    pawns = position.view()["pawns"]
    assert position.outcome.scores == (len(pawns["white"]) + len(pawns["black"]),)
    record = mchezo.Record.parse(str(position.record()))
    assert record.replay().outcome == position.outcome


def test_in_troika_a_pawn_goes_where_the_last_one_could_move() -> None:
    assert moves_of(after("troika", "@d4")) == "@c3 @c4 @c5 @d3 @d5 @e3 @e4 @e5"
    assert moves_of(after("troika", "@a4")) == "@a1 @a2 @a3 @a5 @a6 @a7 @a8 @b4 @c4 @d4 @e4 @f4"
    assert refusal(after("troika", "@d4"), "@d6") == "not-reached"


def test_three_in_line_win_troika_at_any_angle_unless_only_straight_lines_count() -> None:
    moves = "@a1 @b3 @d3 @e5 @g5"
    assert ending(after("troika", moves)) == ((0,), "line")
    assert after("troika", moves, line="straight").outcome is None


def test_in_troika_nobody_leaves_the_opponent_without_an_answer() -> None:
    assert refusal(after("troika", "@g2 @e1"), "@h1") == "leaves-none"
    assert refusal(after("troika", "@c7 @d6 @e7"), "@d7") == "leaves-none"


def test_a_battle_is_captures_and_forced_passes() -> None:
    position = after("battle-stations", position="8/8/8/4w1bb/8/8/8/8 w 0 0", points=True)
    assert refusal(position, "pass") == "may-not-pass"
    assert refusal(position, "e5-e6") == "only-capturing"
    for move in ("e5xg5", "pass", "g5xh5"):
        assert position.legal_moves == [move]
        position.play(move)
    assert position.outcome == mchezo.Outcome((0,), (1.0, 0.0), "more-pawns")


def test_equal_pawns_win_for_the_second_player() -> None:
    position = after("battle-stations", position="8/8/8/8/8/8/8/w6b w 0 0")
    assert ending(position) == ((1,), "equal-pawns")


def test_two_pawns_against_one_win_two_points() -> None:
    position = after("battle-stations", position="w6w/8/8/8/8/8/8/7b w 0 0", points=True)
    assert position.outcome == mchezo.Outcome((0,), (2.0, 0.0), "more-pawns")


def test_cornered_ends_with_the_last_pawn_and_scores_all_pawns() -> None:
    assert moves_of(after("cornered", "@a1")) == "@b3 @c2"
    assert refusal(after("cornered"), "@e1") == "outside-quarter"
    position = after("cornered", "@c2 @d1", points=True)
    assert position.outcome == mchezo.Outcome((1,), (0.0, 2.0), "no-place")


def test_quartermaster_stays_within_four_files_and_ranks() -> None:
    position = after("quartermaster", "@a1 @b3")
    assert moves_of(position) == "@a3 @b1 @b2 @b4 @c3 @d3"
    for square in ("e3", "f3", "g3", "b5", "b6"):
        assert refusal(position, f"@{square}") == "no-room"


@pytest.mark.parametrize("variant", ["troika", "cornered", "quartermaster"])
def test_the_second_player_may_take_over_the_first_pawn_once(variant: str) -> None:
    position = after(variant, "@a1 swap", swap=True)
    assert position.view()["pawns"] == {"white": [], "black": ["a1"]}
    assert position.view()["in_hand"] == {"white": 8, "black": 7}
    assert position.to_move == 0
    assert refusal(position, "swap") == "may-not-swap"
    assert "swap" not in after(variant, "@a1").legal_moves


def test_the_homing_square_of_central_park_is_the_first_one_reached() -> None:
    first = after("central-park").legal_moves
    assert len(first) == 20
    assert {"h1-d5", "h1-e4"} <= set(first)
    position = after("central-park", "h1-d5")
    assert position.view()["goals"]["white"] == ["d5"]
    assert [move for move in position.legal_moves if move.startswith("h1")] == ["h1-g2", "h1-f3", "h1-e4"]


def test_the_capturer_chooses_where_a_pawn_enters_central_park() -> None:
    position = after("central-park", "a1-b3 h1-f3 b3xf3")
    assert (position.to_move, moves_of(position)) == (0, "@a1 @a8 @h1 @h8")
    assert refusal(position, "f3-f4") == "only-entering"
    position.play("@a8")
    assert position.view()["pawns"]["black"] == ["a1", "a8", "a8", "h8"]
    assert position.view()["in_hand"] == {"white": 4, "black": 3}


def test_a_pawn_on_a_corner_does_not_capture() -> None:
    position = after("central-park", "a1-b3 h1-g2")
    assert not [move for move in position.legal_moves if move.startswith("h1")]
    assert refusal(position, "h1-g2") == "corner-captures"


def test_a_pawn_in_the_park_has_to_leave_it() -> None:
    position = after("central-park", "h1-d5 h8-h7 a1-c2 h7-f6 c2-d3 f6-e7 d3-e5 a1-c2")
    assert {move[:2] for move in position.legal_moves} == {"e5"}
    assert refusal(position, "a8-a7") == "has-to-leave"
    position.play("e5-d5")
    assert position.view()["pawns"]["white"] == ["a8", "d5", "d5", "h8"]


def test_in_colorado_a_pawn_at_home_can_be_captured_by_the_next_move_only() -> None:
    start = "b7/4w2b/8/8/8/8/8/3w4 w -"
    assert "a8xe8" in after("colorado", "e7-e8", position=start).legal_moves
    later = after("colorado", "e7-e8 h7-g5 d1-c2", position=start)
    assert refusal(later, "a8-e8") == "safe-at-home"
    along = {move for move in later.legal_moves if move.startswith("a8") and move.endswith("8")}
    assert along == {"a8-b8", "a8-c8", "a8-d8"}


def test_colorado_is_won_at_home_and_drawn_or_lost_by_a_wipe_out() -> None:
    assert ending(after("colorado", "c7xd8", position="3b4/2w5/8/8/8/8/8/8 w -")) == ((0,), "all-home")
    start = "8/8/2w5/4b3/8/8/8/3w4 w -"
    assert ending(after("colorado", "c6xe5", position=start)) == ((), "wiped-out")
    assert ending(after("colorado", "c6xe5", position=start, wipeout="loss")) == ((1,), "no-pawns")
    assert ending(after("colorado", "e5xc5", position="7w/8/8/2w1b3/8/6b1/8/8 b -")) == ((0,), "all-home")


def test_colorado_begins_with_the_choice_of_the_baseline_and_without_captures() -> None:
    position = KATARENGA.start(variant="colorado")
    assert position.to_move == 1
    assert position.legal_moves == ["turn0", "turn90", "turn180", "turn270"]
    assert len(after("colorado").legal_moves) == 30


def test_in_north_west_passage_a_pawn_that_is_landed_on_has_to_leave() -> None:
    position = after("north-west-passage")
    assert len(position.legal_moves) == 45
    assert onto_pawns(position) == {"c6-d4", "c6-e5", "d5-c3", "d5-f6", "e4-c3", "e4-f6"}
    position.play("d5-c3")
    assert moves_of(position) == "c3-a5 c3-b4 c3-d2 c3-e1"
    assert position.view()["position"].split()[0].split("/")[5] == "2m2w2"
    assert refusal(position, "a1-a2") == "has-to-leave"


def test_greengage_goes_from_green_to_green() -> None:
    position = after("greengage")
    assert position.view()["position"] == "1b2b3/5b1b/b1b5/3b1b2/1w2w3/3w3w/1w4w1/w4w2 w"
    assert len(position.legal_moves) == 36
    assert onto_pawns(position) == {"b4-a6", "b4-c6", "b4-d5"}
    position.play("b4-a6")
    assert moves_of(position) == "a6-b4 a6-c5 a6-c7"


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"variant": "katarenga", "line": "straight"}, "option-only"),
        ({"variant": "colorado", "swap": True}, "option-only"),
        ({"variant": "chameleon", "start_colour": "red", "goal_colour": "red"}, "red-to-red"),
        ({"variant": "greengage", "board": "R" * 64}, "board-halves"),
        ({"variant": "troika", "position": "8/8/8/8/8/8/8/8 b -"}, "position-turns"),
        ({"variant": "troika", "position": "8/8/8/8/8/8/8/w7 b -"}, "position-last"),
        ({"variant": "troika", "position": "8/8/8/8/8/8/8/w7 b"}, "position-form"),
        ({"variant": "cornered", "position": "8/8/8/8/8/8/8/7w b h1"}, "position-area"),
        ({"variant": "quartermaster", "position": "8/8/8/8/8/8/8/w6b w h1"}, "position-area"),
        ({"variant": "colorado", "position": "8/8/8/8/8/8/8/w6b w a1"}, "position-exposed"),
        ({"variant": "central-park", "position": "8/8/8/8/3w4/8/8/8 w 4 4 - -"}, "position-homing"),
        ({"variant": "central-park", "position": "8/8/8/8/8/[wb]7/8/8 w 4 4 - -"}, "position-shared"),
        ({"variant": "north-west-passage", "position": "8/8/8/8/8/8/8/w6b w"}, "position-eight"),
    ],
)
def test_impossible_set_ups_are_refused(options: dict[str, Any], key: str) -> None:
    with pytest.raises(mchezo.InvalidSetup) as caught:
        KATARENGA.start(**options)
    assert caught.value.key == key
