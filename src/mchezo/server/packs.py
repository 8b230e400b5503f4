"""Packs of Kitara as the browser needs them: checked, and drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mchezo.server import messages, strangers
from mchezo.server.refusals import TableRefusal

if TYPE_CHECKING:
    from mchezo.games.kitara.components import Pack


def check(text: str, language: str) -> messages.CheckedPack:
    """A pack that somebody has typed in, judged as `mchezo pack check` does."""
    from mchezo.games.kitara.pack import id_of, judge

    pack = strangers.read_pack(text)
    lines = judge(pack).lines(language)
    return messages.CheckedPack(pack.name, id_of(pack), sorted(pack.maps), list(pack.decks), lines)


def draw_map(pack: Pack, players: int) -> messages.KitaraMap:
    """A map of a pack."""
    if players not in pack.maps:
        raise TableRefusal("unknown-page", "unknown-page")
    board = pack.maps[players]
    spaces = [
        messages.KitaraMapSpace(
            space.id, cast(Any, space.kind), space.start, list(space.borders), list(space.at), space.shape
        )
        for space in board.spaces
    ]
    return messages.KitaraMap(pack.name, pack.note, list(board.size), spaces)
