"""Seeks for correspondence games: those who wait are paired whether or not they are connected."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import groupby
from typing import cast

from mchezo.ratings.glicko import POINT
from mchezo.server import messages
from mchezo.server.domain import log, pairing
from mchezo.server.domain.context import Identity
from mchezo.server.domain.pairing import Seeker
from mchezo.server.errors import TableError
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.storage.correspondence_seeks import LASTS, CorrespondenceSeek
from mchezo.server.storage.pairing import new_id
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append

TableFor = Callable[[str, str, bool, Sequence[log.Occupant], int], Awaitable[Append]]
LISTED = 100  # seeks that are shown


class CorrespondenceSeeks:
    """The seeks for correspondence games, in a server process."""

    def __init__(self, store: Store, table_for: TableFor, restricted: Callable[[str], bool]) -> None:
        self.store = store
        self.stored = store.correspondence_seeks
        self.table_for = table_for
        self.is_restricted = restricted  # of an operator: such a guest is neither shown nor paired

    async def seek(
        self, who: Identity, asked: messages.CorrespondenceSeek, waiting: Sequence[CorrespondenceSeek]
    ) -> None:
        """Wait for opponents, or play somebody who does."""
        kind, now = pairing.kind_named(asked.kind), self.store.now()
        if who.bot:
            raise TableError("not-possible", "people-only")
        if asked.rated and not who.has_account:
            raise TableError("not-possible", "rated-account")
        pool = pairing.pool_name(asked.kind, "correspondence")
        rating = await asyncio.to_thread(self.store.pairing.rating, who.guest, pool, now)
        seeker = pairing.Seeker(who.guest, now, rating, asked.spread)
        player = pairing.occupant(who, asked.name)
        seek = CorrespondenceSeek(new_id(), asked.kind, asked.days, asked.rated, player, seeker, now + LASTS, None)
        wanted = None if asked.accept is None else await self.acceptable(seek, asked.accept, waiting)
        await asyncio.wrap_future(self.stored.seek(seek, now))
        if wanted is not None and kind.players == 2 and not await self.start([wanted, seek]):
            await asyncio.wrap_future(self.stored.withdraw(who.guest, seek.id))
            raise TableError("not-open", "seek-gone")

    async def acceptable(
        self, own: CorrespondenceSeek, id: str, waiting: Sequence[CorrespondenceSeek]
    ) -> CorrespondenceSeek:
        """Return a waiting seek that somebody may accept, or refuse it."""
        found = next((seek for seek in self.open(waiting) if seek.id == id and seek.terms == own.terms), None)
        if found is None:
            raise TableError("not-open", "seek-gone")
        guests = {own.seeker.guest, found.seeker.guest}
        apart = await asyncio.to_thread(self.store.pairing.blocks, guests)
        if len(guests) == 1 or not pairing.may_play(own.seeker, found.seeker, apart):
            raise TableError("not-possible", "not-welcome")
        return found

    def open(self, waiting: Sequence[CorrespondenceSeek]) -> list[CorrespondenceSeek]:
        """Return the seeks that can be paired."""
        return [seek for seek in waiting if seek.table is None and not self.is_restricted(seek.seeker.guest)]

    async def pair(self, waiting: Sequence[CorrespondenceSeek]) -> bool:
        """Pair everybody who can be paired now; return whether a game was started."""
        started = False
        for (kind, *_), seeks in groupby(
            sorted(self.open(waiting), key=lambda one: one.terms), key=lambda one: one.terms
        ):
            by_guest = {seek.seeker.guest: seek for seek in seeks}  # two requests at once may have left two of a guest
            players = pairing.kind_named(kind).players
            if len(by_guest) < players:
                continue
            apart = await asyncio.to_thread(self.store.pairing.blocks, by_guest)
            seekers = [seek.seeker for seek in by_guest.values()]
            for group in await asyncio.to_thread(pairing.match, seekers, players, self.store.now(), apart):
                with logged_failure("players are paired later", ""):
                    started |= await self.start([by_guest[seeker.guest] for seeker in group])
        return started

    async def start(self, group: Sequence[CorrespondenceSeek]) -> bool:
        """Start the game of a group; False if one of them does not wait any more."""
        first = group[0]
        players = [seek.player for seek in group]
        append = await self.table_for(first.kind, "correspondence", first.rated, players, first.days)
        return await asyncio.wrap_future(self.stored.start(group, append, self.store.now()))

    def described(self, waiting: Sequence[CorrespondenceSeek], guest: str) -> list[messages.CorrespondenceSeekInfo]:
        """Return what a guest sees of the seeks: their own, and those of others that wait."""
        own = [seek for seek in waiting if seek.seeker.guest == guest]
        others = [seek for seek in self.open(waiting) if seek.seeker.guest != guest]
        return [described(seek, guest) for seek in (*own, *others[:LISTED])]


def described(seek: CorrespondenceSeek, guest: str) -> messages.CorrespondenceSeekInfo:
    """Return a seek as a guest sees it."""
    return messages.CorrespondenceSeekInfo(
        *shown(seek.id, seek.kind, seek.rated, seek.player, seek.seeker),
        cast(messages.Days, seek.days),
        seek.until,
        seek.seeker.guest == guest,
        seek.table,
    )


def shown(
    id: str, kind: str, rated: bool, player: log.Occupant, seeker: Seeker
) -> tuple[str, str, int | None, bool, str, bool, int]:
    """Return what is shown of any seek: the fields of `messages.WaitingSeek`."""
    rating = round(seeker.rating.rating / POINT) if player.account else None
    return id, player.name, rating, seeker.rating.provisional, kind, rated, seeker.since
