"""Passkeys (WebAuthn): what the browser is asked, and what it answers. Challenges are signed, not stored."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from itsdangerous import BadData, URLSafeTimedSerializer

from mchezo.server.errors import TableError
from mchezo.server.identifiers import public_id
from mchezo.server.storage.accounts import Passkey, credential_hash

SECONDS = 300  # in which a challenge has to be answered
MAX_ANSWERED = 10_000  # challenges that are remembered, so that no answer is accepted twice
PLAIN_ADDRESS = re.compile(r"[\d.]+|\[.*\]")

Purpose = Literal["register", "sign-in"]


@contextmanager
def refused_if_wrong() -> Iterator[None]:
    """Refuse an answer that cannot be read or verified."""
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        yield
    except (WebAuthnException, ValueError, TypeError, KeyError) as error:
        raise TableError("bad-request", "passkey-wrong") from error


class Passkeys:
    """Makes and checks challenges for the domain by which people reach the server."""

    def __init__(self, secret: bytes, domain: str | None = None, clock: Callable[[], float] | None = None) -> None:
        options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        self.serializer = URLSafeTimedSerializer(secret, salt="mchezo.passkey", signer_kwargs=options)
        self.domain = domain
        self.clock = clock or time.monotonic
        self.answered: dict[str, float] = {}  # challenge -> when it may be forgotten

    @staticmethod
    def load() -> None:
        """Import what all of this needs, which takes a fifth of a second: in a thread, before it is first used."""
        import webauthn  # noqa: F401, only imported

    def domain_of(self, host: str) -> str:
        """Return the domain to which passkeys belong; there are none for a plain address."""
        name = self.domain or re.sub(r":\d+$", "", host).lower()
        if PLAIN_ADDRESS.fullmatch(name):
            raise TableError("not-possible", "passkey-address")
        return name

    def registration(self, guest: str, name: str, host: str, known: list[Passkey]) -> tuple[dict[str, Any], str]:
        """Return what the browser needs to make a passkey, and the signed challenge to send back with it."""
        import webauthn
        from webauthn.helpers import structs

        challenge, token = self._challenge("register", guest)
        options = webauthn.generate_registration_options(
            rp_id=self.domain_of(host),
            rp_name="mchezo",
            user_id=public_id(guest).encode(),
            user_name=name,
            challenge=challenge,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=one.credential) for one in known],
        )
        return json.loads(webauthn.options_to_json(options)), token

    def registered(
        self, guest: str, token: str, credential: dict[str, Any], host: str, origin: str, label: str, now: int
    ) -> Passkey:
        """Check a new passkey."""
        import webauthn

        challenge = self._answer("register", guest, token)
        with refused_if_wrong():
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self.domain_of(host),
                expected_origin=origin,
            )
        id = verified.credential_id
        return Passkey(
            credential_hash(id), guest, id, verified.credential_public_key, verified.sign_count, label, now, now
        )

    def request(self, host: str) -> tuple[dict[str, Any], str]:
        """Return what the browser needs to sign in with a passkey, and the signed challenge to send back with it."""
        import webauthn

        challenge, token = self._challenge("sign-in", "")
        options = webauthn.generate_authentication_options(rp_id=self.domain_of(host), challenge=challenge)
        return json.loads(webauthn.options_to_json(options)), token

    @staticmethod
    def credential_id(encoded: str) -> bytes:
        """Return the id of the passkey with which the browser answered."""
        from webauthn.helpers import base64url_to_bytes

        with refused_if_wrong():
            id = base64url_to_bytes(encoded)
        return id

    def signed(
        self, token: str, credential: dict[str, Any], passkey: Passkey, host: str, origin: str
    ) -> tuple[int, str]:
        """Check an answer; return how often the passkey has been used, and a hash of the challenge."""
        import webauthn

        challenge = self._answer("sign-in", "", token)
        with refused_if_wrong():
            verified = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=self.domain_of(host),
                expected_origin=origin,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.sign_count,
            )
        return verified.new_sign_count, hashlib.sha256(challenge).hexdigest()[:32]

    def _challenge(self, purpose: Purpose, guest: str) -> tuple[bytes, str]:
        challenge = secrets.token_bytes(32)
        return challenge, str(self.serializer.dumps([purpose, guest and public_id(guest), challenge.hex()]))

    def _answer(self, purpose: Purpose, guest: str, token: str) -> bytes:
        """Return the challenge that is answered; each is accepted once."""
        now = self.clock()
        try:
            for_what, whose, challenge = self.serializer.loads(token, max_age=SECONDS)
        except (BadData, ValueError) as error:
            raise TableError("not-possible", "passkey-late") from error
        if for_what != purpose or whose != (guest and public_id(guest)) or challenge in self.answered:
            raise TableError("not-possible", "passkey-late")
        if len(self.answered) >= MAX_ANSWERED:
            self.answered = {one: until for one, until in self.answered.items() if until > now}
        self.answered[challenge] = now + SECONDS
        return bytes.fromhex(challenge)
