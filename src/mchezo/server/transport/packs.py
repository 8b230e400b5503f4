"""Packs as the browser needs them: checked, and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mchezo.core import registry
from mchezo.core.errors import InvalidSetup
from mchezo.server import messages
from mchezo.server.errors import TableError
from mchezo.server.transport import untrusted


def check(text: str, language: str) -> messages.CheckedPack:
    """Check a pack as `mchezo pack check` does."""
    return messages.CheckedPack(**registry.packs().describe(untrusted.read_pack(text), language))


def open_pack(text: str | None) -> messages.OpenedPack:
    """Return what a pack contains, to be edited."""
    return messages.OpenedPack(registry.packs().open(text))


def sketch(contents: Mapping[str, Any], language: str) -> messages.SketchedPack:
    """Write an edited pack as a file, check it, and draw its maps."""
    packs = registry.packs()
    text = packs.write(contents)
    try:
        checked, words = check(text, language), ""
    except InvalidSetup as error:
        checked, words = None, error.say(language)
    return messages.SketchedPack(text, checked, words, packs.sketch(contents))


def draw_map(pack: Any, players: int) -> messages.PackMap:
    """Return the map of a pack for a number of players."""
    found = registry.packs().draw(pack, players)
    if found is None:
        raise TableError("unknown-page", "unknown-page")
    return found
