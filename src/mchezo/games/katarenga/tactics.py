"""Katarenga for a tactical search: evaluation, threats and hopeful captures from the same bitboards.

The value is that of `evaluate`, but a race to the camps that is decided at once counts as decided.
"""

from typing import Any

from mchezo.core import arrays
from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled
from mchezo.core.features import LARGEST
from mchezo.core.structs import Actions, Longs, bits, plain, wide
from mchezo.games.katarenga import evaluate as features
from mchezo.games.katarenga.bitboards import pawns_of, reached_from, rotate, up_to_first
from mchezo.games.katarenga.legal import may_capture, moves_onto
from mchezo.games.katarenga.structs import (
    EMPTY,
    FALLING,
    JUMPS,
    KATARENGA,
    MOVING,
    PAWNS,
    PLACES,
    RISING,
    SQUARES,
    WHITE,
    Setup,
    State,
    first_camp,
    last_rank,
    on_board,
)

# What captures gain at most, in thousandths of log-odds: of a pawn that is not defended, and of another one.
GAIN, EXCHANGE_GAIN = 1_800, 900
# Scores of quiet moves, in the unit of history scores.
HANGING, ESCAPING, ARRIVING = -40_000, 6_000, 6_000
RACE_WON, RACE_LOST = 15_000, -14_000

# The tables of a search: the weights, then for each turn of the board, seat and square what a pawn there has, times
# AWAY, plus one more than its distance to the enemy baseline.
SQUARE_VALUES = len(features.FEATURES["katarenga"])
AWAY = 16


def tables(setup: Any) -> Longs:
    """Return the tables of a search; empty for the variants, which are not searched so."""
    known = plain(setup)
    if known.variant != KATARENGA:
        return arrays.zeros(0, arrays.int64)
    weights = [round(float(weight)) for weight in features.weights(setup)]
    found = weights[:SQUARE_VALUES]
    moves_away, every = known.moves_away, known.colours
    for turned in range(4):
        for seat in range(2):
            flip = 0 if seat == WHITE else 56
            for square in range(SQUARES):
                moves = moves_away[turned][seat][square]
                stands = features.STANDS_ON + every[turned][square] * 8 + (square ^ flip) // 8
                found.append((weights[features.AWAY_BY + moves] + weights[stands]) * AWAY + moves + 1)
    return arrays.array(found, arrays.int64)


@compiled
def reach(state: State, setup: Setup, seat: int, occupied: int, rotated: int) -> int:
    """Return the squares that a seat's pawns attack or defend."""
    turned = wide(state.turned)
    rising = falling = bits(0)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            paths = setup.paths[turned, square]
            rising |= paths[JUMPS]
            rising |= up_to_first(paths[RISING], occupied)
            rising |= up_to_first(paths[RISING + 1], occupied)
            falling |= up_to_first(paths[FALLING], rotated)
            falling |= up_to_first(paths[FALLING + 1], rotated)
    return rising | rotate(falling)


@compiled
def reach_twice(state: State, setup: Setup, seat: int, occupied: int, rotated: int) -> tuple[int, int]:
    """Return the squares that a seat's pawns attack or defend, and those that at least two of them do."""
    once = twice = bits(0)
    turned = wide(state.turned)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            found = reached_from(setup, turned, square, occupied, rotated)
            twice |= once & found
            once |= found
    return once, twice


@compiled
def has_camp(state: State, seat: int) -> bool:
    """Return whether a seat holds one of the enemy camps."""
    camp = first_camp(seat)
    return wide(state.cells[camp]) != EMPTY or wide(state.cells[camp + 1]) != EMPTY


@compiled
def standing(state: State, tables: Longs, seat: int) -> int:
    """Return what a seat has by the squares of its pawns and their distances."""
    turned = wide(state.turned)
    first = SQUARE_VALUES + (turned * 2 + seat) * SQUARES
    value = wide(tables[features.WITH_PAWNS + wide(state.pawns[seat])])
    nearest = second = wide(features.MOST_NEEDED)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            entry = wide(tables[first + square])
            value += entry // AWAY
            moves = entry % AWAY
            second = min(second, max(nearest, moves))
            nearest = min(nearest, moves)
    if has_camp(state, seat):
        value += wide(tables[features.LAST_CAMP + min(features.MOST_AWAY + 1, nearest)])
    else:
        value += wide(tables[features.NEEDS + min(features.MOST_NEEDED, nearest + second)])
    return value


@compiled
def reaching(own: int, reach: int, enemy_reach: int, goal: int, baseline: int, waiting: int, tables: Longs) -> int:
    """Return what a seat has by the squares that its pawns reach."""
    most = features.MOST_SAFE
    family = (most + 1) * waiting
    attacked = own & enemy_reach
    value = wide(tables[features.LANDINGS + family + min(most, popcount(reach & goal & ~(own | enemy_reach)))])
    value += wide(tables[features.ENTRIES + family + min(most, popcount(own & goal & ~enemy_reach))])
    value += wide(tables[features.LOOSE + family + min(most, popcount(attacked & ~reach))])
    value += wide(tables[features.EXCHANGE + waiting]) * popcount(attacked & reach)
    value += wide(tables[features.MOBILITY]) * popcount(reach & ~own)
    value += wide(tables[features.GUARDED]) * popcount(reach & baseline)
    value += wide(tables[features.TEMPO]) * (1 - waiting)
    return value


