"""Whole turns: found by trying and mending, and played again in a state that differs a little.

A turn is every decision of one seat until another's turn begins, with chance and others' answers in between. What it
leads to is judged by the game.
"""

from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import throw
from mchezo.core.kernels import weighted
from mchezo.core.structs import CHANCE, OVER, Actions, Numbers, Structs, Weights, Words64, wide

LONGEST_TURN = 64  # actions, chance included; what would be longer is cut off
MOST_SEATS = 4
STRAY = 12  # one decision of so many, while a turn is mended, is made at random
LOOK_AHEAD = 4  # how far in the old turn a mended one looks for something it can still do
POINT = 0.002  # what an expected point counts beside the chance of winning, so that lost games are played on


@compiled
def worth(state: Any, setup: Any, seat: int, weights: Numbers, points: Numbers, chances: Numbers) -> float:
    """How much a seat likes a position: its chance of winning, and a little for its points."""
    if verbs.to_move(state) == OVER:
        verbs.returns(state, setup, chances)
        verbs.scores(state, setup, points)
        return float((chances[seat] + 1) / 2 + POINT * points[seat])
    verbs.judge(state, setup, weights, points, chances)
    return float(chances[seat] + POINT * points[seat])


@compiled
def on_turn(state: Any, seat: int) -> bool:
    """Whether the turn of this seat goes on: it is asked, or chance or another's answer comes first."""
    asked = verbs.to_move(state)
    return asked != OVER and (asked in (seat, CHANCE) or verbs.turn_of(state) == seat)


@compiled
def others_step(state: Any, setup: Any, actions: Actions, odds: Weights, luck: Words64) -> int:
    """Make what chance, or another seat at random, does in the middle of a turn; return it."""
    if verbs.to_move(state) == CHANCE:
        chosen = weighted(odds, verbs.chance(state, setup, actions, odds), luck)
    else:
        chosen = throw(luck, verbs.sensible(state, setup, actions))
    action = wide(actions[chosen])
    verbs.apply(state, setup, action)
    return action


@compiled
def take_up(turn: Actions, at: int, length: int, actions: Actions, count: int) -> tuple[int, int]:
    """The first thing of a turn, from `at` on, that can still be done: its index, and where to go on; else -1."""
    for place in range(at, min(length, at + LOOK_AHEAD)):
        for index in range(count):
            if actions[index] == turn[place]:
                return index, place + 1
    return -1, at


@compiled
def find(
    path: Structs,
    setup: Any,
    firsts: Actions,
    weights: Numbers,
    tries: int,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    best: Actions,
    length: int,
) -> tuple[int, int]:
    """Look for the best turn of the seat to move in path[0]; return how many actions it has, and the actions made.

    `best` holds the turn to mend, of this length, with its states along `path`; length 0 starts from nothing. The last
    place of `path`, after LONGEST_TURN + 1 states, is for trying. The turn begins with one of `firsts`, if there are
    any. All tries have the same luck, so that none is preferred for it.
    """
    seat = verbs.to_move(path[0])
    trial = path[LONGEST_TURN + 1]
    tried = np.empty(LONGEST_TURN, np.int32)
    points, chances = np.empty(MOST_SEATS), np.empty(MOST_SEATS)
    luck = throws.copy()
    lucks, tried_lucks = np.full(LONGEST_TURN, throws[0]), np.empty(LONGEST_TURN, np.uint64)
    made = wide(0)
    most = -1e18
    if length:
        most = worth(path[length], setup, seat, weights, points, chances)
    fresh = 0 if length else tries // 8
    for number in range(tries):
        kept, at = 0, length
        if length and number >= fresh:
            # Mend the best turn: keep its beginning, do one thing at random, and go on as it did where possible.
            kept = throw(throws, length)
            while kept and verbs.to_move(path[kept]) != seat:
                kept -= 1
            at = kept + throw(throws, 3)
        path[LONGEST_TURN + 1] = path[kept]
        luck[0] = lucks[kept]
        end = kept
        strayed = False
        while end < LONGEST_TURN and on_turn(trial, seat):
            tried_lucks[end] = luck[0]
            if verbs.to_move(trial) != seat:
                tried[end] = others_step(trial, setup, actions, odds, luck)
            else:
                count = verbs.sensible(trial, setup, actions)
                if end == 0 and len(firsts):
                    count = len(firsts)
                    actions[:count] = firsts
                chosen = -1
                if strayed and at < length and throw(throws, STRAY):
                    chosen, at = take_up(best, at, length, actions, count)
                if chosen < 0:
                    chosen = throw(throws, count)
                strayed = True
                tried[end] = actions[chosen]
                verbs.apply(trial, setup, wide(tried[end]))
            end += 1
        made += end - kept
        reached = worth(trial, setup, seat, weights, points, chances)
        if reached >= most:
            most = reached
            length = end
            # Walk the turn once more to keep its states.
            for index in range(kept, end):
                best[index] = tried[index]
                lucks[index] = tried_lucks[index]
                path[index + 1] = path[index]
                verbs.apply(path[index + 1], setup, wide(tried[index]))
            made += end - kept
    return length, made


@compiled
def replay(
    path: Structs,
    setup: Any,
    turn: Actions,
    length: int,
    weights: Numbers,
    tries: int,
    actions: Actions,
    odds: Weights,
    throws: Words64,
    done: Actions,
) -> tuple[int, int]:
    """Play a seat's decisions again from path[0], with new luck; what has become impossible is planned anew.

    Write all that was done, with its states along `path`; return how many actions that are, and the actions made.
    """
    seat = verbs.to_move(path[0])
    end = wide(0)
    at = 0
    while end < LONGEST_TURN and on_turn(path[end], seat):
        path[end + 1] = path[end]
        if verbs.to_move(path[end]) != seat:
            done[end] = others_step(path[end + 1], setup, actions, odds, throws)
        else:
            count = verbs.legal(path[end], setup, actions)
            chosen, at = take_up(turn, at, length, actions, count)
            if chosen < 0:
                rest = np.empty(LONGEST_TURN, np.int32)
                planned, made = find(path[end:], setup, turn[:0], weights, tries, actions, odds, throws, rest, 0)
                for index in range(planned):
                    done[end + index] = rest[index]
                return end + planned, made + end
            done[end] = actions[chosen]
            verbs.apply(path[end + 1], setup, wide(done[end]))
        end += 1
    return end, end
