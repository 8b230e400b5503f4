"""Evaluation of Katarenga and its variants: features in the words of the game, and their weights.

Katarenga, Congress, Quebec and Isolation are evaluated here, the others in `evaluate_variants.py`.

A feature belongs to one seat; the value of a position is the difference between the two seats. Every kind of game has
a function `*_value` that sums up one seat; `features` calls the same function with one weight at a time.
"""

from itertools import product
from typing import Any

from mchezo.core import arrays
from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled, kernel
from mchezo.core.features import LARGEST, Feature, learned
from mchezo.core.structs import Actions, Numbers, bits, wide
from mchezo.games.katarenga import evaluate_variants
from mchezo.games.katarenga.bitboards import (
    first_group,
    groups_of,
    neighbours,
    open_squares,
    pawns_of,
    reached,
    reached_from,
    rotate,
)
from mchezo.games.katarenga.legal import legal, may_capture, moves_onto
from mchezo.games.katarenga.structs import (
    BLACK,
    CHOOSING_BASELINE,
    CONGRESS,
    EMPTY,
    GAME_OVER,
    ISOLATION,
    KATARENGA,
    MOVING,
    PAWNS,
    PLACES,
    QUEBEC,
    SQUARES,
    VARIANTS,
    WHITE,
    Setup,
    State,
    first_camp,
    last_rank,
    on_board,
)

# Hand-set weights are in thousandths of the log-odds of winning.
PAWN_WEIGHT = 700
COLOUR_NAMES = ("red", "green", "blue", "yellow")
MOST_AWAY = 6  # moves to the enemy baseline
MOST_NEEDED = 9  # moves to fill the enemy camps; more count as 9
MOST_SAFE = 4  # squares or pawns; more count as 4

# The first index of each family of features.
WITH_PAWNS = 0  # + pawns
NEEDS = WITH_PAWNS + PAWNS + 1  # + moves, for both camps
LAST_CAMP = NEEDS + MOST_NEEDED + 1  # + moves, with one camp held
AWAY_BY = LAST_CAMP + MOST_AWAY + 2  # + moves
STANDS_ON = AWAY_BY + MOST_AWAY + 1  # + colour * 8 + rank
LANDINGS = STANDS_ON + 32  # + 0 to MOST_SAFE, to move; then waiting
ENTRIES = LANDINGS + 2 * (MOST_SAFE + 1)  # + 0 to MOST_SAFE, to move; then waiting
LOOSE = ENTRIES + 2 * (MOST_SAFE + 1)  # + 0 to MOST_SAFE, to move; then waiting
EXCHANGE = LOOSE + 2 * (MOST_SAFE + 1)  # to move; then waiting
MOBILITY = EXCHANGE + 2
GUARDED = MOBILITY + 1
TEMPO = GUARDED + 1

ON_MOVE = ("to-move", "waiting")


def numbered(name: str, counts: str, weights: list[float]) -> list[Feature]:
    """Return a one-hot family of features: a seat has exactly one of them."""
    return [Feature(f"{name}-{number}", f"{counts}: {number}", weight) for number, weight in enumerate(weights)]


