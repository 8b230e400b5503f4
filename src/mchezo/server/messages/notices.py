"""Notices of your turns in correspondence games, outside of the pages."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import Language, Request

Minutes = Annotated[int, Meta(ge=0, lt=24 * 60)]
Zone = Annotated[str, Meta(min_length=1, max_length=60)]
Key = Annotated[str, Meta(min_length=1, max_length=200)]


class NoticeTimes(Request, frozen=True):
    """When you want to be notified: times of day in minutes since midnight, in your time zone."""

    zone: Zone = "UTC"  # such as Europe/Berlin
    quiet_from: Minutes | None = None  # None: no quiet hours
    quiet_until: Minutes | None = None
    digest: Minutes | None = None  # all turns of a day in one message at this time; None: each at once


class PushSubscription(Request, frozen=True):
    """A browser's subscription, as its PushManager returns it."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1_000)]
    p256dh: Key
    auth: Key
    language: Language = "en"


class MailAddress(Request, frozen=True):
    """Where to write to; nothing but a request for confirmation is sent before it is confirmed."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]
    language: Language = "en"


class WebhookAddress(Request, frozen=True):
    """Where to send a signed POST to."""

    url: Annotated[str, Meta(min_length=1, max_length=1_000)]
    language: Language = "en"


class NoticeChannel(Struct, frozen=True):
    """A way by which you are notified."""

    id: str
    kind: Literal["push", "mail", "webhook"]
    label: str  # a browser, an e-mail address, or the address of a webhook
    created: int
    confirmed: bool  # always, unless it is an e-mail address


class Notices(Struct, frozen=True):
    """How and when you are notified."""

    times: NoticeTimes
    channels: list[NoticeChannel]
    push_key: str  # the server's public key, for PushManager.subscribe
    mail: bool  # whether the server can send e-mail


class NewWebhook(Struct, frozen=True):
    """A webhook and the secret that signs its requests, which is shown once."""

    secret: str
    notices: Notices
