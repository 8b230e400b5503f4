"""What a stranger's options may be: nothing that opens a file of ours, nothing that fills our memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mchezo.core import registry
from mchezo.core.errors import InvalidSetup
from mchezo.core.record import Record
from mchezo.server.refusals import TableRefusal

if TYPE_CHECKING:
    from mchezo.games.kitara.components import Pack

MOST_PACK = 150_000  # characters
MOST_PACKS = 200  # of strangers, in one process
ID = re.compile(r"[^\n]*#([0-9a-f]{64})")

# The texts of packs that strangers brought, by digest.
PACKS: dict[str, str] = {}


def checked(game: str, options: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The options that may be given to a game, and the text of the pack, if it is not the shipped one."""
    found = registry.find(game)
    known = {option.name for option in found.options}
    for name in options:
        if name not in known:
            allowed = ", ".join(sorted(known))
            raise InvalidSetup("unknown-option", option=name, name=name, game=found.title, allowed=allowed)
    text = pack_text(options["pack"]) if "pack" in options else None
    return ({**options, "pack": text} if text is not None else dict(options)), text


def read_pack(text: str) -> Pack:
    """A stranger's pack, read and checked."""
    from mchezo.games.kitara.read_pack import read

    if len(text) > MOST_PACK:
        raise TableRefusal("too-large", "pack-large", most=MOST_PACK)
    return read(text)


def pack(id: str) -> Pack:
    """The pack of that id: the shipped one, or one that is in use here."""
    from mchezo.games.kitara.pack import IN_USE, SHIPPED, shipped

    if id == SHIPPED:
        return shipped()
    match = ID.fullmatch(id)
    found = IN_USE.get(bytes.fromhex(match[1])) if match else None
    if found is None:
        raise TableRefusal("invalid-setup", "pack-unknown")
    return found


def pack_text(given: object) -> str | None:
    """The text of a pack: given as text, or by the id of one that we have met; None for the shipped one."""
    from mchezo.games.kitara.pack import SHIPPED, digest_of

    if given == SHIPPED:
        return None
    if not isinstance(given, str):
        raise TableRefusal("invalid-setup", "pack-stranger")
    if match := ID.fullmatch(given):
        if match[1] not in PACKS:
            raise TableRefusal("invalid-setup", "pack-unknown")
        return PACKS[match[1]]
    if "\n" not in given:
        raise TableRefusal("invalid-setup", "pack-stranger")
    digest = digest_of(read_pack(given)).hex()
    if digest not in PACKS and len(PACKS) >= MOST_PACKS:
        raise TableRefusal("overloaded", "packs-full")
    return PACKS.setdefault(digest, given)


def check_record(text: str) -> None:
    """A record that is played on may name only packs that a stranger may name."""
    pack = Record.parse(text).options.get("pack")
    if pack is not None:
        pack_text(pack)
