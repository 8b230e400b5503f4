"""Whole turns: found by random sampling and local search, and replayed in states that differ slightly.

A turn is every decision of one seat until another seat's turn begins, with chance and other seats' answers in between.
The state at its end is evaluated by the game.
"""

from typing import Any, NamedTuple

from mchezo.core import arrays, verbs
from mchezo.core.compiled import compiled
from mchezo.core.kernels import weighted
from mchezo.core.rng import randbelow
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Structs, Weights, Words64, wide

LONGEST_TURN = 64  # actions including chance; longer turns are cut off
MOST_SEATS = 4
STRAY = 12  # while varying a turn, one decision in this many is random
LOOK_AHEAD = 4  # how far ahead in the old turn to look for a decision that is still legal
POINT = 0.002  # value of an expected point relative to the chance of winning, so that lost games are played on


class Planning(NamedTuple):
    """What planning a turn needs: evaluation weights, random numbers, and scratch arrays for actions."""

    weights: Numbers
    actions: Actions
    odds: Weights
    rng: Words64


@compiled
def value(state: Any, setup: Any, seat: int, weights: Numbers, points: Numbers, chances: Numbers) -> float:
    """Return a seat's chance of winning plus a small bonus for its points."""
    if verbs.to_move(state) == OVER:
        verbs.returns(state, setup, chances)
        verbs.scores(state, setup, points)
        return float((chances[seat] + 1) / 2 + POINT * points[seat])
    verbs.estimate(state, setup, weights, points, chances)
    return float(chances[seat] + POINT * points[seat])


@compiled
def on_turn(state: Any, seat: int) -> bool:
    """Return whether this seat's turn goes on: it decides, or chance or another seat's answer comes first.

    Chance in another seat's turn, as when the rules play that seat, is no part of it.
    """
    mover = verbs.to_move(state)
    return mover != OVER and (mover == seat or verbs.turn_of(state) in (seat, CHANCE))


@compiled
def others_step(state: Any, setup: Any, actions: Actions, odds: Weights, rng: Words64) -> int:
    """Apply a chance outcome, or a random answer of another seat, in mid-turn; return the action."""
    if verbs.to_move(state) == CHANCE:
        chosen = weighted(odds, verbs.chance(state, setup, actions, odds), rng)
    else:
        chosen = randbelow(rng, verbs.candidates(state, setup, actions))
    action = wide(actions[chosen])
    verbs.apply(state, setup, action)
    return action


@compiled
def rejoin(turn: Actions, at: int, length: int, actions: Actions, count: int) -> tuple[int, int]:
    """Return the index of the turn's next decision, from `at` on, that is still legal (or -1), and the next `at`."""
    for place in range(at, min(length, at + LOOK_AHEAD)):
        for index in range(count):
            if actions[index] == turn[place]:
                return index, place + 1
    return -1, at


@compiled
def vary(turn: Actions, at: int, length: int, actions: Actions, count: int, rng: Words64) -> tuple[int, int]:
    """Rejoin the turn where possible, but now and then stray from it; return as `rejoin` does."""
    if at < length and randbelow(rng, STRAY):
        return rejoin(turn, at, length, actions, count)
    return -1, at


@compiled
def keep(path: Structs, setup: Any, turn: Actions, first: int, end: int, best: Actions) -> None:
    """Make `turn` the best one: copy its actions from `first` on, and the states they lead to into `path`."""
    for index in range(first, end):
        best[index] = turn[index]
        path[index + 1] = path[index]
        verbs.apply(path[index + 1], setup, wide(turn[index]))


@compiled
def find(
    path: Structs, setup: Any, firsts: Actions, planning: Planning, tries: int, best: Actions, length: int
) -> tuple[int, int]:
    """Write the best turn found for the seat to move in path[0] into `best`, its states along `path`.

    A turn of `length` actions may be there already; then it is varied, otherwise the first eighth of the tries are
    random turns. The turn begins with one of `firsts`, if there are any. Chance and other seats draw from a generator
    whose state is kept along the turn, so that an unchanged beginning always has the same luck.

    `path` has LONGEST_TURN + 2 places, the last one to try in. Return the turn's length and the actions applied.
    """
    weights, actions, odds, rng = planning
    seat = verbs.to_move(path[0])
    trial = path[LONGEST_TURN + 1]
    tried = arrays.empty(LONGEST_TURN, arrays.int32)
    points, chances = arrays.empty(MOST_SEATS), arrays.empty(MOST_SEATS)
    luck = rng.copy()
    lucks, tried_lucks = arrays.full(LONGEST_TURN, rng[0]), arrays.empty(LONGEST_TURN, arrays.uint64)
    made = wide(0)
    most = -1e18
    if length:
        most = value(path[length], setup, seat, weights, points, chances)
    fresh = 0 if length else tries // 8
    for number in range(tries):
        kept, at = 0, length
        if length and number >= fresh:
            # Vary the best turn: keep its beginning, make one random decision, then rejoin it where possible.
            kept = randbelow(rng, length)
            while kept and verbs.to_move(path[kept]) != seat:
                kept -= 1
            at = kept + randbelow(rng, 3)
        path[LONGEST_TURN + 1] = path[kept]
        luck[0] = lucks[kept]
        end = kept
        strayed = False
        while end < LONGEST_TURN and on_turn(trial, seat):
            tried_lucks[end] = luck[0]
            if verbs.to_move(trial) != seat:
                tried[end] = others_step(trial, setup, actions, odds, luck)
            else:
                count = verbs.candidates(trial, setup, actions)
                if end == 0 and len(firsts):
                    count = len(firsts)
                    actions[:count] = firsts
                chosen = -1
                if strayed:
                    chosen, at = vary(best, at, length, actions, count, rng)
                if chosen < 0:
                    chosen = randbelow(rng, count)
                strayed = True
                tried[end] = actions[chosen]
                verbs.apply(trial, setup, wide(tried[end]))
            end += 1
        made += end - kept
        reached = value(trial, setup, seat, weights, points, chances)
        if reached >= most:
            most = reached
            length = end
            keep(path, setup, tried, kept, end, best)
            lucks[kept:end] = tried_lucks[kept:end]
            made += end - kept
    return length, made


@compiled
def replay(
    path: Structs, setup: Any, turn: Actions, length: int, planning: Planning, tries: int, done: Actions
) -> tuple[int, int]:
    """Replay a seat's decisions from path[0] with new luck; from the first illegal one on, plan the turn again.

    Write every action into `done` and the states along `path`; return the turn's length and the actions applied.
    """
    _, actions, odds, rng = planning
    seat = verbs.to_move(path[0])
    end = wide(0)
    at = 0
    while end < LONGEST_TURN and on_turn(path[end], seat):
        path[end + 1] = path[end]
        if verbs.to_move(path[end]) != seat:
            done[end] = others_step(path[end + 1], setup, actions, odds, rng)
        else:
            count = verbs.legal(path[end], setup, actions)
            chosen, at = rejoin(turn, at, length, actions, count)
            if chosen < 0:
                rest = arrays.empty(LONGEST_TURN, arrays.int32)
                planned, made = find(path[end:], setup, turn[:0], planning, tries, rest, 0)
                for index in range(planned):
                    done[end + index] = rest[index]
                return end + planned, made + end
            done[end] = actions[chosen]
            verbs.apply(path[end + 1], setup, wide(done[end]))
        end += 1
    return end, end
