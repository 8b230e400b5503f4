"""Random games in compiled code are those that one would play with the same list of legal moves and the same dice."""

from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.core import kernels, verbs
from mchezo.core.bitsets import bit_index, popcount
from mchezo.core.position import Position
from mchezo.core.rng import new_rng, randbelow
from mchezo.core.structs import CHANCE, OVER, Words64, bits, wide
from tests.envs.kinds import KINDS
from tests.rotation import CURRENT

ROUNDS = 3
KINDS_WITH_OPTIONS = {
    **KINDS,
    "no-first-capture": ("katarenga", {"first_capture": "never"}),
    "choose-baseline": ("katarenga", {"choose_baseline": True}),
}


def play_by_list(position: Position, rng: Words64) -> np.ndarray[Any, Any]:
    """Return the last state of a random game, each action of which is drawn from the list of all legal ones."""
    states, most = position.states.copy(), position.game.rules.most_choices
    actions, weights = np.zeros(most, np.int32), np.zeros(most, np.int32)
    while (seat := kernels.to_move(states)) != OVER:
        count = kernels.list_choices(states, position.setups, actions, weights)
        at = kernels.weighted(weights, count, rng) if seat == CHANCE else randbelow(rng, count)
        kernels.apply_action(states, position.setups, int(actions[at]))
    return states


@pytest.mark.parametrize(("name", "options"), KINDS_WITH_OPTIONS.values(), ids=KINDS_WITH_OPTIONS)
def test_a_random_game_draws_from_the_list_of_legal_actions(name: str, options: dict[str, Any]) -> None:
    for seed in range(CURRENT.number, CURRENT.number + ROUNDS):
        position = mchezo.game(name).start(seed=seed, chance="manual", **options)
        states, most = np.repeat(position.states, 2), position.game.rules.most_choices
        compiled, listed = new_rng(seed), new_rng(seed)
        actions, weights = np.zeros(most, np.int32), np.zeros(most, np.int32)
        kernels.playouts(states, position.setups, actions, weights, compiled, 1)
        assert states[1:].tobytes() == play_by_list(position, listed).tobytes()
        assert compiled == listed


def test_the_key_of_katarenga_is_foreseen() -> None:
    position = mchezo.game("katarenga").start(seed=CURRENT.number, choose_baseline=False)
    generator = np.random.default_rng(CURRENT.number)
    for _ in range(60):
        state, setup = position.states[0], position.setups[0]
        action = int(generator.choice(position.choices()[0]))
        foreseen = verbs.key_after(state, setup, verbs.key(state), action)
        position.play(position.game.notation.write(action, state, setup))
        assert int(foreseen) == position.key
        if position.to_move is None:
            break


def test_sets_are_counted_and_numbered() -> None:
    for index in range(64):
        assert bit_index(bits(1 << index)) == index
        assert popcount(bits((1 << index) - 1)) == index
    assert popcount(wide(-1)) == 64
