"""The printed examples 1 to 6 and the four move figures, in our own positions on the printed boards."""

import mchezo
from mchezo.games.katarenga.components import MOVES_FIGURE, START_FIGURE

KATARENGA = mchezo.game("katarenga")


def moves_from(square: str, position: str, board: str = MOVES_FIGURE) -> set[str]:
    """Return the targets of the pawn on a square."""
    legal = KATARENGA.start(board=board, position=position).legal_moves
    return {move[2:] for move in legal if move.startswith(square)}


def reached(row: int, column: int) -> set[tuple[int, int]]:
    """Return where a single pawn can go on the figures' board, as row and column from the top left, from 1."""
    square = f"{'abcdefgh'[column - 1]}{9 - row}"
    ranks = [["."] * 8 for _ in range(8)]
    ranks[row - 1][column - 1] = "w"
    # A second pawn each, and Black's first, stand where they are not in the way: in a camp, and in a far corner.
    corner = (0, 0) if row > 4 or column > 4 else (7, 7)
    ranks[corner[0]][corner[1]] = "b"
    position = "/".join("".join(rank) for rank in ranks)
    legal = moves_from(square, f"{position} w a a")
    return {(9 - int(move[2]), "abcdefgh".index(move[1]) + 1) for move in legal if move[2] != "9"}


def test_the_knight_of_the_figure_jumps_to_eight_squares() -> None:
    assert reached(3, 6) == {(1, 5), (1, 7), (2, 4), (2, 8), (4, 4), (4, 8), (5, 5), (5, 7)}


def test_the_bishop_of_the_figure_runs_to_the_next_yellow_square_or_the_edge() -> None:
    expected = {(4, 4), (3, 3), (2, 2)} | {(4, 6), (3, 7)} | {(6, 4)} | {(6, 6), (7, 7), (8, 8)}
    assert reached(5, 5) == expected


def test_the_rook_of_the_figure_runs_to_the_next_red_square_or_the_edge() -> None:
    expected = {(4, 6), (3, 6), (2, 6)} | {(5, 5), (5, 4), (5, 3), (5, 2)} | {(5, 7), (5, 8)} | {(6, 6), (7, 6), (8, 6)}
    assert reached(5, 6) == expected


def test_the_king_of_the_figure_steps_to_all_eight_neighbours() -> None:
    expected = {(row, column) for row in (3, 4, 5) for column in (5, 6, 7)} - {(4, 6)}
    assert reached(4, 6) == expected


def test_example_1_a_pawn_on_red_goes_no_further_than_the_next_red_square() -> None:
    # f4 is red; leftwards the next red square is b4, upwards f7: the lines beyond them are closed.
    moves = moves_from("f4", "bbbbb1bb/8/8/8/5b2/8/8/wwwwwwww b - -")
    assert moves == {"-e4", "-d4", "-c4", "-b4", "-g4", "-h4", "-f5", "-f6", "-f7", "-f3", "-f2", "xf1"}


def test_example_2_a_pawn_on_red_captures_the_enemy_pawn_in_its_way() -> None:
    position = KATARENGA.start(board=MOVES_FIGURE, position="bbbbb1bb/8/8/8/3w1b2/8/8/www1wwww b - -")
    assert "f4xd4" in position.legal_moves
    assert "f4-c4" not in position.legal_moves
    position.play("f4xd4")
    view = position.view()
    assert "d4" in view["pawns"]["black"]
    assert len(view["pawns"]["white"]) == 7


def test_example_2_a_friendly_pawn_blocks_its_square_and_everything_beyond() -> None:
    moves = moves_from("f4", "bbbb2bb/8/8/8/3b1b2/8/8/wwwwwwww b - -")
    assert not moves & {"-d4", "xd4", "-c4", "-b4"}
    assert "-e4" in moves


def test_example_3_a_pawn_may_reach_the_enemy_baseline_but_never_pass_it_in_the_same_move() -> None:
    # Black 1 on f4 (red) can run to the baseline; Black 2 on b2 (yellow) can, and can capture there;
    # Black 3 on g2 (red) cannot, for Black 4 stands on g1 in its way. Only Black 4 may enter a camp.
    legal = KATARENGA.start(board=MOVES_FIGURE, position="8/8/8/8/5b2/8/1b4b1/2w1w1b1 b - -").legal_moves
    assert "f4-f1" in legal
    assert {"b2-a1", "b2xc1"} <= set(legal)
    assert not [move for move in legal if move.startswith("g2") and move.endswith("1")]
    assert {move for move in legal if move.endswith("0")} == {"g1-a0", "g1-h0"}


def test_example_3_a_pawn_on_the_enemy_baseline_may_move_along_it_capture_there_and_go_back() -> None:
    legal = KATARENGA.start(board=MOVES_FIGURE, position="8/8/8/8/7b/8/8/b1w4w b - -").legal_moves
    # a1 is red on the figures' board.
    assert {"a1xc1", "a1-b1", "a1-a2", "a1-a0", "a1-h0"} <= set(legal)


def test_example_4_a_pawn_on_the_enemy_baseline_enters_either_free_camp_whatever_its_colour() -> None:
    for file in "abcdefgh":
        at = "abcdefgh".index(file)
        rank = "." * at + "b" + "." * (7 - at)
        position = KATARENGA.start(board=START_FIGURE, position=f"4b3/8/8/8/8/8/w6w/{rank} b - -")
        assert {f"{file}1-a0", f"{file}1-h0"} <= set(position.legal_moves)
        position.play(f"{file}1-h0")
        view = position.view()
        assert view["camps"] == {"a9": None, "h9": None, "a0": None, "h0": "black"}
        assert view["quiet_moves"] == 0
        assert position.to_move == 0
        assert position.outcome is None


def test_example_4_an_occupied_camp_is_closed_and_its_pawn_is_out_of_play() -> None:
    legal = KATARENGA.start(board=START_FIGURE, position="8/8/8/8/8/8/w6w/b3b3 b - h").legal_moves
    assert "a1-a0" in legal
    assert not [move for move in legal if move.endswith("h0") or move.startswith("h0")]


def test_example_5_black_occupies_both_enemy_camps_and_wins() -> None:
    position = KATARENGA.start(board=START_FIGURE, position="8/8/8/8/8/8/w6w/b3b3 b - h")
    position.play("e1-a0")
    assert position.outcome == mchezo.Outcome((1,), (0.0, 1.0), "both-camps")
    assert position.legal_moves == []


def test_example_6_white_has_too_few_pawns_left_and_loses() -> None:
    position = KATARENGA.start(board=MOVES_FIGURE, position="8/8/8/8/3w1b2/8/b7/7w b - -")
    position.play("f4xd4")
    assert position.outcome == mchezo.Outcome((1,), (0.0, 1.0), "too-few-pawns")


def test_example_6_a_pawn_in_a_camp_counts_towards_the_two() -> None:
    position = KATARENGA.start(board=MOVES_FIGURE, position="8/8/8/8/3w1b2/8/b7/7w b a -")
    position.play("f4xd4")
    assert position.outcome is None
