"""OpenSpiel: its own tests, and its players at our games."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import mchezo
from mchezo.envs.openspiel import SpielState, resampler
from tests.envs.kinds import lively_move

GAME_STRINGS = (
    "mchezo_katarenga",
    "mchezo_katarenga(variant=congress)",
    "mchezo_katarenga(variant=quebec,seed=5)",
    "mchezo_katarenga(variant=isolation,isolation=opposite)",
    "mchezo_kiwara",
    "mchezo_kiwara(reinforcement=pile,handicap=0;2)",
    "mchezo_kitara",
    "mchezo_kitara(players=3,deck=red)",
    "mchezo_kitara(players=4,turns=6/8)",
)


def play_on(state: SpielState, generator: np.random.RandomState) -> None:
    """Play at random to the end."""
    while not state.is_terminal():
        state.apply_action(random_action(state, generator))


def random_action(state: SpielState, generator: np.random.RandomState) -> int:
    if state.is_chance_node():
        actions, odds = zip(*state.chance_outcomes(), strict=True)
        return int(generator.choice(actions, p=odds))
    return int(generator.choice(state.legal_actions()))


def lively_action(state: SpielState, generator: random.Random) -> int:
    position = state.get_game().start.copy()
    position.states = state.table
    return int(position.game.notation.parse(lively_move(position, generator), position.states[0], position.setups[0]))


@pytest.mark.parametrize("text", GAME_STRINGS)
def test_random_simulations_pass(text: str) -> None:
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def play_whole(game: Any, bot: Any, every: int, generator: np.random.RandomState) -> list[float]:
    """Return the returns of a game in which one decision in `every` is the bot's and the others are random."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        searched = not state.is_chance_node() and decisions % every == 0
        state.apply_action(bot.step(state) if searched else random_action(state, generator))
        decisions += 1
    return list(state.returns())


@pytest.mark.parametrize("text", ["mchezo_katarenga", "mchezo_kiwara(reinforcement=pile)", "mchezo_kitara"])
def test_tree_search_plays_a_whole_game(text: str) -> None:
    game, generator = pyspiel.load_game(text), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, generator)
    bot = mcts.MCTSBot(game, 2.0, 2, evaluator, random_state=generator)
    assert sum(play_whole(game, bot, 8, generator)) == pytest.approx(game.utility_sum())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_information_set_search_plays_kitara(players: int) -> None:
    game, generator = pyspiel.load_game(f"mchezo_kitara(players={players})"), np.random.RandomState(2)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, generator), 2.0, 3, random_state=generator)
    if players == 2:  # else it asks the states themselves
        bot.set_resampler(resampler(3))
    assert sum(play_whole(game, bot, 20, generator)) == pytest.approx(2 - players)


def test_resampled_worlds_look_the_same_to_the_player_and_differ_to_others() -> None:
    game, generator = pyspiel.load_game("mchezo_kitara(players=3)"), np.random.RandomState(6)
    resample, moves = resampler(5), random.Random(6)
    state = game.new_initial_state()
    others: set[str] = set()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random_action(state, generator))
            continue
        for player in range(3 if "?" in state.information_state_string(0) else 0):
            world = resample(state, player)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.information_state_tensor(player) == state.information_state_tensor(player)
            assert world.observation_string(player) == state.observation_string(player)
            assert world.observation_tensor(player) == state.observation_tensor(player)
            assert world.current_player() == state.current_player()
            assert world.legal_actions() == state.legal_actions()
            others.add(world.information_state_string((player + 1) % 3))
        state.apply_action(lively_action(state, moves))
    assert len(others) > 60


def test_information_states_recall_everything_that_was_told() -> None:
    game, generator = pyspiel.load_game("mchezo_kiwara(reinforcement=pile)"), np.random.RandomState(6)
    state = game.new_initial_state()
    play_on(state, generator)
    position = mchezo.game("kiwara").start(seed=0, chance="manual", reinforcement="pile")
    for move in state.information_state_string(0).split():
        position.play(move)
    assert position.view() | {"seat": 0} == position.view(0)
    assert list(position.outcome.scores if position.outcome else ()) == position.view()["scores"]
    history = [round(value * 1440) - 1 for value in state.information_state_tensor(0)[837:] if value]
    first = position.game.start(seed=0, chance="manual", reinforcement="pile")
    for action in history:
        first.play(first.game.notation.write(action, first.states[0], first.setups[0]))
    assert first.view() == position.view()


def test_actions_are_told_in_our_notation() -> None:
    state = pyspiel.load_game("mchezo_katarenga(board=A0c1B2d3)").new_initial_state()
    position = mchezo.game("katarenga").start(board="A0c1B2d3")
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert sorted(texts) == sorted(position.legal_moves)
    choosing = pyspiel.load_game("mchezo_katarenga(board=A0c1B2d3,choose_baseline=yes)").new_initial_state()
    assert choosing.action_to_string(choosing.legal_actions()[0]) == "turn0"


def test_only_what_one_player_sees_is_observed() -> None:
    game = pyspiel.load_game("mchezo_kitara")
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    assert game.make_py_observer(everything) is None
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"colour": 1})


def test_the_process_ends_in_peace() -> None:
    program = "import pyspiel, mchezo.envs.openspiel; pyspiel.load_game('mchezo_kiwara').new_initial_state()"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
