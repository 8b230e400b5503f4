"""What the players of Kitara go by."""

import pytest

from mchezo.games.kitara.evaluate import turns_left
from mchezo.games.kitara.structs import DRAFT_CARD
from tests.games.kitara.tables import GAME, random_states


@pytest.mark.parametrize(("players", "turns"), [(2, 7), (3, 9), (4, 7)])
def test_a_player_knows_at_every_turn_how_many_are_still_to_come(players: int, turns: int) -> None:
    position = GAME.start(players=players, seed=1, chance="manual")
    seen = 0
    for states, _ in random_states(position, 1):
        state, setup = states[0], position.setups[0]
        if state.round_number and state.step >= DRAFT_CARD:
            seen += 1
            for seat in range(players):
                to_come = turns - int(state.round_number) + (seat >= state.turn)
                assert turns_left(state, setup, seat) == to_come
    assert seen > 100
