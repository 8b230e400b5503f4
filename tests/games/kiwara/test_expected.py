"""The final points to expect in Kiwara."""

import pytest

import mchezo
from mchezo.games.kiwara.expected import TOTAL, expected
from tests.games.kiwara.positions import KIWARA, at


def test_at_the_start_both_sides_expect_the_same() -> None:
    start = KIWARA.start(seed=1)
    assert expected(start.states, start.setups, 0.5) == (TOTAL / 2, TOTAL / 2)


def test_a_chance_is_about_more_points_the_more_spaces_are_free() -> None:
    early, late = KIWARA.start(seed=1), at("GGGGGG/ZZZZZC/gggggC/zzzzzE/3ecL 17 r okapi - - y")

    def lead(position: mchezo.Position, chance: float) -> float:
        first, second = expected(position.states, position.setups, chance)
        assert min(first, second) >= 0
        return first - second

    assert lead(early, 0.6) > lead(late, 0.6) > 0
    assert lead(early, 0.7) > lead(early, 0.6)
    assert lead(early, 0.4) == pytest.approx(-lead(early, 0.6))
    assert lead(late, 0.0) < 0 < lead(late, 1.0)  # as is proved


def test_when_the_board_is_full_the_points_are_those_on_it() -> None:
    full = at("GGGGGG/ZZZZZC/gggggC/zzzzzE/3ecL 17 r okapi - - y")
    board = full.copy()
    while bin(int(board.states[0].own[0]) | int(board.states[0].own[1])).count("1") < 30 and board.outcome is None:
        board.play(board.legal_moves[0])
    assert board.outcome is not None
    assert expected(board.states, board.setups, 0.3) == pytest.approx(board.outcome.scores)
