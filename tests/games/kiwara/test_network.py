"""What Kiwara's network sees."""

import random
from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.core.network import MOST_INPUTS, STAGES
from mchezo.games.kiwara import network, rules
from mchezo.games.kiwara.structs import NOBODY

KIWARA = mchezo.game("kiwara")
OPTIONS: list[dict[str, Any]] = [{}, {"board": "free"}, {"reinforcement": "pile", "handicap": (1, 2)}]


def seen(position: mchezo.Position) -> list[int]:
    """Return the inputs of a position."""
    out = np.zeros(MOST_INPUTS, np.int32)
    return sorted(out[: network.inputs(position.states[0], position.setups[0], out)].tolist())


def points(position: mchezo.Position, seat: int) -> int:
    """Return the points of a seat as if scored now."""
    return int(rules.points(position.states[0], position.setups[0], seat))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_inputs_are_numbered_without_overlap_all_through_a_game(options: dict[str, Any]) -> None:
    position = KIWARA.start(seed=4, **options)
    chosen = random.Random(1)
    stages = set()
    while position.outcome is None:
        found = seen(position)
        assert len(set(found)) >= len(found) - 10, "only territories that are alike share an input"
        assert 0 <= found[0] <= found[-1] < network.INPUTS
        territories = [number for number in found if network.MAJORITY <= number < network.RICHES]
        assert len(territories) == 6
        lead = points(position, 0) - points(position, 1)
        lead *= 1 - 2 * int(position.states[0].seat)
        assert network.LEAD + network.MOST_POINTS + max(-20, min(20, lead)) in found
        stages.add(network.stage(position.states[0], position.setups[0]))
        position.play(chosen.choice(position.legal_moves))
    assert stages == set(range(STAGES))


def test_both_seats_see_the_same_in_the_same_situation() -> None:
    position = KIWARA.start(seed=4)
    chosen = random.Random(2)
    for _ in range(25):
        position.play(chosen.choice(position.legal_moves))
    swapped = position.copy()
    swapped.states = position.states.copy()
    state = swapped.states[0]
    for part in (state.own, state.hands, state.cards):
        part[:] = part[::-1].copy()
    state.seat = 1 - state.seat
    if state.reinforced != NOBODY:
        state.reinforced = 1 - state.reinforced
    assert seen(swapped) == seen(position)
    state.seat = 1 - state.seat
    assert seen(swapped) != seen(position)
