"""Link previews: what other sites show of a link to a table, as Open Graph tags."""

from __future__ import annotations

from html import escape

from mchezo.core.words import Words
from mchezo.server.compute import pictures
from mchezo.server.domain.table import Table
from mchezo.server.domain.turns import turn_starts
from mchezo.server.errors import WORDS
from mchezo.server.projection.table_view import side_names

LEVELS = Words("mchezo.search")


def preview_tags(table: Table, site: str, language: str) -> bytes:
    """Return the tags of a table's page; neither they nor the picture show anything hidden from a spectator."""
    game, ending = table.game, table.ending
    seats = list(zip(side_names(table), table.seats, strict=True))
    names = [
        LEVELS.say(f"level-{occupant.level}", language)
        if occupant.kind == "computer"
        else occupant.name or game.words.say(f"seat-{side}", language)
        for side, occupant in seats
    ]
    seated = [name for name, (_, occupant) in zip(names, seats, strict=True) if occupant.kind != "open"]
    title = f"{game.title}: {' · '.join(seated)}"
    key = "shared-won" if ending and ending.winners else f"shared-{table.status}"
    winners = ", ".join(names[seat] for seat in ending.winners) if ending else ""
    turns = len(turn_starts(table.position)) if table.position else 0
    description = WORDS.say(key, language, game=game.title, turns=turns, winners=winners)
    lines = [
        f"<title>{escape(title)} · mchezo</title>",
        f'<meta name="description" content="{escape(description)}" />',
        *(
            f'<meta property="og:{name}" content="{escape(value)}" />'
            for name, value in {
                "site_name": "mchezo",
                "type": "website",
                "title": title,
                "description": description,
                "url": f"{site}/{'replay' if ending else 't'}/{table.id}",
                "image": f"{site}/api/tables/{table.id}/preview.png",
                "image:width": str(pictures.CARD_WIDTH),
                "image:height": str(pictures.CARD_HEIGHT),
                "image:alt": description,
            }.items()
        ),
        '<meta name="twitter:card" content="summary_large_image" />',
    ]
    return "\n    ".join(lines).encode()
