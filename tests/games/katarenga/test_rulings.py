"""Rules and rulings that the printed examples do not show: draws, first captures, having no move, the variants."""

import random

import pytest

import mchezo
from mchezo.games.katarenga.components import ASSEMBLIES, START_FIGURE, assemble, assembly, turn_board

KATARENGA = mchezo.game("katarenga")
BLUE = "B" * 64  # every pawn moves like a king


def play(position: mchezo.Position, moves: str) -> None:
    for move in moves.split():
        position.play(move)


def test_the_third_occurrence_of_a_position_with_the_same_player_to_move_is_a_draw() -> None:
    position = KATARENGA.start(board=BLUE)
    play(position, "a1-a2 a8-a7 a2-a1 a7-a8")
    assert position.view()["occurrences"] == 2
    play(position, "a1-a2 a8-a7 a2-a1")
    assert position.outcome is None
    position.play("a7-a8")
    assert position.outcome == mchezo.Outcome((), (0.5, 0.5), "repetition")


def test_pawns_that_change_places_repeat_the_position() -> None:
    position = KATARENGA.start(board=BLUE, position="bb6/8/8/8/8/8/8/ww6 w - -")
    play(position, "a1-a2 a8-a7 b1-a1 b8-a8 a2-b1 a7-b8")
    assert position.view()["position"] == "bb6/8/8/8/8/8/8/ww6 w - -"
    assert position.view()["occurrences"] == 2


def test_positions_before_a_capture_do_not_count_as_repeated() -> None:
    position = KATARENGA.start(board=BLUE, position="bbb5/8/8/8/8/3b4/3w4/ww6 w - -")
    play(position, "a1-a2 a8-a7 a2-a1 a7-a8 d2xd3")
    view = position.view()
    assert view["quiet_moves"] == 0
    assert view["occurrences"] == 1


def test_fifty_moves_by_each_side_without_capture_or_camp_are_a_draw() -> None:
    # White walks around the lower half and Black around the upper one, in cycles of different lengths, so that no
    # position occurs three times before the fiftieth move.
    position = KATARENGA.start(board=BLUE, position="b6b/8/8/8/8/8/8/w6w w - -")
    generator = random.Random(3)
    while position.outcome is None:
        ranks = "1234" if position.to_move == 0 else "5678"
        quiet = [move for move in position.legal_moves if "x" not in move and move[4] in ranks]
        generator.shuffle(quiet)
        for move in quiet:
            after = position.copy()
            after.play(move)
            if after.view()["occurrences"] == 1:
                break
        position.play(move)
    assert position.outcome == mchezo.Outcome((), (0.5, 0.5), "fifty-moves")
    assert len(position.moves) == 100


def test_captures_on_the_first_move_are_legal_as_printed_and_forbidden_by_the_option() -> None:
    generator = random.Random(1)
    codes = [assembly(number) for number in generator.sample(range(ASSEMBLIES), 200)]
    boards = [assemble(code) for code in codes]
    printed = [KATARENGA.start(board=board).legal_moves for board in boards]
    with_capture = [any("x" in move for move in moves) for moves in printed]
    assert 70 < sum(with_capture) < 130  # 50.7 % of all boards
    for board, moves in zip(boards, printed, strict=True):
        position = KATARENGA.start(board=board, first_capture="never")
        assert position.legal_moves == [move for move in moves if "x" not in move]
        position.play(position.legal_moves[0])
        assert not [move for move in position.legal_moves if "x" in move]


def test_the_option_forbids_only_each_sides_first_move() -> None:
    # Red baselines with nothing red between: every pawn sees the one opposite.
    board = "/".join(["RRRRRRRR", *["BBBBBBBB"] * 6, "RRRRRRRR"])
    assert "a1xa8" in KATARENGA.start(board=board).legal_moves
    position = KATARENGA.start(board=board, first_capture="never")
    assert "a1xa8" not in position.legal_moves
    position.play("a1-a2")
    assert "b8xb1" not in position.legal_moves
    position.play("a8-a7")
    assert "b1xb8" in position.legal_moves
    position.play("a2-a3")
    assert "b8xb1" in position.legal_moves


@pytest.mark.rotating(shares=4, first=1)
def test_every_official_board_leaves_both_sides_a_first_move() -> None:
    generator = random.Random(2)
    for code in map(assembly, generator.sample(range(ASSEMBLIES), 1_000)):
        board = assemble(code)
        for turned in (board, turn_board(board, 2)):
            assert 26 <= len(KATARENGA.start(board=turned).legal_moves) <= 42


def test_a_player_who_cannot_move_loses() -> None:
    # All yellow: the pawn on a1 sees b2 only, where its own side stands; b2 sees a3, c1 and c3, which White holds.
    position = KATARENGA.start(board="Y" * 64, variant="congress", position="8/8/8/8/8/w1w4w/1b6/b1w5 w - -")
    position.play("h3-g4")
    assert position.outcome == mchezo.Outcome((0,), (1.0, 0.0), "no-move")


