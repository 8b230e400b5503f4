"""The verbs: every game answers each of them, and no two games can be taken for one another."""

import numpy as np
import pytest

import mchezo
from mchezo.core import verbs
from mchezo.games.katarenga import rules


@pytest.mark.parametrize("name", mchezo.games())
def test_every_game_answers_every_verb(name: str) -> None:
    layout = mchezo.game(name).start(seed=1).states.dtype
    for verb, known in verbs.RULES.items():
        assert layout in known, verb


def test_two_games_may_not_share_a_layout() -> None:
    with pytest.raises(TypeError, match="share the layout"):
        verbs.enter(rules.STATE, key=rules.key)


def test_a_state_of_no_game_is_not_understood() -> None:
    stranger = np.zeros(1, np.dtype((np.record, np.dtype([("x", np.int8)], align=True))))
    with pytest.raises(KeyError):
        verbs.to_move(stranger[0])
