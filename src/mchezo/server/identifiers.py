"""Identifiers: random ones, from the operating system's randomness, and the public ids of guests."""

from __future__ import annotations

import hashlib
import secrets
import string

ALPHABET = string.ascii_letters + string.digits


def new_table_id() -> str:
    """Return an id for a table, which is also its link for spectators: 71 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


def new_seat_key() -> str:
    """Return a key for an open seat: 142 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(24))


def new_guest() -> str:
    """Return an id for a guest: 128 bits."""
    return secrets.token_hex(16)


def new_secret() -> str:
    """Return a key for signatures: 256 bits."""
    return secrets.token_hex(32)


def new_phrase_number() -> int:
    """Return the number of a recovery phrase: 80 bits."""
    return secrets.randbits(80)


def public_id(guest: str) -> str:
    """Return a public id of a guest, from which the secret one cannot be computed."""
    return hashlib.sha256(guest.encode()).hexdigest()[:16]
