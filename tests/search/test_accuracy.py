"""Accuracy: what curve it follows, that points count in a decided game, and that random play scores low."""

import random
from dataclasses import dataclass

import pytest

import mchezo
from mchezo.search.accuracy import accuracy, points_lost


@dataclass(frozen=True)
class Decision:
    seat: int
    chances: tuple[float, float]
    after: tuple[float, float]
    points: tuple[float, ...] = ()
    points_after: tuple[float, ...] = ()


def drop(chance: float, after: float, seat: int = 0) -> Decision:
    """Return a decision that changes the seat's chance of winning."""
    if seat == 0:
        return Decision(0, (chance, 1 - chance), (after, 1 - after))
    return Decision(1, (1 - chance, chance), (1 - after, after))


def test_without_a_loss_accuracy_is_whole_and_without_a_decision_there_is_none() -> None:
    assert accuracy([drop(0.5, 0.5), drop(0.9, 0.9)], 0) == pytest.approx(1.0, abs=1e-5)
    assert accuracy([drop(0.5, 0.5)], 1) is None


@pytest.mark.parametrize(("loss", "expected"), [(0.05, 0.80), (0.1, 0.64), (0.2, 0.40), (0.5, 0.085)])
def test_accuracy_falls_as_on_the_curve_of_lichess(loss: float, expected: float) -> None:
    assert accuracy([drop(0.5, 0.5 - loss)], 0) == pytest.approx(expected, abs=0.005)


def test_one_blunder_among_good_moves_shows() -> None:
    good = [drop(0.5, 0.5, seat=turn % 2) for turn in range(10)]
    found = accuracy([*good, drop(0.5, 0.05)], 0)
    assert found is not None
    assert found < 0.7


def test_the_decisions_of_a_turn_count_together() -> None:
    stepwise = [drop(0.5, 0.45), drop(0.45, 0.4)]
    assert accuracy(stepwise, 0) == accuracy([drop(0.5, 0.4)], 0)


def test_good_moves_in_a_decided_game_do_not_make_up_for_losing_it() -> None:
    lost = [drop(0.5, 0.02), *(drop(0.02, 0.02, seat=turn % 2) for turn in range(20))]
    even = [drop(0.5, 0.02), *(drop(0.5, 0.5, seat=turn % 2) for turn in range(20))]
    first, second = accuracy(lost, 0), accuracy(even, 0)
    assert first is not None
    assert second is not None
    assert first < 0.5 < second


def test_points_given_away_count_in_a_decided_game() -> None:
    careless = Decision(0, (0.01, 0.99), (0.01, 0.99), points=(20, 40), points_after=(12, 44))
    assert points_lost([careless], 0) == 12
    found = accuracy([careless], 0)
    assert found is not None
    assert found < 0.35


@pytest.mark.parametrize(("game", "nodes", "most"), [("katarenga", 3_000, 0.8), ("kiwara", 20_000, 0.7)])
def test_random_play_has_a_low_accuracy_and_strong_play_a_high_one(game: str, nodes: int, most: float) -> None:
    position = mchezo.game(game).start(seed=3)
    rng = random.Random(3)
    strong = mchezo.player(game, 5, seed=3, share=0.2)
    while position.outcome is None:
        if position.to_move == 1:
            position.play(rng.choice(position.legal_moves))
        else:
            for move in strong.turn(position):
                position.play(move)
    found = mchezo.analyse(position, nodes=nodes)
    good, poor = found.accuracy(0), found.accuracy(1)
    assert good is not None
    assert poor is not None
    assert poor < most
    assert good > poor + 0.15
    if game == "kiwara":
        assert found.points_lost(1) > 20
