"""The engine and the plain rule book agree on everything, with all versions mixed."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from tests.oracles.compare import perft, play_both
from tests.oracles.kiwara import Kiwara

KIWARA = mchezo.game("kiwara")


def random_options(generator: random.Random) -> dict[str, Any]:
    """Any version, freely combined."""
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
    """One random game on both; returns how many positions there were."""
    oracle = Kiwara(**options)
    return play_both(
        KIWARA.start(chance="manual", **options),
        oracle,
        generator,
        seen=lambda: {None: oracle.view(), 1: oracle.view()},
        told=lambda outcome: (outcome.winners, outcome.scores, outcome.reason),
    )


@pytest.mark.parametrize("number", range(4))
def test_five_thousand_random_positions_agree(number: int) -> None:
    generator = random.Random(number)
    positions = 0
    while positions < 5_000:
        positions += compare_game(random_options(generator), generator)
    assert positions >= 5_000


@settings(max_examples=30, deadline=None)
@given(generator=st.randoms(use_true_random=False))
def test_games_chosen_by_hypothesis_agree(generator: random.Random) -> None:
    compare_game(random_options(generator), generator)


@pytest.mark.parametrize("board", ["classic", "president"])
def test_perft_from_the_start_to_depth_five_agrees(board: str) -> None:
    assert mchezo.perft(KIWARA.start(board=board), 5) == perft(Kiwara(board), 5)


@pytest.mark.parametrize("number", range(4))
def test_perft_to_depth_five_agrees(number: int) -> None:
    generator = random.Random(number)
    options = random_options(generator)
    position = KIWARA.start(chance="manual", **options)
    oracle = Kiwara(**options)
    # From the middle of a game the tree is narrow enough for the slow one.
    for _ in range(40):
        move = generator.choice(position.legal_moves)
        position.play(move)
        oracle.play(move)
    assert mchezo.perft(position, 5) == perft(oracle, 5)
