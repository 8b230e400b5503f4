"""Fast random numbers inside compiled code: xorshift64, whose state is an array of one word that the caller owns."""

import numpy as np

from mchezo.core.compiled import compiled
from mchezo.core.structs import Words64, bits, wide


def dice(seed: int) -> Words64:
    """A generator for compiled code; equal seeds give equal throws."""
    # xorshift never leaves zero and starts slowly from small numbers, so the seed is spread first.
    word = np.random.SeedSequence(seed).generate_state(1, np.uint64).astype(np.uint64)
    return np.maximum(word, np.uint64(1))


@compiled
def throw(dice: Words64, sides: int) -> int:
    """A number from 0 to sides - 1."""
    x = dice[0]
    x ^= x << bits(13)
    x ^= x >> bits(7)
    x ^= x << bits(17)
    dice[0] = x
    return (wide(x >> bits(33)) * sides) >> 31
