"""Katarenga in a tactical search: the same values, decided races to the camps, captures that may help."""

import random

import numpy as np
import pytest

import mchezo
from mchezo.games.katarenga import evaluate, tactics
from mchezo.games.katarenga.legal import legal
from mchezo.games.katarenga.structs import PLACES, SQUARES


def tables(position: mchezo.Position) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return the tables of a search."""
    return tactics.tables(position.setups[0])


def value(position: mchezo.Position) -> int:
    """Return the value for the seat to move."""
    return int(tactics.assess(position.states[0], position.setups[0], tables(position)))


def captures(position: mchezo.Position, low: int) -> list[str]:
    """Return the noisy moves that may lift the value above `low`."""
    actions, gains, found = np.zeros(200, np.int32), np.zeros(200, np.int64), np.zeros(1, np.int64)
    state, setup = position.states[0], position.setups[0]
    count = tactics.look(state, setup, tables(position), low, 30_000, actions, gains, found)
    return [position.game.notation.write(int(action), state, setup) for action in actions[:count]]


@pytest.mark.parametrize("seed", range(6))
def test_a_position_has_the_value_of_the_evaluation_unless_the_race_is_decided(seed: int) -> None:
    position = mchezo.game("katarenga").start(seed=seed, choose_baseline=False)
    chosen = random.Random(seed)
    weights = evaluate.weights(position.setups[0])
    same = 0
    while position.outcome is None and len(position.moves) < 60:
        plain = evaluate.evaluate(position.states[0], position.setups[0], weights)
        found = value(position) * (1 if position.to_move == 0 else -1)
        if abs(found) not in (tactics.RACE_WON, -tactics.RACE_LOST):
            assert found == plain
            same += 1
        position.play(chosen.choice(position.legal_moves))
    assert same


def test_a_pawn_on_the_baseline_wins_the_race_if_one_camp_is_held() -> None:
    position = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h -")
    assert value(position) == tactics.RACE_WON


def test_two_enemy_pawns_on_the_baseline_win_the_race_against_the_seat_to_move() -> None:
    position = mchezo.game("katarenga").start(seed=1, position="ww6/8/8/8/8/8/8/4b2b b h -")
    assert value(position) == tactics.RACE_LOST


def test_far_behind_only_moves_that_gain_enough_are_looked_at() -> None:
    generator = random.Random(3)
    fewer = 0
    for seed in range(30):
        position = mchezo.game("katarenga").start(seed=seed, choose_baseline=False)
        for _ in range(16):
            if position.outcome is None:
                position.play(generator.choice(position.legal_moves))
        if position.outcome is not None or abs(value(position)) in (tactics.RACE_WON, -tactics.RACE_LOST):
            continue
        every, hopeful = captures(position, -30_000), captures(position, value(position) + tactics.EXCHANGE_GAIN)
        actions = np.zeros(200, np.int32)
        count = legal(position.states[0], position.setups[0], actions)
        targets = [int(action) % PLACES for action in actions[:count]]
        cells = position.states[0].cells
        assert len(every) >= sum(target >= SQUARES or bool(cells[target]) for target in targets)
        assert set(hopeful) <= set(every)
        fewer += len(hopeful) < len(every)
    assert fewer


@pytest.mark.parametrize("variant", ["congress", "quebec", "isolation", "troika"])
def test_variants_have_no_tables(variant: str) -> None:
    position = mchezo.game("katarenga").start(seed=1, variant=variant)
    assert len(tactics.tables(position.setups[0])) == 0
