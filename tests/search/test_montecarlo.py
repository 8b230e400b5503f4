"""Monte Carlo tree search: legal, honest, reproducible, and not blind to what is obvious."""

import random
from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.core import kernels, verbs
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.search.budget import Budget
from mchezo.search.montecarlo import MonteCarlo, TreeSearch
from mchezo.search.turns import LONGEST_TURN
from tests.games.kitara.positions import arranged

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("katarenga", {}),
    ("kiwara", {"reinforcement": "pile"}),
    ("kitara", {"players": 2}),
    ("kitara", {"players": 3, "deck": "red"}),
    ("kitara", {"players": 4}),
]
ANY = np.zeros(0, np.int32)


def after_random_moves(name: str, options: dict[str, Any], moves: int, seed: int) -> Position:
    """Return a game in progress with a seat to move."""
    position = mchezo.game(name).start(seed=seed, **options)
    chosen = random.Random(seed)
    for _ in range(moves):
        position.play(chosen.choice(position.legal_moves))
    return position


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_it_plays_whole_games_by_legal_turns(name: str, options: dict[str, Any]) -> None:
    position = after_random_moves(name, options, 4, seed=2)
    player = MonteCarlo()
    for number in range(400):
        if position.outcome is not None:
            break
        seat = position.to_move
        thought = player.think(position, nodes=300, seed=number)
        assert thought.turn == len(thought.moves) >= 1
        assert len(thought.chances) == len(position.seats)
        assert sum(thought.chances) == pytest.approx(1.0)
        assert bool(thought.points) == position.game.rules.has_points
        for move in thought.moves:
            assert position.to_move == seat
            position.play(move)
    assert position.outcome is not None or name == "katarenga"


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_equal_nodes_and_seeds_give_equal_thoughts(name: str, options: dict[str, Any], threads: int) -> None:
    position = after_random_moves(name, options, 10, seed=3)
    player = MonteCarlo(threads=threads)
    first = player.best(position, 3, nodes=6_000, seed=5)
    assert player.best(position, 3, nodes=6_000, seed=5) == first
    assert first[0].nodes >= 6_000
    assert player.best(position, 3, nodes=6_000, seed=6) != first


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_search_in_slices_is_the_same_search(name: str, options: dict[str, Any]) -> None:
    position = after_random_moves(name, options, 10, seed=4)
    whole, sliced = TreeSearch(position, ANY, 9_000, 1), TreeSearch(position, ANY, 9_000, 1)
    whole.resume(9_000)
    for limit in (1, 2, 700, 701, 5_000, 8_999, 9_000):
        sliced.resume(limit)
    assert whole.tree.counts.tolist() == sliced.tree.counts.tolist()
    assert whole.tree.branches.tobytes() == sliced.tree.branches.tobytes()


def test_it_ends_when_told_to() -> None:
    position = after_random_moves("kitara", {"players": 2}, 10, seed=4)
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    thought = MonteCarlo().think(position, nodes=100_000_000, stop=stop)
    assert len(asked) == 3
    assert thought.moves[0] in position.legal_moves
    # A slice is never long: the nodes between two checks of the budget are bounded.
    search = TreeSearch(position, ANY, None, 1)
    search.run(Budget(None, 0.0, None))
    assert search.nodes < 20_000


@pytest.mark.parametrize("players", [2, 4])
def test_it_does_not_see_the_values_of_the_others_tokens(players: int) -> None:
    compared = 0
    for seed in range(30):
        position = mchezo.game("kitara").start(seed=seed, players=players)
        chosen = random.Random(seed)
        while position.outcome is None:
            asked = position.to_move
            assert asked is not None
            kept = position.states[0].kept
            if kept.sum() > kept[asked].sum() and len(position.legal_moves) > 1 and chosen.random() < 0.3:
                twin = position.copy()
                twin.states = position.states.copy()
                kernels.determinize(twin.states, twin.setups, asked, new_rng(compared + 100))
                if twin.states.tobytes() != position.states.tobytes():
                    compared += 1
                    thoughts = [MonteCarlo().think(at, nodes=2_000, seed=compared) for at in (position, twin)]
                    assert thoughts[0] == thoughts[1]
            position.play(chosen.choice(position.legal_moves))
    assert compared > 5


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_it_keeps_to_the_moves_it_is_asked_about(name: str, options: dict[str, Any]) -> None:
    position = after_random_moves(name, options, 8, seed=6)
    for move in position.legal_moves[:6]:
        found = MonteCarlo().best(position, 4, nodes=2_000, only=[move])
        assert found
        assert {thought.moves[0] for thought in found} == {move}
    several = MonteCarlo().best(position, 4, nodes=4_000)
    assert len({thought.moves for thought in several}) == len(several)


def test_of_two_seats_the_one_that_can_win_at_once_does() -> None:
    # White holds a camp, and a pawn on the last rank can enter the other.
    position = mchezo.game("katarenga").start(board="B" * 64, position="w7/8/8/8/8/8/bbbb4/4wwww w h -")
    thought = MonteCarlo().think(position, nodes=3_000, seed=1)
    assert thought.moves == ("a8-a9",)
    assert thought.chances[0] > 0.9


def last_move(spaces: dict[str, tuple[int, str]]) -> Position:
    """Return the last move of the first seat's last turn."""
    return arranged(spaces, moves_left=1, round_number=7, last_round=7, kingdoms=(("0",), ("0",)))


def test_a_master_animal_beside_a_ruin_enters_it_on_its_last_move() -> None:
    thought = MonteCarlo().think(last_move({"c": (0, "W2A1"), "e": (1, "W3"), "f": (1, "W1")}), nodes=3_000, seed=1)
    assert thought.moves[0] == "c-r"
    assert "A1" in thought.moves[1]


def test_a_hero_attacks_for_a_last_token() -> None:
    thought = MonteCarlo().think(last_move({"c": (0, "W2H1"), "d": (1, "W1"), "f": (1, "W1")}), nodes=3_000, seed=1)
    assert thought.moves[0] == "c-d"
    assert "H1" in thought.moves[1]


def test_candidate_groups_are_legal_and_never_empty() -> None:
    everything, some = np.zeros(1_000, np.int32), np.zeros(1_000, np.int32)
    pruned = 0
    for seed in range(6):
        position = mchezo.game("kitara").start(seed=seed, players=4)
        chosen = random.Random(seed)
        while position.outcome is None:
            state, setup = position.states[0], position.setups[0]
            legal = verbs.legal(state, setup, everything)
            count = verbs.candidates(state, setup, some)
            assert 0 < count <= legal
            assert set(some[:count]) <= set(everything[:legal])
            pruned += count < legal
            position.play(chosen.choice(position.legal_moves))
    assert pruned > 0


def test_no_turn_of_kitara_is_cut_off() -> None:
    # All of a turn's actions have to fit: recruits, moves of two decisions, tokens, retreats, discards, removals.
    longest = 0
    for seed in range(20):
        position = mchezo.game("kitara").start(seed=seed, players=2)
        chosen = random.Random(seed)
        length, turn = 0, -1
        while position.outcome is None:
            before = len(position.steps)
            if verbs.turn_of(position.states[0]) != turn:
                length, turn = 0, verbs.turn_of(position.states[0])
            position.play(chosen.choice(position.legal_moves))
            length += len(position.steps) - before
            longest = max(longest, length)
    assert longest < LONGEST_TURN
