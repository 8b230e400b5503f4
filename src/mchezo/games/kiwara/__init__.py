"""Kiwara by Bruno Cathala: classic, on free boards, with open or hidden reinforcements, with a handicap."""

from typing import Any

from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.games.kiwara import observe, structs  # noqa: F401, the first enters its verb
from mchezo.games.kiwara.evaluate import weights
from mchezo.games.kiwara.explain import explain
from mchezo.games.kiwara.notation import SIDES, WORDS, parse, write
from mchezo.games.kiwara.picture import draw
from mchezo.games.kiwara.setup import OPTIONS, prepare
from mchezo.games.kiwara.tell import account, foresee, sketch, tell
from mchezo.games.kiwara.view import view
from mchezo.games.kiwara.why import why


def revenge(position: Position, swap: bool) -> dict[str, Any]:
    """The same game again; with `swap` the other player sets the totem, and handicap cards stay with their player."""
    options = dict(position.options)
    if swap and options["handicap"] is not None:
        seat, cards = options["handicap"]
        options["handicap"] = (1 - seat, cards)
    return options


GAME = Game(
    name="kiwara",
    title="Kiwara",
    author="Bruno Cathala",
    rules=1,
    words=WORDS,
    options=OPTIONS,
    reasons=structs.REASONS,
    draws=frozenset(),
    most_choices=structs.MOST_CHOICES,
    prepare=prepare,
    seats=lambda options: SIDES,
    parse=parse,
    write=write,
    explain=explain,
    view=view,
    picture=draw,
    tell=tell,
    foresee=foresee,
    account=account,
    weights=weights,
    why=why,
    has_points=True,
    revenge=revenge,
    sketch=sketch,
)
