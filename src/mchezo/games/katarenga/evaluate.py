"""What a position of Katarenga, Congress, Quebec or Isolation is worth: quantities in the words of the game.

A quantity counts for the seat it is counted for; a position's value is the difference between the seats. Every kind of
game has a function `*_worth` that adds up what one seat has; `features` asks the same functions one worth at a time.
"""

from itertools import product
from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.features import LARGEST, Feature, learned
from mchezo.core.structs import Actions, Numbers, bits, wide
from mchezo.games.katarenga.rules import first_camp, on_board
from mchezo.games.katarenga.structs import (
    CHOOSE_BASELINE,
    CONGRESS,
    EMPTY,
    ISOLATION,
    KATARENGA,
    PAWNS,
    PLACES,
    QUEBEC,
    SQUARES,
    STATE,
    VARIANTS,
    WHITE,
    Setup,
    State,
)

# Hand-set worths are in thousandths of the log-odds of winning.
PAWN_WORTH = 700
COLOUR_NAMES = ("red", "green", "blue", "yellow")
AWAY = 6  # moves to the enemy baseline: 0 to so many
MOST_NEEDED = 9  # moves to fill the enemy camps: beyond it, it does not matter
MOST_SAFE = 4  # squares and pawns that are told apart by their number

# Where each family of quantities begins.
WITH_PAWNS = 0  # + pawns
NEEDS = WITH_PAWNS + PAWNS + 1  # + moves, for both camps
LAST_CAMP = NEEDS + MOST_NEEDED + 1  # + moves, with one camp held
AWAY_BY = LAST_CAMP + AWAY + 2  # + moves
STANDS_ON = AWAY_BY + AWAY + 1  # + colour * 8 + rank
LANDINGS = STANDS_ON + 32  # + 0 to MOST_SAFE, to move; then waiting
ENTRIES = LANDINGS + 2 * (MOST_SAFE + 1)  # + 0 to MOST_SAFE, to move; then waiting
LOOSE = ENTRIES + 2 * (MOST_SAFE + 1)  # + 0 to MOST_SAFE, to move; then waiting
EXCHANGE = LOOSE + 2 * (MOST_SAFE + 1)  # to move; then waiting
MOBILITY = EXCHANGE + 2
GUARDED = MOBILITY + 1
TEMPO = GUARDED + 1

ON_MOVE = ("to-move", "waiting")


def numbered(name: str, counts: str, worths: list[float]) -> list[Feature]:
    """A family of quantities of which a seat has exactly one."""
    return [Feature(f"{name}-{number}", f"{counts}: {number}", worth) for number, worth in enumerate(worths)]


def race_features() -> tuple[Feature, ...]:
    """What counts in Katarenga."""
    found = numbered("pawns", "pawns on the board and in camps", [PAWN_WORTH * n for n in range(PAWNS + 1)])
    found += numbered(
        "needs",
        "moves that the nearest pawns need to fill both enemy camps",
        [0, 0, 900, 600, 400, 250, 150, 80, 30, 0],
    )
    found += numbered(
        "needs-last",
        "moves that the nearest pawn needs to fill the last enemy camp",
        [0, 2400, 1900, 1600, 1400, 1250, 1150, 1000],
    )
    found += numbered("away", "pawns so many moves from the enemy baseline", [300, 150, 80, 40, 20, 0, 0])
    found += [
        Feature(f"{colour}-{rank}", f"pawns on {colour} squares of the rank {rank}, from the own baseline", 0)
        for colour, rank in product(COLOUR_NAMES, range(1, 9))
    ]
    for on_move, worth in zip(ON_MOVE, (200, 100), strict=True):
        found += numbered(
            f"landings-{on_move}",
            "squares of the enemy baseline within reach that the enemy does not reach",
            [worth * n for n in range(MOST_SAFE + 1)],
        )
    for on_move, worth in zip(ON_MOVE, (500, 300), strict=True):
        found += numbered(
            f"entries-{on_move}",
            "pawns on the enemy baseline that the enemy cannot capture",
            [worth * n for n in range(MOST_SAFE + 1)],
        )
    for on_move, worth in zip(ON_MOVE, (-100, -350), strict=True):
        found += numbered(
            f"loose-{on_move}",
            "pawns that can be captured and not avenged",
            [worth * n for n in range(MOST_SAFE + 1)],
        )
    for on_move in ON_MOVE:
        found.append(Feature(f"exchange-{on_move}", "pawns that can be captured and avenged", 0))
    found.append(Feature("mobility", "squares that can be moved to", 15))
    found.append(Feature("guarded", "squares of the own baseline that an own pawn could move back to", 50))
    found.append(Feature("tempo", "to move", 150))
    return tuple(found)


