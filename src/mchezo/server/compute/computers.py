"""Computer seats: threads that lease a table, think without holding a lock, and append like everybody else.

Which table is next is decided by what its payer has used (fairness.py). A search is interrupted between two slices by a
much shorter turn of somebody who has used less. The same threads continue analyses that somebody requested.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from mchezo.core.errors import UserError
from mchezo.server.compute.analyses import Analyses
from mchezo.server.compute.fairness import FairShares, Tags
from mchezo.server.compute.opponents import ComputerPlayer, Opponents
from mchezo.server.domain.clock import CLOCK_FRACTION
from mchezo.server.domain.context import Change, Identity
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.playing import computer_move
from mchezo.server.domain.summary import decode_summary
from mchezo.server.domain.table import Table
from mchezo.server.metrics import COMPUTER_TURNS
from mchezo.server.storage.appending import append_change, command_context, exclude_delay
from mchezo.server.storage.leases import Candidate
from mchezo.server.storage.notifications import Notification
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append

LOG = logging.getLogger("mchezo.server")
LEASE = 15_000  # milliseconds until a thread that died is replaced
RENEW = 5_000
MAX_TABLES = 64  # kept in memory, so that a turn reads only new facts
POLL = 1.0  # seconds
MUCH_SHORTER = 4  # a turn interrupts a search that costs at least this many times as much
STRONGEST = 8  # the level of a seat whose player dropped out is not in the summary: assume the most expensive
UNKNOWN_NODES = 10_000_000  # of a turn whose summary is damaged
STOP = 10.0  # seconds until a thread that does not stop thinking is left behind
COMPUTER = Identity("computer")


class Searching(NamedTuple):
    """What a thread is searching for, and for whom."""

    payer: Payer
    nodes: int


class Computers:
    """The threads that play for computers."""

    def __init__(
        self, store: Store, opponents: Opponents, threads: int, moved: Callable[[Append], None] | None = None
    ) -> None:
        self.store = store
        self.opponents = opponents
        self.moved = moved  # called on the writer thread once a turn is stored; it then corrects clocks, too
        self.owner = secrets.token_hex(8)
        self.work = threading.Condition()
        self.pending = False
        self.stopping = False
        self.newest: dict[str, int] = {}  # tables being thought about -> the highest number heard of
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.players: dict[tuple[int, bool, str, int], ComputerPlayer] = {}
        self.shares = FairShares()
        self.leasing = threading.Lock()  # held from choosing a row until its payer is charged
        self.wakes = 0  # how often there was new work
        self.analyses = Analyses(store, opponents, self.charge)
        self.threads = [
            threading.Thread(target=self.run, args=(number,), name=f"computer-{number}", daemon=True)
            for number in range(threads)
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        """Stop thinking at once; unfinished turns are played after the next start."""
        with self.work:
            self.stopping = True
            self.work.notify_all()
        end = time.monotonic() + STOP
        for thread in self.threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))
        if any(thread.is_alive() for thread in self.threads):
            LOG.warning("a computer is still thinking; its move is discarded")

    def wake(self) -> None:
        """Let a thread look for work."""
        with self.work:
            self.pending = True
            self.wakes += 1
            self.work.notify()

    def on_notify(self, notifications: list[Notification]) -> None:
        """Stop thinking about positions that are outdated, and look for work if a computer is to move."""
        for table, number, _ in notifications:
            if table in self.newest:
                self.newest[table] = max(number, self.newest[table])
        if any(notification.computer for notification in notifications):
            self.wake()

    def run(self, number: int) -> None:
        """Play turns and continue analyses until stopped: the body of a thread."""
        while not self.stopping:
            try:
                if self.play_next(number, self.next_analysis()) or self.analyse_next(number) or self.play_next(number):
                    continue
            except Exception:
                LOG.exception("a computer's turn failed")
            with self.work:
                if not self.pending and not self.stopping:
                    self.work.wait(POLL)
                self.pending = False

    def next_analysis(self) -> Tags | None:
        """Return when the analysis that is next is to be served; None if none waits."""
        waiting = self.store.analyses.leases.candidates(self.store.now())
        return min((self.shares.tags(candidate.payer) for candidate in waiting), default=None)

    def play_next(self, thread: int, not_after: Tags | None = None) -> bool:
        """Play the turn that is next; False if there is none of a payer who is served no later than `not_after`."""
        table = self.lease(thread, not_after)
        if table is not None:
            self.play(table, thread)
        return table is not None

    def analyse_next(self, thread: int) -> bool:
        """Continue the analysis that is next until it is done or a turn is; False if none waits."""

        def rank(candidates: Sequence[Candidate]) -> list[Candidate]:
            return sorted(candidates, key=lambda candidate: self.shares.tags(candidate.payer))

        return self.analyses.work_on_next(
            self.lease_owner(thread),
            lambda payer: self.yield_to_turns(thread, payer),
            lambda payer, nodes: self.interruption(thread, Searching(payer, nodes)),
            rank,
        )

    def lease(self, thread: int, not_after: Tags | None = None, interrupt: Searching | None = None) -> Candidate | None:
        """Lease the table whose turn is next, and charge its payer.

        Only payers who are served no later than `not_after` are considered, and only turns that may interrupt a search.
        """
        costs: dict[str, int] = {}

        def rank(candidates: Sequence[Candidate]) -> list[Candidate]:
            order: list[tuple[Tags, int, int, Candidate]] = []
            for number, candidate in enumerate(candidates):
                nodes = costs[candidate.id] = self.estimated_nodes(candidate)
                tags = self.shares.tags(candidate.payer)
                too_late = not_after is not None and tags > not_after
                if too_late or (interrupt is not None and not self.may_interrupt(candidate.payer, nodes, interrupt)):
                    continue
                order.append((tags, nodes, number, candidate))
            return [candidate for *_, candidate in sorted(order, key=lambda one: one[:3])]

        with self.leasing:
            turns, owner = self.store.computer_turns, self.lease_owner(thread)
            leased = turns.acquire(owner, self.store.now(), LEASE, rank).result()
            if leased is not None:
                self.charge(leased.payer, costs[leased.id])
        return leased

    def may_interrupt(self, payer: Payer, nodes: int, searching: Searching) -> bool:
        """Return whether a turn may interrupt a search: it is much shorter, and its payer has used less."""
        earlier = self.shares.tags(payer) < self.shares.tags(searching.payer)
        return earlier and nodes * MUCH_SHORTER <= searching.nodes

    def estimated_nodes(self, candidate: Candidate) -> int:
        """Return what a turn is expected to cost."""
        try:
            summary = decode_summary(candidate.summary)
        except msgspec.DecodeError:
            return UNKNOWN_NODES
        level = None if summary.to_move is None else summary.seats[summary.to_move].level
        return self.opponents.nodes(summary.game, level or STRONGEST)

    def charge(self, payer: Payer, nodes: int) -> None:
        """Charge a payer for a search that starts now."""
        self.shares.charge(payer, nodes)

    def lease_owner(self, thread: int) -> str:
        """Return the name under which a thread holds leases."""
        return f"{self.owner}-{thread}"

    def yield_to_turns(self, thread: int, payer: Payer) -> bool:
        """Play the turns of everybody who has used no more than the payer of an analysis; return whether to stop."""
        while not self.stopping:
            table = self.lease(thread, self.shares.tags(payer))
            if table is None:
                break
            self.play(table, thread)
        return self.stopping

    def interruption(self, thread: int, searching: Searching) -> Callable[[], bool]:
        """Return a function that plays much shorter turns while a search is suspended; it returns whether to stop."""
        known = self.wakes

        def interrupt() -> bool:
            nonlocal known
            while known != self.wakes and not self.stopping:
                known = self.wakes
                while (table := self.lease(thread, interrupt=searching)) is not None:
                    try:
                        self.play(table, thread, interrupting=True)
                    except Exception:  # it is not the fault of the search that was interrupted
                        LOG.exception("a computer's turn failed", extra={"table": table.id})
            return self.stopping

        return interrupt

    def play(self, leased: Candidate, thread: int, *, interrupting: bool = False) -> None:
        """Think about one turn, and append it if the decision is still open."""
        id = leased.id
        table = self.read(id)
        seat, decision = table.to_move, table.decision
        level = None if seat is None else table.computer_level(seat)
        if seat is None or decision is None or level is None or table.position is None:
            return
        self.newest[id] = table.number
        stop = self.stop_condition(table, seat, self.lease_owner(thread))
        if not interrupting:
            nodes = self.opponents.nodes(table.creation.game, level)
            interrupt, outdated = self.interruption(thread, Searching(leased.payer, nodes)), stop
            stop = lambda: outdated() or interrupt()  # noqa: E731, one line of use
        try:
            player = self.player(thread, interrupting, table.creation.game, level)
            moves = player.turn(table.position.copy(), stop=stop)
        finally:
            newest = self.newest.pop(id)
        if self.stopping:
            self.store.computer_turns.renew(id, self.lease_owner(thread), 0).result()  # release it
            return
        if newest > table.number and self.read(id).decision != decision:
            return
        asyncio.run(self.append(id, decision, seat, moves))  # a short-lived loop costs less than a millisecond a turn

    async def append(self, id: str, decision: int, seat: int, moves: list[str]) -> None:
        """Append a turn, unless the decision was answered in the meantime."""

        def decide(table: Table) -> Change:
            return computer_move(table, decision, seat, moves, command_context(COMPUTER, self.store.now(), table))

        async def reload(_: Table) -> Table:
            return self.read(id)

        try:
            stored = await append_change(self.store, self.read(id), decide, reload, self.moved)
        except UserError as error:
            LOG.info("a computer's move came too late", extra={"table": id, "reason": str(error)})
            return
        assert stored is not None
        self.tables[id] = stored.table
        COMPUTER_TURNS.labels(stored.table.creation.game).inc()
        if self.moved is None:  # there is nobody else to correct the clock that it started
            correction = exclude_delay(stored.table, stored.new[0].at, self.store.now())
            if correction is not None:
                await append_change(self.store, stored.table, correction, reload)

    def read(self, id: str) -> Table:
        """Return a table as it is stored now."""
        table = self.tables.pop(id, None)
        if table is None:
            table = self.store.tables.load(id)
            assert table is not None
        else:
            table = self.store.tables.extend(table)
        self.tables[id] = table
        while len(self.tables) > MAX_TABLES:
            self.tables.popitem(last=False)
        return table

    def player(self, thread: int, interrupting: bool, game: str, level: int) -> ComputerPlayer:
        """Return a player of this level; each thread has its own, and another one while a search is suspended."""
        key = (thread, interrupting, game, level)
        if key not in self.players:
            self.players[key] = self.opponents.player(game, level)
        return self.players[key]

    def stop_condition(self, table: Table, seat: int, owner: str) -> Callable[[], bool]:
        """Return a function that says when to stop thinking, and renews the lease while it is asked."""
        began = time.monotonic()
        left = table.clock.left_at(self.store.now())[seat] if table.clock else None
        max_seconds = None if left is None else left / 1000 / CLOCK_FRACTION
        renewed = began

        def stop() -> bool:
            nonlocal renewed
            now = time.monotonic()
            if now - renewed > RENEW / 1000:
                renewed = now
                self.store.computer_turns.renew(table.id, owner, self.store.now() + LEASE)
            out_of_time = max_seconds is not None and now - began > max_seconds
            return self.stopping or out_of_time or self.newest.get(table.id, 0) > table.number

        return stop
