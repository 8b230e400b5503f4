"""Seeded, committed chance: every outcome is a function of the seed and the outcome's index, and can be verified.

The construction, so that anyone can repeat it without this program:

    n = HMAC-SHA256(key = the seed as 32 bytes, big-endian, message = "PURPOSE INDEX" in ASCII), read big-endian
    drawn = floor(n * total / 2**256)

PURPOSE is `setup` for draws while the game is set up, `chance` for outcomes during play and `lot` for the random
assignment of seats; INDEX counts from 0 for each purpose; `total` is the sum of the outcomes' weights. The outcome is
the first one for which the sum of the weights up to it, in the order in which the game lists them, exceeds `drawn`.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Literal

from mchezo.core.errors import InvalidSetup

SEED_BYTES = 32
Purpose = Literal["setup", "chance", "lot"]


def new_seed() -> str:
    """Return a secret 256-bit seed as 64 hexadecimal digits; only such seeds are committed to by their hash."""
    return secrets.token_hex(SEED_BYTES)


class Seed:
    """The seed of one game, and the draws derived from it."""

    def __init__(self, given: int | str | None = None) -> None:
        if given is None:
            given = new_seed()
        # The hash of a small number can be guessed, so only 64-digit seeds are committed to.
        self.committed = isinstance(given, str)
        self.bytes = read_seed(given)
        self.set_up_draws = 0

    @property
    def hex(self) -> str:
        """The seed as 64 hexadecimal digits."""
        return self.bytes.hex()

    @property
    def hash(self) -> str:
        """SHA-256 of the seed's 32 bytes: published when the game starts."""
        return hashlib.sha256(self.bytes).hexdigest()

    def successor(self) -> int | str:
        """Return the seed of the next game of a series: secret again if this one was, else a number derived from it."""
        return new_seed() if self.committed else int.from_bytes(hashlib.sha256(self.bytes + b"next").digest())

    def draw(self, purpose: Purpose, index: int, total: int) -> int:
        """Return a number below total, by the construction above."""
        digest = hmac.digest(self.bytes, f"{purpose} {index}".encode(), "sha256")
        return int.from_bytes(digest) * total >> 256

    def below(self, total: int) -> int:
        """Return the next draw of the set-up, a number below total."""
        self.set_up_draws += 1
        return self.draw("setup", self.set_up_draws - 1, total)

    def outcome(self, index: int, weights: Sequence[int]) -> int:
        """Return which of the weighted outcomes is drawn as number `index` of a game."""
        drawn = self.draw("chance", index, sum(weights))
        for number, weight in enumerate(weights):
            drawn -= weight
            if drawn < 0:
                return number
        raise ValueError("chance needs an outcome of positive weight")


def read_seed(given: object) -> bytes:
    """Return the 32 bytes of a number or of 64 hexadecimal digits."""
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < 1 << 256:
        return given.to_bytes(SEED_BYTES)
    if isinstance(given, str) and len(given) == 2 * SEED_BYTES and set(given) <= set("0123456789abcdef"):
        return bytes.fromhex(given)
    raise InvalidSetup("seed", given=given)