GROUP = 0  # + pawns of the largest group
GROUPS = GROUP + PAWNS + 1  # + number of groups
PAWNS_HERE = GROUPS + PAWNS + 1  # + pawns
ON_COLOUR = PAWNS_HERE + PAWNS + 1  # + colour
JOINING = ON_COLOUR + 4  # + pawns, to move; then waiting
SPREAD = JOINING + 2 * (PAWNS + 1)
GATHERED_MOBILITY = SPREAD + 1
GATHERED_LOOSE = GATHERED_MOBILITY + 1  # to move; then waiting
GATHERED_EXCHANGE = GATHERED_LOOSE + 2  # to move; then waiting
GATHERED_TEMPO = GATHERED_EXCHANGE + 2


def gathering_features(*, captures: bool) -> tuple[Feature, ...]:
    """What counts in Congress, and in Quebec, where pawns are captured."""
    found = numbered("group", "pawns in the largest group", [150.0 * n for n in range(PAWNS + 1)])
    found += numbered("groups", "groups of pawns", [-150.0 * n for n in range(PAWNS + 1)])
    found += numbered("pawns", "pawns on the board", [-100.0 * n if captures else 0 for n in range(PAWNS + 1)])
    found += [Feature(f"{colour}", f"pawns on {colour} squares", 0) for colour in COLOUR_NAMES]
    for on_move, worth in zip(ON_MOVE, (80, 50), strict=True):
        found += numbered(
            f"joining-{on_move}",
            "pawns apart from the largest groups that can join one in one move",
            [float(worth * n) for n in range(PAWNS + 1)],
        )
    found.append(Feature("spread", "distance of all pairs of pawns, over files and ranks", -10))
    found.append(Feature("mobility", "squares that can be moved to", 5))
    for name, counts in (("loose", "not avenged"), ("exchange", "avenged")):
        for on_move in ON_MOVE:
            found.append(Feature(f"{name}-{on_move}", f"pawns that can be captured and {counts}", 0))
    found.append(Feature("tempo", "to move", 100))
    return tuple(found)


MOST_OPEN = 24  # squares open to the seat to move that are told apart by their number
OPEN = 0  # + squares
OWN_SQUARES = OPEN + MOST_OPEN + 1
OPEN_SQUARES = OWN_SQUARES + 1
IN_HAND = OPEN_SQUARES + 1


def placing_features() -> tuple[Feature, ...]:
    """What counts in Isolation."""
    # With one square left the seat to move takes it and wins, with none it has lost; farther off nobody can tell.
    found = numbered(
        "to-move",
        "squares open to the seat, which is to move",
        [0, 1500, -300, 300, *[0] * (MOST_OPEN - 3)],
    )
    found.append(Feature("own", "squares open to this seat alone", 300))
    found.append(Feature("open", "squares open to this seat", 30))
    found.append(Feature("in-hand", "pawns in hand", 0))
    return tuple(found)


FEATURES = {
    "katarenga": race_features(),
    "congress": gathering_features(captures=False),
    "quebec": gathering_features(captures=True),
    "isolation": placing_features(),
}
COUNT = max(map(len, FEATURES.values()))


# Turning 64 bits around: neighbours change places, then pairs, fours, bytes and so on.
HALVES = tuple(
    (bits(shift), bits(mask))
    for shift, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
        (32, 0x00000000FFFFFFFF),
    )
)


