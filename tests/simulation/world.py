"""The scheduler: simulated time, the queue of everything that will happen, randomness, and the trace."""

from __future__ import annotations

import hashlib
import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

SECOND = 1_000_000  # simulated time is counted in microseconds
EPOCH = 1_750_000_000 * SECOND  # the wall clock at the start of every run


class Violation(AssertionError):
    """An invariant does not hold."""


class Owner(Protocol):
    """What an event belongs to: events of a dead owner never happen."""

    alive: bool


class World:
    """Everything that one seed decides."""

    def __init__(self, seed: int, keep_trace: bool = False) -> None:
        self.seed = seed
        self.rng = random.Random(f"world {seed}")
        self.secrets = random.Random(f"secrets {seed}")
        self.time = 0
        self.wall_offset = 0  # of the wall clock, after jumps
        self.steps = 0
        self.events: list[tuple[int, int, Owner | None, Callable[..., object], tuple[Any, ...]]] = []
        self.sequence = count()
        self.faults: Counter[str] = Counter()
        self.violation: Violation | None = None
        self.digest = hashlib.sha256()
        self.trace: list[str] | None = [] if keep_trace else None
        self.running: Owner | None = None  # whose event is being executed

    # Time

    def wall(self) -> int:
        """Return the wall clock's time in microseconds since 1970."""
        return EPOCH + self.time + self.wall_offset

    def after(
        self, microseconds: int, function: Callable[..., object], *arguments: Any, owner: Owner | None = None
    ) -> None:
        """Call a function after a span of simulated time, if its owner is still alive then."""
        at = self.time + max(0, microseconds)
        heapq.heappush(self.events, (at, next(self.sequence), owner, function, arguments))

    def step(self) -> bool:
        """Let the next event happen; return False if there is none. Raise if an invariant was violated."""
        while self.events:
            at, _, owner, function, arguments = heapq.heappop(self.events)
            if owner is not None and not owner.alive:
                continue
            self.time = max(self.time, at)
            self.steps += 1
            self.running = owner
            function(*arguments)
            self.running = None
            if self.violation is not None:
                raise self.violation
            return True
        return False

    # Randomness

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < probability

    def between(self, least: float, most: float) -> int:
        """Return a random span between two numbers of seconds, in microseconds."""
        return int(self.rng.uniform(least, most) * SECOND)

    def pick(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.rng.randrange(len(values))]

    # What happened

    def fault(self, kind: str, **details: object) -> None:
        """Count an injected fault."""
        self.faults[kind] += 1
        self.note("fault", kind, details)

    def note(self, *what: object) -> None:
        """Add a line to the trace."""
        line = f"{self.time} {' '.join(map(str, what))}"
        self.digest.update(line.encode())
        if self.trace is not None:
            self.trace.append(line)

    def fail(self, message: str) -> None:
        """Report a violated invariant; the run ends after the current step. Server code cannot catch it."""
        if self.violation is None:
            self.note("violation", message)
            self.violation = Violation(message)
