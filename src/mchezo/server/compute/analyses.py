"""Analyses of finished games: requested once, computed by the threads of the computer players, stored with the game.

A thread leases an analysis as it leases a table. Progress is stored every second, so that another thread can continue.
Each decision is charged to whoever requested the analysis; between two decisions, the turns of those who have used no
more are played first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import cast

import msgspec

from mchezo.core.errors import UserError
from mchezo.search.analysis import decisions, evaluate
from mchezo.search.thought import Stop
from mchezo.server import messages
from mchezo.server.compute.opponents import Opponents
from mchezo.server.domain.payers import Payer
from mchezo.server.errors import TableError
from mchezo.server.projection import analysis
from mchezo.server.projection.replay import finished_position
from mchezo.server.storage.analyses import AnalysisRow, MaxWaiting
from mchezo.server.storage.leases import Ranking, longest_waiting_first
from mchezo.server.storage.store import Store

LOG = logging.getLogger("mchezo.server")
MAX_WAITING = MaxWaiting(guest=5, network=20, total=200)  # games
LEASE = 20_000  # milliseconds
SAVE_SECONDS = 1.0
RETRY_SECONDS = 60  # suggested to a client whose request was refused
decode_moves = msgspec.json.Decoder(list[messages.AnalysedMove]).decode


class Analyses:
    """The analyses, as a thread works on them."""

    def __init__(self, store: Store, opponents: Opponents, charge: Callable[[Payer, int], None]) -> None:
        self.store = store
        self.opponents = opponents
        self.charge = charge

    def work_on_next(
        self,
        owner: str,
        yield_to_turns: Callable[[Payer], bool],
        interruption: Callable[[Payer, int], Stop] = lambda payer, nodes: lambda: False,
        rank: Ranking = longest_waiting_first,
    ) -> bool:
        """Lease an analysis that waits and work on it until it is done or has to stop; False if none waits.

        `yield_to_turns` is called before each decision, the function that `interruption` returns during the search.
        """
        leased = self.store.analyses.leases.acquire(owner, self.store.now(), LEASE, rank).result()
        if leased is None:
            return False
        try:
            self.analyse(leased.id, owner, leased.payer, lambda: yield_to_turns(leased.payer), interruption)
        except Exception:
            LOG.exception("an analysis failed", extra={"table": leased.id})
            self.save(leased.id, owner, "failed", 0, [])
        return True

    def analyse(
        self,
        id: str,
        owner: str,
        payer: Payer,
        stopped: Callable[[], bool],
        interruption: Callable[[Payer, int], Stop],
    ) -> None:
        """Analyse every decision that was not analysed before."""
        table, row = self.store.tables.load(id), self.store.analyses.get(id)
        assert table is not None
        assert row is not None
        position = finished_position(table)
        try:
            before = decisions(position)
        except UserError:
            before = []  # nobody had a choice
        found = decode_moves(row.found)
        analyst = self.opponents.analyst(table.creation.game)
        nodes, saved = table.game.computers.analysis_nodes, 0.0
        for number, at, move in before[len(found) :]:
            if stopped():
                break
            self.charge(payer, nodes)
            interrupt = interruption(payer, nodes)
            moment = evaluate(analyst, at, number, move, nodes, interrupt)
            if interrupt():
                break  # the server stops, and the search was cut short
            found.append(analysis.analysed_move(at, moment))
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                if not self.save(id, owner, "waiting", len(before), found):
                    return  # another thread has the lease now
        done = len(found) == len(before)
        self.save(id, owner, "done" if done else "waiting", len(before), found, release=True)

    def save(
        self,
        id: str,
        owner: str,
        status: str,
        total: int,
        found: Sequence[messages.AnalysedMove],
        *,
        release: bool = False,
    ) -> bool:
        """Store the progress, and renew or release the lease; False if the lease is lost."""
        until = 0 if release else self.store.now() + LEASE
        row = AnalysisRow(status, total, messages.encode(found))
        return self.store.analyses.save(id, owner, row, until).result()


def request_analysis(store: Store, id: str, payer: Payer) -> None:
    """Queue the analysis of a finished game."""
    if not store.analyses.request(id, store.now(), payer, MAX_WAITING).result():
        raise TableError("overloaded", "analyses-full", seconds=RETRY_SECONDS)


def analysis_progress(store: Store, id: str, seats: int, after: int) -> messages.Analysed:
    """Return the progress of an analysis, and its moves after the first `after`."""
    row = store.analyses.get(id)
    if row is None:
        return messages.Analysed("none", 0, 0, [], [None] * seats)
    status = cast(messages.AnalysisStatus, row.status)
    return analysis.analysed(status, row.total, decode_moves(row.found), seats, after)
