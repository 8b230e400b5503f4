"""Games as one seat has seen them: moves with HIDDEN for the outcomes that only other seats may see.

`Position.seen_moves` writes such moves. Played here they lead to a position that agrees with everything the seat knows:
what is hidden from it has some value that is possible. Players determinize before they think, so they think the same of
it as of the position itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mchezo.core import kernels
from mchezo.core.errors import IllegalMove, InvalidSetup
from mchezo.core.record import HIDDEN
from mchezo.core.rng import new_rng
from mchezo.core.structs import CHANCE

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.position import Position

MOST_REDRAWS = 10_000


def start_written(game: Game, written: Mapping[str, str]) -> Position:
    """Start a game with options as records have them; the caller plays chance."""
    known = {option.name: option for option in game.setup.options}
    options = {}
    for name, text in written.items():
        if name not in known:
            allowed = ", ".join(known)
            raise InvalidSetup("unknown-option", option=name, name=name, game=game.title, allowed=allowed)
        options[name] = (known[name].read_record or known[name].read)(text)
    return game.start(**options, chance="manual")


def play_seen(position: Position, move: str, seat: int) -> None:
    """Play a move, a chance outcome or HIDDEN, as the seat has seen it."""
    if move == HIDDEN:
        play_hidden(position, seat)
        return
    try:
        position.play(move)
    except IllegalMove:
        if position.to_move != CHANCE or not redraw_for(position, move, seat):
            raise
        position.play(move)


def play_hidden(position: Position, seat: int) -> None:
    """Play any possible outcome in place of one that the seat may not see."""
    if position.to_move == CHANCE:
        ahead = position.copy()
        ahead.play(position.legal_moves[0])
        if ahead.steps[-1].only not in (None, seat):
            position.copy_step(ahead)
            return
    raise IllegalMove("not-hidden", move=HIDDEN)


def redraw_for(position: Position, outcome: str, seat: int) -> bool:
    """Redraw what is hidden until an outcome that the seat has seen is possible; return whether it is."""
    if position.game.rules.determinize is None:
        return False
    states = position.states
    for number in range(MOST_REDRAWS):
        position.states = states.copy()
        kernels.determinize(position.states, position.setups, seat, new_rng(number))
        if outcome in position.legal_moves:
            return True
    position.states = states
    return False
