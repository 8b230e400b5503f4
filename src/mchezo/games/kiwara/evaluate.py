"""What a position of Kiwara is worth: quantities in the words of the game, and how much each counts.

A quantity counts for the seat it is counted for; a position's value is the difference between the seats. All are points
in some way, and a point decides the more, the fewer spaces are free: `SHARPNESS` says how much.
"""

from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.features import LARGEST, Feature, learned
from mchezo.core.structs import Actions, Numbers, Structs, wide
from mchezo.games.kiwara.choices import allowed_spaces
from mchezo.games.kiwara.components import ANIMALS, CARDS
from mchezo.games.kiwara.structs import (
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
    STATE,
    TERRITORIES,
    ZEBRA,
    Setup,
    State,
    empty,
    size,
)

# How a territory stands for who leads it: the lead, and how many spaces are free. Sizes are odd, so a lead and
# the free spaces are never both odd or both even, and a lead above the free spaces has won.
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
WAYS = (
    ("", "", 1.0),
    ("-leader-places", ", where its leader can place now", 1.2),
    ("-other-places", ", where the other can place now", 0.7),
)
# A territory that is level counts for the seat that can place there now.
LEVELS = (
    ("level-1", "level with 1 space free, where this seat can place now", 0.3),
    ("level-3", "level with 3 spaces free, where this seat can place now", 0.15),
    ("level-many", "level with 5 or more spaces free, where this seat can place now", 0.05),
)
KINDS_OF_TERRITORY = (
    tuple(
        (name + way, counts + where, chance if name == "won" else chance * better)
        for name, counts, chance in STANDINGS
        for way, where, better in WAYS
    )
    + LEVELS
)
WON, LEVEL = 0, len(STANDINGS) * len(WAYS)
LARGEST_TERRITORY = 9


