"""Why a move was a mistake: the largest difference between the best variation and the one that was played.

A reason is a key with arguments; its sentence is the game's `why-KEY`, else the one in this package's `words.toml`. If
it is about a later position, `when` says which: the sentence `when-WHEN` goes around it.
"""

from __future__ import annotations

from collections.abc import Iterator

from mchezo.core import verbs
from mchezo.core.chance import Seed
from mchezo.core.effects import Effect
from mchezo.core.position import Position
from mchezo.core.reasons import Line, Reason
from mchezo.core.structs import CHANCE
from mchezo.search.accuracy import change_of_lead, log_odds
from mchezo.search.players import Engine
from mchezo.search.thought import Thought

LONGEST = 60  # decisions in a turn
NODES = 2_000  # for each decision beyond the end of a variation
LEAST_SHARE = 0.3  # of the loss: a reason that explains less of it is none
FORCED = 1e6  # more than any other reason


def why(at: Position, best: Thought, made: Thought, thinker: Engine) -> Effect:
    """Return the main reason why the best variation is better than the one that was played."""
    if len(at.seats) == 1:
        return Effect("alone", {"points": round(made.points[0])})
    reasons = sorted(found(at, best, made, thinker), key=lambda reason: -reason.value)
    if reasons and reasons[0].value > LEAST_SHARE * loss(at, best, made):
        return Effect(reasons[0].key, reasons[0].arguments)
    seat = at.to_move
    assert seat is not None
    points = round(change_of_lead(best.points, made.points, seat)) if best.points else 0
    return Effect("less-points", {"seat": seat, "points": points}) if points > 1 else Effect("less", {})


def loss(at: Position, best: Thought, made: Thought) -> float:
    """Return what the played variation gives away, in the unit of the game's features: points, or log-odds."""
    seat = at.to_move
    assert seat is not None
    if at.game.evaluation.estimate is not None:
        return change_of_lead(best.points, made.points, seat)
    return 1000 * max(0.0, log_odds(best.chances[seat]) - log_odds(made.chances[seat]))


def found(at: Position, best: Thought, made: Thought, thinker: Engine) -> Iterator[Reason]:
    """Yield every advantage of the best variation over the other."""
    seat = at.to_move
    assert seat is not None
    if not at.game.rules.has_points:
        # Without points a forced win is the whole story: count the winner's moves.
        if made.solved and made.chances[seat] == 0.0:
            moves = max(1, len(made.moves) // 2)
            yield Reason(2 * FORCED, "loses" if moves > 1 else "loses-now", {"other": 1 - seat, "moves": moves})
        if best.solved and best.chances[seat] == 1.0:
            moves = (len(best.moves) + 1) // 2
            yield Reason(FORCED, "misses" if moves > 1 else "misses-now", {"seat": seat, "moves": moves})
    better, worse = (Line(turn_played(at, thought.moves, thinker), len(at.steps)) for thought in (best, made))
    yield from at.game.evaluation.why(better, worse, at.setups, seat)


def turn_played(at: Position, variation: tuple[str, ...], thinker: Engine) -> Position:
    """Return the position after a variation, or after the turn in which it ends; chance has a fixed seed."""
    position = at.copy()
    position.manual, position.seed = True, Seed(1)
    whose = verbs.turn_of(at.states[0])
    for move in variation:
        position.play(move)
    for _ in range(LONGEST):
        if position.to_move == CHANCE:
            position.draw_from_seed()
        if position.to_move is None or verbs.turn_of(position.states[0]) != whose:
            break
        legal = position.legal_moves
        position.play(legal[0] if len(legal) == 1 else thinker.best(position, 1, nodes=NODES)[0].moves[0])
    return position
