"""The latency of a connection, as the server itself observes it: nothing that a client says is believed."""

from __future__ import annotations

import secrets

SAMPLES = 5  # round trips of which the shortest counts: a single delayed answer gains nothing
NUMBER_BITS = 53  # numbers that every JSON parser keeps


class Latency:
    """Measures round trips by numbered pings, one at a time. Times are passed in, in milliseconds."""

    def __init__(self) -> None:
        self.outstanding: tuple[int, int] | None = None  # the number of the last ping, and when it was sent
        self.samples: tuple[int, ...] = ()

    def ping(self, now: int) -> int:
        """Return the number of a new ping, which nobody can guess; an unanswered one is forgotten."""
        number = secrets.randbits(NUMBER_BITS)
        self.outstanding = (number, now)
        return number

    def pong(self, number: int, now: int) -> None:
        """Take the answer to the outstanding ping; any other is ignored."""
        if self.outstanding is not None and number == self.outstanding[0]:
            self.samples = (*self.samples, max(0, now - self.outstanding[1]))[-SAMPLES:]
            self.outstanding = None

    @property
    def milliseconds(self) -> int:
        """The shortest of the last round trips; 0 before the first."""
        return min(self.samples, default=0)
