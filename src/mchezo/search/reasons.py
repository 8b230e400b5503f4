"""Why a move gave something away: the largest difference between the best line and the one that was played.

It is told as key and arguments; the sentences are the game's `why-KEY`, else those in `words.toml` beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator

from mchezo.core import verbs
from mchezo.core.chance import Seed
from mchezo.core.deeds import Deed
from mchezo.core.position import Position
from mchezo.core.reasons import Reason
from mchezo.core.structs import CHANCE
from mchezo.search.players import Engine
from mchezo.search.thought import Thought

LONGEST = 60  # decisions until a turn is over
NODES = 1_000  # for each of those that the line does not tell


def why(at: Position, best: Thought, made: Thought, thinker: Engine) -> Deed:
    """What the best line has over the one with the move that was made."""
    reasons = sorted(found(at, best, made, thinker), key=lambda reason: -reason.worth)
    if reasons and reasons[0].worth > 0:
        return Deed(reasons[0].key, reasons[0].arguments)
    seat = at.to_move
    assert seat is not None
    points = round(best.points[seat] - made.points[seat]) if best.points else 0
    return Deed("less-points", {"seat": seat, "points": points}) if points > 1 else Deed("less", {})


def found(at: Position, best: Thought, made: Thought, thinker: Engine) -> Iterator[Reason]:
    """Everything that the best line has over the other."""
    seat = at.to_move
    assert seat is not None
    if not at.game.has_points:
        # Where nothing counts but to win, a forced end is all there is to say: in how many moves of the winner.
        if made.solved and made.chances[seat] == 0.0:
            moves = max(1, len(made.moves) // 2)
            yield Reason(2e6, "loses" if moves > 1 else "loses-now", {"other": 1 - seat, "moves": moves})
        if best.solved and best.chances[seat] == 1.0:
            moves = (len(best.moves) + 1) // 2
            yield Reason(1e6, "misses" if moves > 1 else "misses-now", {"seat": seat, "moves": moves})
    better, worse = (turn_played(at, thought.moves, thinker) for thought in (best, made))
    yield from at.game.why(better.states, worse.states, at.setups, seat)


def turn_played(at: Position, line: tuple[str, ...], thinker: Engine) -> Position:
    """The position at the end of a line, or of the turn if the line ends in its middle; luck is always the same."""
    position = at.copy()
    position.manual, position.seed = True, Seed(1)
    whose = verbs.turn_of(at.states[0])
    for move in line:
        position.play(move)
    for _ in range(LONGEST):
        if position.to_move == CHANCE:
            position.go_on()
        if position.to_move is None or verbs.turn_of(position.states[0]) != whose:
            break
        legal = position.legal_moves
        position.play(legal[0] if len(legal) == 1 else thinker.best(position, 1, nodes=NODES)[0].moves[0])
    return position