def race_features() -> tuple[Feature, ...]:
    """Return the features of Katarenga."""
    found = numbered("pawns", "pawns on the board and in camps", [PAWN_WEIGHT * n for n in range(PAWNS + 1)])
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
    found += numbered("away", "pawns by their distance to the enemy baseline, in moves", [300, 150, 80, 40, 20, 0, 0])
    found += [
        Feature(f"{colour}-{rank}", f"pawns on {colour} squares of rank {rank}, counted from their own baseline", 0)
        for colour, rank in product(COLOUR_NAMES, range(1, 9))
    ]
    for on_move, weight in zip(ON_MOVE, (200, 100), strict=True):
        found += numbered(
            f"landings-{on_move}",
            "squares of the enemy baseline within reach that the enemy does not reach",
            [weight * n for n in range(MOST_SAFE + 1)],
        )
    for on_move, weight in zip(ON_MOVE, (500, 300), strict=True):
        found += numbered(
            f"entries-{on_move}",
            "pawns on the enemy baseline that the enemy cannot capture",
            [weight * n for n in range(MOST_SAFE + 1)],
        )
    for on_move, weight in zip(ON_MOVE, (-100, -350), strict=True):
        found += numbered(
            f"loose-{on_move}",
            "undefended pawns that can be captured",
            [weight * n for n in range(MOST_SAFE + 1)],
        )
    for on_move in ON_MOVE:
        found.append(Feature(f"exchange-{on_move}", "defended pawns that can be captured", 0))
    found.append(Feature("mobility", "squares that a pawn can move to", 15))
    found.append(Feature("guarded", "squares of the baseline that a pawn of its side could move back to", 50))
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
    """Return the features of Congress, or of Quebec, which has captures."""
    found = numbered("group", "pawns in the largest group", [150.0 * n for n in range(PAWNS + 1)])
    found += numbered("groups", "groups of pawns", [-150.0 * n for n in range(PAWNS + 1)])
    found += numbered("pawns", "pawns on the board", [-100.0 * n if captures else 0 for n in range(PAWNS + 1)])
    found += [Feature(f"{colour}", f"pawns on {colour} squares", 0) for colour in COLOUR_NAMES]
    for on_move, weight in zip(ON_MOVE, (80, 50), strict=True):
        found += numbered(
            f"joining-{on_move}",
            "pawns outside the largest groups that can join one in one move",
            [float(weight * n) for n in range(PAWNS + 1)],
        )
    found.append(Feature("spread", "sum of the Manhattan distances of all pairs of pawns", -10))
    found.append(Feature("mobility", "squares that a pawn can move to", 5))
    for name, kind in (("loose", "undefended"), ("exchange", "defended")):
        for on_move in ON_MOVE:
            found.append(Feature(f"{name}-{on_move}", f"{kind} pawns that can be captured", 0))
    found.append(Feature("tempo", "to move", 100))
    return tuple(found)


MOST_OPEN = 24  # squares open to the seat to move; more count as 24
OPEN = 0  # + squares
OWN_SQUARES = OPEN + MOST_OPEN + 1
OPEN_SQUARES = OWN_SQUARES + 1
IN_HAND = OPEN_SQUARES + 1


def placing_features() -> tuple[Feature, ...]:
    """Return the features of Isolation."""
    # With one square left the seat to move takes it and wins, with none it has lost; larger numbers say little.
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
    "isolation-alone": (Feature("open", "squares where a pawn can be placed", 100),),
    **evaluate_variants.FEATURES,
}
COUNT = max(map(len, FEATURES.values()))


def weights(setup: Any) -> Numbers:
    """Return the learned weights of the variant that is played."""
    kind = VARIANTS[setup.variant]
    return learned(__package__, kind, FEATURES[kind])


@kernel
def evaluate(state: State, setup: Setup, weights: Numbers) -> int:
    """Return the value of the position for seat 0, in thousandths of log-odds."""
    if state.phase == CHOOSING_BASELINE:
        return 0
    white = pawns_of(state, wide(WHITE))
    black = pawns_of(state, wide(BLACK))
    value = 0.0
    if setup.variant > ISOLATION:
        value += evaluate_variants.variant_value(state, setup, wide(WHITE), weights)
        value -= evaluate_variants.variant_value(state, setup, wide(BLACK), weights)
    elif setup.variant == ISOLATION:
        value += placing_value(state, setup, wide(WHITE), weights)
        value -= placing_value(state, setup, wide(BLACK), weights)
    else:
        white_reach = reached(state, setup, wide(WHITE), white | black)
        black_reach = reached(state, setup, wide(BLACK), white | black)
        if setup.variant == KATARENGA:
            value += race_value(state, setup, wide(WHITE), white, white_reach, black, black_reach, weights)
            value -= race_value(state, setup, wide(BLACK), black, black_reach, white, white_reach, weights)
        else:
            value += gathering_value(state, setup, wide(WHITE), white, white_reach, black, black_reach, weights)
            value -= gathering_value(state, setup, wide(BLACK), black, black_reach, white, white_reach, weights)
    return wide(max(-LARGEST, min(LARGEST, value)))


