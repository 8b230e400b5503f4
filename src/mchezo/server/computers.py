"""Computer seats: threads that lease a table, think without any lock, and append like anybody else.

Where no seat waits, they go on with an analysis that somebody asked for.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from mchezo.core.errors import Refusal
from mchezo.server import commands
from mchezo.server.analyses import Analyses
from mchezo.server.commands import Scene, Who
from mchezo.server.measures import COMPUTER_TURNS
from mchezo.server.opponents import ComputerPlayer, Opponents
from mchezo.server.store import Hint, Store, append_for
from mchezo.server.table import Table

LOG = logging.getLogger("mchezo.server")
LEASE = 15_000  # milliseconds; who dies is replaced after so long
RENEW = 5_000
KEEP = 64  # tables, so that a turn reads only what is new
SHARE_OF_CLOCK = 15  # a computer with a clock thinks for no more than this part of what it has left
POLL = 1.0  # seconds
STOP = 10.0  # seconds until who does not stop thinking is left behind


class Computers:
    """The threads that play for computers."""

    def __init__(
        self, store: Store, opponents: Opponents, threads: int, played: Callable[[str, int], None] | None = None
    ) -> None:
        self.store = store
        self.opponents = opponents
        self.played = played  # told after an append: table and number
        self.owner = secrets.token_hex(8)
        self.work = threading.Condition()
        self.pending = False
        self.stopping = False
        self.numbers: dict[str, int] = {}  # tables in thought -> the newest number heard of
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.players: dict[tuple[int, str, int], ComputerPlayer] = {}
        self.analyses = Analyses(store, opponents)
        self.threads = [
            threading.Thread(target=self.run, args=(number,), name=f"computer-{number}", daemon=True)
            for number in range(threads)
        ]

    def start(self) -> None:
        """Begin to play."""
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        """Stop thinking at once; what is not played is played after the next start."""
        with self.work:
            self.stopping = True
            self.work.notify_all()
        end = time.monotonic() + STOP
        for thread in self.threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))
        if any(thread.is_alive() for thread in self.threads):
            LOG.warning("a computer still thinks; what it finds is left out")

    def wake(self) -> None:
        """There may be something to do."""
        with self.work:
            self.pending = True
            self.work.notify()

    def heard(self, hints: list[Hint]) -> None:
        """Tables have gone on: who thinks about an old position stops, and a computer may be to move."""
        for table, number, _ in hints:
            if table in self.numbers:
                self.numbers[table] = max(number, self.numbers[table])
        if any(hint.computer for hint in hints):
            self.wake()

    def run(self, number: int) -> None:
        """One thread."""
        while not self.stopping:
            try:
                table = self.store.lease(f"{self.owner}-{number}", self.store.now(), LEASE).result()
                if table is not None:
                    self.play(table, number)
                    continue
                if self.analyses.go_on(f"{self.owner}-{number}", lambda: self.give_way(number)):
                    continue
            except Exception:
                LOG.exception("a computer's turn failed")
                table = None
            with self.work:
                if not self.pending and not self.stopping:
                    self.work.wait(POLL)
                self.pending = False

    def give_way(self, number: int) -> bool:
        """Play the turns that wait: people first, then analyses. True if all is to stop."""
        while not self.stopping:
            table = self.store.lease(f"{self.owner}-{number}", self.store.now(), LEASE).result()
            if table is None:
                break
            self.play(table, number)
        return self.stopping

    def play(self, id: str, thread: int) -> None:
        """Think for one turn, and append it if the decision is still open."""
        table = self.read(id)
        seat, decision = table.to_move, table.decision
        level = None if seat is None else table.plays_itself(seat)
        if seat is None or decision is None or level is None or table.position is None:
            return
        self.numbers[id] = table.number
        try:
            moves = self.player(thread, table.made.game, level).turn(
                table.position.copy(), stop=self.stop_for(table, seat, f"{self.owner}-{thread}")
            )
        finally:
            last = self.numbers.pop(id)
        if self.stopping:
            self.store.renew(id, f"{self.owner}-{thread}", 0).result()  # free for whoever goes on
            return
        if last > table.number and self.read(id).decision != decision:
            return
        self.append(id, decision, seat, moves)

    def append(self, id: str, decision: int, seat: int, moves: list[str]) -> None:
        """An ordinary append; whoever was quicker is right."""
        for _ in range(20):
            table = self.read(id)
            scene = Scene(Who("computer"), max(self.store.now(), table.last_at))
            try:
                verdict = commands.computer_plays(table, decision, seat, moves, scene)
            except Refusal as refusal:
                LOG.info("a computer's move came too late", extra={"table": id, "reason": str(refusal)})
                return
            following = table.after(verdict.facts, verdict.position)
            append = append_for(following, verdict.facts)
            if verdict.new_table is not None:
                new_id, new_facts = verdict.new_table
                append.with_table = append_for(Table(new_id, new_facts), new_facts)
            if self.store.append(append).result():
                self.tables[id] = following
                COMPUTER_TURNS.labels(table.made.game).inc()
                if self.played is not None:
                    self.played(id, following.number)
                return

    def read(self, id: str) -> Table:
        """A table as it is stored now."""
        known = self.tables.pop(id, None)
        if known is None:
            found = self.store.load(id)
            assert found is not None
            known = found
        else:
            new = self.store.facts(id, known.number)
            if new:
                known = known.after(new)
        self.tables[id] = known
        while len(self.tables) > KEEP:
            self.tables.popitem(last=False)
        return known

    def player(self, thread: int, game: str, level: int) -> ComputerPlayer:
        """A player; each thread has its own."""
        key = (thread, game, level)
        if key not in self.players:
            self.players[key] = self.opponents.player(game, level)
        return self.players[key]

    def stop_for(self, table: Table, seat: int, owner: str) -> Callable[[], bool]:
        """When to stop thinking: told to, overtaken, or short of time. Keeps the lease meanwhile."""
        began = time.monotonic()
        left = table.clock.left_at(self.store.now())[seat] if table.clock else None
        most = None if left is None else left / 1000 / SHARE_OF_CLOCK
        renewed = began

        def stop() -> bool:
            nonlocal renewed
            now = time.monotonic()
            if now - renewed > RENEW / 1000:
                renewed = now
                self.store.renew(table.id, owner, self.store.now() + LEASE)
            late = most is not None and now - began > most
            return self.stopping or late or self.numbers.get(table.id, 0) > table.number

        return stop
