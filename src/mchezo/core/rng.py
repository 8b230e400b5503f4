"""Random numbers for compiled code: xorshift64, with its state in an array of one word that the caller owns."""

import numpy as np

from mchezo.core.compiled import compiled
from mchezo.core.structs import Words64, bits, wide


def new_rng(seed: int) -> Words64:
    """Return the state of a new generator; equal seeds give equal numbers."""
    # xorshift never leaves zero and mixes small seeds slowly, so the seed is hashed first.
    word = np.random.SeedSequence(seed).generate_state(1, np.uint64).astype(np.uint64)
    return np.maximum(word, np.uint64(1))


@compiled
def xorshift(word: int) -> int:
    """Return the next state of xorshift64, a permutation of the 64-bit words."""
    word ^= word << bits(13)
    word ^= word >> bits(7)
    word ^= word << bits(17)
    return word


@compiled
def randbelow(rng: Words64, bound: int) -> int:
    """Return a random number from 0 to bound - 1."""
    rng[0] = xorshift(rng[0])
    return (wide(rng[0] >> bits(33)) * bound) >> 31
