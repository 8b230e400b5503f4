"""What may be done in Kiwara: the legal actions of every decision."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, wide
from mchezo.games.kiwara.structs import (
    AFTER_TOTEM,
    ALL,
    ANNOUNCE_HYENA,
    BABOON,
    BACKWARDS,
    BOA,
    CLOCKWISE,
    EDGE_SPACES,
    FARTHEST,
    GAZELLE,
    GIRAFFE,
    HYENA,
    HYENA_AGAIN,
    KEEP,
    KEEPING,
    KINDS,
    MOVE_TOTEM,
    MOVING_TOTEM,
    NO_HYENA,
    PLACE,
    PLACING,
    PORCUPINE,
    POSITIONS,
    RHINOCEROS,
    SECOND_PLACING,
    SET_TOTEM,
    SETTING_TOTEM,
    SPACES,
    STOP,
    SWAP,
    SWAPPING,
    USE_BABOON,
    USE_BOA,
    USE_GIRAFFE,
    USE_HYENA,
    USE_PORCUPINE,
    USE_RHINOCEROS,
    USE_VULTURE,
    USE_WARTHOG,
    USE_WILDEBEEST,
    VULTURE,
    WARTHOG,
    WILDEBEEST,
    Setup,
    State,
    empty,
    has_tokens,
    number,
    totem_line,
)


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """The legal actions of the seat to move."""
    decision = state.decision
    if decision == PLACING:
        return placings(state, setup, out)
    if decision == MOVING_TOTEM:
        return totem_moves(state, setup, out)
    count = wide(0)
    if decision == SETTING_TOTEM:
        for position in range(POSITIONS):
            out[position] = SET_TOTEM + position
        return POSITIONS
    if decision == SWAPPING:
        count = add_each(out, count, SWAP, swaps(state, setup))
        count = add(out, count, STOP)
    elif decision == HYENA_AGAIN:
        count = add_hyena_moves(state, setup, out, count)
        count = add(out, count, STOP)
    elif decision == AFTER_TOTEM:
        count = add_announcements(state, setup, out, count)
        count = add(out, count, STOP)
    elif decision == KEEPING:
        count = add_each(out, count, KEEP, wide(state.drawn))
    return count


@compiled
def add(out: Actions, count: int, action: int) -> int:
    """Write an action; return how many there are now."""
    out[count] = action
    return count + 1


@compiled
def add_each(out: Actions, count: int, action: int, spaces: int) -> int:
    """Write an action for each space, or each card, of a set; return how many there are now."""
    while spaces:
        first = spaces & -spaces
        out[count] = action + number(first)
        count += 1
        spaces ^= first
    return count


@compiled
def placings(state: State, setup: Setup, out: Actions) -> int:
    """Placements in the totem's line, and beside them the cards that may be used before placing."""
    count = add_placements(state, out, wide(0), PLACE, allowed_spaces(state, setup))
    cards = wide(state.cards[state.seat])
    # Between the two placements of the Hyena no card is used, and both are made in the totem's line.
    if cards == 0 or state.hyena == SECOND_PLACING:
        return count
    if cards & BABOON and state.hyena == NO_HYENA:
        count = add_placements(state, out, count, USE_BABOON, baboon_spaces(state, setup))
    if cards & HYENA:
        count = add(out, count, ANNOUNCE_HYENA) if setup.hyena_places else add_hyena_moves(state, setup, out, count)
    return add_sending_home(state, setup, out, count)


@compiled
def allowed_spaces(state: State, setup: Setup) -> int:
    """Where the next animal may be placed in the totem's line."""
    # The second animal of the Hyena is free of the Boa.
    if state.boa and state.hyena != SECOND_PLACING:
        return wide(state.boa)
    return totem_line(state, setup) & empty(state) & ~wide(state.porcupine)


@compiled
def baboon_spaces(state: State, setup: Setup) -> int:
    """Where an animal may be placed in the lines just behind and just ahead of the totem; the Boa is not evaded."""
    if state.boa:
        return 0
    behind = wide(setup.lines[(wide(state.totem) + POSITIONS - 1) % POSITIONS])
    ahead = wide(setup.lines[(wide(state.totem) + 1) % POSITIONS])
    return (behind | ahead) & empty(state) & ~wide(state.porcupine)


@compiled
def may_place(state: State, animal: int) -> bool:
    """Whether the seat to move has such an animal in hand that did not come home in this very turn."""
    return wide(state.hands[state.seat, animal]) > wide(state.resting[animal])


@compiled
def add_placements(state: State, out: Actions, count: int, action: int, spaces: int) -> int:
    """Write the placements of every kind of animal on every space of a set; return how many actions there are now."""
    while spaces:
        first = spaces & -spaces
        space = number(first)
        for animal in range(KINDS):
            if may_place(state, animal):
                out[count] = action + animal * SPACES + space
                count += 1
        spaces ^= first
    return count


