"""Katarenga by David Parlett, with Congress, Quebec and Isolation, which are played with the same box."""

from collections.abc import Mapping
from typing import Any

from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.games.katarenga import observe, structs  # noqa: F401, the first enters its verb
from mchezo.games.katarenga.components import turn_board
from mchezo.games.katarenga.evaluate import weights
from mchezo.games.katarenga.explain import explain
from mchezo.games.katarenga.notation import WORDS, parse, write
from mchezo.games.katarenga.picture import draw
from mchezo.games.katarenga.setup import OPTIONS, prepare
from mchezo.games.katarenga.tell import account, foresee, sketch, tell, touch
from mchezo.games.katarenga.view import SIDES, view
from mchezo.games.katarenga.why import why


def picture(seen: Mapping[str, Any]) -> str:
    """The board from the side of whoever looks."""
    return draw(seen, flip=seen["seat"] == structs.BLACK)


def revenge(position: Position, swap: bool) -> dict[str, Any]:
    """The same game on the same board, turned by half; Black does not choose again."""
    board = turn_board(position.view()["board"], 2)
    return {**position.options, "board": board, "choose_baseline": False}


GAME = Game(
    name="katarenga",
    title="Katarenga",
    author="David Parlett",
    rules=1,
    words=WORDS,
    options=OPTIONS,
    reasons=structs.REASONS,
    draws=structs.DRAWS,
    most_choices=structs.MOST_MOVES,
    prepare=prepare,
    seats=lambda options: SIDES,
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
    revenge=revenge,
    revenge_swaps=False,
    touch=touch,
    sketch=sketch,
)
