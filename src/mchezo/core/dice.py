"""Fast random numbers inside compiled code: xorshift64, whose state is an array of one word that the caller owns."""

import numpy as np

from mchezo.core.compiled import compiled
from mchezo.core.structs import Words64


def dice(seed: int) -> Words64:
    """A generator for compiled code; equal seeds give equal throws."""
    # xorshift never leaves zero and starts slowly from small numbers, so the seed is spread first.
    word = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    return word if word[0] else np.ones(1, np.uint64)


@compiled
def throw(dice: Words64, sides: int) -> int:
    """A number from 0 to sides - 1."""
    x = dice[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    dice[0] = x
    return np.int64((np.int64(x >> np.uint64(33)) * sides) >> 31)
