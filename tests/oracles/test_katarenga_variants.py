"""The worked examples of the rules, played on the rule books for more games with the Katarenga kit."""

import random

import pytest

from tests.oracles.katarenga import LETTERS, SQUARES_FROM_TOP, TURNS, Katarenga
from tests.oracles.katarenga_placing import (
    QUARTERS,
    BattleStations,
    Cornered,
    IsolationAlone,
    Quartermaster,
    Troika,
)
from tests.oracles.katarenga_racing import COLOURS, CentralPark, Colorado, Greengage, NorthWestPassage
from tests.oracles.katarenga_variants import FIGURES, START_ARRAY, Board, Game, after, read_ranks, write_ranks

S = START_ARRAY  # all examples stand on it

WHITE, BLACK = (0,), (1,)
NOBODY: tuple[int, ...] = ()


def moves_from(game: Game, square: str) -> list[str]:
    return [move for move in game.legal_moves() if move.startswith(square)]


def moves_onto_pawns(game: Game) -> list[str]:
    occupied = read_ranks(game.position().split()[0].replace("m", "[wb]"))
    return [move for move in game.legal_moves() if move[3:] in occupied]


def placements(squares: str) -> list[str]:
    return [f"@{square}" for square in squares.split()]


class TestNotation:
    def test_a_board_may_be_written_with_or_without_slashes(self) -> None:
        assert Troika(S.replace("/", "")).legal_moves() == Troika(S).legal_moves()

    @pytest.mark.parametrize("letters", ["", S[:-1], S.replace("R", "X")])
    def test_a_board_has_64_colours(self, letters: str) -> None:
        with pytest.raises(ValueError, match="64 letters"):
            Board(letters)

    def test_ranks_are_written_as_they_are_read(self) -> None:
        ranks = "[wb]6[wwbb]/8/1b1w4/3[www]4/8/8/8/w6b"
        assert read_ranks(ranks)["h8"] == "wwbb"
        assert write_ranks(read_ranks(ranks)) == ranks

    @pytest.mark.parametrize("ranks", ["8/8/8/8/8/8/8", "8/8/8/8/8/8/8/9", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/7x"])
    def test_ranks_have_eight_squares(self, ranks: str) -> None:
        with pytest.raises(ValueError):  # noqa: PT011, however it says so
            read_ranks(ranks)

    def test_an_illegal_move_is_refused(self) -> None:
        with pytest.raises(ValueError, match="illegal move: @i9"):
            Troika(S).play("@i9")


class TestTroika:
    def test_a_pawn_goes_where_the_last_one_reaches(self) -> None:
        assert len(Troika(S).legal_moves()) == 64
        assert after(Troika(S), "@d4").legal_moves() == placements("c3 c4 c5 d3 d5 e3 e4 e5")
        assert after(Troika(S), "@a4").legal_moves() == placements("a1 a2 a3 a5 a6 a7 a8 b4 c4 d4 e4 f4")

    def test_a_line_may_have_any_slope(self) -> None:
        moves = "@a1 @b3 @d3 @e5 @g5"
        assert after(Troika(S), moves).outcome == (WHITE, "line")
        straight = after(Troika(S, line="straight"), moves)
        assert straight.outcome is None
        assert straight.position() == "8/8/8/4b1w1/8/1b1w4/8/w7 b g5"

    @pytest.mark.parametrize("squares", ["a1 a2 a8", "h1 e1 b1", "a1 d4 h8", "h2 c7 g3"])
    def test_a_straight_line_may_have_any_distances(self, squares: str) -> None:
        first, second, third = squares.split()
        assert Troika(S)._in_line(first, second, third)
        assert Troika(S, line="straight")._in_line(third, first, second)

    def test_nobody_leaves_the_opponent_without_an_answer(self) -> None:
        assert "h1" in Board(S).reach("e1", ["g2", "e1"])
        assert Board(S).reach("h1", ["g2", "e1", "h1"]) == ["g2"]
        assert "@h1" not in after(Troika(S), "@g2 @e1").legal_moves()

    def test_an_answer_that_would_leave_nothing_does_not_count(self) -> None:
        pawns = ["c7", "d6", "e7"]
        assert "d7" in Board(S).reach("e7", pawns)
        assert [square for square in Board(S).reach("d7", pawns) if square not in pawns] == ["d8"]
        assert {*Board(S).reach("d8", pawns)} == {"c7", "e7"}
        assert "@d7" not in after(Troika(S), "@c7 @d6 @e7").legal_moves()

    def test_sixteen_pawns_without_a_line_are_a_draw(self) -> None:
        game = after(Troika(S), "@a2 @b1 @c1 @c5 @c3 @d2 @d5 @f4 @f5 @e7 @d8 @b6 @b7 @c8 @b8 @d7")
        assert game.outcome == (NOBODY, "all-placed")

    def test_by_option_pawns_are_lifted_when_all_are_placed(self) -> None:
        game = after(Troika(S, after_all="move"), "@a2 @b1 @c1 @c5 @c3 @d2 @d5 @f4 @f5 @e7 @d8 @b6 @b7 @c8 @b8 @d7")
        assert game.position() == "1wbw4/1w1bb3/1b6/2bw1w2/5b2/2w5/w2b4/1bw5 w d7"
        # The lifted pawn does not block: without d5 the red pawn on d7 reaches d4 and d3 as well.
        assert moves_from(game, "d5") == ["d5@c7", "d5@d3", "d5@d4", "d5@d6"]
        assert [moves_from(game, square) for square in ("a2", "d8")] == [["a2@c7", "a2@d6"], ["d8@c7", "d8@d6"]]
        assert after(game, "d5@d3").position() == "1wbw4/1w1bb3/1b6/2b2w2/5b2/2ww4/w2b4/1bw5 b d3"

    def test_a_lifted_pawn_may_not_return_to_its_own_square(self) -> None:
        game = Troika(S, "3wbw2/5bwb/1b3bw1/8/2w5/1ww5/b2bw3/3b4 w d1", after_all="move")
        # The yellow pawn on d1 would come to b3 and e2, were they empty.
        assert moves_from(game, "b3") == ["b3@a4", "b3@c2"]
        assert moves_from(game, "e2") == ["e2@c2"]


class TestBattleStations:
    def test_captures_are_compulsory_and_a_player_without_one_passes(self) -> None:
        game = BattleStations(S, "8/8/8/4w1bb/8/8/8/8 w 0 0")
        assert game.legal_moves() == ["e5xg5"]
        assert after(game, "e5xg5").legal_moves() == ["pass"]
        assert after(game, "pass").legal_moves() == ["g5xh5"]
        assert after(game, "g5xh5").outcome == (WHITE, "more-pawns")
        assert game.points == 1

    def test_the_second_player_wins_with_equal_numbers(self) -> None:
        game = BattleStations(S, "8/8/8/8/8/8/8/w6b w 0 0")
        assert game.outcome == (BLACK, "equal-pawns")
        assert game.points == 1

    def test_two_pawns_against_one_win_two_points(self) -> None:
        game = BattleStations(S, "w6w/8/8/8/8/8/8/7b w 0 0")
        assert game.outcome == (WHITE, "more-pawns")
        assert game.points == 2

    def test_a_game_may_end_with_the_last_placement(self) -> None:
        game = BattleStations(S, "8/8/8/8/8/8/8/w7 b 0 1")
        assert len(game.legal_moves()) == 63
        assert after(game, "@h1").outcome == (BLACK, "equal-pawns")

    def test_the_player_who_placed_first_begins_the_battle(self) -> None:
        game = BattleStations(S)
        for square in SQUARES_FROM_TOP[16:32]:
            assert len(game.legal_moves()) == 64 - SQUARES_FROM_TOP.index(square) + 16
            game.play(f"@{square}")
        assert game.position() == "8/8/wbwbwbwb/wbwbwbwb/8/8/8/8 w 0 0"
        assert all("x" in move for move in game.legal_moves())


class TestCornered:
    def test_the_edges_of_the_quarter_are_the_edges_of_the_game(self) -> None:
        assert len(Cornered(S).legal_moves()) == 16
        assert after(Cornered(S), "@a1").legal_moves() == placements("b3 c2")

    def test_the_last_pawn_wins_a_point_for_every_pawn(self) -> None:
        game = after(Cornered(S), "@c2 @d1")
        assert game.outcome == (BLACK, "no-place")
        assert game.points == 2

    @pytest.mark.parametrize("quarter", QUARTERS)
    def test_nothing_beyond_the_quarter_counts(self, quarter: str) -> None:
        masked = "".join(colour if square in QUARTERS[quarter] else "R" for square, colour in Board(S).colour.items())
        generator = random.Random(quarter)
        game, twin = Cornered(S, quarter=quarter), Cornered(masked, quarter=quarter)
        while game.outcome is None:
            assert game.legal_moves() == twin.legal_moves()
            assert {move[1:] for move in game.legal_moves()} <= set(QUARTERS[quarter])
            move = generator.choice(game.legal_moves())
            game.play(move)
            twin.play(move)
        assert game.outcome == twin.outcome


class TestQuartermaster:
    def test_all_pawns_fit_into_one_area(self) -> None:
        assert len(Quartermaster(S).legal_moves()) == 64
        assert after(Quartermaster(S), "@a1 @b3").legal_moves() == placements("a3 b1 b2 b4 c3 d3")
        assert {"e3", "f3", "g3", "b5", "b6"} <= {*Board(S).reach("b3", ["a1"])}


class TestCentralPark:
    def test_white_has_twenty_first_moves(self) -> None:
        moves = CentralPark(S).legal_moves()
        assert len(moves) == 20
        assert {"h1-d5", "h1-e4"} <= {*moves}

    def test_the_enemys_homing_square_is_closed(self) -> None:
        game = after(CentralPark(S), "h1-d5")
        assert game.position() == "[wb]6[wb]/8/8/3w4/8/8/8/[wb]6b b 4 4 d5 -"
        assert moves_from(game, "h1") == ["h1-e4", "h1-f3", "h1-g2"]

    def test_a_lost_pawn_is_replaced_on_a_corner_that_the_capturer_chooses(self) -> None:
        game = after(CentralPark(S), "a1-b3 h1-f3")
        assert moves_from(game, "b3x") == ["b3xf3@a1", "b3xf3@a8", "b3xf3@h1", "b3xf3@h8"]
        assert after(game, "b3xf3@a8").position() == "[wbb]6[wb]/8/8/8/8/5w2/8/b6w b 4 3 - -"

    def test_a_pawn_on_a_corner_does_not_capture(self) -> None:
        assert moves_from(after(CentralPark(S), "a1-b3 h1-g2"), "h1") == []

    def test_a_pawn_on_another_square_of_the_centre_leaves_it(self) -> None:
        game = after(CentralPark(S), "h1-d5 h8-h7 a1-c2 h7-f6 c2-d3 f6-e7 d3-e5 a1-c2")
        assert game.position() == "[wb]6w/4b3/8/3ww3/8/8/2b5/7b w 4 4 d5 - e5"
        assert {move[:2] for move in game.legal_moves()} == {"e5"}
        assert {"e5-d5", "e5-e6", "e5xe7@h1"} <= {*game.legal_moves()}
        assert after(game, "e5-d5").position() == "[wb]6w/4b3/8/3[ww]4/8/8/2b5/7b b 4 4 d5 -"

    def test_four_pawns_on_the_homing_square_win(self) -> None:
        game = CentralPark(S, "[bb]6[bb]/8/8/8/3[www]4/2w5/8/8 w 4 4 d4 -")
        assert "c3-d4" in game.legal_moves()
        assert after(game, "c3-d4").outcome == (WHITE, "parked")

    def test_the_fifth_capture_wins(self) -> None:
        game = CentralPark(S, "[bb]6b/8/8/8/2b5/8/1w6/[ww]6w w 4 0 - -")
        assert moves_from(game, "b2x") == ["b2xc4"]
        assert after(game, "b2xc4").outcome == (WHITE, "too-few-pawns")

    def test_a_player_without_a_move_passes(self) -> None:
        game = CentralPark(S, "8/8/8/8/8/8/6b1/[bbb]6[wwww] w 4 4 - -")
        assert game.legal_moves() == ["pass"]
        assert after(game, "pass").to_move == 1

    def test_a_corner_holds_four(self) -> None:
        three = CentralPark(S, "[bbb]7/8/8/8/8/8/7w/w6[wwb] w 4 4 - -")
        assert "h2-h1" in three.legal_moves()
        assert after(three, "h2-h1").position() == "[bbb]7/8/8/8/8/8/8/w6[wwwb] b 4 4 - -"
        four = CentralPark(S, "[bb]7/8/8/8/8/8/7w/w6[wwbb] w 4 4 - -")
        assert "h2-h1" not in four.legal_moves()

    def test_no_pawn_enters_on_a_full_corner(self) -> None:
        game = CentralPark(S, "[bb]7/8/8/8/2b5/8/1w6/[wwwb]7 w 4 4 - -")
        assert moves_from(game, "b2x") == ["b2xc4@a8", "b2xc4@h1", "b2xc4@h8"]

    def test_capturing_in_the_centre_settles_the_first_pawn(self) -> None:
        game = CentralPark(S, "8/8/8/2w1b3/3b4/8/8/[wwbb]6w w 4 4 - d4")
        assert after(game, "c5xe5@a8").position() == "b7/8/8/4w3/3b4/8/8/[wwbb]6w b 4 3 e5 d4"

    def test_capturing_in_the_centre_obliges_a_later_pawn_to_leave(self) -> None:
        game = CentralPark(S, "8/8/8/2w1b3/3bw3/8/8/[wbb]6w w 4 4 e4 d4")
        assert after(game, "c5xe5@a8").position() == "b7/8/8/4w3/3bw3/8/8/[wbb]6w b 4 3 e4 d4"
        assert after(game, "a8-a7").position() == "8/b7/8/4w3/3bw3/8/8/[wbb]6w w 4 3 e4 d4 e5"
        assert {move[:2] for move in game.legal_moves()} == {"e5"}


class TestColorado:
    ARRIVAL = "b7/4w2b/8/8/8/8/8/3w4 w"

    def test_white_has_thirty_first_moves(self) -> None:
        assert len(Colorado(S).legal_moves()) == 30

    def test_a_pawn_at_home_is_exposed_for_one_move(self) -> None:
        game = after(Colorado(S, self.ARRIVAL), "e7-e8")
        assert game.position() == "b3w3/7b/8/8/8/8/8/3w4 b e8"
        assert "a8xe8" in game.legal_moves()
        game = after(Colorado(S, self.ARRIVAL), "e7-e8 h7-g5 d1-c2")
        assert game.position() == "b3w3/8/8/6b1/8/8/2w5/8 b -"
        along_the_rank = [move for move in game.legal_moves() if move.startswith("a8") and move.endswith("8")]
        assert along_the_rank == ["a8-b8", "a8-c8", "a8-d8"]

    def test_each_new_arrival_exposes_again(self) -> None:
        game = Colorado(S, "b4w2/7b/8/8/8/8/8/3w4 b -")
        assert "a8-e8" in game.legal_moves()
        assert "a8xf8" not in game.legal_moves()
        assert "a8xf8" in Colorado(S, "b4w2/7b/8/8/8/8/8/3w4 b f8").legal_moves()
        assert "a8xe8" in after(game, "h7-g5 f8-e8").legal_moves()

    def test_bringing_the_last_pawn_home_wins_even_if_it_captures_the_last_enemy(self) -> None:
        assert after(Colorado(S, "3b4/2w5/8/8/8/8/8/8 w"), "c7xd8").outcome == (WHITE, "all-home")

    def test_capturing_the_last_enemy_does_not_win(self) -> None:
        position = "8/8/2w5/4b3/8/8/8/3w4 w"
        assert after(Colorado(S, position), "c6xe5").outcome == (NOBODY, "no-pawns")
        assert after(Colorado(S, position, wipeout="loss"), "c6xe5").outcome == (BLACK, "no-pawns")

    def test_capturing_the_last_enemy_that_is_not_home_makes_the_enemy_win(self) -> None:
        assert after(Colorado(S, "7w/8/8/2w1b3/8/6b1/8/8 b"), "e5xc5").outcome == (WHITE, "all-home")

    def test_the_mover_wins_when_both_are_home(self) -> None:
        assert after(Colorado(S, "3b4/2w5/8/8/8/8/8/b7 w"), "c7xd8").outcome == (WHITE, "all-home")

    @pytest.mark.parametrize("turn", TURNS)
    def test_the_first_two_moves_are_those_of_katarenga_without_captures(self, turn: str) -> None:
        game = after(Colorado(FIGURES, choose_baseline=True), turn)
        katarenga = Katarenga(FIGURES, first_capture="never", choose_baseline=True)
        katarenga.play(turn)
        assert game.legal_moves() == katarenga.legal_moves()
        move = game.legal_moves()[0]
        game.play(move)
        katarenga.play(move)
        assert game.legal_moves() == katarenga.legal_moves()

    def test_the_third_occurrence_draws(self) -> None:
        there_and_back = " d1-c2 a8-a4 c2-d1 a4-a8"
        assert after(Colorado(S, self.ARRIVAL), there_and_back).outcome is None
        assert after(Colorado(S, self.ARRIVAL), 2 * there_and_back).outcome == (NOBODY, "repetition")

    def test_a_pawn_that_is_exposed_makes_another_position(self) -> None:
        game = after(Colorado(S, "b4w2/7b/8/8/8/8/8/3w4 b -"), 2 * " a8-a4 f8-f4 a4-a8 f4-f8")
        assert game.position() == "b4w2/7b/8/8/8/8/8/3w4 b f8"
        assert game.outcome is None
        assert after(game, "a8-a4").outcome == (NOBODY, "repetition")

    def test_fifty_moves_by_each_without_a_capture_draw(self) -> None:
        game = Colorado(S, "8/8/8/b7/8/8/7b/w6w w")
        game._quiet_moves = 99
        assert game.outcome is None
        assert after(game, game.legal_moves()[0]).outcome == (NOBODY, "fifty-moves")


class TestNorthWestPassage:
    BOTH_ONE_SHORT = "b7/1b4w1/2b2w1w/3bw3/3wb3/2w2b2/1w4bb/w7"

    def test_white_has_45_first_moves(self) -> None:
        game = NorthWestPassage(S)
        assert len(game.legal_moves()) == 45
        assert moves_onto_pawns(game) == ["c6-d4", "c6-e5", "d5-c3", "d5-f6", "e4-c3", "e4-f6"]

    def test_a_pawn_landed_on_must_leave(self) -> None:
        game = after(NorthWestPassage(S), "d5-c3")
        assert game.position() == "w6b/1w4b1/2w2b2/4b3/3bw3/2m2w2/1b4w1/b6w b"
        assert game.legal_moves() == ["c3-a5", "c3-b4", "c3-d2", "c3-e1"]
        assert after(game, "c3-b4").position() == "w6b/1w4b1/2w2b2/4b3/1b1bw3/2w2w2/1b4w1/b6w w"

    def test_a_pawn_that_must_leave_may_land_on_a_pawn_too(self) -> None:
        game = after(NorthWestPassage(S), "c6-d4 d4-d5")
        assert game.position() == "w6b/1w4b1/5b2/3mb3/3ww3/2b2w2/1b4w1/b6w w"
        assert {move[:2] for move in game.legal_moves()} == {"d5"}

    def test_a_pawn_that_could_not_leave_is_not_landed_on(self) -> None:
        assert "d5-c3" not in NorthWestPassage(S, "8/8/8/3w4/1b1b4/2b5/1b1w4/8 w").legal_moves()
        assert "d5-c3" in NorthWestPassage(S, "8/8/8/3w4/3b4/2b5/1b1w4/8 w").legal_moves()
        # The square that the landing pawn has left is empty.
        assert after(NorthWestPassage(S, "8/8/8/8/1b1w4/2b5/1b1w4/8 w"), "d4-c3").legal_moves() == [
            "c3-d4",
            "c3-e5",
            "c3-f6",
        ]

    def test_black_has_one_more_move_after_white_has_filled(self) -> None:
        game = after(NorthWestPassage(S, f"{self.BOTH_ONE_SHORT} w"), "h6-h8")
        assert game.to_move == 1
        assert after(game.copy(), "h2-h1").outcome == (NOBODY, "both-filled")
        assert after(game, "h2-h3").outcome == (WHITE, "filled")
        assert game.points == 1

    def test_white_has_no_move_after_black_has_filled(self) -> None:
        game = after(NorthWestPassage(S, f"{self.BOTH_ONE_SHORT} b"), "h2-h1")
        assert game.outcome == (BLACK, "filled")
        assert game.points == 1


class TestGreengage:
    def test_pawns_begin_on_the_green_squares(self) -> None:
        game = Greengage(S)
        assert game.position() == "1b2b3/5b1b/b1b5/3b1b2/1w2w3/3w3w/1w4w1/w4w2 w"
        assert len(game.legal_moves()) == 36
        assert moves_onto_pawns(game) == ["b4-a6", "b4-c6", "b4-d5"]

    def test_a_pawn_landed_on_must_leave(self) -> None:
        game = after(Greengage(S), "b4-a6")
        assert game.position() == "1b2b3/5b1b/m1b5/3b1b2/4w3/3w3w/1w4w1/w4w2 b"
        assert game.legal_moves() == ["a6-b4", "a6-c5", "a6-c7"]

    def test_the_first_to_fill_the_targets_wins_at_once(self) -> None:
        game = Greengage(S, "1w6/4ww1w/w1w5/3w1w2/1b6/8/8/8 w")
        assert after(game, "e7-e8").outcome == (WHITE, "filled")
        shared = after(Greengage(S, "1w2b3/4ww1w/w1w5/3w1w2/8/8/8/8 w"), "e7-e8")
        assert shared.position() == "1w2m3/5w1w/w1w5/3w1w2/8/8/8/8 b"
        assert shared.outcome == (WHITE, "filled")

    @pytest.mark.parametrize("to_colour", COLOURS)
    @pytest.mark.parametrize("from_colour", COLOURS)
    def test_every_pair_of_colours_but_red_to_red_is_a_game(self, from_colour: str, to_colour: str) -> None:
        if from_colour == to_colour == "red":
            with pytest.raises(ValueError, match="red to red"):
                Greengage(S, from_colour=from_colour, to_colour=to_colour)
            return
        game = Greengage(S, from_colour=from_colour, to_colour=to_colour)
        pawns = read_ranks(game.position().split()[0])
        assert {Board(S).colour[square] for square in pawns} == {COLOURS[from_colour]}
        assert {square[1] in "1234" for square, side in pawns.items() if side == "w"} == {True}
        assert [list(pawns.values()).count(side) for side in LETTERS] == [8, 8]
        # Pawns are landed on only where they stand on a target of the side to move.
        landings = moves_onto_pawns(game)
        assert {Board(S).colour[move[3:]] for move in landings} <= {COLOURS[to_colour]}
        assert not landings or from_colour == to_colour

    def test_a_board_has_eight_squares_of_the_colours_in_each_half(self) -> None:
        with pytest.raises(ValueError, match="eight squares"):
            Greengage("R" * 64)


class TestIsolationAlone:
    ALL_SIXTEEN = placements("b1 d1 f1 g2 a3 d3 h3 e4 d5 f5 a6 c6 f7 h7 c8 e8")

    @pytest.mark.parametrize("seed", range(5))
    def test_sixteen_pawns_fit_in_any_order(self, seed: int) -> None:
        order = random.Random(seed).sample(self.ALL_SIXTEEN, 16)
        game = after(IsolationAlone(S), " ".join(order))
        assert game.outcome == (NOBODY, "all-placed")
        assert game.points == 16

    def test_no_two_of_the_sixteen_reach_each_other_without_blockers(self) -> None:
        squares = [move[1:] for move in self.ALL_SIXTEEN]
        assert not any(end in squares for square in squares for end in Board(S).reach(square, []))

    def test_no_pawn_is_placed_where_another_reaches(self) -> None:
        moves = after(IsolationAlone(S), "@d4").legal_moves()
        assert not {*moves} & {*placements("c3 c4 c5 d3 d5 e3 e4 e5")}

    def test_the_first_answers_are_those_of_isolation_for_two(self) -> None:
        generator = random.Random(0)
        game, isolation = IsolationAlone(S), Katarenga(S, variant="isolation")
        while game.outcome is None:
            assert game.legal_moves() == isolation.legal_moves()
            move = generator.choice(game.legal_moves())
            game.play(move)
            isolation.play(move)
