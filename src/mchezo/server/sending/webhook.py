"""Webhooks: a signed POST of JSON to an address that a person gave."""

from __future__ import annotations

import hmac
import time

import msgspec

from mchezo.server.sending.notification import Notification
from mchezo.server.sending.outbound import ChannelGone, Outbound, SendingFailed

GONE = 410
SIGNATURE = "Mchezo-Signature"  # t=SECONDS,v1=HMAC


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Return the header by which a receiver recognises us: the HMAC-SHA256 of `SECONDS.BODY`."""
    digest = hmac.new(secret.encode(), f"{seconds}.".encode() + body, "sha256").hexdigest()
    return f"t={seconds},v1={digest}"


def send_webhook(outbound: Outbound, url: str, secret: str, notification: Notification) -> None:
    """Send a notice."""
    body = msgspec.json.encode(
        {
            "type": "turns" if notification.turns else "test",
            "id": notification.id,
            "text": "\n".join([notification.title, *notification.lines]),
            "turns": [
                {
                    "id": turn.id,
                    "table": turn.table,
                    "game": turn.game,
                    "players": turn.players,
                    "deadline": turn.deadline,
                    "url": notification.link(turn),
                }
                for turn in notification.turns
            ],
        }
    )
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "mchezo",
        "Idempotency-Key": notification.id,
        SIGNATURE: signature(secret, int(time.time()), body),
    }
    status = outbound.post(url, body, headers)
    if status == GONE:
        raise ChannelGone
    if not 200 <= status < 300:
        raise SendingFailed(f"HTTP {status}")
