"""The view of a game as one seat, or a spectator, gets it: encoded once for what all may see."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from mchezo.core.position import Position
from mchezo.core.structs import Structs
from mchezo.server import messages
from mchezo.server.domain.table import Table


class EncodedView(NamedTuple):
    """What all may see of a state as JSON, without its last brace, and the rest as a spectator sees it."""

    states: Structs
    decision: str | None
    common: bytes
    spectator: bytes


def encoded_view(table: Table, states: Structs, seat: int | None) -> msgspec.Raw:
    """Return what a seat may see in a state of the game, as JSON."""
    position = table.position
    assert position is not None
    found = find_view(table, position, states)
    if seat is None:
        return msgspec.Raw(found.common + found.spectator)
    key = ("own view", id(states), seat)
    raw: msgspec.Raw | None = table.cache.get(key)
    if raw is None:
        own = table.game.view.own(position.fields_of(states), position.setup_fields, seat)
        raw = table.cache[key] = msgspec.Raw(found.common + rest_of({"seat": seat, **own}))
    return raw


def current_decision(table: Table) -> str | None:
    """Return what is to be decided now, by the game's key; it is the same for all seats."""
    assert table.position is not None
    return find_view(table, table.position, table.position.states).decision


def find_view(table: Table, position: Position, states: Structs) -> EncodedView:
    """Return the view of a state, made once."""
    key = ("view", id(states))
    found: EncodedView | None = table.cache.get(key)
    if found is None:
        if states is not position.states:
            position = position.copy()
            position.states = states
        view = position.view()
        personal = {name: view.pop(name) for name in personal_names(table, position)}
        common = messages.encode(view)[:-1]
        found = table.cache[key] = EncodedView(states, view["decision"], common, rest_of(personal))
    return found


def personal_names(table: Table, position: Position) -> tuple[str, ...]:
    """Return the fields of a view that differ between seats."""
    found: tuple[str, ...] | None = table.fragments.get("personal names")
    if found is None:
        own = table.game.view.own(position.fields, position.setup_fields, 0)
        found = table.fragments["personal names"] = ("seat", *own)
    return found


def rest_of(fields: dict[str, object]) -> bytes:
    """Return the last fields of an object as JSON."""
    return b"," + messages.encode(fields)[1:]
