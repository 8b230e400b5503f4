"""The engine and the plain rule book agree on everything, with all versions mixed."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from tests.oracles.compare import play_both
from tests.oracles.kiwara import Kiwara

KIWARA = mchezo.game("kiwara")


def random_options(generator: random.Random) -> dict[str, Any]:
    """Return a random combination of options."""
    board = generator.choice(["classic", "president", "free"])
    if board == "free":
        board = KIWARA.start(board="free", seed=generator.randrange(10**9)).options["board"]
    return {
        "board": board,
        "reinforcement": generator.choice(["okapi", "pile", "pile"]),
        "handicap": generator.choice([None, (0, 1), (0, 2), (1, 1), (1, 2)]),
        "rhinoceros": generator.choice(["edge", "neighbour"]),
        "hyena": generator.choice(["move", "place"]),
    }


def compare_game(options: dict[str, Any], generator: random.Random) -> int:
    """Play one random game on both; return the number of positions."""
    oracle = Kiwara(**options)
    return play_both(
        KIWARA.start(chance="manual", **options),
        oracle,
        generator,
        views=lambda: {None: oracle.view(), 1: oracle.view()},
        as_oracle=lambda outcome: (outcome.winners, outcome.scores, outcome.reason),
    )


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize("number", range(4))
def test_five_thousand_random_positions_agree(number: int) -> None:
    generator = random.Random(number)
    positions = 0
    while positions < 5_000:
        positions += compare_game(random_options(generator), generator)


@settings(max_examples=30)
@given(generator=st.randoms(use_true_random=False))
def test_games_chosen_by_hypothesis_agree(generator: random.Random) -> None:
    compare_game(random_options(generator), generator)
