"""The greedy player that plans whole turns."""

import numpy as np
import pytest

import mchezo
from mchezo.core import kernels
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import Structs
from mchezo.games.kitara.evaluate import IN_POINTS
from mchezo.search import planner
from mchezo.search.turns import Planning
from mchezo.studies.self_play import PlannerSettings, play

WEIGHTS = tuple(weight for _, _, weight in IN_POINTS)


def kitara(players: int, deck: str = "blue") -> Position:
    """Return a game before its first card, with manual chance."""
    return mchezo.game("kitara").start(seed=0, chance="manual", players=players, deck=deck)


def plan(states: Structs, position: Position, tries: int, seed: int) -> list[int]:
    """Return the turn that the player plans for the seat to move."""
    _, setups, most, seats = position.arrays
    path = np.repeat(states, planner.LONGEST_TURN + 2)
    actions, odds = np.empty(most, np.int32), np.empty(most, np.int32)
    best = np.empty(planner.LONGEST_TURN, np.int32)
    planning = Planning(np.array(WEIGHTS), actions, odds, new_rng(seed))
    length = planner.plan(path, setups, seats, planning, np.zeros(len(WEIGHTS)), tries, best)
    return [int(action) for action in best[:length]]


@pytest.mark.parametrize(("players", "deck"), [(2, "blue"), (3, "red"), (4, "blue")])
def test_planned_games_are_legal_from_start_to_end(players: int, deck: str) -> None:
    position = kitara(players, deck)
    played = play(position, [PlannerSettings(WEIGHTS, 20)] * players, games=2, seed=3)
    for game in range(2):
        replayed = position.copy()
        for action in played.actions[game]:
            if action >= 0:
                replayed.play(replayed.game.notation.write(int(action), replayed.states[0], replayed.setups[0]))
        assert replayed.outcome is not None
        assert replayed.outcome.scores == tuple(played.scores[game])
        best = played.wins[game].max()
        assert replayed.outcome.winners == tuple(seat for seat in range(players) if played.wins[game, seat] == best)


def test_planning_beats_random_play_clearly() -> None:
    planning, random = PlannerSettings(WEIGHTS, 100), PlannerSettings(WEIGHTS, 1)
    first = play(kitara(2), [planning, random], games=20, seed=1)
    second = play(kitara(2), [random, planning], games=20, seed=1)
    assert first.wins[:, 0].sum() + second.wins[:, 1].sum() >= 38
    four = play(kitara(4), [random, planning, random, random], games=20, seed=1)
    assert four.wins[:, 1].sum() >= 18


def test_more_tries_plan_better_turns() -> None:
    many, few = PlannerSettings(WEIGHTS, 400), PlannerSettings(WEIGHTS, 20)
    played = play(kitara(2), [many, few], games=20, seed=1)
    assert played.wins[:, 0].sum() >= 16


@pytest.mark.parametrize("players", [2, 4])
def test_the_player_does_not_see_the_values_of_the_others_tokens(players: int) -> None:
    # Two states that differ only in the tokens of the others, and in the bag, give the same plan for the same seed.
    position = kitara(players)
    played = play(position, [PlannerSettings(WEIGHTS, 60)] * players, games=4, seed=5)
    compared = 0
    for game in range(4):
        replayed = position.copy()
        for action in played.actions[game]:
            if action < 0:
                break
            state, asked = replayed.states[0], replayed.to_move
            if asked is not None and asked >= 0 and state.kept.sum() > state.kept[asked].sum():
                twin = replayed.states.copy()
                kernels.determinize(twin, replayed.setups, asked, new_rng(compared + 100))
                if twin.tobytes() != replayed.states.tobytes():
                    compared += 1
                    assert plan(twin, replayed, 8, compared) == plan(replayed.states, replayed, 8, compared)
            replayed.play(replayed.game.notation.write(int(action), state, replayed.setups[0]))
    assert compared > 20
