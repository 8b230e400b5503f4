"""The lobby: it pairs those who wait, passes challenges on, and shows everybody connected what concerns them.

What it knows is in the database, and read again every second while somebody is connected. So it does not matter which
process somebody is connected to, which process pairs them, or whether one is killed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Protocol, cast

from mchezo.server import messages
from mchezo.server.compute.opponents import Opponents
from mchezo.server.domain import log, pairing
from mchezo.server.domain.context import Identity
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_table_id
from mchezo.server.runtime.correspondence_seeks import CorrespondenceSeeks, shown
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.storage.appending import command_context
from mchezo.server.storage.pairing import StoredChallenge, StoredSeek, Waiting, WaitingBot, new_id
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append, append_for

SWEEP_EVERY = 1.0  # seconds
SEEN_EVERY = 4_000  # milliseconds
ALONE_EVERY = 30_000  # milliseconds: correspondence games are also found while nobody is connected
CLOSED = 3.0  # seconds that a page has to come back before its seek is withdrawn
CHALLENGE_LASTS = 10 * 60_000  # milliseconds
CORRESPONDENCE_LASTS = 3 * 86_400_000  # of a challenge to a correspondence game
LISTED = 100  # seeks that are shown
CROWD = 50  # visitors who are shown the lobby before others get their turn
SHOW_EVERY = 0.25  # seconds between two states, however often the lobby changes


class Visitor(Protocol):
    """Somebody who is connected to the lobby."""

    who: Identity
    plays: Sequence[str]  # the games of a bot that can be challenged; of others, nothing

    def show(self, lobby: messages.Lobby) -> None:
        """Send the state of the lobby, unless it is the same as before."""


class Lobby:
    """The lobby of a server process."""

    def __init__(
        self, store: Store, opponents: Opponents, ready: Callable[[str], None], restricted: Callable[[str], bool]
    ) -> None:
        self.store = store
        self.stored = store.pairing
        self.opponents = opponents
        self.require_ready = ready
        self.correspondence = CorrespondenceSeeks(store, self.table_for, restricted)
        self.visitors: dict[str, list[Visitor]] = {}
        self.common: messages.Lobby | None = None  # as those see it whom nothing in it concerns
        self.outdated = False  # it has changed since it was read to be shown
        self.showing: asyncio.Task[None] | None = None
        self.seen_at = 0
        self.paired_at = 0
        self.pairing = asyncio.Lock()
        self.leaving: set[asyncio.Task[None]] = set()

    # Coming and going

    async def enter(self, visitor: Visitor) -> None:
        """Show somebody the lobby from now on."""
        self.visitors.setdefault(visitor.who.guest, []).append(visitor)
        await self.record_seen([visitor])
        visitor.show(await self.view_of(visitor.who.guest))

    def leave(self, visitor: Visitor) -> None:
        """Forget a visitor; if they do not come back soon, their seek is withdrawn."""
        guest = visitor.who.guest
        others = [one for one in self.visitors.pop(guest, []) if one is not visitor]
        if others:
            self.visitors[guest] = others
            return
        task = asyncio.create_task(self.withdraw_soon(guest))
        self.leaving.add(task)
        task.add_done_callback(self.leaving.discard)

    async def withdraw_soon(self, guest: str) -> None:
        """Withdraw the seek of somebody who has left, unless they are back."""
        left = self.store.now()
        await asyncio.sleep(CLOSED)
        if guest not in self.visitors:
            with logged_failure("a seek is withdrawn later", ""):
                await asyncio.wrap_future(self.stored.withdraw(guest, left))
                await asyncio.wrap_future(self.stored.leave_bot(guest))
                self.show_soon()

    def release(self) -> None:
        """Let all visitors go: the server stops."""
        if self.showing is not None:
            self.showing.cancel()
        nothing = self.view(Waiting([], [], [], []), "")
        for visitor in [one for visitors in self.visitors.values() for one in visitors]:
            visitor.show(nothing)

    async def sweep(self) -> None:
        """Pair those who have waited longer, and show what other processes have changed."""
        now = self.store.now()
        if not self.visitors and now - self.paired_at < ALONE_EVERY:
            return
        if self.visitors and now - self.seen_at >= SEEN_EVERY:
            await self.record_seen([one for visitors in self.visitors.values() for one in visitors])
        await self.pair()

    async def record_seen(self, visitors: Sequence[Visitor]) -> None:
        """Store that these visitors are connected, and remove what is over."""
        bots = {one.who.guest: (one.who.shown_name, one.plays) for one in visitors if one.plays}
        now = self.store.now()
        if len(visitors) != 1:
            self.seen_at = now
        await asyncio.wrap_future(self.stored.seen({one.who.guest for one in visitors}, bots, now))

    def show_soon(self) -> None:
        """Show everybody the lobby as it is now; a little later if it was shown just before."""
        self.outdated = True
        if self.showing is None:
            self.showing = asyncio.create_task(self.keep_shown())

    async def keep_shown(self) -> None:
        """Show everybody the lobby until it does not change any more."""
        try:
            while self.outdated:
                self.outdated = False
                with logged_failure("the lobby is shown later", ""):
                    await self.show_all(await asyncio.to_thread(self.stored.waiting, self.store.now()))
                await asyncio.sleep(SHOW_EVERY)
        finally:
            self.showing = None

    async def show_all(self, waiting: Waiting) -> None:
        """Show everybody their view, a few at a time; those whom nothing concerns see the same one."""
        concerned = {seek.seeker.guest for seek in waiting.seeks} | {
            seek.seeker.guest for seek in waiting.correspondence
        }
        concerned.update(bot.guest for bot in waiting.bots)
        concerned.update(guest for one in waiting.challenges for guest in (one.by, one.to))
        common = self.view(waiting, "")
        self.common = common = self.common if common == self.common and self.common is not None else common
        shown = 0
        for guest in list(self.visitors):
            seen = self.view(waiting, guest) if guest in concerned else common
            for visitor in list(self.visitors.get(guest, ())):
                visitor.show(seen)
                shown += 1
                if shown % CROWD == 0:
                    await asyncio.sleep(0)

    async def view_of(self, guest: str) -> messages.Lobby:
        """Return the lobby as a guest sees it now."""
        return self.view(await asyncio.to_thread(self.stored.waiting, self.store.now()), guest)

    def view(self, waiting: Waiting, guest: str) -> messages.Lobby:
        """Return the lobby as a guest sees it."""
        own = next((seek for seek in waiting.seeks if seek.seeker.guest == guest), None)
        others = (seek for seek in waiting.seeks if seek.seeker.guest != guest and seek.table is None)
        return messages.Lobby(
            None if own is None else self.described_seeking(own),
            [described_seek(seek) for seek in others][:LISTED],
            [described_challenge(one, guest) for one in waiting.challenges if guest in (one.by, one.to)],
            [messages.BotInfo(bot.id, bot.name, bot.games) for bot in waiting.bots if bot.guest != guest],
            self.correspondence.described(waiting.correspondence, guest),
        )

    def described_seeking(self, seek: StoredSeek) -> messages.Seeking:
        """Return a guest's own seek, and how to play the same against computers."""
        kind, points = pairing.kind_named(seek.kind), seek.seeker.rating.points
        levels = [one for one in self.opponents.levels(kind.game) if one.rating is not None]
        level = min(levels, key=lambda one: abs((one.rating or 0) - points)).level if levels else 4
        return messages.Seeking(
            seek.kind,
            cast(messages.Speed, seek.speed),
            seek.rated,
            seek.seeker.spread,
            seek.seeker.since,
            kind.players,
            seek.table,
            kind.game,
            dict(kind.options),
            pairing.CLOCKS[seek.speed],
            level,
            seek.rated and level <= kind.highest_level,
        )

    # Seeks

    async def seek(self, who: Identity, asked: messages.Seek) -> messages.Lobby:
        """Wait for opponents, or play somebody who does."""
        kind = await asyncio.to_thread(pairing.kind_named, asked.kind)
        self.require_ready(kind.game)
        if who.bot:
            raise TableError("not-possible", "people-only")
        if asked.rated and not who.has_account:
            raise TableError("not-possible", "rated-account")
        now = self.store.now()
        pool = pairing.pool_name(asked.kind, asked.speed)
        rating = await asyncio.to_thread(self.stored.rating, who.guest, pool, now)
        seeker = pairing.Seeker(who.guest, now, rating, asked.spread)
        player = pairing.occupant(who, asked.name)
        seek = StoredSeek(new_id(), asked.kind, asked.speed, asked.rated, player, seeker, None)
        wanted = None if asked.accept is None else await self.acceptable(seek, asked.accept)
        await asyncio.wrap_future(self.stored.seek(seek, now))
        if wanted is not None and kind.players == 2 and not await self.start([wanted, seek]):
            await asyncio.wrap_future(self.stored.withdraw(who.guest))
            raise TableError("not-open", "seek-gone")
        await self.pair()
        return await self.view_of(who.guest)

    async def acceptable(self, own: StoredSeek, id: str) -> StoredSeek:
        """Return a waiting seek that somebody may accept, or refuse it."""
        waiting = await asyncio.to_thread(self.stored.waiting, self.store.now())
        found = next((seek for seek in waiting.seeks if seek.id == id and seek.table is None), None)
        if found is None or (found.kind, found.speed, found.rated) != (own.kind, own.speed, own.rated):
            raise TableError("not-open", "seek-gone")
        guests = {own.seeker.guest, found.seeker.guest}
        apart = await asyncio.to_thread(self.stored.blocks, guests)
        if len(guests) == 1 or not pairing.may_play(own.seeker, found.seeker, apart):
            raise TableError("not-possible", "not-welcome")
        return found

    async def withdraw(self, guest: str) -> messages.Lobby:
        """Stop waiting."""
        await asyncio.wrap_future(self.stored.withdraw(guest))
        self.show_soon()
        return await self.view_of(guest)

    async def arrive(self, guest: str, table: str) -> messages.Lobby:
        """Take note that a guest knows of the game that was found."""
        await asyncio.wrap_future(self.stored.arrive(guest, table))
        self.show_soon()
        return await self.view_of(guest)

    async def pair(self) -> None:
        """Pair everybody who can be paired now, and show the result."""
        async with self.pairing:
            self.paired_at = self.store.now()
            waiting = await asyncio.to_thread(self.stored.waiting, self.paired_at)
            free = sorted((seek for seek in waiting.seeks if seek.table is None), key=pool_key)
            for (kind, *_), seeks in groupby(free, key=pool_key):
                for group in await self.groups(list(seeks), pairing.kind_named(kind).players):
                    with logged_failure("players are paired later", ""):
                        await self.start(group)
            await self.correspondence.pair(waiting.correspondence)
            self.show_soon()

    async def groups(self, seeks: Sequence[StoredSeek], players: int) -> list[list[StoredSeek]]:
        """Return who of those who wait for the same plays together."""
        if len(seeks) < players:
            return []
        by_guest = {seek.seeker.guest: seek for seek in seeks}
        apart = await asyncio.to_thread(self.stored.blocks, by_guest)
        seekers = [seek.seeker for seek in seeks]  # matched in a thread: many who do not fit take long
        found = await asyncio.to_thread(pairing.match, seekers, players, self.store.now(), apart)
        return [[by_guest[seeker.guest] for seeker in group] for group in found]

    async def start(self, group: Sequence[StoredSeek]) -> bool:
        """Start the game of a group; False if one of them does not wait any more."""
        first = group[0]
        players = [seek.player for seek in group]
        append = await self.table_for(first.kind, first.speed, first.rated, players)
        return await asyncio.wrap_future(self.stored.start(group, append, self.store.now()))

    async def table_for(
        self, kind: str, speed: str, rated: bool, players: Sequence[log.Occupant], days: int = pairing.DAYS
    ) -> Append:
        """Return what to store of a new table at which these players have fair seats."""
        return await asyncio.to_thread(self._table_for, kind, speed, rated, players, days)

    def _table_for(self, kind: str, speed: str, rated: bool, players: Sequence[log.Occupant], days: int) -> Append:
        game = pairing.kind_named(kind).game
        self.require_ready(game)
        had = self.stored.seats_had([player.holder or "" for player in players], game, kind)
        order = pairing.fair_order(had, secrets.randbelow)
        seated = [players[one] for one in order]
        id, creator = new_table_id(), Identity(players[0].holder or "")
        context = command_context(creator, self.store.now())
        facts = pairing.paired_table(kind, speed, rated, seated, context, id, days)
        return append_for(Table(id, facts), facts)

    # Seeks for correspondence games

    async def seek_correspondence(self, who: Identity, asked: messages.CorrespondenceSeek) -> messages.Lobby:
        """Wait for opponents in a correspondence game, or play somebody who does."""
        kind = await asyncio.to_thread(pairing.kind_named, asked.kind)
        self.require_ready(kind.game)
        waiting = await asyncio.to_thread(self.stored.waiting, self.store.now())
        await self.correspondence.seek(who, asked, waiting.correspondence)
        await self.pair()
        return await self.view_of(who.guest)

    async def withdraw_correspondence(self, guest: str, id: str) -> messages.Lobby:
        """Withdraw a seek, or take note of the game that was found."""
        await asyncio.wrap_future(self.store.correspondence_seeks.withdraw(guest, id))
        self.show_soon()
        return await self.view_of(guest)

    # Challenges

    async def challenge(self, who: Identity, asked: messages.NewChallenge) -> messages.Lobby:
        """Challenge a player or a bot."""
        kind = await asyncio.to_thread(pairing.kind_named, asked.kind)
        self.require_ready(kind.game)
        if kind.players != 2:
            raise TableError("bad-request", "challenge-two")
        to, name = await self.challenged(asked)
        if to == who.guest:
            raise TableError("not-possible", "yourself")
        if asked.rated and (not who.has_account or asked.bot is not None):
            raise TableError("not-possible", "rated-account")
        if await asyncio.to_thread(self.stored.blocks, {who.guest, to}):
            raise TableError("not-possible", "not-welcome")
        lasts = CORRESPONDENCE_LASTS if asked.speed == "correspondence" else CHALLENGE_LASTS
        until = self.store.now() + lasts
        player = pairing.occupant(who, asked.name)
        challenge = StoredChallenge(
            new_id(), who.guest, to, name, asked.kind, asked.speed, asked.rated, player, until, "waiting", None
        )
        await asyncio.wrap_future(self.stored.challenge(challenge))
        self.show_soon()
        return await self.view_of(who.guest)

    async def challenged(self, asked: messages.NewChallenge) -> tuple[str, str]:
        """Return the guest whom a challenge is for, and their name."""
        if asked.bot is not None:
            bots = (await asyncio.to_thread(self.stored.waiting, self.store.now())).bots
            bot = next((one for one in bots if one.id == asked.bot), None)
            if bot is None or not plays(bot, asked.kind):
                raise TableError("not-possible", "bot-away")
            return bot.guest, bot.name
        accounts = self.store.accounts
        guest = await asyncio.to_thread(accounts.owner_of_name, asked.player or "")
        account = None if guest is None else await asyncio.to_thread(accounts.load, guest)
        if account is None:
            raise TableError("unknown-page", "unknown-player")
        return account.guest, account.name

    async def answer(self, who: Identity, id: str, answer: messages.AnswerChallenge) -> messages.Lobby:
        """Accept or decline a challenge."""
        found = await asyncio.to_thread(self.stored.find_challenge, id)
        if found is None or found.to != who.guest:
            raise TableError("unknown-page", "unknown-challenge")
        append = None
        if answer.accept:
            if found.rated and not who.has_account:
                raise TableError("not-possible", "rated-account")
            if await asyncio.to_thread(self.stored.blocks, {found.by, found.to}):
                raise TableError("not-possible", "not-welcome")
            players = [found.player, pairing.occupant(who, answer.name)]
            append = await self.table_for(found.kind, found.speed, found.rated, players)
        status = "accepted" if answer.accept else "declined"
        return await self.settle(who.guest, id, status, append)

    async def withdraw_challenge(self, guest: str, id: str) -> messages.Lobby:
        """Withdraw a challenge."""
        found = await asyncio.to_thread(self.stored.find_challenge, id)
        if found is None or found.by != guest:
            raise TableError("unknown-page", "unknown-challenge")
        return await self.settle(guest, id, "withdrawn")

    async def settle(self, guest: str, id: str, status: str, append: Append | None = None) -> messages.Lobby:
        """Store what becomes of a challenge, and show it."""
        if not await asyncio.wrap_future(self.stored.answer(id, status, self.store.now(), append)):
            raise TableError("not-open", "challenge-over")
        self.show_soon()
        return await self.view_of(guest)


def pool_key(seek: StoredSeek) -> tuple[str, str, bool]:
    """Return what two seeks have to agree in."""
    return seek.kind, seek.speed, seek.rated


def plays(bot: WaitingBot, kind: str) -> bool:
    """Return whether a bot plays a kind of game."""
    return pairing.kind_named(kind).game in bot.games


def described_seek(seek: StoredSeek) -> messages.SeekInfo:
    """Return a seek as others see it."""
    seen = shown(seek.id, seek.kind, seek.rated, seek.player, seek.seeker)
    return messages.SeekInfo(*seen, cast(messages.Speed, seek.speed))


def described_challenge(challenge: StoredChallenge, guest: str) -> messages.ChallengeInfo:
    """Return a challenge as one of its two players sees it."""
    return messages.ChallengeInfo(
        challenge.id,
        challenge.player.name,
        challenge.to_name,
        challenge.by == guest,
        challenge.kind,
        cast(messages.ChallengeSpeed, challenge.speed),
        challenge.rated,
        challenge.until,
        cast(Any, challenge.status),
        challenge.table,
    )
