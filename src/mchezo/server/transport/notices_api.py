"""Requests about notices: browsers, e-mail addresses and webhooks, quiet hours and digest, tests."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, cast

import msgspec
from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError
from mchezo.server.runtime.service import Service
from mchezo.server.sending.mail import is_mail_address
from mchezo.server.sending.times import known_zones
from mchezo.server.storage.notice_channels import Channel, new_channel_id, new_secret
from mchezo.server.transport.accounts_api import device_label
from mchezo.server.transport.callers import Caller, Known

ChannelId = Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$", description="As listed.")]
LinkSecret = Annotated[str, PathParameter(pattern="^[0-9a-f]{48}$", description="As in the e-mail.")]


def described_channel(channel: Channel) -> messages.NoticeChannel:
    """Return a channel as its owner sees it."""
    return messages.NoticeChannel(
        channel.id, cast(Any, channel.kind), channel.label, channel.created, channel.confirmed
    )


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    store, notices = service.store, service.notices

    def person(caller: Caller) -> Identity:
        who = caller.require_identity()
        if who.bot:
            raise TableError("not-possible", "notices-bot")
        return who

    async def holder(caller: Caller) -> Identity:
        who = person(caller)
        if not who.has_account:
            raise TableError("not-possible", "no-account")
        return who

    async def described(who: Identity) -> messages.Notices:
        settings = await asyncio.to_thread(notices.settings, who.guest)
        channels = await asyncio.to_thread(store.channels.of, who.guest)
        key = await asyncio.to_thread(lambda: notices.web_push.public_key)
        return messages.Notices(
            messages.NoticeTimes(**settings._asdict()),
            [described_channel(one) for one in channels],
            key,
            notices.mail is not None,
        )

    def channel_of(caller: Caller, who: Identity, kind: str, address: str, secret: str, **given: Any) -> Channel:
        label = {"push": device_label(caller.headers), "mail": address, "webhook": address}[kind]
        return Channel(
            id=new_channel_id(),
            guest=who.guest,
            kind=kind,
            address=address,
            secret=secret,
            label=label[:60],
            site=caller.access.public_origin(caller.headers, caller.request.scope["scheme"])[:200],
            created=store.now(),
            **given,
        )

    @get("/api/notices", responses=errors)
    async def read(caller: Known) -> messages.Notices:
        """Return how and when you are notified of your turns in correspondence games."""
        return await described(person(caller))

    @post("/api/notices", status_code=HTTP_200_OK, responses=errors)
    async def set_times(data: JSONBody[messages.NoticeTimes], caller: Known) -> messages.Notices:
        """Set quiet hours, digest and time zone."""
        caller.limit("correspondence")
        who = person(caller)
        if data.zone not in known_zones():
            raise TableError("bad-request", "unknown-zone", zone=data.zone)
        if (data.quiet_from is None) != (data.quiet_until is None):
            raise TableError("bad-request", "quiet-hours")
        await asyncio.wrap_future(store.channels.set_settings(who.guest, msgspec.structs.asdict(data)))
        return await described(who)

    @post("/api/notices/push", status_code=HTTP_201_CREATED, responses=errors)
    async def add_push(data: JSONBody[messages.PushSubscription], caller: Known) -> messages.Notices:
        """Be notified in this browser."""
        from mchezo.server.sending.web_push import checked_keys  # cryptography takes time to import

        caller.limit("correspondence")
        who = person(caller)
        notices.outbound.check(data.endpoint)
        secret = checked_keys(data.p256dh, data.auth)
        channel = channel_of(caller, who, "push", data.endpoint, secret, language=data.language, confirmed=True)
        await asyncio.wrap_future(store.channels.add(channel))
        return await described(who)

    @post("/api/notices/mail", status_code=HTTP_201_CREATED, responses=errors)
    async def add_mail(data: JSONBody[messages.MailAddress], caller: Known) -> messages.Notices:
        """Be notified by e-mail, once the address is confirmed."""
        caller.limit("mails")
        who = await holder(caller)
        if not is_mail_address(data.address):
            raise TableError("bad-request", "bad-mail")
        channel = channel_of(caller, who, "mail", data.address, new_secret(), language=data.language, confirmed=False)
        if notices.mail is None:
            raise TableError("not-possible", "no-mail")
        await asyncio.wrap_future(store.channels.add(channel))
        await notices.ask_for_confirmation(channel)
        return await described(who)

    @post("/api/notices/webhook", status_code=HTTP_201_CREATED, responses=errors)
    async def add_webhook(data: JSONBody[messages.WebhookAddress], caller: Known) -> messages.NewWebhook:
        """Be notified by a signed POST; the secret that signs it is shown once."""
        caller.limit("correspondence")
        who, secret = await holder(caller), new_secret()
        notices.outbound.check(data.url)
        channel = channel_of(caller, who, "webhook", data.url, secret, language=data.language, confirmed=True)
        await asyncio.wrap_future(store.channels.add(channel))
        return messages.NewWebhook(secret, await described(who))

    @delete("/api/notices/channels/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def remove(id: ChannelId, caller: Known) -> messages.Notices:
        """Be notified by a channel no longer."""
        caller.limit("correspondence")
        who = person(caller)
        await asyncio.wrap_future(store.channels.remove(who.guest, id))
        return await described(who)

    @post("/api/notices/channels/{id:str}/test", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def test(id: ChannelId, caller: Known) -> None:
        """Send a test by one of your channels."""
        caller.limit("mails", 0.5)
        who = person(caller)
        channel = (await asyncio.to_thread(store.channels.named, [id])).get(id)
        if channel is None or channel.guest != who.guest:
            raise TableError("unknown-page", "unknown-channel")
        if not channel.confirmed:
            raise TableError("not-possible", "not-confirmed")
        await notices.test(channel)

    @post("/api/notices/links/{secret:str}/confirm", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def confirm(secret: LinkSecret, caller: Known) -> None:
        """Confirm an e-mail address, by the link that was sent there."""
        if not await asyncio.wrap_future(store.channels.confirm(secret, store.now())):
            raise TableError("unknown-page", "old-link")

    @post("/api/notices/links/{secret:str}/stop", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def stop(secret: LinkSecret, caller: Known) -> None:
        """End e-mail to an address, by the link or the header of its messages; the same answer if it has ended."""
        await asyncio.wrap_future(store.channels.stop(secret))

    return [read, set_times, add_push, add_mail, add_webhook, remove, test, confirm, stop]
