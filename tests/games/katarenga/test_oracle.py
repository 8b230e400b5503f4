"""The engine and the plain rule book agree on everything, game after game."""

import random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import mchezo
from mchezo.games.katarenga.components import ASSEMBLIES, COLOURS, assemble, assembly
from tests.oracles.compare import play_both
from tests.oracles.katarenga import Katarenga
from tests.rotation import examples

KATARENGA = mchezo.game("katarenga")

SETUPS: list[dict[str, Any]] = [
    {"choose_baseline": True},
    {"first_capture": "never"},
    {"variant": "congress"},
    {"variant": "quebec"},
    {"variant": "isolation"},
    {"variant": "isolation", "isolation": "opposite"},
]


def compare_game(options: dict[str, Any], generator: random.Random) -> int:
    """Play one random game on both; return the number of positions."""
    oracle = Katarenga(**options)
    return play_both(
        KATARENGA.start(**options),
        oracle,
        generator,
        views=lambda: {None: oracle.view(), 0: oracle.view()},
        as_oracle=lambda outcome: (outcome.winners, outcome.reason),
    )


def random_board(generator: random.Random) -> str:
    """Return a board of the box, or occasionally an arbitrary one."""
    if generator.random() < 0.8:
        return assemble(assembly(generator.randrange(ASSEMBLIES)))
    return "/".join("".join(generator.choices(COLOURS, k=8)) for _ in range(8))


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize("number", range(4))
def test_five_thousand_random_positions_agree(number: int) -> None:
    generator = random.Random(number)
    positions = 0
    while positions < 5_000:
        options = generator.choice(SETUPS)
        positions += compare_game({"board": random_board(generator), **options}, generator)


@settings(max_examples=12)
@given(
    generator=st.randoms(use_true_random=False),
    board=st.integers(0, ASSEMBLIES - 1),
    options=st.sampled_from(SETUPS),
)
def test_games_chosen_by_hypothesis_agree(generator: random.Random, board: int, options: dict[str, Any]) -> None:
    compare_game({"board": assemble(assembly(board)), **options}, generator)


@settings(max_examples=examples(300, shares=4))
@given(
    generator=st.randoms(use_true_random=False),
    colours=st.lists(st.text("RGBY", min_size=8, max_size=8), min_size=8, max_size=8),
    counts=st.tuples(st.integers(0, 6), st.integers(0, 6)),
    variant=st.sampled_from(["katarenga", "congress", "quebec"]),
)
def test_given_positions_agree(
    generator: random.Random, colours: list[str], counts: tuple[int, int], variant: str
) -> None:
    squares = generator.sample(range(64), sum(counts))
    cells = ["."] * 64
    for index, square in enumerate(squares):
        cells[square] = "b" if index < counts[0] else "w"
    ranks = "/".join("".join(cells[at : at + 8]) for at in range(0, 64, 8))
    camps = [generator.choice(["-", "a", "h", "ah"]) if variant == "katarenga" else "-" for _ in range(2)]
    options: dict[str, Any] = {
        "board": "/".join(colours),
        "variant": variant,
        "position": f"{ranks} {generator.choice('wb')} {camps[0]} {camps[1]}",
    }
    try:
        options["position"] = KATARENGA.start(**options).options["position"]
    except mchezo.InvalidSetup:  # such as both sides holding both camps: test_setup.py has them all
        assume(False)
    compare_game(options, generator)
