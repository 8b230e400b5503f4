"""Random numbers for compiled code: xorshift64, with its state in an array of one word that the caller owns."""

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.structs import Words64, bits, wide


def new_rng(seed: int) -> Words64:
    """Return the state of a new generator; equal seeds give equal numbers."""
    # xorshift never leaves zero and mixes small seeds slowly, so the seed is hashed first.
    return arrays.array([max(hash_seed(seed), 1)], arrays.uint64)


HASH, HASH_FACTOR = 0x43B0D7E5, 0x931E8875
WORD_HASH, WORD_FACTOR = 0x8B51F9DD, 0x58F38DED
LEFT, RIGHT = 0xCA01F9DD, 0x4973F715
POOL = 4  # words
WORD = (1 << 32) - 1


def hash_seed(seed: int) -> int:
    """Return 64 bits that depend on all bits of a seed: O'Neill's seed_seq, as NumPy's SeedSequence has it."""
    entropy = [seed >> at & WORD for at in range(0, max(seed.bit_length(), 1), 32)]
    constant = HASH

    def hashed(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * HASH_FACTOR & WORD
        word = word * constant & WORD
        return word ^ word >> 16

    def mixed(one: int, two: int) -> int:
        word = one * LEFT - two * RIGHT & WORD
        return word ^ word >> 16

    pool = [hashed(word) for word in (entropy + [0] * POOL)[:POOL]]
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                pool[target] = mixed(pool[target], hashed(pool[source]))
    for word in entropy[POOL:]:
        for target in range(POOL):
            pool[target] = mixed(pool[target], hashed(word))
    found, constant = [], WORD_HASH
    for word in pool[:2]:
        word ^= constant
        constant = constant * WORD_FACTOR & WORD
        word = word * constant & WORD
        found.append(word ^ word >> 16)
    return found[0] | found[1] << 32


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