def weights(setup: Any) -> Numbers:
    """What each quantity is worth in the kind of game that is played with this set-up."""
    kind = VARIANTS[setup.variant]
    return learned(__package__, kind, FEATURES[kind])


@compiled
def evaluate(state: State, setup: Setup, weights: Numbers) -> int:
    """The difference between what the two seats have."""
    if state.decision == CHOOSE_BASELINE:
        return 0
    white = pawns_of(state, wide(0))
    black = pawns_of(state, wide(1))
    value = 0.0
    if setup.variant == ISOLATION:
        value += placing_worth(state, setup, wide(0), white, black, weights)
        value -= placing_worth(state, setup, wide(1), black, white, weights)
    else:
        white_reach = reached(state, setup, wide(0), white | black)
        black_reach = reached(state, setup, wide(1), white | black)
        if setup.variant == KATARENGA:
            value += race_worth(state, setup, wide(0), white, white_reach, black, black_reach, weights)
            value -= race_worth(state, setup, wide(1), black, black_reach, white, white_reach, weights)
        else:
            value += gathering_worth(state, setup, wide(0), white, white_reach, black, black_reach, weights)
            value -= gathering_worth(state, setup, wide(1), black, black_reach, white, white_reach, weights)
    return wide(max(-LARGEST, min(LARGEST, value)))


@compiled
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """The quantities of the variant's `FEATURES` for one seat: what it has if only this one is worth anything."""
    seat = wide(seat)
    out[:] = 0.0
    if state.decision == CHOOSE_BASELINE:
        return
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    own_reach = reached(state, setup, seat, own | enemy)
    enemy_reach = reached(state, setup, 1 - seat, own | enemy)
    alone = np.zeros(COUNT)
    for index in range(len(out)):
        alone[index] = 1.0
        if setup.variant == ISOLATION:
            out[index] = placing_worth(state, setup, seat, own, enemy, alone)
        elif setup.variant == KATARENGA:
            out[index] = race_worth(state, setup, seat, own, own_reach, enemy, enemy_reach, alone)
        else:
            out[index] = gathering_worth(state, setup, seat, own, own_reach, enemy, enemy_reach, alone)
        alone[index] = 0.0


@compiled
def pawns_of(state: State, seat: int) -> int:
    """The squares where a seat's pawns stand, as bits."""
    own = bits(0)
    for pawn in range(PAWNS):
        place = wide(state.places[seat, pawn])
        if on_board(place):
            own |= bits(1) << bits(place)
    return own


@compiled
def reached(state: State, setup: Setup, seat: int, occupied: int) -> int:
    """The squares that a seat's pawns reach, as bits: they could move there, or avenge a pawn of their own."""
    turned = wide(state.turned)
    mirrored = half_turn(occupied)
    rising = falling = bits(0)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            rising |= setup.jumps[turned, square]
            rising |= up_to_first(setup.rising[turned, square, 0], occupied)
            rising |= up_to_first(setup.rising[turned, square, 1], occupied)
            falling |= up_to_first(setup.falling[turned, square, 0], mirrored)
            falling |= up_to_first(setup.falling[turned, square, 1], mirrored)
    return rising | half_turn(falling)


@compiled
def reached_from(setup: Setup, turned: int, square: int, occupied: int, mirrored: int) -> int:
    """The squares that a pawn reaches from a square, as bits."""
    rising = up_to_first(setup.rising[turned, square, 0], occupied)
    rising |= up_to_first(setup.rising[turned, square, 1], occupied)
    falling = up_to_first(setup.falling[turned, square, 0], mirrored)
    falling |= up_to_first(setup.falling[turned, square, 1], mirrored)
    return bits(setup.jumps[turned, square]) | rising | half_turn(falling)


@compiled
def up_to_first(path: int, occupied: int) -> int:
    """The squares of a rising path up to the first that is occupied."""
    met = path & occupied
    first = met & (~met + bits(1))
    return path & (first ^ (first - bits(1)))


@compiled
def half_turn(squares: int) -> int:
    """A set of squares with the board turned by half: square 0 becomes 63."""
    for shift, mask in HALVES:
        squares = (squares >> shift & mask) | ((squares & mask) << shift)
    return squares


