"""Chance follows from the seed by the documented construction, and from nothing else."""

import hashlib
import hmac

import pytest

import mchezo
from mchezo.core.chance import Seed
from mchezo.core.rng import new_rng, randbelow


def test_a_draw_is_the_documented_hmac() -> None:
    seed = Seed(7)
    digest = hmac.new((7).to_bytes(32, "big"), b"chance 3", hashlib.sha256).digest()
    assert seed.draw("chance", 3, 1000) == int.from_bytes(digest, "big") * 1000 // 2**256


def test_draws_of_the_set_up_are_numbered_one_after_the_other() -> None:
    seed = Seed(7)
    assert [seed.below(10**6) for _ in range(3)] == [Seed(7).draw("setup", index, 10**6) for index in range(3)]


def test_outcomes_come_as_often_as_their_weights_say() -> None:
    seed = Seed(1)
    drawn = [seed.outcome(index, [1, 0, 3]) for index in range(4_000)]
    assert drawn.count(1) == 0
    assert 900 < drawn.count(0) < 1_100


def test_a_made_seed_is_committed_to_and_a_number_is_not() -> None:
    assert Seed(mchezo.new_seed()).committed
    assert Seed().committed
    assert not Seed(7).committed
    assert Seed(7).hex == "0" * 63 + "7"


def test_the_seed_of_the_next_game_cannot_be_told_from_a_committed_one() -> None:
    secret = mchezo.new_seed()
    assert Seed(secret).successor() != Seed(secret).successor()
    assert Seed(7).successor() == Seed(7).successor() != 7


@pytest.mark.parametrize("sides", [1, 2, 6, 1000])
def test_compiled_dice_reach_every_side_about_as_often(sides: int) -> None:
    rng = new_rng(5)
    counts = [0] * sides
    for _ in range(20 * sides + 200):
        counts[randbelow(rng, sides)] += 1
    assert min(counts) > 0
    assert max(counts) < 4 * (20 + 200 / sides)
