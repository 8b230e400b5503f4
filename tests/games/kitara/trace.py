"""Play a few games and print their results, to compare compiled with interpreted rules."""

import hashlib

import numpy as np

from mchezo.core import kernels
from mchezo.core.rng import new_rng
from tests.games.kitara.positions import GAME, random_states


def trace(players: int) -> str:
    """Return a digest of a game: states, choices, keys, determinized states and the result."""
    position = GAME.start(players=players, deck="red", chance="manual")
    digest = hashlib.sha256()
    for number, (states, choices) in enumerate(random_states(position, seed=11, eager=True)):
        digest.update(states.tobytes() + str((choices, int(kernels.key(states)))).encode())
        if number % 20 == 0:
            redrawn = states.copy()
            kernels.determinize(redrawn, position.setups, 1, new_rng(number))
            digest.update(redrawn.tobytes())
    returned, scored = np.zeros(players), np.zeros(players)
    ending = kernels.result(states, position.setups, returned, scored)
    return f"{players} {digest.hexdigest()} {ending} {returned} {scored}"


if __name__ == "__main__":
    for players in (2, 3, 4):
        print(trace(players))