@kernel
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """Write the features of one seat: its value with a weight of 1 for one feature and 0 for all others."""
    seat = wide(seat)
    out[:] = 0.0
    if state.phase == CHOOSING_BASELINE:
        return
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    own_reach = reached(state, setup, seat, own | enemy)
    enemy_reach = reached(state, setup, 1 - seat, own | enemy)
    alone = arrays.zeros(COUNT)
    for index in range(len(out)):
        alone[index] = 1.0
        if setup.variant > ISOLATION:
            out[index] = evaluate_variants.variant_value(state, setup, seat, alone)
        elif setup.variant == ISOLATION:
            out[index] = placing_value(state, setup, seat, alone)
        elif setup.variant == KATARENGA:
            out[index] = race_value(state, setup, seat, own, own_reach, enemy, enemy_reach, alone)
        else:
            out[index] = gathering_value(state, setup, seat, own, own_reach, enemy, enemy_reach, alone)
        alone[index] = 0.0


@compiled
def race_value(
    state: State, setup: Setup, seat: int, own: int, own_reach: int, enemy: int, enemy_reach: int, weights: Numbers
) -> float:
    """Return what a seat has in Katarenga."""
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
        value += weights[LAST_CAMP + min(MOST_AWAY + 1, nearest)]
    else:
        value += weights[NEEDS + min(MOST_NEEDED, nearest + second)]
    baseline, goal = bits(0xFF) << bits(8 * last_rank(1 - seat)), bits(0xFF) << bits(8 * last_rank(seat))
    landings = popcount(own_reach & goal & ~(own | enemy_reach))
    entries = popcount(own & goal & ~enemy_reach)
    loose = popcount(own & enemy_reach & ~own_reach)
    family = (MOST_SAFE + 1) * waiting
    value += weights[LANDINGS + family + min(MOST_SAFE, landings)]
    value += weights[ENTRIES + family + min(MOST_SAFE, entries)]
    value += weights[LOOSE + family + min(MOST_SAFE, loose)]
    value += weights[EXCHANGE + waiting] * popcount(own & enemy_reach & own_reach)
    value += weights[MOBILITY] * popcount(own_reach & ~own)
    value += weights[GUARDED] * popcount(own_reach & baseline)
    value += weights[TEMPO] * (1 - waiting)
    return value


@compiled
def gathering_value(
    state: State, setup: Setup, seat: int, own: int, own_reach: int, enemy: int, enemy_reach: int, weights: Numbers
) -> float:
    """Return what a seat has in Congress and Quebec."""
    turned = wide(state.turned)
    waiting = wide(state.seat != seat)
    largest, most, groups = groups_of(own)
    beside = neighbours(largest) & ~own
    rotated = rotate(own | enemy)
    joining = wide(0)
    value: float = 0.0
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            value += weights[ON_COLOUR + wide(setup.colours[turned, square])]
            if not largest >> bits(square) & bits(1):
                allowed = ~(own | enemy) if setup.variant == CONGRESS else ~own
                joining += (reached_from(setup, turned, square, own | enemy, rotated) & beside & allowed) != 0
    value += weights[GROUP + most] + weights[GROUPS + groups]
    value += weights[PAWNS_HERE + wide(state.pawns[seat])]
    value += weights[JOINING + (PAWNS + 1) * waiting + joining]
    value += weights[SPREAD] * spread(own)
    if setup.variant == QUEBEC:
        value += weights[GATHERED_MOBILITY] * popcount(own_reach & ~own)
        value += weights[GATHERED_LOOSE + waiting] * popcount(own & enemy_reach & ~own_reach)
        value += weights[GATHERED_EXCHANGE + waiting] * popcount(own & enemy_reach & own_reach)
    else:
        value += weights[GATHERED_MOBILITY] * popcount(own_reach & ~(own | enemy))
    value += weights[GATHERED_TEMPO] * (1 - waiting)
    return value


