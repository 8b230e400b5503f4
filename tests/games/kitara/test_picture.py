"""The picture is a valid drawing of what a seat sees, and reveals nothing else."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from mchezo.core import kernels
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import CHANCE, OVER
from tests.games.kitara.positions import GAME, crowd, random_states

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [(2, "blue"), (2, "red"), (3, "blue"), (4, "blue"), (4, "red")]


def random_positions(start: Position, seed: int, every: int) -> Iterator[Position]:
    """Yield some positions of a random game with many attacks, and the last one."""
    for number, (states, _) in enumerate(random_states(start, seed, eager=True)):
        if number % every == 0 or kernels.to_move(states) == OVER:
            position = start.copy()
            position.states = states.copy()
            yield position


@pytest.mark.parametrize(("players", "deck"), TABLES)
def test_every_seats_picture_is_valid_and_always_the_same(players: int, deck: str) -> None:
    start = GAME.start(players=players, deck=deck, seed=players)
    for position in random_positions(start, players, 60):
        for seat in (None, *range(players)):
            svg = position.svg(seat)
            assert svg == position.copy().svg(seat)
            root = ET.fromstring(svg)
            ids = [name for element in root.iter() if (name := element.get("id"))]
            assert len(ids) == len(set(ids))
            assert all(name.startswith("kitara-") for name in ids)
            assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= set(ids)
            assert root.findtext(f"{SVG}title")
            assert root.findtext(f"{SVG}desc")


@pytest.mark.parametrize("players", [2, 3])
def test_tokens_that_a_seat_cannot_see_are_not_drawn(players: int) -> None:
    rng, differing = new_rng(7), [0] * players
    for position in random_positions(crowd(players), 3, 11):
        if kernels.to_move(position.states) in (CHANCE, OVER):
            continue
        for seat in range(players):
            other = position.copy()
            other.states = position.states.copy()
            kernels.determinize(other.states, other.setups, seat, rng)
            differing[seat] += bool((other.states != position.states).any())
            assert other.svg(seat) == position.svg(seat)
            assert other.svg() == position.svg()
    assert all(differing)


def test_a_seats_tokens_are_drawn_only_for_that_seat() -> None:
    *_, position, _ = random_positions(crowd(3), 3, 11)
    assert position.states[0].kept[:3].any(axis=1).all()
    assert len({position.svg(seat) for seat in (None, 0, 1, 2)}) == 4
