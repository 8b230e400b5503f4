"""Signed identities: a cookie for a person, a token for a bot. Only their revocation is stored."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Literal

from itsdangerous import BadData, URLSafeSerializer

from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError
from mchezo.server.runtime.guests import Guests

COOKIE = "mchezo"
COOKIE_SECONDS = 400 * 24 * 3600  # as long as browsers keep one
TOKEN_PREFIX = "mchezo-bot-"

Kind = Literal["person", "bot"]


class Signer:
    """Signs and reads cookies and tokens with the server's secret."""

    def __init__(self, secret: bytes, guests: Guests | None = None) -> None:
        self.secret = secret
        self.guests = guests or Guests({})
        self.serializers = {kind: serializer(secret, kind) for kind in ("person", "bot")}

    def cookie(self, who: Identity) -> str:
        """Return a person's cookie."""
        return self._sign("person", who)

    def token(self, who: Identity) -> str:
        """Return a bot's token."""
        return TOKEN_PREFIX + self._sign("bot", who)

    def read_cookie(self, text: str) -> Identity:
        """Return who a cookie belongs to."""
        return self._read("person", text)

    def read_token(self, text: str) -> Identity:
        """Return who a token belongs to."""
        if not text.startswith(TOKEN_PREFIX):
            raise TableError("bad-token", "bad-token")
        return self._read("bot", text.removeprefix(TOKEN_PREFIX))

    def _sign(self, kind: Kind, who: Identity) -> str:
        content: list[object] = [who.guest, who.name]
        later = [
            who.issued or None,
            who.owner,
            who.avatar,
            who.device,
            who.reads_only or None,
        ]  # none is written after the last that there is
        while later and later[-1] is None:
            later.pop()
        content += later
        return str(self.serializers[kind].dumps(content))

    def _read(self, kind: Kind, text: str) -> Identity:
        if not text.isascii():
            raise TableError("bad-token", "bad-token")
        try:
            guest, name, *rest = self.serializers[kind].loads(text)
        except BadData:
            return self.guests.admit(self._read_legacy(kind, text))
        issued, owner, avatar, device, reads_only = [*rest, *[None] * 5][:5]
        who = Identity(guest, name, kind == "bot", issued or 0, owner, avatar, device, bool(reads_only))
        if self._sign(kind, who) != text:  # Base64 has several spellings of the same signature
            raise TableError("bad-token", "bad-token")
        return self.guests.admit(who)

    def _read_legacy(self, kind: Kind, text: str) -> Identity:
        """Read the format in which cookies and tokens were issued before they were signed by itsdangerous."""
        payload, _, signature = text.rpartition(".")
        guest, _, name = payload.partition(".")
        expected = hmac.digest(self.secret, f"{kind} {payload}".encode(), "sha256").hex()
        if not hmac.compare_digest(signature, expected):
            raise TableError("bad-token", "bad-token")
        decoded = base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
        return Identity(guest, decoded or None, bot=kind == "bot")


def serializer(secret: bytes, kind: str) -> URLSafeSerializer:
    """Return a serializer for one kind of identity; its salt keeps cookies and tokens apart."""
    options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
    return URLSafeSerializer(secret, salt=f"mchezo.{kind}", signer_kwargs=options)
