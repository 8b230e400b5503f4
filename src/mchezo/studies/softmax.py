"""Drawing a decision by softmax over what the choices are worth, so that games of self-play differ."""

from __future__ import annotations

from mchezo.core.compiled import compiled
from mchezo.core.elementary import exp
from mchezo.core.rng import randbelow
from mchezo.core.structs import Numbers, Words64, wide


@compiled
def softmax_choice(values: Numbers, count: int, softness: float, rng: Words64) -> int:
    """Draw an index by softmax over the first `count` values, which are overwritten; `softness` is its temperature."""
    best = values[0]
    for index in range(1, count):
        best = max(best, values[index])
    total = 0.0
    for index in range(count):
        values[index] = exp((values[index] - best) / softness)
        total += values[index]
    left = randbelow(rng, wide(1 << 30)) / (1 << 30) * total
    for index in range(count - 1):
        left -= values[index]
        if left < 0:
            return index
    return count - 1
