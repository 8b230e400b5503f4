"""Untrusted options, packs and records: nothing that opens a file of the server or fills its memory gets through."""

from __future__ import annotations

import re
from collections.abc import Mapping
from threading import Lock
from typing import Any

from mchezo.core import registry
from mchezo.core.errors import InvalidSetup
from mchezo.core.record import Record
from mchezo.server.domain.table import with_pack
from mchezo.server.errors import TableError

MAX_PACK = 150_000  # characters
MAX_PACKS = 64  # from clients, in one process
MAX_OPTION = 500  # characters of an option other than a pack
MAX_ELEMENTS = 16  # of an option that is a list
ID = re.compile(r"[^\n]*#([0-9a-f]{64})")

# The texts of packs that clients brought, by digest, the least recently used first.
PACKS: dict[str, str] = {}
# One pack is parsed at a time: threads would not be faster, and would need the memory of all packs at once.
PARSING = Lock()


def check_options(game: str, options: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    """Return the options with the pack's id, and the text of the pack unless it is the shipped one."""
    found = registry.find(game)
    known = {option.name for option in found.setup.options}
    pack = found.packs.option if found.packs else None
    for name, value in options.items():
        if name not in known:
            allowed = ", ".join(sorted(known))
            raise InvalidSetup("unknown-option", option=name, name=name, game=found.title, allowed=allowed)
        if name != pack:
            check_size(name, value)
    if pack is None or pack not in options:
        return dict(options), None
    id, text = identify_pack(options[pack])
    return {**options, pack: id}, text


def startable_options(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked options with which the game can be started."""
    checked, text = check_options(game, options)
    return with_pack(registry.find(game), checked, text)


def check_size(option: str, value: object) -> None:
    """Refuse a value that is larger than any option can be."""
    if isinstance(value, str) and len(value) > MAX_OPTION:
        raise TableError("too-large", "option-large", option=option, most=MAX_OPTION)
    if isinstance(value, list | dict):
        if len(value) > MAX_ELEMENTS:
            raise TableError("too-large", "option-elements", option=option, most=MAX_ELEMENTS)
        for element in value:
            check_element(option, element)


def check_element(option: str, element: object) -> None:
    """Refuse an element of a list that is itself a list, or too long."""
    if isinstance(element, list | dict) and element:
        raise TableError("invalid-setup", "option-elements", option=option, most=MAX_ELEMENTS)
    check_size(option, element)


def read_pack(text: str) -> Any:
    """Read and check the text of a pack."""
    if len(text) > MAX_PACK:
        raise TableError("too-large", "pack-large", most=MAX_PACK)
    with PARSING:
        return registry.packs().read(text)


def find_pack(id: str) -> Any:
    """Return a pack by its id: the shipped one, or one that is in use here."""
    try:
        return registry.packs().known(id, None)
    except InvalidSetup as error:
        raise TableError("invalid-setup", "pack-unknown") from error


def identify_pack(pack: object) -> tuple[str, str | None]:
    """Return id and text of a pack, given as text or by the id of a known one; the shipped one has no text here."""
    packs = registry.packs()
    if isinstance(pack, str) and pack in packs.included:
        return pack, None
    if not isinstance(pack, str):
        raise TableError("invalid-setup", "pack-stranger")
    if match := ID.fullmatch(pack):
        text = PACKS.get(match[1])
        if text is None:
            raise TableError("invalid-setup", "pack-unknown")
        return pack, keep_text(match[1], text)
    if "\n" not in pack:
        raise TableError("invalid-setup", "pack-stranger")
    id = packs.id(read_pack(pack))
    if id in packs.included:
        return id, None
    return id, keep_text(id.rpartition("#")[2], pack)


def keep_text(digest: str, text: str) -> str:
    """Keep the text of a pack as the most recently used one, and forget the least recently used one if need be."""
    with PARSING:
        kept = PACKS.pop(digest, text)
        while len(PACKS) >= MAX_PACKS:
            del PACKS[next(iter(PACKS))]
        PACKS[digest] = kept
    return kept


def read_record(text: str) -> tuple[Record, str | None]:
    """Parse a record; return it with the text of its pack. A pack that a client may not name is refused."""
    record = Record.parse(text)
    packs = registry.packs()
    for name, value in record.options.items():
        check_size(name, value)
    if packs.option not in record.options:
        return record, None
    return record, identify_pack(record.options[packs.option])[1]
