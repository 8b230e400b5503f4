"""Evaluation of the games from Troika on: a few features for each, with weights set by hand.

A function `*_value` sums up what one seat has, as in `evaluate.py`.
"""

from mchezo.core.bitsets import bit_index, popcount
from mchezo.core.compiled import compiled
from mchezo.core.features import Feature
from mchezo.core.structs import Actions, Numbers, bits, wide
from mchezo.games.katarenga import central_park, structs
from mchezo.games.katarenga.bitboards import open_squares, pawns_of, reached
from mchezo.games.katarenga.colorado import home
from mchezo.games.katarenga.following import candidates, line_of
from mchezo.games.katarenga.structs import (
    OUT,
    PAWNS,
    PLACES,
    SQUARES,
    Setup,
    State,
    on_board,
)

FARTHEST = 6  # moves to a goal; also stands for one that cannot be reached

TROIKA = (
    Feature("threats", "empty squares that would complete a line", 60),
    Feature("win-now", "to move, and a line can be completed", 1200),
    Feature("answers", "squares for the next pawn, to move", 20),
)
LAST_PLACE = (Feature("answers", "squares for the next pawn, to move", 100),)
BATTLE_STATIONS = (
    Feature("pawns", "pawns on the board", 270),
    Feature("targets-to-move", "enemy pawns that can be captured, to move", 105),
    Feature("targets-waiting", "enemy pawns that can be captured, not to move", 60),
    Feature("loose", "undefended pawns that can be captured", -45),
    Feature("defended", "pawns that a pawn of their side could recapture on", 18),
    Feature("tempo", "to move", 30),
)
CENTRAL_PARK = (
    Feature("pawns", "pawns on the board and in hand", 350),
    Feature("parked", "pawns on the homing square", 700),
    Feature("away", "moves of the four nearest pawns to the homing square, or to the centre", -260),
    Feature("loose", "pawns that can be captured", -300),
    Feature("mobility", "squares that a pawn reaches", 6),
    Feature("tempo", "to move", 150),
)
COLORADO = (
    Feature("home", "pawns on the far baseline", 250),
    Feature("away", "moves of all pawns to the far baseline", -260),
    Feature("pawns", "pawns on the board", 100),
    Feature("loose", "undefended pawns short of the far baseline that can be captured", -120),
    Feature("mobility", "squares that a pawn reaches", 5),
    Feature("tempo", "to move", 150),
)
EXCHANGE = (
    Feature("filled", "goals with a pawn on them", 200),
    Feature("away", "moves of the pawns that are short of a goal to the nearest empty one", -200),
    Feature("unfilled", "moves from the empty goals to the nearest pawn that is short of one", -100),
    Feature("mobility", "squares that a pawn reaches", 4),
    Feature("tempo", "to move", 150),
)
FEATURES = {
    "troika": TROIKA,
    "battle-stations": BATTLE_STATIONS,
    "cornered": LAST_PLACE,
    "quartermaster": LAST_PLACE,
    "central-park": CENTRAL_PARK,
    "colorado": COLORADO,
    "north-west-passage": EXCHANGE,
    "greengage": EXCHANGE,
    "chameleon": EXCHANGE,
}


@compiled
def variant_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in the variant that is played."""
    variant = wide(setup.variant)
    if variant == structs.ISOLATION_ALONE:
        return weights[0] * popcount(open_squares(state, setup, seat)) if seat == 0 else 0.0
    if variant == structs.TROIKA:
        return troika_value(state, setup, seat, weights)
    if variant == structs.BATTLE_STATIONS:
        return battle_value(state, setup, seat, weights)
    if variant <= structs.QUARTERMASTER:
        value: float = weights[0] * popcount(candidates(state, setup)) if state.seat == seat else 0.0
        return value
    if variant == structs.CENTRAL_PARK:
        return park_value(state, setup, seat, weights)
    if variant == structs.COLORADO:
        return colorado_value(state, setup, seat, weights)
    return exchange_value(state, setup, seat, weights)


@compiled
def troika_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in Troika."""
    own = pawns_of(state, seat)
    completing = bits(0)
    rest = own
    while rest:
        one = rest & (~rest + bits(1))
        rest ^= one
        others = rest
        while others:
            two = others & (~others + bits(1))
            others ^= two
            completing |= line_of(setup, bit_index(one), bit_index(two))
    completing &= ~(own | pawns_of(state, 1 - seat))
    value: float = weights[0] * popcount(completing)
    if state.seat == seat:
        squares = candidates(state, setup)
        value += weights[1] * ((squares & completing) != 0) + weights[2] * popcount(squares)
    return value


