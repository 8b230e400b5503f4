"""The verbs: every game answers each of them, and no two games can be taken for one another."""

import numpy as np
import pytest

import mchezo
from mchezo.core import verbs
from mchezo.core.structs import Int8, layout
from mchezo.games.katarenga import rules, structs


@pytest.mark.parametrize("name", mchezo.games())
def test_every_game_answers_every_verb_that_play_needs(name: str) -> None:
    states = mchezo.game(name).start(seed=1).states
    judging = {"turn_of", "features", "evaluate", "noisy", "sensible", "judge"}  # each for some players only
    for verb in verbs.RULES.keys() - judging:
        assert states.dtype in verbs.RULES[verb], verb


def test_a_field_may_not_hide_behind_a_method_of_records() -> None:
    class Fields:
        round: Int8

    with pytest.raises(TypeError, match="called round"):
        layout(Fields)


def test_two_games_may_not_share_a_layout() -> None:
    with pytest.raises(TypeError, match="share the layout"):
        verbs.enter(structs.STATE, key=rules.key)


def test_a_state_of_no_game_is_not_understood() -> None:
    stranger = np.zeros(1, np.dtype((np.record, np.dtype([("x", np.int8)], align=True))))
    with pytest.raises(KeyError):
        verbs.to_move(stranger[0])
