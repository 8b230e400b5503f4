"""Notices of turns in correspondence games, outside of our pages: one a turn, however many decisions it has.

Every process sweeps: it looks through tables with news and puts turns into the outbox, takes out those of people who
look at the table, and sends what is due. A message that a crash interrupts is sent again under the same id.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mchezo.server.errors import TableError
from mchezo.server.metrics import NOTICES
from mchezo.server.runtime.config import Config
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.runtime.limits import Rate, TokenBuckets
from mchezo.server.runtime.sessions import Sessions
from mchezo.server.sending.mail import Mail
from mchezo.server.sending.notification import Notification, notification_of, turn_of
from mchezo.server.sending.outbound import ChannelGone, Outbound, SendingFailed
from mchezo.server.sending.times import NoticeSettings, due_time, next_allowed
from mchezo.server.sending.webhook import send_webhook
from mchezo.server.storage.notice_channels import Channel
from mchezo.server.storage.outbox import ChangedTable, Notice
from mchezo.server.storage.store import Store

if TYPE_CHECKING:
    from mchezo.server.sending.web_push import WebPush

LOG = logging.getLogger("mchezo.server")
SETTLE = 20_000  # milliseconds after which a turn is notified of: conditional moves, and players who look on
LEASE = 120_000  # milliseconds for sending; a multiple of what an attempt may take
RETRY_AFTER = (60_000, 300_000, 1_800_000, 7_200_000, 21_600_000)  # milliseconds, after each failure
THREADS = 16  # which mostly wait for others
TEST_THREADS = 2  # of their own, so that nobody's tests delay notices
TO_ONE_GUEST = 2
TO_ONE_HOST = 4  # messages at a time: a host that answers late takes no more threads
MAILS_TO_ADDRESS = Rate(2 / 86_400, 2)  # requests for confirmation, whoever asks

Send = Callable[[Channel, Notification], None]  # on a thread; it raises ChannelGone or SendingFailed


class Notices:
    """Notifies people."""

    def __init__(self, store: Store, sessions: Sessions, config: Config) -> None:
        self.store = store
        self.sessions = sessions
        self.config = config
        self.outbound = Outbound(config.private_endpoints)
        self.mail = None if config.smtp is None else Mail(config.smtp)
        self.send: Send = self.send_by_kind
        self.pool = ThreadPoolExecutor(THREADS, "notices")
        self.test_pool = ThreadPoolExecutor(TEST_THREADS, "notice tests")
        self.sending: dict[str, asyncio.Task[None]] = {}  # by channel
        self.busy: Counter[str] = Counter()  # messages that are being sent, by guest and by host
        self.asked = TokenBuckets(MAILS_TO_ADDRESS)

    @cached_property
    def web_push(self) -> WebPush:
        """What sends to browsers; its key is made once for all processes."""
        from mchezo.server.sending.web_push import WebPush, new_vapid_key  # cryptography takes time to import

        key = self.config.vapid_key or self.store.settings.get("vapid", new_vapid_key)
        return WebPush(self.outbound, key, self.config.contact)

    # Sweeping

    async def sweep(self) -> None:
        """Look through tables with news, then send what is due."""
        if not self.config.notices:
            return
        for table in await asyncio.to_thread(self.store.outbox.changed):
            with logged_failure("a notice is deferred", table.id):
                notices = await asyncio.to_thread(self.notices_of, table)
                await asyncio.wrap_future(self.store.outbox.advance(table, notices))
        await self.withdraw_seen()
        await self.send_due()

    def notices_of(self, table: ChangedTable) -> list[Notice]:
        """Return the notices of the turn at a table."""
        found = table.summary
        if not table.running or table.computer or found.to_move is None or found.turn is None:
            return []
        guest = found.seats[found.to_move].holder
        if guest is None:
            return []
        since = found.turn_since or 0
        channels = [one for one in self.store.channels.of(guest) if one.confirmed and one.created <= since]
        if not channels:
            return []
        due = due_time(self.settings(guest), self.vacations(guest), max(since + SETTLE, self.store.now()))
        return [Notice(channel.id, table.id, found.turn, guest, due) for channel in channels]

    def settings(self, guest: str) -> NoticeSettings:
        """Return when a person wants to be notified."""
        return NoticeSettings(**self.store.channels.settings(guest))

    def vacations(self, guest: str) -> list[tuple[int, int]]:
        """Return when a person is on vacation."""
        return [(one.since, one.until) for one in self.store.correspondence.vacations(guest)]

    async def withdraw_seen(self) -> None:
        """Withdraw the notices of players who look at the table."""
        seen = [
            (guest, id)
            for id, session in list(self.sessions.sessions.items())
            if session.watchers and session.table.creation.settings.days is not None
            for guest in session.looking()
        ]
        if seen:
            found = await asyncio.to_thread(self.store.outbox.waiting_for, seen)
            if found:
                await asyncio.wrap_future(self.store.outbox.delete(found))

    # Sending

    async def send_due(self) -> None:
        """Start to send what is due: all of a channel's in one message."""
        due = await asyncio.to_thread(self.store.outbox.due, self.store.now())
        found = await asyncio.to_thread(self.store.channels.named, list({notice.channel for notice in due}))
        for id, group in groupby(sorted(due), key=lambda notice: notice.channel):
            notices = list(group)
            guest, host = notices[0].guest, host_of(found.get(id))
            if id in self.sending or len(self.sending) >= THREADS:
                continue
            if self.busy[guest] >= TO_ONE_GUEST or self.busy[host] >= TO_ONE_HOST:
                continue  # in the next sweep
            self.busy.update((guest, host))
            self.sending[id] = asyncio.create_task(self._send(id, notices))
            self.sending[id].add_done_callback(partial(self._sent, id, guest, host))

    def _sent(self, id: str, guest: str, host: str, _: asyncio.Task[None]) -> None:
        del self.sending[id]
        self.busy.subtract((guest, host))
        self.busy += Counter()  # drops counts of zero

    async def _send(self, id: str, notices: Sequence[Notice]) -> None:
        with logged_failure("a notice is deferred", notices[0].table):
            await self.send_notices(id, notices)

    async def send_notices(self, id: str, due: Sequence[Notice]) -> None:
        """Send a channel's notices, unless others do, or it is not the time."""
        outbox, now = self.store.outbox, self.store.now()
        notices = await asyncio.wrap_future(outbox.lease(due, now, now + LEASE))
        if not notices:
            return
        channel = (await asyncio.to_thread(self.store.channels.named, [id])).get(id)
        if channel is None:
            await asyncio.wrap_future(outbox.delete(notices))
            return
        allowed = await asyncio.to_thread(self.allowed_time, channel.guest, now)
        if allowed > now:
            await asyncio.wrap_future(outbox.defer(notices, allowed))
            return
        summaries = await asyncio.to_thread(outbox.summaries, {notice.table for notice in notices})
        turns = [
            turn_of(notice.table, found, notice.guest)
            for notice in notices
            if (found := summaries.get(notice.table)) is not None and found.turn == notice.turn
        ]
        if not turns:
            await asyncio.wrap_future(outbox.delete(notices))
            return
        try:
            await self.deliver(channel, notification_of(turns, channel.language, channel.site))
        except ChannelGone:
            NOTICES.labels(channel.kind, "gone").inc()
            await asyncio.wrap_future(self.store.channels.drop(channel.id))
        except SendingFailed as error:
            NOTICES.labels(channel.kind, "failed").inc()
            LOG.info("a notice was not accepted", extra={"kind": channel.kind, "reason": str(error)[:200]})
            await self.try_later(notices)
        else:
            NOTICES.labels(channel.kind, "sent").inc()
            await asyncio.wrap_future(outbox.delete(notices))

    def allowed_time(self, guest: str, now: int) -> int:
        """Return when a person may be notified; quiet hours or a vacation may have begun since."""
        settings = self.settings(guest)
        if settings.digest is not None:
            settings = settings._replace(quiet_from=None)  # the time of a digest is their choice
        return next_allowed(settings, self.vacations(guest), now)

    async def try_later(self, notices: Sequence[Notice]) -> None:
        """Send notices again later, and give up after some time."""
        outbox, now = self.store.outbox, self.store.now()
        lost = [notice for notice in notices if notice.tries >= len(RETRY_AFTER)]
        await asyncio.wrap_future(outbox.delete(lost))
        for tries, group in groupby(sorted(notices, key=lambda one: one.tries), key=lambda one: one.tries):
            if tries < len(RETRY_AFTER):
                await asyncio.wrap_future(outbox.defer(list(group), now + RETRY_AFTER[tries], failed=True))

    async def deliver(self, channel: Channel, notification: Notification, *, test: bool = False) -> None:
        """Send a message, on a thread of its own."""
        pool = self.test_pool if test else self.pool
        await asyncio.get_running_loop().run_in_executor(pool, self.send, channel, notification)

    def send_by_kind(self, channel: Channel, notification: Notification) -> None:
        """Send a message by the channel's kind."""
        if channel.kind == "push":
            self.web_push.send(channel.address, channel.secret, notification)
        elif channel.kind == "webhook":
            send_webhook(self.outbound, channel.address, channel.secret, notification)
        elif self.mail is None:
            raise SendingFailed("there is no mail server")
        else:
            self.mail.send(channel.address, channel.secret, notification)

    async def test(self, channel: Channel) -> None:
        """Send a test; say why if it fails."""
        try:
            await self.deliver(channel, Notification((), channel.language, channel.site), test=True)
        except ChannelGone:
            await asyncio.wrap_future(self.store.channels.drop(channel.id))
            raise TableError("not-possible", "channel-gone") from None
        except SendingFailed as error:
            LOG.info("a test was not accepted", extra={"kind": channel.kind, "reason": str(error)[:200]})
            raise TableError("not-possible", "notice-failed") from None

    async def ask_for_confirmation(self, channel: Channel) -> None:
        """Write to a new address; nobody learns whether it has been written to before, or whether it exists."""
        mail = self.mail
        if mail is None:
            raise TableError("not-possible", "no-mail")
        try:
            self.asked.take(channel.address.lower(), self.store.now() / 1000)
        except TableError:
            return
        loop = asyncio.get_running_loop()
        ask = loop.run_in_executor(self.pool, mail.ask, channel.address, channel.secret, channel.language, channel.site)
        ask.add_done_callback(log_refused)

    def stop(self) -> None:
        """Stop sending; what was not sent waits in the outbox."""
        for task in self.sending.values():
            task.cancel()
        for pool in (self.pool, self.test_pool):
            pool.shutdown(wait=False, cancel_futures=True)


def host_of(channel: Channel | None) -> str:
    """Return the host that a channel's messages go to."""
    if channel is None or channel.kind == "mail":
        return "mail"
    return urlsplit(channel.address).hostname or ""


def log_refused(asked: asyncio.Future[None]) -> None:
    """Log that a mail server did not accept a message."""
    if not asked.cancelled() and (error := asked.exception()) is not None:
        LOG.warning("a request for confirmation was not accepted", extra={"reason": str(error)[:200]})
