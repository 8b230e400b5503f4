"""A passkey in software: it answers WebAuthn requests as a phone or a security key does."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """One passkey."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.used = 0

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _data(self, domain: str, flags: int) -> bytes:
        self.used += 1
        return hashlib.sha256(domain.encode()).digest() + bytes([flags]) + self.used.to_bytes(4, "big")

    def register(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer a request to make a passkey."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        data = self._data(options["rp"]["id"], PRESENT | VERIFIED | ATTESTED)
        data += bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        response = {
            "clientDataJSON": encode(self._client_data("webauthn.create", options["challenge"])),
            "attestationObject": encode(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
        }
        return {"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": response}

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answer a request to sign in."""
        data = self._data(options["rpId"], PRESENT | VERIFIED)
        client = self._client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": encode(client),
            "authenticatorData": encode(data),
            "signature": encode(signature),
        }
        return {"id": encode(self.id), "rawId": encode(self.id), "type": "public-key", "response": response}