def test_moving_is_compulsory_and_capturing_is_not() -> None:
    position = KATARENGA.start(board=BLUE, position="8/8/8/8/b7/w7/8/1w5b w - -")
    assert "a3xa4" in position.legal_moves
    assert "a3-b3" in position.legal_moves


def test_nobody_enters_a_camp_in_congress() -> None:
    position = KATARENGA.start(board=BLUE, variant="congress", position="w7/8/b7/8/8/8/8/w6b w - -")
    assert not [move for move in position.legal_moves if move[-1] in "09"]


class TestCongress:
    def test_pawns_of_the_other_side_block_and_are_not_captured(self) -> None:
        position = KATARENGA.start(board=BLUE, variant="congress", position="8/8/8/8/8/1b6/bw6/w6w w - -")
        assert not [move for move in position.legal_moves if "x" in move or move.endswith(("a2", "b3"))]

    def test_a_player_wins_with_all_pawns_in_one_orthogonal_group(self) -> None:
        position = KATARENGA.start(board=BLUE, variant="congress", position="b6b/8/8/8/8/1w6/8/w7 w - -")
        position.play("b3-b2")
        assert position.outcome is None  # corner to corner is not side by side
        position.play("a8-a7")
        position.play("b2-a2")
        assert position.outcome == mchezo.Outcome((0,), (1.0, 0.0), "connected")

    def test_a_hundred_moves_by_each_side_are_a_draw(self) -> None:
        position = KATARENGA.start(board=START_FIGURE, variant="congress")
        generator = random.Random(5)
        while position.outcome is None:
            for move in sorted(position.legal_moves, key=lambda _: generator.random()):
                after = position.copy()
                after.play(move)
                if after.outcome is None or after.outcome.reason == "hundred-moves":
                    break
            position.play(move)
        assert position.outcome.reason == "hundred-moves"
        assert len(position.moves) == 200


class TestQuebec:
    def test_a_lone_last_pawn_counts_as_connected(self) -> None:
        position = KATARENGA.start(board=BLUE, variant="quebec", position="b7/8/8/8/b7/w7/8/7w w - -")
        position.play("a3xa4")
        assert position.outcome == mchezo.Outcome((1,), (0.0, 1.0), "connected")

    def test_if_one_move_connects_both_sides_the_mover_wins(self) -> None:
        position = KATARENGA.start(board=BLUE, variant="quebec", position="b7/8/8/w7/b7/1w6/8/8 w - -")
        position.play("b3xa4")
        assert position.outcome == mchezo.Outcome((0,), (1.0, 0.0), "connected")


class TestIsolation:
    def test_no_pawn_may_attack_another_of_either_colour(self) -> None:
        position = KATARENGA.start(board=BLUE, variant="isolation")
        play(position, "@d4 @f6")
        assert "@e5" not in position.legal_moves
        assert "@d5" not in position.legal_moves
        assert "@d6" in position.legal_moves

    def test_by_option_pawns_of_one_colour_may_stand_together(self) -> None:
        position = KATARENGA.start(board=BLUE, variant="isolation", isolation="opposite")
        play(position, "@d4 @g7")
        assert "@d5" in position.legal_moves
        assert "@g6" not in position.legal_moves

    def test_a_pawn_between_two_others_shields_them(self) -> None:
        # Row 1 is red at both ends and blue between: from a1 a pawn sees along the row to h1.
        board = "/".join(["BBBBBBBB"] * 7 + ["RBBBBBBR"])
        position = KATARENGA.start(board=board, variant="isolation", isolation="opposite")
        play(position, "@a1 @d8")
        assert "@d1" in position.legal_moves  # White's own pawn, out of reach of d8
        position.play("@d1")
        assert "@f1" in position.legal_moves  # d1 shields it from a1
        assert "@c1" not in position.legal_moves

    def test_a_player_without_a_pawn_or_a_square_loses(self) -> None:
        generator = random.Random(1)
        position = KATARENGA.start(board=BLUE, variant="isolation")
        while position.outcome is None:
            position.play(generator.choice(position.legal_moves))
        loser = len(position.moves) % 2
        assert position.outcome == mchezo.Outcome((1 - loser,), (1.0 * loser, 1.0 - loser), "no-place")


@pytest.mark.parametrize("variant", ["katarenga", "congress", "quebec", "isolation"])
def test_every_random_game_ends(variant: str) -> None:
    generator = random.Random(variant)
    for number in range(10):
        position = KATARENGA.start(seed=number, variant=variant)
        while position.outcome is None:
            position.play(generator.choice(position.legal_moves))
        assert position.outcome.reason in KATARENGA.rules.reasons