@compiled
def hyena_targets(state: State, setup: Setup) -> int:
    """Where the Hyena may move an animal: into empty spaces of the line, not where Boa or Porcupine points."""
    return totem_line(state, setup) & empty(state) & ~(wide(state.boa) | wide(state.porcupine))


@compiled
def hyena_animals(state: State, setup: Setup) -> int:
    """The own animals in the totem's line, but for the one that was moved first."""
    return totem_line(state, setup) & wide(state.own[state.seat]) & ~wide(state.moved)


@compiled
def add_hyena_moves(state: State, setup: Setup, out: Actions, count: int) -> int:
    """Write the moves of own animals along the totem's line; return how many actions there are now."""
    animals = hyena_animals(state, setup)
    targets = hyena_targets(state, setup)
    while animals:
        first = animals & -animals
        count = add_each(out, count, USE_HYENA + number(first) * SPACES, targets)
        animals ^= first
    return count


@compiled
def swaps(state: State, setup: Setup) -> int:
    """The visible gazelles across a river from the crocodile, except where it has already been in this chain."""
    gazelles = wide(state.kinds[GAZELLE]) & ~(wide(state.hidden) | wide(state.left))
    return wide(setup.across_river[number(wide(state.crocodile))]) & gazelles


@compiled
def totem_moves(state: State, setup: Setup, out: Actions) -> int:
    """Steps of the totem, and beside them the cards that may be used between placing and totem."""
    count = add_steps(state, setup, out, wide(0), MOVE_TOTEM, CLOCKWISE)
    cards = wide(state.cards[state.seat])
    if cards == 0:
        return count
    if cards & WILDEBEEST:
        count = add_steps(state, setup, out, count, USE_WILDEBEEST, BACKWARDS)
    return add_sending_home(state, setup, out, count)


@compiled
def add_steps(state: State, setup: Setup, out: Actions, count: int, action: int, direction: int) -> int:
    """Write 1 to 3 steps onto lines with a free space; if all three are full, on to the first that has one."""
    free = empty(state)
    before = count
    for steps in range(1, FARTHEST + 1):
        if steps > 3 and count > before:
            break
        if wide(setup.lines[(wide(state.totem) + direction * steps + POSITIONS) % POSITIONS]) & free:
            count = add(out, count, action + steps)
    return count


@compiled
def add_sending_home(state: State, setup: Setup, out: Actions, count: int) -> int:
    """Write the uses of Vulture, Rhinoceros and Giraffe; return how many actions there are now."""
    cards = wide(state.cards[state.seat])
    if cards & VULTURE:
        count = add_each(out, count, USE_VULTURE, wide(state.hidden))
    if cards & RHINOCEROS:
        count = add_each(out, count, USE_RHINOCEROS, rhinoceros_spaces(state, setup))
    if cards & GIRAFFE:
        count = add(out, count, USE_GIRAFFE)
    return count


@compiled
def rhinoceros_spaces(state: State, setup: Setup) -> int:
    """The face-up animals along the edge, or those beside the animal placed last, whichever reading is played."""
    visible = ALL & ~(empty(state) | wide(state.hidden))
    if not setup.rhinoceros_neighbour:
        return visible & EDGE_SPACES
    if state.placed == 0:
        return 0
    return visible & wide(setup.neighbours[number(wide(state.placed))])


@compiled
def add_announcements(state: State, setup: Setup, out: Actions, count: int) -> int:
    """Write what may be announced after the totem has moved; return how many actions there are now."""
    cards = wide(state.cards[state.seat])
    # One of Boa, Porcupine and Warthog at most, and only if the opponent would place next.
    if not state.announced and has_tokens(state, 1 - wide(state.seat)):
        spaces = totem_line(state, setup) & empty(state)
        if cards & BOA:
            count = add_each(out, count, USE_BOA, spaces)
        if cards & PORCUPINE and spaces & (spaces - 1):
            count = add_each(out, count, USE_PORCUPINE, spaces)
        if cards & WARTHOG:
            count = add(out, count, USE_WARTHOG)
    if cards & GIRAFFE:
        count = add(out, count, USE_GIRAFFE)
    return count


@compiled
def may_announce(state: State, setup: Setup) -> bool:
    """Whether there is anything to decide after the totem has moved."""
    cards = wide(state.cards[state.seat])
    if cards & GIRAFFE:
        return True
    if state.announced or not cards & (BOA | PORCUPINE | WARTHOG) or not has_tokens(state, 1 - wide(state.seat)):
        return False
    spaces = totem_line(state, setup) & empty(state)
    return cards & (BOA | WARTHOG) != 0 or spaces & (spaces - 1) != 0
