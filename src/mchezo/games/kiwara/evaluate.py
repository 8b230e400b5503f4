"""Evaluation of Kiwara: features in the words of the game, and their weights.

A feature belongs to one seat; the value of a position is the difference between the two seats. All features are points
of a kind, and a point matters more the fewer spaces are free: `SHARPNESS` scales them accordingly.
"""

from typing import Any

from mchezo.core import arrays
from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled, kernel
from mchezo.core.features import LARGEST, Feature, learned
from mchezo.core.structs import Actions, Numbers, Setups, States, wide
from mchezo.games.kiwara.components import ANIMALS, CARDS, OKAPI_POINTS
from mchezo.games.kiwara.legal import allowed_spaces
from mchezo.games.kiwara.structs import (
    ALL,
    CROCODILE,
    ELEPHANT,
    GAZELLE,
    KINDS,
    LION,
    MOVING_TOTEM,
    NO_HYENA,
    NOBODY,
    PLACING,
    SETTING_TOTEM,
    SPACES,
    TERRITORIES,
    ZEBRA,
    Setup,
    State,
    empty,
)

# The standing of a territory for its leader: the lead and the number of free spaces. Sizes are odd, so lead and free
# spaces differ in parity; a lead that exceeds the free spaces is won for good.
STANDINGS = (
    ("won", "won for good", 1.0),
    ("1-of-2", "led by 1 with 2 spaces free", 0.5),
    ("2-of-3", "led by 2 with 3 spaces free", 0.7),
    ("1-of-4", "led by 1 with 4 spaces free", 0.4),
    ("3-of-4", "led by 3 with 4 spaces free", 0.8),
    ("2-of-5", "led by 2 with 5 spaces free", 0.6),
    ("4-of-5", "led by 4 with 5 spaces free", 0.9),
    ("1-or-2-of-many", "led by 1 or 2 with 6 or more spaces free", 0.35),
    ("3-of-many", "led by 3 or more with 6 or more spaces free", 0.7),
)
ACCESS = (
    ("", "", 1.0),
    ("-leader-places", ", where its leader can place now", 1.2),
    ("-other-places", ", where the other can place now", 0.7),
)
# A tied territory counts for the seat that can place there now.
LEVELS = (
    ("level-1", "level with 1 space free, where this seat can place now", 0.3),
    ("level-3", "level with 3 spaces free, where this seat can place now", 0.15),
    ("level-many", "level with 5 or more spaces free, where this seat can place now", 0.05),
)
TERRITORY_CLASSES = (
    tuple(
        (name + access, counts + where, chance if name == "won" else chance * factor)
        for name, counts, chance in STANDINGS
        for access, where, factor in ACCESS
    )
    + LEVELS
)
WON, LEVEL = 0, len(STANDINGS) * len(ACCESS)
LARGEST_TERRITORY = 9


