"""Sets as bits of one integer: counting the members and numbering a single one, in compiled code."""

import numpy as np

from mchezo.core.compiled import compiled
from mchezo.core.structs import bits, wide

# 2 is a primitive root modulo 67, so the 64 powers of two leave 64 different remainders.
MODULUS = 67
INDEX_BY_REMAINDER = np.zeros(MODULUS, np.int64)
INDEX_BY_REMAINDER[[pow(2, index, MODULUS) for index in range(64)]] = np.arange(64)


@compiled
def popcount(members: int) -> int:
    """Return the number of members of a set; LLVM compiles this loop to a single instruction."""
    rest = bits(members)
    count = wide(0)
    while rest:
        rest &= rest - bits(1)
        count += 1
    return count


@compiled
def bit_index(single: int) -> int:
    """Return the number of the only member of a set."""
    return wide(INDEX_BY_REMAINDER[bits(single) % bits(MODULUS)])
