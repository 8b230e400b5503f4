"""Keys of positions: Zobrist words, and a mixer for what does not fit into bits.

Keys are part of the stored playthroughs, so these numbers never change.
"""

from mchezo.core import arrays
from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.rng import xorshift
from mchezo.core.structs import Words64, bits


def zobrist_words(count: int) -> Words64:
    """Return random words (splitmix64) that are the same on every machine and in every version."""
    mask, seed, words = (1 << 64) - 1, 0, []
    for _ in range(count):
        seed = seed + 0x9E3779B97F4A7C15 & mask
        word = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & mask
        word = (word ^ word >> 27) * 0x94D049BB133111EB & mask
        words.append(word ^ word >> 31)
    return arrays.array(words, arrays.uint64)


@compiled
def xor_members(members: int, words: Words64) -> int:
    """Return the XOR of the words of a set's members."""
    word = bits(0)
    while members:
        first = members & -members
        word ^= words[bit_index(first)]
        members ^= first
    return word


@compiled
def mix(key: int, value: int) -> int:
    """Mix a value into a key; different keys stay different."""
    return xorshift(key ^ bits(value))
