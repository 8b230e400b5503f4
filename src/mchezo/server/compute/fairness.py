"""Start-time fair queueing: computing time is shared between networks, and within a network between its guests.

Each piece of work has an estimated cost, in nodes or a comparable unit. The payer who has used least goes first. A
payer who was idle starts level with the others, so that nobody saves up a share, and nobody waits for the queue of
somebody else. Among equals, short work goes first.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Generic, TypeVar, cast

from mchezo.server.domain.payers import LAST, Payer
from mchezo.server.errors import TableError

T = TypeVar("T")
MAX_KEYS = 10_000  # payers that are remembered
RETRY_SECONDS = 5  # suggested to a client whose work was refused

Tags = tuple[float, float]  # the virtual start times of a payer's next work: its network's, and its own


class Shares:
    """The virtual time of one level: what each key has used, counted from what the key in service had used."""

    def __init__(self) -> None:
        self.virtual_time = 0.0
        self.finish: OrderedDict[str, float] = OrderedDict()

    def start(self, key: str) -> float:
        """Return the virtual time at which the next work of a key starts."""
        return max(self.virtual_time, self.finish.get(key, 0.0))

    def charge(self, key: str, cost: float) -> None:
        """Charge a key for work that starts now."""
        self.virtual_time = self.start(key)
        self.finish[key] = self.virtual_time + cost
        self.finish.move_to_end(key)
        while len(self.finish) > MAX_KEYS:
            self.finish.popitem(last=False)


class FairShares:
    """What networks and their guests have used."""

    def __init__(self) -> None:
        self.networks = Shares()
        self.guests: OrderedDict[str, Shares] = OrderedDict()

    def tags(self, payer: Payer) -> Tags:
        """Return when the next work of a payer starts; the smallest goes first."""
        if payer == LAST:
            return inf, inf
        guests = self.guests.get(payer.network)
        return self.networks.start(payer.network), 0.0 if guests is None else guests.start(payer.guest)

    def charge(self, payer: Payer, cost: float) -> None:
        """Charge a payer for work that starts now."""
        if payer == LAST:
            return  # it never starts while others wait
        self.networks.charge(payer.network, cost)
        guests = self.guests.pop(payer.network, None) or Shares()
        guests.charge(payer.guest, cost)
        self.guests[payer.network] = guests
        while len(self.guests) > MAX_KEYS:
            self.guests.popitem(last=False)


@dataclass(frozen=True)
class QueueLimits:
    """How much work may wait: of a guest, of a network, in all."""

    guest: int
    network: int
    total: int


@dataclass(eq=False)
class Work(Generic[T]):
    """A piece of work that waits."""

    payer: Payer
    cost: float
    item: T


class FairQueue(Generic[T]):
    """A bounded queue; not thread-safe."""

    def __init__(self, limits: QueueLimits, refusal: str = "overloaded") -> None:
        self.limits = limits
        self.refusal = refusal  # the key of the words for a client whose work was refused
        self.shares = FairShares()
        self.waiting: list[Work[T]] = []

    def __len__(self) -> int:
        return len(self.waiting)

    def push(self, payer: Payer, cost: float, item: T) -> Work[T]:
        """Queue work, or refuse it if too much of its payer's, or of everybody's, waits."""
        guests = Counter(work.payer for work in self.waiting)
        networks = Counter(work.payer.network for work in self.waiting)
        limits = self.limits
        if guests[payer] >= limits.guest or networks[payer.network] >= limits.network:
            raise TableError("overloaded", "too-much-waiting", seconds=RETRY_SECONDS)
        if len(self.waiting) >= limits.total:
            raise TableError("overloaded", self.refusal, seconds=RETRY_SECONDS)
        work = Work(payer, cost, item)
        self.waiting.append(work)
        return work

    def pop(self) -> T:
        """Return the work that goes next, and charge its payer."""
        work = min(self.waiting, key=lambda one: (*self.shares.tags(one.payer), one.cost))
        self.waiting.remove(work)
        self.shares.charge(work.payer, work.cost)
        return work.item

    def discard(self, work: Work[T]) -> None:
        """Remove work that nobody waits for any more."""
        with suppress(ValueError):
            self.waiting.remove(work)


@dataclass
class Job:
    """A call for a thread, and its result."""

    call: Callable[[], object]
    done: Future[object] = field(default_factory=Future)


class FairExecutor:
    """Threads of their own for one kind of work, fed by a fair and bounded queue."""

    def __init__(self, name: str, threads: int, limits: QueueLimits) -> None:
        self.name = name
        self.max_threads = threads
        self.queue: FairQueue[Job] = FairQueue(limits)
        self.changed = threading.Condition()
        self.threads: list[threading.Thread] = []
        self.idle = 0
        self.stopping = False

    async def run(self, payer: Payer, cost: float, call: Callable[[], T]) -> T:
        """Return the result of a call made by one of the threads; a caller that is cancelled leaves the queue."""
        job = Job(call)
        with self.changed:
            work = self.queue.push(payer, cost, job)
            if not self.idle and len(self.threads) < self.max_threads:
                thread = threading.Thread(target=self.work, name=f"{self.name}-{len(self.threads)}", daemon=True)
                self.threads.append(thread)
                thread.start()
            self.changed.notify()
        try:
            return cast(T, await asyncio.wrap_future(job.done))
        finally:
            with self.changed:
                self.queue.discard(work)

    def work(self) -> None:
        """Make calls until stopped: the body of a thread."""
        while True:
            with self.changed:
                self.idle += 1
                self.changed.wait_for(lambda: self.stopping or len(self.queue))
                self.idle -= 1
                if self.stopping:
                    return
                job = self.queue.pop()
            if not job.done.set_running_or_notify_cancel():
                continue
            try:
                result = job.call()
            except BaseException as error:
                job.done.set_exception(error)
            else:
                job.done.set_result(result)

    def stop(self) -> None:
        """Cancel what waits, and let the threads end after what they are doing."""
        with self.changed:
            self.stopping = True
            for work in self.queue.waiting:
                work.item.done.cancel()
            self.queue.waiting.clear()
            self.changed.notify_all()