@compiled
def size(squares: int) -> int:
    """How many squares a set of bits has; the compiler knows this loop and makes one instruction of it."""
    count = wide(0)
    while squares:
        squares &= squares - bits(1)
        count += 1
    return count


@compiled
def race_worth(
    state: State, setup: Setup, seat: int, own: int, own_reach: int, enemy: int, enemy_reach: int, weights: Numbers
) -> float:
    """What a seat has in Katarenga."""
    turned = wide(state.turned)
    colours = setup.colours[turned]
    away = setup.moves_away[turned, seat]
    waiting = wide(state.seat != seat)
    flip = 0 if seat == WHITE else 56
    value: float = weights[WITH_PAWNS + wide(state.pawns[seat])]
    nearest = second = wide(MOST_NEEDED)
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            moves = wide(away[square])
            value += weights[AWAY_BY + moves]
            value += weights[STANDS_ON + wide(colours[square]) * 8 + (square ^ flip) // 8]
            second = min(second, max(nearest, moves + 1))
            nearest = min(nearest, moves + 1)
    camp = first_camp(seat)
    if state.cells[camp] != EMPTY or state.cells[camp + 1] != EMPTY:
        value += weights[LAST_CAMP + min(AWAY + 1, nearest)]
    else:
        value += weights[NEEDS + min(MOST_NEEDED, nearest + second)]
    baseline, goal = bits(0xFF), bits(0xFF) << bits(56)
    if seat != WHITE:
        baseline, goal = goal, baseline
    landings = size(own_reach & goal & ~(own | enemy_reach))
    entries = size(own & goal & ~enemy_reach)
    loose = size(own & enemy_reach & ~own_reach)
    family = (MOST_SAFE + 1) * waiting
    value += weights[LANDINGS + family + min(MOST_SAFE, landings)]
    value += weights[ENTRIES + family + min(MOST_SAFE, entries)]
    value += weights[LOOSE + family + min(MOST_SAFE, loose)]
    value += weights[EXCHANGE + waiting] * size(own & enemy_reach & own_reach)
    value += weights[MOBILITY] * size(own_reach & ~own)
    value += weights[GUARDED] * size(own_reach & baseline)
    value += weights[TEMPO] * (1 - waiting)
    return value


@compiled
def gathering_worth(
    state: State, setup: Setup, seat: int, own: int, own_reach: int, enemy: int, enemy_reach: int, weights: Numbers
) -> float:
    """What a seat has in Congress and Quebec."""
    turned = wide(state.turned)
    waiting = wide(state.seat != seat)
    largest, most, groups = groups_of(own)
    beside = neighbours(largest) & ~own
    mirrored = half_turn(own | enemy)
    joining = wide(0)
    value: float = 0.0
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            value += weights[ON_COLOUR + wide(setup.colours[turned, square])]
            if not largest >> bits(square) & bits(1):
                open_to = ~(own | enemy) if setup.variant == CONGRESS else ~own
                joining += (reached_from(setup, turned, square, own | enemy, mirrored) & beside & open_to) != 0
    value += weights[GROUP + most] + weights[GROUPS + groups]
    value += weights[PAWNS_HERE + wide(state.pawns[seat])]
    value += weights[JOINING + (PAWNS + 1) * waiting + joining]
    value += weights[SPREAD] * spread(own)
    if setup.variant == QUEBEC:
        value += weights[GATHERED_MOBILITY] * size(own_reach & ~own)
        value += weights[GATHERED_LOOSE + waiting] * size(own & enemy_reach & ~own_reach)
        value += weights[GATHERED_EXCHANGE + waiting] * size(own & enemy_reach & own_reach)
    else:
        value += weights[GATHERED_MOBILITY] * size(own_reach & ~(own | enemy))
    value += weights[GATHERED_TEMPO] * (1 - waiting)
    return value


@compiled
def neighbours(squares: int) -> int:
    """The squares beside a set of squares, and those of it that touch."""
    one, eight = bits(1), bits(8)
    not_a, not_h = bits(0xFEFEFEFEFEFEFEFE), bits(0x7F7F7F7F7F7F7F7F)
    return (squares << eight) | (squares >> eight) | ((squares & not_h) << one) | ((squares & not_a) >> one)


@compiled
def groups_of(own: int) -> tuple[int, int, int]:
    """The largest groups of pawns side by side (several if equal), their size, and how many groups there are."""
    left, largest = own, bits(0)
    most = groups = wide(0)
    while left:
        group = left & (~left + bits(1))
        grown = group | (neighbours(group) & own)
        while grown != group:
            group = grown
            grown = group | (neighbours(group) & own)
        left ^= group
        groups += 1
        pawns = size(group)
        if pawns > most:
            largest, most = group, pawns
        elif pawns == most:
            largest |= group
    return largest, most, groups


@compiled
def spread(own: int) -> int:
    """The distance of all pairs of pawns, over files and ranks: a pair crosses every line between it."""
    count = size(own)
    file, rank = bits(0x0101010101010101), bits(0xFF)
    total = wide(0)
    left = below = wide(0)
    for line in range(7):
        left += size(own & file << bits(line))
        below += size(own & rank << bits(8 * line))
        total += left * (count - left) + below * (count - below)
    return total


@compiled
def placing_worth(state: State, setup: Setup, seat: int, own: int, enemy: int, weights: Numbers) -> float:
    """What a seat has in Isolation."""
    open_squares = open_to(state, setup, seat, own, enemy)
    value: float = weights[OPEN_SQUARES] * size(open_squares) + weights[IN_HAND] * wide(state.in_hand[seat])
    value += weights[OWN_SQUARES] * size(open_squares & ~open_to(state, setup, 1 - seat, enemy, own))
    if state.seat == seat:
        value += weights[OPEN + min(MOST_OPEN, size(open_squares))]
    return value


@compiled
def open_to(state: State, setup: Setup, seat: int, own: int, enemy: int) -> int:
    """Isolation: the squares where a seat may place a pawn, as bits."""
    found = bits(0)
    if state.in_hand[seat] == 0:
        return found
    occupied = own | enemy
    mirrored = half_turn(occupied)
    shunned = enemy if setup.opposite_only else occupied
    turned = wide(state.turned)
    closed = occupied | reached(state, setup, 1 - seat, occupied)
    if not setup.opposite_only:
        closed |= reached(state, setup, seat, occupied)
    for square in range(SQUARES):
        place = bits(1) << bits(square)
        if closed & place == 0 and reached_from(setup, turned, square, occupied, mirrored) & shunned == 0:
            found |= place
    return found


@compiled
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """Captures, camp entries, the way to the last camp, and in Congress and Quebec moves that connect all own pawns."""
    if setup.variant == ISOLATION or state.decision == CHOOSE_BASELINE:
        return 0
    seat = wide(state.seat)
    own = pawns_of(state, seat)
    camp = first_camp(seat)
    racing = setup.variant == KATARENGA and (state.cells[camp] != EMPTY or state.cells[camp + 1] != EMPTY)
    goal = 7 if seat == WHITE else 0
    # A pawn has four neighbours: it connects four groups at most, beside being one itself.
    connecting = setup.variant != KATARENGA and groups_of(own)[2] <= 5
    first = wide(0)
    for index in range(count):
        action = wide(actions[index])
        start, target = action // PLACES, action % PLACES
        loud = target >= SQUARES or state.cells[target] != EMPTY
        if racing and not loud:
            loud = target // 8 == goal and start // 8 != goal
        if connecting and not loud:
            rest, place = own ^ bits(1) << bits(start), bits(1) << bits(target)
            loud = neighbours(place) & rest != 0 and groups_of(rest | place)[2] == 1
        if loud:
            actions[index] = actions[first]
            actions[first] = action
            first += 1
    return first


@compiled
def turn_of(state: State) -> int:
    """The seat whose turn it is: every decision is a turn."""
    return wide(state.seat)


verbs.enter(STATE, evaluate=evaluate, features=features, noisy=noisy, turn_of=turn_of)