def standing(lead: int, free: int) -> int:
    """The first of the kinds of territory with this lead and so many free spaces."""
    if lead == 0:
        return LEVEL + min(2, free // 2)
    if lead > free:
        return WON
    if free >= 6:
        return len(WAYS) * (7 if lead <= 2 else 8)
    numbers = {(1, 2): 1, (2, 3): 2, (1, 4): 3, (3, 4): 4, (2, 5): 5, (4, 5): 6}
    return len(WAYS) * numbers.get((lead, free), 0)  # others cannot be


STANDING_OF = np.array(
    [[standing(lead, free) for free in range(LARGEST_TERRITORY + 1)] for lead in range(LARGEST_TERRITORY + 1)]
)

# Where each family of quantities begins.
POINTS = 0  # + kind of territory
SPACES_OF = POINTS + len(KINDS_OF_TERRITORY)  # + kind of territory
IN_HAND = SPACES_OF + len(KINDS_OF_TERRITORY)  # + animal
CARD = IN_HAND + KINDS  # + card
LION_ZEBRAS = CARD + len(CARDS)
LION_GAZELLES = LION_ZEBRAS + 1
CHASED = LION_GAZELLES + 1
CHOICE = CHASED + 1
FILLING = CHOICE + 1
TEMPO = FILLING + 1

POINT_WORTH = 300.0  # thousandths of log-odds, of a point that is safe when the last space is filled
SPACE_POINTS = 3.2  # 96 points on 30 spaces
HAND_POINTS = {"gazelle": 1.0, "zebra": 1.5, "crocodile": 2.5, "elephant": 2.0, "lion": 3.0}
OKAPI_WORTH = 5.0  # points
OTHER_CARDS_WORTH = 3.0


def all_features() -> tuple[Feature, ...]:
    """Every quantity, in the order of the numbers above."""
    found = []
    for what, share in (("points", POINT_WORTH), ("spaces", POINT_WORTH * SPACE_POINTS)):
        for name, counts, chance in KINDS_OF_TERRITORY:
            found.append(Feature(f"{what}-{name}", f"{what} of territories {counts}", share * chance))
    for animal in ANIMALS:
        worth = POINT_WORTH * HAND_POINTS[animal.name]
        found.append(Feature(f"{animal.name}s-in-hand", f"{animal.name}s in hand", worth))
    for card in CARDS:
        worth = POINT_WORTH * (OKAPI_WORTH if card == "okapi" else OTHER_CARDS_WORTH)
        found.append(Feature(card, f"the card {card.title()}", worth))
    found.append(Feature("zebras-near-lion", "own zebras beside a free space, with the enemy lion in hand", -300.0))
    found.append(Feature("gazelles-near-lion", "own gazelles beside a free space, with the enemy lion in hand", -150.0))
    found.append(
        Feature("gazelles-chased", "own gazelles across a river from a free space, for each enemy crocodile", -70.0)
    )
    found.append(Feature("choice", "free spaces in the totem's line, to move", 0.0))
    found.append(Feature("filling", "can fill the first full territory now", 350.0))
    found.append(Feature("tempo", "to move", 150.0))
    return tuple(found)


FEATURES = {"kiwara": all_features()}
COUNT = len(FEATURES["kiwara"])

SHARPNESS = (1.0 + np.arange(SPACES + 1)) ** -0.3  # by the number of free spaces; measured

LEFT_COLUMN = sum(1 << space for space in range(0, SPACES, 6))
RIGHT_COLUMN = LEFT_COLUMN << 5
ALL = (1 << SPACES) - 1


def weights(setup: Any) -> Numbers:
    """What each quantity is worth."""
    return learned(__package__, "kiwara", FEATURES["kiwara"])


@compiled
def evaluate(state: State, setup: Setup, weights: Numbers) -> int:
    """The difference between what the two seats have, by how sharp the game has become."""
    free = empty(state)
    now = open_now(state, setup)
    value = hand_worth(state, setup, wide(0), free, now, weights) - hand_worth(
        state, setup, wide(1), free, now, weights
    )
    for letter in range(TERRITORIES):
        leader, worth = territory_worth(state, setup, letter, free, now, weights)
        value += worth if leader == 0 else -worth
    value *= SHARPNESS[size(free)]
    return wide(max(-LARGEST, min(LARGEST, value)))


@compiled
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """The quantities of `FEATURES` for one seat: what it has if only this one is worth anything."""
    seat = wide(seat)
    free = empty(state)
    now = open_now(state, setup)
    sharpness = SHARPNESS[size(free)]
    alone = np.zeros(COUNT)
    for index in range(len(out)):
        alone[index] = 1.0
        value = hand_worth(state, setup, seat, free, now, alone)
        for letter in range(TERRITORIES):
            leader, worth = territory_worth(state, setup, letter, free, now, alone)
            if leader == seat:
                value += worth
        out[index] = value * sharpness
        alone[index] = 0.0


@compiled
def open_now(state: State, setup: Setup) -> int:
    """The spaces where the seat to move can place at once; none in the middle of a turn."""
    return allowed_spaces(state, setup) if state.decision == PLACING else wide(0)


@compiled
def territory_worth(
    state: State, setup: Setup, letter: int, free: int, now: int, weights: Numbers
) -> tuple[int, float]:
    """Who leads a territory, or can tip it now, and what that is worth."""
    territory = wide(setup.territories[letter])
    first, second = size(wide(state.own[0]) & territory), size(wide(state.own[1]) & territory)
    left = size(territory & free)
    visible = territory & ~wide(state.hidden)
    # The points of an animal in twos and ones: gazelle 2, zebra 6, elephant 5, lion 1.
    gazelles, zebras = wide(state.kinds[GAZELLE]), wide(state.kinds[ZEBRA])
    elephants, lions = wide(state.kinds[ELEPHANT]), wide(state.kinds[LION])
    points = size((elephants | lions) & visible) + 2 * size((gazelles | zebras) & visible)
    points += 4 * size((zebras | elephants) & visible)
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


@compiled
def territory_worths(states: Structs, setups: Structs, weights: Numbers, out: Numbers) -> None:
    """Write what each territory adds to the value of a position."""
    state, setup = states[0], setups[0]
    free = empty(state)
    now = open_now(state, setup)
    for letter in range(TERRITORIES):
        leader, worth = territory_worth(state, setup, letter, free, now, weights)
        out[letter] = (worth if leader == 0 else -worth) * SHARPNESS[size(free)]


@compiled
def hand_worth(state: State, setup: Setup, seat: int, free: int, now: int, weights: Numbers) -> float:
    """What a seat has beside its territories: animals and cards in hand, dangers, and the move."""
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
        value += weights[LION_ZEBRAS] * size(near & seen & wide(state.kinds[ZEBRA]))
        value += weights[LION_GAZELLES] * size(near & seen & wide(state.kinds[GAZELLE]))
    if enemy[CROCODILE]:
        right, below = wide(setup.river_right), wide(setup.river_below)
        across = ((free & right) << 1) | (free >> 1 & right) | ((free & below) << 6) | (free >> 6 & below)
        value += weights[CHASED] * wide(enemy[CROCODILE]) * size(across & seen & wide(state.kinds[GAZELLE]))
    if state.seat == seat and state.decision == PLACING:
        value += weights[CHOICE] * size(now) + weights[TEMPO]
        if state.reinforced == NOBODY and can_fill(setup, free, now):
            value += weights[FILLING]
    return value


@compiled
def can_fill(setup: Setup, free: int, now: int) -> bool:
    """Whether a territory has one free space, and it can be filled now."""
    for letter in range(TERRITORIES):
        left = wide(setup.territories[letter]) & free
        if left & now and left & (left - 1) == 0:
            return True
    return False


@compiled
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """A half-made turn has to be finished: then all actions; at the beginning of a turn none."""
    if state.decision == SETTING_TOTEM:
        return 0
    begins = state.decision == PLACING and state.hyena == NO_HYENA and state.placed == 0
    begins |= state.decision == MOVING_TOTEM and state.warthog != 0
    return 0 if begins else wide(count)


@compiled
def turn_of(state: State) -> int:
    """The seat whose turn it is."""
    return wide(state.seat)


verbs.enter(STATE, evaluate=evaluate, features=features, noisy=noisy, turn_of=turn_of)
