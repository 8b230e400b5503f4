"""Packs as the browser needs them: checked, and drawn."""

from __future__ import annotations

from typing import Any

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.errors import TableError
from mchezo.server.transport import untrusted


def check(text: str, language: str) -> messages.CheckedPack:
    """Check a pack as `mchezo pack check` does."""
    return messages.CheckedPack(**registry.packs().describe(untrusted.read_pack(text), language))


def draw_map(pack: Any, players: int) -> messages.PackMap:
    """Return the map of a pack for a number of players."""
    found = registry.packs().draw(pack, players)
    if found is None:
        raise TableError("unknown-page", "unknown-page")
    return found
