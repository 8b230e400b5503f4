"""Analyses of finished games: asked for once, thought out by the computers' threads, stored with the game.

A thread leases an analysis as it leases a table. What was found is stored every second, so that whoever takes over goes
on from there; between two decisions turns of computer seats are played first.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import cast

import msgspec

from mchezo.core.deeds import Deed
from mchezo.core.errors import Refusal
from mchezo.core.position import Position
from mchezo.search.analysis import Moment, beginnings, look
from mchezo.server import messages, replay, sight
from mchezo.server.opponents import Opponents
from mchezo.server.refusals import TableRefusal, plain
from mchezo.server.store import AnalysisRow, Store

LOG = logging.getLogger("mchezo.server")
MOST_WAITING = 50  # games
NODES = 100_000  # for each decision
FEWER_NODES = {"kitara": 40_000}  # it has ten times as many decisions
LEASE = 20_000  # milliseconds
SAVE_SECONDS = 1.0
read = msgspec.json.Decoder(list[messages.AnalysedMove]).decode


class Analyses:
    """What threads do about analyses."""

    def __init__(self, store: Store, opponents: Opponents) -> None:
        self.store = store
        self.opponents = opponents

    def go_on(self, owner: str, give_way: Callable[[], bool]) -> bool:
        """Take up an analysis that waits and think until it is done; False if none waits."""
        id = self.store.lease_analysis(owner, self.store.now(), LEASE).result()
        if id is None:
            return False
        try:
            self.think(id, owner, give_way)
        except Exception:
            LOG.exception("an analysis failed", extra={"table": id})
            self.keep(id, owner, "failed", 0, [])
        return True

    def think(self, id: str, owner: str, give_way: Callable[[], bool]) -> None:
        """Judge every decision that was not judged before."""
        table, row = self.store.load(id), self.store.analysis(id)
        assert table is not None
        assert row is not None
        position = replay.finished(table)
        try:
            before = beginnings(position)
        except Refusal:
            before = []  # nobody had a choice
        found = read(row.found)
        thinker = self.opponents.analyst(table.made.game)
        saved = 0.0
        for number, at, move in before[len(found) :]:
            if give_way():
                break
            found.append(message(at, look(thinker, at, number, move, nodes(table.made.game))))
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                if not self.keep(id, owner, "waiting", len(before), found):
                    return  # somebody else thinks about it now
        done = len(found) == len(before)
        self.keep(id, owner, "done" if done else "waiting", len(before), found, over=True)

    def keep(
        self,
        id: str,
        owner: str,
        status: str,
        total: int,
        found: Sequence[messages.AnalysedMove],
        *,
        over: bool = False,
    ) -> bool:
        """Store how far it is; when it is over, or interrupted, the lease is given back."""
        until = 0 if over else self.store.now() + LEASE
        return self.store.keep_analysis(id, owner, AnalysisRow(status, total, messages.encode(found)), until).result()


def nodes(game: str) -> int:
    """How long a decision of a game is thought about."""
    return FEWER_NODES.get(game, NODES)


def ask(store: Store, id: str) -> None:
    """Let a finished game be analysed."""
    if not store.ask_analysis(id, store.now(), MOST_WAITING).result():
        raise TableRefusal("overloaded", "analyses-full")


def told(store: Store, id: str, seats: int, after: int) -> messages.Analysed:
    """How far an analysis is, and what was found after the first so many."""
    row = store.analysis(id)
    if row is None:
        return messages.Analysed("none", 0, 0, [], [None] * seats)
    moves = read(row.found)
    shares = [accuracy([move for move in moves if move.seat == seat]) for seat in range(seats)]
    return messages.Analysed(cast(messages.AnalysisStatus, row.status), len(moves), row.total, moves[after:], shares)


def accuracy(moves: Sequence[messages.AnalysedMove]) -> float | None:
    """The mean share of its chances that a seat kept."""
    losses = [max(0.0, move.chances[move.seat] - move.after[move.seat]) for move in moves]
    return 1.0 - sum(losses) / len(losses) if losses else None


def message(at: Position, moment: Moment) -> messages.AnalysedMove:
    """What is thought of a decision, to be stored and told."""
    after = at.copy()
    after.play(moment.best[0])
    did = sight.deeds_of(at.game, after.steps[-1].text, at.states, after.states, at.setups, seen=True)
    return messages.AnalysedMove(
        number=moment.number,
        seat=moment.seat,
        move=moment.move,
        best=list(moment.best),
        did=did,
        chances=rounded(moment.chances),
        after=rounded(moment.after),
        points=rounded(moment.points),
        points_after=rounded(moment.points_after),
        mark=moment.mark,
        solved=moment.solved,
        why=None if moment.why is None else why(moment.why),
    )


def why(told: Deed) -> messages.Told:
    """A reason, in plain numbers."""
    return messages.Told(told.key, {name: plain(value) for name, value in told.arguments.items()})


def rounded(numbers: Sequence[float]) -> list[float]:
    """As exactly as anybody can use it."""
    return [round(number, 4) for number in numbers]
