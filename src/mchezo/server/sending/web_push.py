"""Web Push: RFC 8030 with the encryption of RFC 8291 and the signature of RFC 8292 (VAPID).

Only the encryption and the signature are taken from libraries: pywebpush above them resolves names and follows
redirects itself, so it could be sent anywhere.
"""

from __future__ import annotations

import base64
import binascii
import re
import time
from urllib.parse import urlsplit

import http_ece
import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02

from mchezo.server.errors import TableError
from mchezo.server.sending.notification import Notification
from mchezo.server.sending.outbound import ChannelGone, Outbound, SendingFailed

VALID_FOR = 12 * 3600  # seconds that a signature is; push services allow a day
MAX_TTL = 28 * 24 * 3600  # seconds for which push services keep a message
MAX_BODY = 300  # characters: a message has at most 4 kB
GONE = (404, 410)
NOBODY = "mailto:nobody@localhost"  # push services ask for somebody to write to
CONTACT = re.compile(r"mailto:[^@\s]+@[\w.-]+|https://[\w.-]+")


class PushKeys(msgspec.Struct, frozen=True):
    """The keys of a browser's subscription, as it gives them."""

    p256dh: str
    auth: str


def new_vapid_key() -> str:
    """Return a new private key, as it is stored."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return encode(number.to_bytes(32, "big"))


def encode(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Read base64url, padded or not."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def checked_keys(p256dh: str, auth: str) -> str:
    """Return the keys of a subscription as they are stored; refuse those that nothing can be encrypted for."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(p256dh))
        valid = len(decode(auth)) == 16
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        valid = False
    if not valid:
        raise TableError("bad-request", "bad-push-keys")
    return msgspec.json.encode(PushKeys(p256dh, auth)).decode()


class WebPush:
    """Sends notices to browsers."""

    def __init__(self, outbound: Outbound, key: str, contact: str | None = None) -> None:
        self.outbound = outbound
        self.contact = contact
        try:
            self.vapid = Vapid02.from_raw(key.encode())
            self.public_key = encode(
                self.vapid.public_key.public_bytes(
                    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
                )
            )
        except (ValueError, binascii.Error) as error:
            raise TableError("not-possible", "bad-vapid-key") from error

    def send(self, endpoint: str, secret: str, notification: Notification) -> None:
        """Send a notice; its topic replaces the same one if that still waits at the push service."""
        keys = msgspec.json.decode(secret, type=PushKeys)
        now = int(time.time())
        left = MAX_TTL if notification.deadline is None else notification.deadline // 1000 - now
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": now + VALID_FOR,
            "sub": next((one for one in (self.contact, notification.site) if one and CONTACT.fullmatch(one)), NOBODY),
        }
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(min(MAX_TTL, max(60, left))),
            "Urgency": "normal",
            "Topic": notification.id,
            **self.vapid.sign(claims),
        }
        status = self.outbound.post(endpoint, self.encrypt(keys, payload(notification)), headers)
        if status in GONE:
            raise ChannelGone
        if not 200 <= status < 300:
            raise SendingFailed(f"HTTP {status}")

    def encrypt(self, keys: PushKeys, message: bytes) -> bytes:
        """Return a message that only the browser can read."""
        encrypted: bytes = http_ece.encrypt(
            message,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode(keys.p256dh),
            auth_secret=decode(keys.auth),
            version="aes128gcm",
        )
        return encrypted


def payload(notification: Notification) -> bytes:
    """Return what the service worker shows: `web/src/push.ts`."""
    path = f"/t/{notification.turns[0].table}" if notification.turns else "/settings"
    body = "\n".join(notification.lines)
    shown = {"title": notification.title[:MAX_BODY], "body": body[:MAX_BODY], "path": path, "tag": notification.id}
    return msgspec.json.encode(shown)