@compiled
def value_of(state: State, tables: Longs, own: int, enemy: int, mine: int, theirs: int) -> int:
    """Return the value for the seat to move, by the pawns and the reach of both sides."""
    seat = wide(state.seat)
    goal, baseline = bits(0xFF) << bits(8 * last_rank(seat)), bits(0xFF) << bits(8 * last_rank(1 - seat))
    if own & goal and has_camp(state, seat):
        return RACE_WON
    entering = enemy & baseline
    if entering and has_camp(state, 1 - seat) and (popcount(entering) > 1 or entering & mine == 0):
        return RACE_LOST
    value = standing(state, tables, seat) - standing(state, tables, 1 - seat)
    value += reaching(own, mine, theirs, goal, baseline, wide(0), tables)
    value -= reaching(enemy, theirs, mine, baseline, goal, wide(1), tables)
    return max(-LARGEST, min(LARGEST, value))


@compiled
def assess(state: State, setup: Setup, tables: Longs) -> int:
    """Return the value of a position for the seat to move."""
    seat = wide(state.seat)
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    occupied = own | enemy
    rotated = rotate(occupied)
    mine = reach(state, setup, seat, occupied, rotated)
    theirs = reach(state, setup, 1 - seat, occupied, rotated)
    return value_of(state, tables, own, enemy, mine, theirs)


@compiled
def look(
    state: State, setup: Setup, tables: Longs, low: int, high: int, actions: Actions, gains: Longs, value: Longs
) -> int:
    """Write the value for the seat to move, and the noisy actions that may lift it above `low`; return their number.

    If the value reaches `high`, nothing is written but the value.
    """
    seat = wide(state.seat)
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    occupied = own | enemy
    rotated = rotate(occupied)
    mine = reach(state, setup, seat, occupied, rotated)
    theirs = reach(state, setup, 1 - seat, occupied, rotated)
    static = value_of(state, tables, own, enemy, mine, theirs)
    value[0] = static
    goal = bits(0xFF) << bits(8 * last_rank(seat))
    captured = mine & enemy if may_capture(state, setup) else bits(0)
    arriving = goal & ~own if has_camp(state, seat) else bits(0)
    if static < high and state.pawns[1 - seat] > 2:  # otherwise a capture wins
        if static + GAIN <= low:
            captured = bits(0)
        elif static + EXCHANGE_GAIN <= low:
            captured &= ~theirs
    if static >= high or (captured | (arriving & mine) | (own & goal)) == 0:
        return wide(0)
    count, _ = moves_onto(state, setup, occupied, captured | (arriving & (~enemy | captured)), captured, actions)
    for index in range(count):
        gains[index] = gain_of(wide(actions[index]), theirs)
    return count


@compiled
def gain_of(action: int, theirs: int) -> int:
    """Return the most that a noisy action gains: a pawn, part of one in an exchange, or the game."""
    target = action % PLACES
    if target >= SQUARES:
        return wide(LARGEST)
    return wide(EXCHANGE_GAIN) if theirs >> bits(target) & bits(1) else wide(GAIN)


@compiled
def gains(state: State, setup: Setup, actions: Actions, count: int, noisy: int, out: Longs) -> None:
    """Write what noisy actions gain, and scores of quiet ones."""
    if state.phase != MOVING:
        out[:count] = 0
        return
    seat = wide(state.seat)
    occupied = pawns_of(state, seat) | pawns_of(state, 1 - seat)
    rotated = rotate(occupied)
    theirs, theirs_twice = reach_twice(state, setup, 1 - seat, occupied, rotated)
    _, mine_twice = reach_twice(state, setup, seat, occupied, rotated)
    goal = last_rank(seat)
    for index in range(count):
        action = wide(actions[index])
        start, target = action // PLACES, action % PLACES
        gain = wide(0)
        if index < noisy:
            gain = gain_of(action, theirs)
            if gain == EXCHANGE_GAIN and mine_twice & ~theirs_twice & (bits(1) << bits(target)):
                gain = wide(GAIN) - 1
        elif theirs & ~mine_twice & (bits(1) << bits(target)):
            gain += HANGING
        else:
            if theirs >> bits(start) & bits(1):
                gain += ESCAPING
            if target // 8 == goal and theirs >> bits(target) & bits(1) == 0:
                gain += ARRIVING
        out[index] = gain


@compiled
def may_pass(state: State, setup: Setup) -> bool:
    """Return whether a position without the duty to move is still one of the game."""
    return state.phase == MOVING and state.pawns[state.seat] > 2


@compiled
def pass_turn(state: State, setup: Setup) -> None:
    """Let the other seat move."""
    state.seat = 1 - state.seat
    state.quiet = 0  # in the trail of moves the seats alternate
