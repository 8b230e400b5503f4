"""The reference opponents: each is what its name says, legal, reproducible, and blind to what its seat cannot see."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.arena.heuristics import lead
from mchezo.arena.opponents import FlatMonteCarlo, Greedy, PlainAlphaBeta, Planner, Random, standing
from mchezo.core import kernels
from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.verbs import measure
from mchezo.search.thought import Thinker
from tests.games.kitara.positions import with_hidden_token

ALL: list[Callable[[], Thinker]] = [Random, Greedy, PlainAlphaBeta, lambda: FlatMonteCarlo(60), lambda: Planner(20)]
TABLES = [
    ("katarenga", {}),
    ("kiwara", {}),
    ("kiwara", {"reinforcement": "pile"}),
    ("kitara", {}),
    ("kitara", {"players": 4}),
]


def plays(thinker: Thinker, position: Position) -> bool:
    """Return whether this opponent plays this game with this many seats."""
    if isinstance(thinker, Planner):
        return position.game.name == "kitara"
    return len(position.seats) == 2 or not isinstance(thinker, PlainAlphaBeta)


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize(("name", "options"), TABLES)
def test_every_thought_is_legal_and_depends_on_the_seed_alone(
    make: Callable[[], Thinker], name: str, options: dict[str, Any]
) -> None:
    position = mchezo.game(name).start(seed=5, **options)
    if not plays(make(), position):
        with pytest.raises(UserError):
            make().think(position)
        return
    for number in range(25):
        if position.outcome is not None:
            break
        before, seat = position.states.copy(), position.to_move
        thought = make().think(position, seed=number)
        assert thought == make().think(position, seed=number, nodes=1, seconds=0.001)
        assert (position.states == before).all(), "a thought changes nothing"
        assert sum(thought.chances) == pytest.approx(1)
        assert len(thought.chances) == len(position.seats)
        assert 1 <= thought.turn <= len(thought.moves)
        for move in thought.moves[: thought.turn]:
            assert position.to_move == seat
            position.play(move)


@pytest.mark.parametrize("make", ALL)
def test_worlds_that_look_the_same_get_the_same_move(make: Callable[[], Thinker]) -> None:
    position = with_hidden_token()
    seat = position.to_move
    assert seat is not None
    twin = position.copy()
    worlds = 0
    for number in range(50):
        twin.states = position.states.copy()
        kernels.determinize(twin.states, twin.setups, seat, new_rng(number))
        worlds += bool((twin.states != position.states).any())
        assert make().think(twin, seed=3) == make().think(position, seed=3)
        if worlds == 3:
            return
    raise AssertionError("nothing was hidden from the seat")


def test_greedy_takes_what_it_can() -> None:
    position = mchezo.game("katarenga").start(board="B" * 64, position="8/8/8/8/4b3/3w4/8/w5bb w - -")
    assert Greedy().think(position).moves[0] == "d3xe4"
    winning = mchezo.game("katarenga").start(board="B" * 64, position="w7/8/8/8/4b3/3w4/8/w5bb w h -")
    assert Greedy().think(winning).moves[0] == "a8-a9", "a game won is more than a pawn"


def value_by_hand(position: Position, depth: int) -> float:
    """Return the minimax value of a position for seat 0."""
    if position.to_move is None or depth == 0:
        return float(standing(position.states[0], position.setups[0], 0, np.zeros(2)))
    values = []
    for move in position.legal_moves:
        after = position.copy()
        after.play(move)
        values.append(value_by_hand(after, depth - 1))
    return max(values) if position.to_move == 0 else min(values)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("katarenga", {"board": "B" * 64, "position": "8/w7/8/2b5/3w4/2b5/6b1/8 w a -"}),
        ("katarenga", {"board": "B" * 64, "position": "8/w7/8/2b5/3w4/2b5/6b1/8 b a h"}),
        ("katarenga", {"seed": 4, "variant": "quebec"}),
        ("kiwara", {"seed": 4}),
    ],
)
def test_alpha_beta_finds_what_plain_minimax_finds(name: str, options: dict[str, Any]) -> None:
    position = mchezo.game(name).start(**options)
    for move in Random().think(position).moves if name == "kiwara" else ():
        position.play(move)  # the totem's line; then both seats decide within three decisions
    depth = 2 if options.get("variant") else 3
    best = inf if position.to_move else -inf
    values = {}
    for move in position.legal_moves:
        after = position.copy()
        after.play(move)
        values[move] = value_by_hand(after, depth - 1)
        best = min(best, values[move]) if position.to_move else max(best, values[move])
    for seed in range(3):
        assert values[PlainAlphaBeta(depth).think(position, seed=seed).moves[0]] == best


def test_alpha_beta_can_be_stopped_and_still_has_a_move() -> None:
    position = mchezo.game("katarenga").start(seed=1, choose_baseline=False)
    asked = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 3

    thought = PlainAlphaBeta(8).think(position, stop=stop)
    assert thought.moves[0] in position.legal_moves
    assert len(asked) == 3
    assert FlatMonteCarlo(10**6).think(position, stop=lambda: True).moves[0] in position.legal_moves


def test_rollouts_are_shared_out_equally_and_find_the_win_in_one() -> None:
    position = mchezo.game("katarenga").start(board="B" * 64, position="w7/8/8/8/4b3/8/8/w6b w h -")
    thought = FlatMonteCarlo(200).think(position)
    assert thought.moves[0] == "a8-a9"
    assert thought.chances == (1.0, 0.0)
    assert thought.nodes == 200


def test_measures_count_what_they_say() -> None:
    position = mchezo.game("katarenga").start(board="B" * 64, position="8/8/8/8/4b3/3w4/8/w6b w h -")
    state, setup = position.states[0], position.setups[0]
    # Three pawns, one of them in a camp, one advanced by two ranks; Black's stand on ranks 4 and 1.
    assert measure(state, setup, 0) == pytest.approx(3 + 1.5 + 0.1)
    assert measure(state, setup, 1) == pytest.approx(2 + 0.2 + 0.35)
    assert lead(state, setup, 0, 2) == pytest.approx(4.6 - 2.55)
    apart, together = (
        mchezo.game("katarenga").start(board="B" * 64, variant="quebec", position=f"{ranks} w - -").arrays
        for ranks in ("w6w/8/8/8/8/8/8/b1b5", "3w4/8/3w4/8/8/8/8/b1b5")
    )
    assert measure(apart[0][0], apart[1][0], 0) < measure(together[0][0], together[1][0], 0)
