"""A command while it is being decided and stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.domain.table import Table


@dataclass(slots=True)
class Job:
    """A pending command: its sender, when it was received, and the callback for the answer."""

    command: messages.Commands
    digest: str
    who: Identity
    delay: int
    received: int
    answered: Callable[[messages.Done | Exception], None]
    first_try: Table | None = None  # the table as it was when the command was decided first
    attempts: int = 0


def digest(command: messages.Commands) -> str:
    """Return a digest of a command, by which another one with the same idempotency key is recognised."""
    return sha256(messages.encode(command)).hexdigest()[:16]