@compiled
def spread(own: int) -> int:
    """Return the sum of the Manhattan distances of all pairs: a pair crosses every line between its pawns."""
    count = popcount(own)
    file, rank = bits(0x0101010101010101), bits(0xFF)
    total = wide(0)
    left = below = wide(0)
    for line in range(7):
        left += popcount(own & file << bits(line))
        below += popcount(own & rank << bits(8 * line))
        total += left * (count - left) + below * (count - below)
    return total


@compiled
def placing_value(state: State, setup: Setup, seat: int, weights: Numbers) -> float:
    """Return what a seat has in Isolation."""
    own, other = playable_squares(state, setup, seat), playable_squares(state, setup, 1 - seat)
    value: float = weights[OPEN_SQUARES] * popcount(own) + weights[IN_HAND] * wide(state.in_hand[seat])
    value += weights[OWN_SQUARES] * popcount(own & ~other)
    if state.seat == seat:
        value += weights[OPEN + min(MOST_OPEN, popcount(own))]
    return value


@compiled
def playable_squares(state: State, setup: Setup, seat: int) -> int:
    """Isolation: return the squares where a seat can place a pawn; none once its hand is empty."""
    return open_squares(state, setup, seat) if state.in_hand[seat] else bits(0)


@kernel
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """Keep captures, camp entries, moves that reach the last camp's baseline, and moves that connect all pawns."""
    if setup.variant == ISOLATION or state.phase == CHOOSING_BASELINE:
        return 0
    if state.phase > GAME_OVER:
        return evaluate_variants.noisy(state, setup, actions, count)
    seat = wide(state.seat)
    own = pawns_of(state, seat)
    camp = first_camp(seat)
    racing = setup.variant == KATARENGA and (state.cells[camp] != EMPTY or state.cells[camp + 1] != EMPTY)
    goal = last_rank(seat)
    # A pawn has four neighbours, so one move joins at most four groups and the group that the pawn leaves.
    connecting = setup.variant != KATARENGA and groups_of(own)[2] <= 5
    first = wide(0)
    for index in range(count):
        action = wide(actions[index])
        start, target = action // PLACES, action % PLACES
        is_noisy = target >= SQUARES or state.cells[target] != EMPTY
        if racing and not is_noisy:
            is_noisy = target // 8 == goal and start // 8 != goal
        if connecting and not is_noisy:
            rest, place = own ^ bits(1) << bits(start), bits(1) << bits(target)
            is_noisy = neighbours(place) & rest != 0 and first_group(rest | place) == rest | place
        if is_noisy:
            actions[index] = actions[first]
            actions[first] = action
            first += 1
    return first


@kernel
def noisy_only(state: State, setup: Setup, out: Actions) -> int:
    """Write the actions that `noisy` keeps; return their number, negative if there are no others."""
    if setup.variant != KATARENGA or state.phase != MOVING:
        count = legal(state, setup, out)
        first = noisy(state, setup, out, count)
        return first if first < count else -count
    seat = wide(state.seat)
    enemy = pawns_of(state, 1 - seat)
    captured = enemy if may_capture(state, setup) else bits(0)
    camp = first_camp(seat)
    wanted = captured
    if state.cells[camp] != EMPTY or state.cells[camp + 1] != EMPTY:
        wanted |= bits(0xFF) << bits(8 * last_rank(seat)) & ~pawns_of(state, seat)
        wanted &= ~enemy | captured
    count, others = moves_onto(state, setup, pawns_of(state, seat) | enemy, wanted, captured, out)
    return count if others else -count
