"""The engine and the plain rule book agree on everything, with 2, 3 and 4 players and both decks."""

import random
import tomllib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from tests.oracles.compare import play_both
from tests.oracles.kitara import Kitara

KITARA = mchezo.game("kitara")
PACK = tomllib.loads(files("mchezo.games.kitara").joinpath("packs", "reconstruction.toml").read_text(encoding="utf-8"))


def random_options(generator: random.Random) -> dict[str, Any]:
    """Return a random number of players, deck and number of turns."""
    return {
        "players": generator.choice([2, 3, 4]),
        "deck": generator.choice(["blue", "red"]),
        "turns": generator.choice(["7/9", "7/9", "6/8"]),
    }


def compare_game(options: dict[str, Any], generator: random.Random) -> int:
    """Play one random game on both; return the number of positions."""
    oracle = Kitara(PACK, **options)

    def views() -> dict[int | None, dict[str, object]]:
        """Return the views of a spectator and of one of the seats."""
        seat = generator.randrange(options["players"])
        return {None: oracle.view(None), seat: oracle.view(seat)}

    return play_both(
        KITARA.start(chance="manual", **options),
        oracle,
        generator,
        views,
        as_oracle=lambda outcome: (outcome.winners, outcome.scores, outcome.reason),
    )


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize("number", range(4))
def test_three_thousand_random_positions_agree(number: int) -> None:
    generator = random.Random(number)
    positions = 0
    while positions < 3_000:
        positions += compare_game(random_options(generator), generator)


@settings(max_examples=15)
@given(generator=st.randoms(use_true_random=False))
def test_games_chosen_by_hypothesis_agree(generator: random.Random) -> None:
    compare_game(random_options(generator), generator)
