"""Who somebody is: a guest with a signed cookie, or a bot with a signed token. Nothing is stored about either."""

from __future__ import annotations

import base64
import hmac
import secrets
from dataclasses import dataclass

from mchezo.server.commands import Who
from mchezo.server.refusals import TableRefusal

COOKIE = "mchezo"
COOKIE_SECONDS = 400 * 24 * 3600  # as long as browsers keep one
TOKEN_PREFIX = "mchezo-bot-"


@dataclass(frozen=True)
class Signer:
    """Signs and reads cookies and tokens with the server's secret."""

    secret: bytes

    def new_guest(self) -> str:
        """A guest nobody has met before: 128 bits."""
        return secrets.token_hex(16)

    def cookie(self, who: Who) -> str:
        """What the cookie of a person holds."""
        return self._sign("person", who)

    def token(self, who: Who) -> str:
        """The token of a bot."""
        return TOKEN_PREFIX + self._sign("bot", who)

    def read_cookie(self, text: str) -> Who:
        """Who a cookie belongs to."""
        return self._read("person", text, bot=False)

    def read_token(self, text: str) -> Who:
        """Who a token belongs to."""
        if not text.startswith(TOKEN_PREFIX):
            raise TableRefusal("bad-token", "bad-token")
        return self._read("bot", text.removeprefix(TOKEN_PREFIX), bot=True)

    def _sign(self, purpose: str, who: Who) -> str:
        name = base64.urlsafe_b64encode((who.name or "").encode()).decode().rstrip("=")
        payload = f"{who.guest}.{name}"
        return f"{payload}.{self._signature(purpose, payload)}"

    def _read(self, purpose: str, text: str, *, bot: bool) -> Who:
        payload, _, signature = text.rpartition(".")
        guest, _, name = payload.partition(".")
        if not text.isascii() or not hmac.compare_digest(signature, self._signature(purpose, payload)):
            raise TableRefusal("bad-token", "bad-token")
        known = base64.urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
        return Who(guest, known or None, bot)

    def _signature(self, purpose: str, payload: str) -> str:
        return hmac.digest(self.secret, f"{purpose} {payload}".encode(), "sha256").hex()