@compiled
def battle_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in Battle Stations."""
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    own_reach = reached(state, setup, seat, own | enemy)
    enemy_reach = reached(state, setup, 1 - seat, own | enemy)
    waiting = wide(state.seat != seat)
    value: float = weights[0] * popcount(own)
    value += weights[1 + waiting] * popcount(own_reach & enemy)
    value += weights[3] * popcount(own & enemy_reach & ~own_reach)
    value += weights[4] * popcount(own & own_reach)
    value += weights[5] * (1 - waiting)
    return value


@compiled
def park_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in Central Park; pawns still in hand count as far away."""
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    own_reach = reached(state, setup, seat, own | enemy)
    enemy_reach = reached(state, setup, 1 - seat, own | enemy)
    homing = wide(state.homing[seat])
    # Insert the distances into a sorted list of the four shortest, packed into one integer.
    near = far = third = fourth = wide(FARTHEST)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if not on_board(square):
            continue
        moves = wide(setup.moves_away[0, seat, square] if homing == OUT else setup.away[square, homing])
        near, moves = min(near, moves), max(near, moves)
        far, moves = min(far, moves), max(far, moves)
        third, moves = min(third, moves), max(third, moves)
        fourth = min(fourth, moves)
    parked = wide(0) if homing == OUT else central_park.standing(state, seat, homing)
    exposed = own & enemy_reach & ~bits(central_park.CORNERS) & ~central_park.homing_square(state, seat)
    value: float = weights[0] * (wide(state.pawns[seat]) + wide(state.in_hand[seat]))
    value += weights[1] * parked + weights[2] * (near + far + third + fourth)
    value += weights[3] * popcount(exposed) + weights[4] * popcount(own_reach)
    value += weights[5] * (state.seat == seat)
    return value


@compiled
def colorado_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in Colorado."""
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    own_reach = reached(state, setup, seat, own | enemy)
    enemy_reach = reached(state, setup, 1 - seat, own | enemy)
    away = wide(0)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            away += setup.moves_away[state.turned, seat, square]
    value: float = weights[0] * popcount(own & home(seat)) + weights[1] * away
    value += weights[2] * popcount(own)
    value += weights[3] * popcount(own & enemy_reach & ~own_reach & ~home(seat))
    value += weights[4] * popcount(own_reach & ~own) + weights[5] * (state.seat == seat)
    return value


@compiled
def exchange_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in North West Passage, Greengage and Chameleon."""
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    goals = bits(setup.goals[seat])
    empty, short = goals & ~own, own & ~goals
    away = unfilled = wide(0)
    for square in range(SQUARES):
        place = bits(1) << bits(square)
        if short & place:
            away += moves_to_any(setup, square, empty)
        elif empty & place:
            unfilled += moves_from_any(setup, short, square)
    value: float = weights[0] * popcount(goals & own) + weights[1] * away + weights[2] * unfilled
    value += weights[3] * popcount(reached(state, setup, seat, own | enemy) & ~own)
    value += weights[4] * (state.seat == seat)
    return value


@compiled
def moves_to_any(setup: Setup, square: int, goals: int) -> int:
    """Return the fewest moves from a square to one of the goals."""
    fewest = wide(FARTHEST)
    while goals:
        first = goals & (~goals + bits(1))
        goals ^= first
        fewest = min(fewest, wide(setup.away[square, bit_index(first)]))
    return fewest


@compiled
def moves_from_any(setup: Setup, pawns: int, goal: int) -> int:
    """Return the fewest moves from one of the pawns to a goal."""
    fewest = wide(FARTHEST)
    while pawns:
        first = pawns & (~pawns + bits(1))
        pawns ^= first
        fewest = min(fewest, wide(setup.away[bit_index(first), goal]))
    return fewest


@compiled
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """Keep captures, and the choice of a corner that belongs to one."""
    phase = wide(state.phase)
    if phase == structs.ENTERING:
        return count
    if phase < structs.BATTLING or phase > structs.CROSSING or actions[0] == structs.PASS:
        return 0
    enemy = 2 - wide(state.seat)
    first = wide(0)
    for index in range(count):
        action = wide(actions[index])
        target = action % PLACES
        on_corner = phase == structs.PARKING and bits(central_park.CORNERS) >> bits(target) & bits(1) != 0
        if state.cells[target] == enemy and not on_corner:
            actions[index] = actions[first]
            actions[first] = action
            first += 1
    return first
