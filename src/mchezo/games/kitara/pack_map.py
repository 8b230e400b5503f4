"""Packs as the browser needs them: described, and with their maps to draw."""

from typing import Any, cast

from mchezo.games.kitara.components import Pack
from mchezo.games.kitara.pack import id_of, report
from mchezo.games.kitara.schema import KitaraMap, KitaraMapSpace


def describe(pack: Pack, language: str) -> dict[str, Any]:
    """Return what a player who brought a pack wants to know, with the report of `mchezo pack check`."""
    return {
        "name": pack.name,
        "id": id_of(pack),
        "players": sorted(pack.maps),
        "decks": list(pack.decks),
        "lines": report(pack).lines(language),
    }


def draw_map(pack: Pack, players: int) -> KitaraMap | None:
    """Return the map for a number of players; None if the pack has none."""
    if players not in pack.maps:
        return None
    board = pack.maps[players]
    spaces = [
        KitaraMapSpace(space.id, cast(Any, space.kind), space.start, list(space.borders), list(space.at), space.shape)
        for space in board.spaces
    ]
    return KitaraMap(pack.name, pack.note, list(board.size), spaces)
