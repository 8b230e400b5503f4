"""Random numbers for compiled code: xorshift64, whose state is an array of one word that the caller owns."""

import numpy as np

from mchezo.core.compiled import compiled
from mchezo.core.structs import Words64, bits, wide


def dice(seed: int) -> Words64:
    """A generator for compiled code; equal seeds give equal throws."""
    # xorshift never leaves zero and starts slowly from small numbers, so the seed is spread first.
    word = np.random.SeedSequence(seed).generate_state(1, np.uint64).astype(np.uint64)
    return np.maximum(word, np.uint64(1))


def fixed_words(count: int) -> Words64:
    """Random words (splitmix64) that are the same on every machine and for ever, for the keys of positions."""
    mask, seed, words = (1 << 64) - 1, 0, []
    for _ in range(count):
        seed = seed + 0x9E3779B97F4A7C15 & mask
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & mask
        word = (word ^ word >> 27) * 0x94D049BB133111EB & mask
        words.append(word ^ word >> 31)
    return np.array(words, np.uint64)


@compiled
def throw(dice: Words64, sides: int) -> int:
    """A number from 0 to sides - 1."""
    x = dice[0]
    x ^= x << bits(13)
    x ^= x >> bits(7)
    x ^= x << bits(17)
    dice[0] = x
    return (wide(x >> bits(33)) * sides) >> 31