def standing(lead: int, free: int) -> int:
    """Return the first territory class with this lead and number of free spaces."""
    if lead == 0:
        return LEVEL + min(2, free // 2)
    if lead > free:
        return WON
    if free >= 6:
        return len(ACCESS) * (7 if lead <= 2 else 8)
    numbers = {(1, 2): 1, (2, 3): 2, (1, 4): 3, (3, 4): 4, (2, 5): 5, (4, 5): 6}
    return len(ACCESS) * numbers.get((lead, free), 0)  # no other combination occurs


STANDING_OF = arrays.array(
    [[standing(lead, free) for free in range(LARGEST_TERRITORY + 1)] for lead in range(LARGEST_TERRITORY + 1)]
)

# The first index of each family of features.
POINTS = 0  # + territory class
SPACES_OF = POINTS + len(TERRITORY_CLASSES)  # + territory class
IN_HAND = SPACES_OF + len(TERRITORY_CLASSES)  # + animal
CARD = IN_HAND + KINDS  # + card
LION_ZEBRAS = CARD + len(CARDS)
LION_GAZELLES = LION_ZEBRAS + 1
CHASED = LION_GAZELLES + 1
CHOICE = CHASED + 1
FILLING = CHOICE + 1
TEMPO = FILLING + 1

POINT_WEIGHT = 300.0  # thousandths of log-odds: a safe point when the last space is filled
SPACE_POINTS = 3.2  # 96 points on 30 spaces
HAND_POINTS = {"gazelle": 1.0, "zebra": 1.5, "crocodile": 2.5, "elephant": 2.0, "lion": 3.0}
OTHER_CARD_POINTS = 3.0


def all_features() -> tuple[Feature, ...]:
    """Return all features, in the order of the indices above."""
    found = []
    for unit, weight in (("points", POINT_WEIGHT), ("spaces", POINT_WEIGHT * SPACE_POINTS)):
        for name, counts, chance in TERRITORY_CLASSES:
            found.append(Feature(f"{unit}-{name}", f"{unit} of territories {counts}", weight * chance))
    for animal in ANIMALS:
        weight = POINT_WEIGHT * HAND_POINTS[animal.name]
        found.append(Feature(f"{animal.name}s-in-hand", f"{animal.name}s in hand", weight))
    for card in CARDS:
        weight = POINT_WEIGHT * (OKAPI_POINTS if card == "okapi" else OTHER_CARD_POINTS)
        found.append(Feature(card, f"the card {card.title()}", weight))
    found.append(Feature("zebras-near-lion", "zebras next to a free space while the enemy has a lion in hand", -300.0))
    found.append(
        Feature("gazelles-near-lion", "gazelles next to a free space while the enemy has a lion in hand", -150.0)
    )
    found.append(
        Feature(
            "gazelles-chased",
            "gazelles across a river from a free space, for each crocodile in the enemy's hand",
            -70.0,
        )
    )
    found.append(Feature("choice", "free spaces in the totem's line, to move", 0.0))
    found.append(Feature("filling", "can fill the first full territory now", 350.0))
    found.append(Feature("tempo", "to move", 150.0))
    return tuple(found)


FEATURES = {"kiwara": all_features()}
COUNT = len(FEATURES["kiwara"])

SHARPNESS = arrays.array(
    [(1.0 + free) ** -0.3 for free in range(SPACES + 1)]
)  # by the number of free spaces; fitted to games

LEFT_COLUMN = sum(1 << space for space in range(0, SPACES, 6))
RIGHT_COLUMN = LEFT_COLUMN << 5


def weights(setup: Any) -> Numbers:
    """Return the learned weights."""
    return learned(__package__, "kiwara", FEATURES["kiwara"])


@kernel
def evaluate(state: State, setup: Setup, weights: Numbers) -> int:
    """Return the value of the position for seat 0, in thousandths of log-odds."""
    free = empty(state)
    now = open_now(state, setup)
    value = hand_value(state, setup, wide(0), free, now, weights) - hand_value(
        state, setup, wide(1), free, now, weights
    )
    for letter in range(TERRITORIES):
        leader, gain = territory_value(state, setup, letter, free, now, weights)
        value += gain if leader == 0 else -gain
    value *= SHARPNESS[popcount(free)]
    return wide(max(-LARGEST, min(LARGEST, value)))


@kernel
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """Write the features of one seat: its value with a weight of 1 for one feature and 0 for all others."""
    seat = wide(seat)
    free = empty(state)
    now = open_now(state, setup)
    sharpness = SHARPNESS[popcount(free)]
    alone = arrays.zeros(COUNT)
    for index in range(len(out)):
        alone[index] = 1.0
        value = hand_value(state, setup, seat, free, now, alone)
        for letter in range(TERRITORIES):
            leader, gain = territory_value(state, setup, letter, free, now, alone)
            if leader == seat:
                value += gain
        out[index] = value * sharpness
        alone[index] = 0.0


@compiled
def open_now(state: State, setup: Setup) -> int:
    """Return the spaces where the seat to move can place now; none in other phases."""
    return allowed_spaces(state, setup) if state.phase == PLACING else wide(0)


@compiled
def territory_value(
    state: State, setup: Setup, letter: int, free: int, now: int, weights: Numbers
) -> tuple[int, float]:
    """Return the seat that leads a territory, or can break a tie there now, and the value of that."""
    territory = wide(setup.territories[letter])
    first, second = popcount(wide(state.own[0]) & territory), popcount(wide(state.own[1]) & territory)
    left = popcount(territory & free)
    visible = territory & ~wide(state.hidden)
    # The points in powers of two: gazelle 2, zebra 4 + 2, elephant 4 + 1, lion 1.
    gazelles, zebras = wide(state.kinds[GAZELLE]), wide(state.kinds[ZEBRA])
    elephants, lions = wide(state.kinds[ELEPHANT]), wide(state.kinds[LION])
    points = popcount((elephants | lions) & visible) + 2 * popcount((gazelles | zebras) & visible)
    points += 4 * popcount((zebras | elephants) & visible)
    index = wide(STANDING_OF[abs(first - second), left])
    leader = mover = wide(state.seat)
    placeable = now & territory != 0
    if first != second:
        leader = wide(0) if first > second else wide(1)
        if placeable:
            index += 1 if leader == mover else 2
    elif not placeable:
        return leader, 0.0
    return leader, weights[POINTS + index] * points + weights[SPACES_OF + index] * left


@kernel
def territory_values(states: States, setups: Setups, weights: Numbers, out: Numbers) -> None:
    """Write what each territory contributes to the value of a position for seat 0."""
    state, setup = states[0], setups[0]
    free = empty(state)
    now = open_now(state, setup)
    for letter in range(TERRITORIES):
        leader, gain = territory_value(state, setup, letter, free, now, weights)
        out[letter] = (gain if leader == 0 else -gain) * SHARPNESS[popcount(free)]


@compiled
def hand_value(state: State, setup: Setup, seat: int, free: int, now: int, weights: Numbers) -> float:
    """Return the value of what a seat has besides territories: animals and cards in hand, threats, and the move."""
    value = 0.0
    for animal in range(KINDS):
        value += weights[IN_HAND + animal] * wide(state.hands[seat, animal])
    cards = wide(state.cards[seat])
    card = CARD
    while cards:
        if cards & 1:
            value += weights[card]
        cards >>= 1
        card += 1
    seen = wide(state.own[seat]) & ~wide(state.hidden)
    enemy = state.hands[1 - seat]
    if enemy[LION]:
        near = ((free & ~RIGHT_COLUMN) << 1) | ((free & ~LEFT_COLUMN) >> 1) | (free << 6 & ALL) | (free >> 6)
        value += weights[LION_ZEBRAS] * popcount(near & seen & wide(state.kinds[ZEBRA]))
        value += weights[LION_GAZELLES] * popcount(near & seen & wide(state.kinds[GAZELLE]))
    if enemy[CROCODILE]:
        right, below = wide(setup.river_right), wide(setup.river_below)
        across = ((free & right) << 1) | (free >> 1 & right) | ((free & below) << 6) | (free >> 6 & below)
        value += weights[CHASED] * wide(enemy[CROCODILE]) * popcount(across & seen & wide(state.kinds[GAZELLE]))
    if state.seat == seat and state.phase == PLACING:
        value += weights[CHOICE] * popcount(now) + weights[TEMPO]
        if state.reinforced == NOBODY and can_fill(setup, free, now):
            value += weights[FILLING]
    return value


@compiled
def can_fill(setup: Setup, free: int, now: int) -> bool:
    """Return whether a territory with a single free space can be filled now."""
    for letter in range(TERRITORIES):
        left = wide(setup.territories[letter]) & free
        if left & now and left & (left - 1) == 0:
            return True
    return False


@kernel
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """Keep all actions in the middle of a turn, which has to be finished; none at its beginning."""
    if state.phase == SETTING_TOTEM:
        return 0
    begins = state.phase == PLACING and state.hyena == NO_HYENA and state.placed == 0
    begins |= state.phase == MOVING_TOTEM and state.warthog != 0
    return 0 if begins else wide(count)
