"""Setups: boards, positions and options, and the rejection of everything that is not one."""

from typing import Any

import pytest

import mchezo
from mchezo.games.katarenga.components import START_FIGURE, assemble, tile_code

KATARENGA = mchezo.game("katarenga")
START_ARRAY = "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -"


def test_a_board_may_be_given_as_letters_with_or_without_slashes_or_as_a_tile_code() -> None:
    code = tile_code(START_FIGURE)
    assert code is not None
    for board in (START_FIGURE, START_FIGURE.replace("/", ""), code):
        assert KATARENGA.start(board=board).view()["board"] == START_FIGURE


def test_without_a_board_one_of_the_box_is_drawn_from_the_seed_and_black_chooses_the_baseline() -> None:
    position = KATARENGA.start(seed=7)
    assert tile_code(position.options["board"]) is not None
    assert position.drawn == ("board",)
    assert position.options["board"] == KATARENGA.start(seed=7).options["board"]
    assert position.options["board"] != KATARENGA.start(seed=8).options["board"]
    assert position.to_move == 1
    assert position.legal_moves == ["turn0", "turn90", "turn180", "turn270"]


def test_black_turns_the_board_clockwise_and_white_begins() -> None:
    board = assemble("A0B0C0D0")
    position = KATARENGA.start(board=board, choose_baseline=True)
    assert position.view()["in_hand"] == {"white": 8, "black": 8}
    position.play("turn90")
    view = position.view()
    # Turned clockwise, the left edge from the bottom up becomes the top edge from left to right.
    assert view["board"].split("/")[0] == "".join(row[0] for row in reversed(board.split("/")))
    assert view["position"] == START_ARRAY
    assert position.to_move == 0


def test_there_is_no_choice_of_baseline_on_a_given_board_or_in_the_variants() -> None:
    assert KATARENGA.start(board=START_FIGURE).to_move == 0
    for variant in ("congress", "quebec", "isolation"):
        assert KATARENGA.start(seed=1, variant=variant).to_move == 0


def test_congress_has_its_own_start_array() -> None:
    position = KATARENGA.start(board=START_FIGURE, variant="congress").view()["position"]
    assert position == "1b1wb1w1/w6b/8/b6w/w6b/8/b6w/1w1bw1b1 w - -"


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"board": 7}, "board-not-text"),
        ({"board": START_FIGURE.replace("R", "X")}, "board-letter"),
        ({"board": START_FIGURE[:-1]}, "board-size"),
        ({"board": ""}, "board-size"),
        ({"board": START_FIGURE.replace("/", "", 1) + "/"}, "board-ranks"),
        ({"board": "A0A1B0C0"}, "board-tiles"),
        ({"variant": "chess"}, "not-one-of"),
        ({"variant": 1}, "not-one-of"),
        ({"first_capture": "always"}, "not-one-of"),
        ({"isolation": "none", "variant": "isolation"}, "not-one-of"),
        ({"choose_baseline": "yes"}, "not-yes-no"),
        ({"choose_baseline": True, "variant": "congress"}, "baseline-variant"),
        ({"choose_baseline": True, "position": START_ARRAY}, "baseline-position"),
        ({"isolation": "opposite"}, "isolation-only"),
        ({"first_capture": "never", "variant": "quebec"}, "first-capture-only"),
        ({"first_capture": "never", "position": "bb6/8/8/8/8/8/8/ww6 w - -"}, "first-capture-only"),
        ({"colour": "red"}, "unknown-option"),
        ({"chance": "dice"}, "chance"),
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": "abc"}, "seed"),
        ({"seed": 1 << 256}, "seed"),
        ({"position": 5}, "position-not-text"),
        ({"position": "8/8/8/8/8/8/8/8"}, "position-parts"),
        ({"position": "bb6/8/8/8/8/8/8/ww6 x - -"}, "position-side"),
        ({"position": "bb6/8/8/8/8/8/8/ww6 w c -"}, "position-camps"),
        ({"position": "bb6/8/8/8/8/8/ww6 w - -"}, "position-ranks"),
        ({"position": "bb6/8/8/8/8/8/8/wq6 w - -"}, "position-letter"),
        ({"position": "bb6/8/8/8/8/8/8/ww7 w - -"}, "position-rank-size"),
        ({"position": "bb6/8/8/8/8/8/8/ww5 w - -"}, "position-rank-size"),
        ({"position": "bb6/8/8/8/8/8/w7/wwwwwwww w - -"}, "position-too-many"),
        ({"position": "bb6/8/8/8/8/8/8/wwwwwwww w a -"}, "position-too-many"),
        ({"position": "b7/8/8/8/8/8/8/w7 w - -"}, "position-both-too-few"),
        ({"position": "b7/8/8/8/8/8/8/w7 w ah ah"}, "position-both-camps"),
        ({"position": "bb6/8/8/8/8/8/8/ww6 w a -", "variant": "congress"}, "position-no-camps"),
        ({"position": "8/8/8/8/8/8/8/ww6 w - -", "variant": "quebec"}, "position-no-pawn"),
        ({"position": "bb6/8/8/8/8/8/8/ww6 w - -", "variant": "congress"}, "position-both-connected"),
        ({"position": "8/8/8/8/8/8/8/ww6 w - -", "variant": "isolation", "board": "B" * 64}, "position-not-isolated"),
    ],
)
def test_a_wrong_setup_is_rejected_with_its_reason(options: dict[str, Any], key: str) -> None:
    with pytest.raises(mchezo.InvalidSetup) as refused:
        KATARENGA.start(**{"board": START_FIGURE, **options})
    assert refused.value.key == key
    for language in ("en", "de", "fr", "nl"):
        assert refused.value.say(language)


