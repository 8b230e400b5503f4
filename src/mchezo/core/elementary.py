"""exp and log from IEEE additions and multiplications alone, so that they have the same bits on every platform.

C libraries, browsers and interpreters round these functions differently. The algorithms are those of FDLIBM (Sun
Microsystems, 1993), with an error below one unit in the last place.
"""

import struct

from mchezo.core import arrays
from mchezo.core.compiled import compiled, instruction
from mchezo.core.structs import wide

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
ONE_OVER_LN2 = 1.44269504088896338700
SQRT2 = 1.4142135623730951
EXPONENT_BITS, BIAS = 52, 1023
LARGEST_EXP, SMALLEST_EXP = 709.0, -708.0  # beyond: infinite, zero

P1, P2, P3, P4, P5 = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)
L1, L2, L3, L4, L5, L6, L7 = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


@instruction
def float_of(word: int) -> float:
    """Return the number whose bits a word has."""
    return float(struct.unpack("d", struct.pack("q", int(word)))[0])


@instruction
def word_of(number: float) -> int:
    """Return the bits of a number as a word."""
    return int(struct.unpack("q", struct.pack("d", number))[0])


@compiled
def exp(power: float) -> float:
    """Return e to a power; 0 and infinity where the result has no normal number."""
    if power > LARGEST_EXP:
        return arrays.inf
    if power < SMALLEST_EXP:
        return 0.0
    # power = doublings * ln 2 + rest, with a rest below ln 2 / 2
    doublings = wide(power * ONE_OVER_LN2 + (0.5 if power >= 0.0 else -0.5))
    high = power - doublings * LN2_HIGH
    low = doublings * LN2_LOW
    rest = high - low
    square = rest * rest
    part = rest - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))))
    grown = 1.0 - ((low - rest * part / (2.0 - part)) - high)
    return float(grown * float_of((doublings + BIAS) << EXPONENT_BITS))


@compiled
def log(number: float) -> float:
    """Return the natural logarithm of a positive normal number."""
    # number = 2^doublings * (1 + rest), with 1 + rest around 1
    word = word_of(number)
    doublings = (word >> EXPONENT_BITS) - BIAS
    scaled = float_of(word - (doublings << EXPONENT_BITS))
    if scaled > SQRT2:
        scaled *= 0.5
        doublings += 1
    rest = scaled - 1.0
    half_square = 0.5 * rest * rest
    ratio = rest / (2.0 + rest)
    z = ratio * ratio
    w = z * z
    series = w * (L2 + w * (L4 + w * L6)) + z * (L1 + w * (L3 + w * (L5 + w * L7)))
    return float(doublings * LN2_HIGH - ((half_square - (ratio * (half_square + series) + doublings * LN2_LOW)) - rest))
