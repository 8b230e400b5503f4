"""The verbs: every game answers each of them, and no two games can be taken for one another."""

import numpy as np
import pytest

import mchezo
from mchezo.core import verbs
from mchezo.core.structs import Int8, layout
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.key import key


@pytest.mark.parametrize("name", mchezo.games())
def test_every_game_answers_every_verb_that_play_needs(name: str) -> None:
    game = mchezo.game(name)
    state = game.start(seed=1).states.dtype
    assert {verb for verb, rules in verbs.RULES.items() if state in rules} == game.verbs().keys()
    for verb in ("to_move", "legal", "apply", "ending", "returns", "key", "observe", "features"):
        assert game.verbs()[verb] is verbs.RULES[verb][state], verb


def test_a_field_may_not_hide_behind_a_method_of_records() -> None:
    class Fields:
        round: Int8

    with pytest.raises(TypeError, match="called round"):
        layout(Fields)


def test_two_games_may_not_share_a_layout() -> None:
    mchezo.game("katarenga")
    with pytest.raises(TypeError, match="share the layout"):
        verbs.register(structs.STATE, key=key)


def test_a_state_of_no_game_is_not_understood() -> None:
    stranger = np.zeros(1, np.dtype((np.record, np.dtype([("x", np.int8)], align=True))))
    with pytest.raises(KeyError):
        verbs.to_move(stranger[0])
