"""OpenSpiel's search as a player."""

from typing import Any

import pytest

import mchezo
from mchezo.core import kernels
from mchezo.core.rng import new_rng
from mchezo.envs.opponent import OpenSpielSearch
from tests.games.kitara.positions import with_hidden_token


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("katarenga", {}),
        ("katarenga", {"variant": "congress"}),
        ("kiwara", {"reinforcement": "pile", "handicap": (1, 2)}),
        ("kitara", {"players": 3, "deck": "red"}),
    ],
)
def test_it_plays_every_game_reproducibly(name: str, options: dict[str, Any]) -> None:
    position = mchezo.game(name).start(seed=2, **options)
    for number in range(3):
        thought = OpenSpielSearch(5).think(position, seed=number)
        assert thought == OpenSpielSearch(5).think(position, seed=number)
        assert sum(thought.chances) == pytest.approx(1)
        position.play(thought.moves[0])


def test_it_finds_a_win_in_one() -> None:
    position = mchezo.game("katarenga").start(board="B" * 64, position="w7/8/8/8/4b3/8/8/w6b w h -")
    assert OpenSpielSearch(60).think(position).moves[0] == "a8-a9"


def test_it_does_not_see_what_its_seat_cannot_see() -> None:
    position = with_hidden_token()
    seat = position.to_move
    assert seat is not None
    twin = position.copy()
    for number in range(2):
        twin.states = position.states.copy()
        kernels.determinize(twin.states, twin.setups, seat, new_rng(number))
        assert OpenSpielSearch(5).think(twin, seed=3) == OpenSpielSearch(5).think(position, seed=3)