@pytest.mark.parametrize(
    ("position", "variant", "winner", "reason"),
    [
        ("bb6/8/8/8/8/8/8/ww6 b ah -", "katarenga", 0, "both-camps"),
        ("bb6/8/8/8/8/8/8/ww6 w - ah", "katarenga", 1, "both-camps"),
        ("bb6/8/8/8/8/8/8/w7 w - -", "katarenga", 1, "too-few-pawns"),
        ("b7/8/8/8/8/8/8/ww6 b - -", "katarenga", 0, "too-few-pawns"),
        ("bb6/8/8/8/8/8/8/w1w5 w - -", "congress", 1, "connected"),
        ("b1b5/8/8/8/8/8/8/w7 w - -", "quebec", 0, "connected"),
    ],
)
def test_a_given_position_that_is_decided_is_a_finished_game(
    position: str, variant: str, winner: int, reason: str
) -> None:
    game = KATARENGA.start(board=START_FIGURE, position=position, variant=variant)
    assert game.to_move is None
    assert game.outcome is not None
    assert game.outcome.winners == (winner,)
    assert game.outcome.reason == reason
    with pytest.raises(mchezo.IllegalMove) as refused:
        game.play("a1-a2")
    assert refused.value.key == "game-over"


def test_a_given_isolation_position_keeps_the_unplaced_pawns_in_hand() -> None:
    position = KATARENGA.start(board="B" * 64, variant="isolation", position="w7/8/8/8/8/8/8/7b w - -")
    assert position.view()["in_hand"] == {"white": 7, "black": 7}
    assert "@b7" not in position.legal_moves
    assert "@c8" in position.legal_moves


def test_several_isolation_games_start_from_given_positions() -> None:
    # Squares are 64 bits of which the highest may be set: the second check once failed on that.
    for _ in range(2):
        position = "5w2/8/8/2b3w1/8/8/b5b1/3w1w2 b - -"
        started = KATARENGA.start(board="b0d3a0c3", variant="isolation", position=position)
        assert started.legal_moves == ["@b6", "@e6", "@d7"]
