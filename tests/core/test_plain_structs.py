"""Structs as plain numbers and lists have the values of the structs."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mchezo
from mchezo.core.structs import plain


@pytest.mark.parametrize("name", mchezo.games())
def test_every_field_has_the_value_of_the_struct(name: str) -> None:
    rng = random.Random(name)
    position = mchezo.game(name).start(seed=5)
    for _ in range(12):
        for structs in (position.states, position.setups):
            for source in (structs, structs[0]):
                fields = plain(source)
                assert plain(fields) is fields
                assert fields.struct == structs[0]
                for field in structs.dtype.names or ():
                    assert np.array_equal(fields[field], structs[0][field]), field
        position.play(rng.choice(position.legal_moves))
