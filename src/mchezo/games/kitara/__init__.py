"""Kitara by Eric B. Vogel, with a reconstruction of its maps and cards."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from mchezo.core.game import Game
from mchezo.games.kitara import observe, sensible, structs  # noqa: F401, the first two enter their verbs
from mchezo.games.kitara.evaluate import weights
from mchezo.games.kitara.explain import explain
from mchezo.games.kitara.notation import parse, secret, write
from mchezo.games.kitara.pack import find
from mchezo.games.kitara.picture import draw
from mchezo.games.kitara.read_pack import WORDS
from mchezo.games.kitara.setup import OPTIONS, prepare
from mchezo.games.kitara.tell import account, foresee, tell
from mchezo.games.kitara.view import view
from mchezo.games.kitara.why import why

SEATS = ("first", "second", "third", "fourth")


def picture(seen: Mapping[str, Any]) -> str:
    """The table, on the map of the pack that is played with."""
    return draw(seen, asdict(find(seen["pack_id"]).maps[seen["players"]]))


GAME = Game(
    name="kitara",
    title="Kitara",
    author="Eric B. Vogel",
    rules=1,
    words=WORDS,
    options=OPTIONS,
    reasons=structs.REASONS,
    draws=frozenset(),
    most_choices=structs.MOST_CHOICES,
    prepare=prepare,
    seats=lambda options: SEATS[: options["players"]],
    parse=parse,
    write=write,
    explain=explain,
    view=view,
    picture=picture,
    tell=tell,
    foresee=foresee,
    account=account,
    weights=weights,
    why=why,
    has_points=True,
    secret=secret,
)
