"""What the network of Kiwara sees of a position, from the point of view of the seat whose turn it is."""

from pathlib import Path

from mchezo.core.bitsets import bit_index, popcount
from mchezo.core.compiled import compiled
from mchezo.core.network import STAGES, GameNetwork, load
from mchezo.core.structs import Actions, wide
from mchezo.games.kiwara.components import ANIMALS, CARDS, OKAPI_POINTS
from mchezo.games.kiwara.evaluate import open_now
from mchezo.games.kiwara.structs import (
    ELEPHANT,
    GAME_OVER,
    GAZELLE,
    KINDS,
    LION,
    NOBODY,
    NOWHERE,
    OKAPI,
    POSITIONS,
    SPACES,
    TERRITORIES,
    ZEBRA,
    Setup,
    State,
    empty,
)

MOST_IN_HAND = max(animal.count for animal in ANIMALS)
MOST_LEAD = 9  # animals in a territory
MOST_STEPS = 3  # of the totem
LINES_AHEAD = 8
MOST_FREE = 6  # spaces of a line
NEAR_LEAD, NEAR_FREE, POINT_STEPS = 3, 5, 16  # classes of territories by points; more count as the last
MOST_POINTS = 20  # by which a seat leads

# The first number of each family of inputs. `side` is 0 for the seat whose turn it is, 1 for the other.
ANIMAL = 0  # + ((side * KINDS + kind) * 2 + hidden) * SPACES + space
TOTEM = ANIMAL + 2 * KINDS * 2 * SPACES  # + position + 1
OPEN = TOTEM + POSITIONS + 1  # + space where an animal can be placed now
HAND = OPEN + SPACES  # + (side * KINDS + kind) * (MOST_IN_HAND + 1) + animals
CARD = HAND + 2 * KINDS * (MOST_IN_HAND + 1)  # + side * 10 + card
REINFORCED = CARD + 2 * len(CARDS)  # + 0 nobody, 1 this seat, 2 the other
PILE = REINFORCED + 3
PHASE = PILE + 1
WARTHOG = PHASE + GAME_OVER + 1
MAJORITY = WARTHOG + 1  # + ((lead + 9) * 10 + free spaces) * 4 + placeable now + 2 * in reach of the totem's next move
RICHES = MAJORITY + (2 * MOST_LEAD + 1) * (MOST_LEAD + 1) * 4  # + ((lead + 3) * 6 + free spaces) * 16 + points / 2
LINE = RICHES + (2 * NEAR_LEAD + 1) * (NEAR_FREE + 1) * POINT_STEPS  # + steps ahead * 7 + free spaces
LEAD = LINE + LINES_AHEAD * (MOST_FREE + 1)  # + points of lead + 20
INPUTS = LEAD + 2 * MOST_POINTS + 1

FILE = Path(__file__).with_name("network.bin")
NETWORK = GameNetwork("kiwara", FILE, INPUTS, lambda setup: load(__package__, FILE.name, INPUTS))


@compiled
def stage(state: State, setup: Setup) -> int:
    """Return the stage of the game by the number of free spaces."""
    return popcount(empty(state)) * STAGES // (SPACES + 1)


@compiled
def inputs(state: State, setup: Setup, out: Actions) -> int:
    """Write the inputs that are set; return their number."""
    count = wide(0)
    free = empty(state)
    now = open_now(state, setup)
    mover = wide(state.seat)
    hidden = wide(state.hidden)
    for side in range(2):
        seat = mover if side == 0 else 1 - mover
        own = wide(state.own[seat])
        for kind in range(KINDS):
            family = side * KINDS + kind
            animals = own & wide(state.kinds[kind])
            while animals:
                first = animals & -animals
                out[count] = ANIMAL + (family * 2 + wide(first & hidden != 0)) * SPACES + bit_index(first)
                count += 1
                animals ^= first
            out[count] = HAND + family * (MOST_IN_HAND + 1) + wide(state.hands[seat, kind])
            count += 1
        cards = wide(state.cards[seat])
        while cards:
            first = cards & -cards
            out[count] = CARD + side * len(CARDS) + bit_index(first)
            count += 1
            cards ^= first
    spaces = now
    while spaces:
        first = spaces & -spaces
        out[count] = OPEN + bit_index(first)
        count += 1
        spaces ^= first
    out[count] = REINFORCED + (0 if state.reinforced == NOBODY else (1 if state.reinforced == mover else 2))
    out[count + 1] = TOTEM + wide(state.totem) + 1
    out[count + 2] = PHASE + wide(state.phase)
    count += 3
    if setup.hidden_pile:
        out[count] = PILE
        count += 1
    if state.warthog:
        out[count] = WARTHOG
        count += 1
    return territory_inputs(state, setup, free, now, line_inputs(state, setup, free, count, out), out)


@compiled
def line_inputs(state: State, setup: Setup, free: int, count: int, out: Actions) -> int:
    """Add the free spaces of the totem's line and of those that follow it; return the new count."""
    if state.totem != NOWHERE:
        for steps in range(LINES_AHEAD):
            line = wide(setup.lines[(wide(state.totem) + steps) % POSITIONS])
            out[count] = LINE + steps * (MOST_FREE + 1) + popcount(line & free)
            count += 1
    return count


@compiled
def territory_inputs(state: State, setup: Setup, free: int, now: int, count: int, out: Actions) -> int:
    """Add the majority and the points of every territory, and the lead in points; return the new count."""
    mover = wide(state.seat)
    # The points in powers of two: gazelle 2, zebra 4 + 2, elephant 4 + 1, lion 1.
    one = (wide(state.kinds[ELEPHANT]) | wide(state.kinds[LION])) & ~wide(state.hidden)
    two = (wide(state.kinds[GAZELLE]) | wide(state.kinds[ZEBRA])) & ~wide(state.hidden)
    four = (wide(state.kinds[ZEBRA]) | wide(state.kinds[ELEPHANT])) & ~wide(state.hidden)
    ahead = wide(0)
    if wide(state.cards[mover]) & OKAPI:
        ahead += OKAPI_POINTS
    if wide(state.cards[1 - mover]) & OKAPI:
        ahead -= OKAPI_POINTS
    soon = wide(0)
    if state.totem != NOWHERE:
        for steps in range(1, MOST_STEPS + 1):
            soon |= wide(setup.lines[(wide(state.totem) + steps) % POSITIONS])
    for letter in range(TERRITORIES):
        territory = wide(setup.territories[letter])
        lead = popcount(wide(state.own[mover]) & territory) - popcount(wide(state.own[1 - mover]) & territory)
        left = popcount(territory & free)
        access = wide(now & territory != 0) + 2 * wide(soon & free & territory != 0)
        out[count] = MAJORITY + ((lead + MOST_LEAD) * (MOST_LEAD + 1) + left) * 4 + access
        riches = popcount(one & territory) + 2 * popcount(two & territory) + 4 * popcount(four & territory)
        if lead > 0:
            ahead += riches
        elif lead < 0:
            ahead -= riches
        near = max(-NEAR_LEAD, min(NEAR_LEAD, lead)) + NEAR_LEAD
        step = min(POINT_STEPS - 1, riches // 2)
        out[count + 1] = RICHES + (near * (NEAR_FREE + 1) + min(NEAR_FREE, left)) * POINT_STEPS + step
        count += 2
    out[count] = LEAD + max(-MOST_POINTS, min(MOST_POINTS, ahead)) + MOST_POINTS
    return count + 1
