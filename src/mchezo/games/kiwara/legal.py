"""Legal actions of Kiwara, by phase."""

from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, wide
from mchezo.games.kiwara import structs
from mchezo.games.kiwara.structs import Setup, State, empty, has_tokens, totem_line


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    phase = wide(state.phase)
    if phase == structs.PLACING:
        return placements(state, setup, out)
    if phase == structs.MOVING_TOTEM:
        return totem_moves(state, setup, out)
    count = wide(0)
    if phase == structs.SETTING_TOTEM:
        for position in range(structs.POSITIONS):
            out[position] = structs.SET_TOTEM + position
        return structs.POSITIONS
    if phase == structs.SWAPPING:
        count = add_each(out, count, structs.SWAP, swaps(state, setup))
        count = add(out, count, structs.STOP)
    elif phase == structs.MOVING_SECOND_ANIMAL:
        count = add_hyena_moves(state, setup, out, count)
        count = add(out, count, structs.STOP)
    elif phase == structs.ANNOUNCING:
        count = add_announcements(state, setup, out, count)
        count = add(out, count, structs.STOP)
    elif phase == structs.KEEPING:
        count = add_each(out, count, structs.KEEP, wide(state.drawn))
    return count


@compiled
def add(out: Actions, count: int, action: int) -> int:
    """Append an action; return the new count."""
    out[count] = action
    return count + 1


@compiled
def add_each(out: Actions, count: int, action: int, members: int) -> int:
    """Append an action for each member of a set of spaces or cards; return the new count."""
    while members:
        first = members & -members
        out[count] = action + bit_index(first)
        count += 1
        members ^= first
    return count


@compiled
def placements(state: State, setup: Setup, out: Actions) -> int:
    """Write the placements in the totem's line and the cards that may be used before placing; return their number."""
    count = add_placements(state, out, wide(0), structs.PLACE, allowed_spaces(state, setup))
    cards = wide(state.cards[state.seat])
    # Both placements of the Hyena are in the totem's line, and no card is used between them.
    if cards == 0 or state.hyena == structs.SECOND_PLACING:
        return count
    if cards & structs.BABOON and state.hyena == structs.NO_HYENA:
        count = add_placements(state, out, count, structs.USE_BABOON, baboon_spaces(state, setup))
    if cards & structs.HYENA and setup.hyena_places:
        count = add(out, count, structs.ANNOUNCE_HYENA)
    elif cards & structs.HYENA:
        count = add_hyena_moves(state, setup, out, count)
    return add_anytime_cards(state, setup, out, count)


@compiled
def allowed_spaces(state: State, setup: Setup) -> int:
    """Return the spaces of the totem's line where the next animal may be placed."""
    # The Boa does not bind the second animal of the Hyena.
    if state.boa and state.hyena != structs.SECOND_PLACING:
        return wide(state.boa)
    return totem_line(state, setup) & empty(state) & ~wide(state.porcupine)


@compiled
def baboon_spaces(state: State, setup: Setup) -> int:
    """Return the allowed spaces in the lines just behind and ahead of the totem; none if the Boa is in force."""
    if state.boa:
        return 0
    behind = wide(setup.lines[(wide(state.totem) + structs.POSITIONS - 1) % structs.POSITIONS])
    ahead = wide(setup.lines[(wide(state.totem) + 1) % structs.POSITIONS])
    return (behind | ahead) & empty(state) & ~wide(state.porcupine)


@compiled
def may_place(state: State, animal: int) -> bool:
    """Return whether the seat to move has an animal of this kind in hand that did not return in this turn."""
    return wide(state.hands[state.seat, animal]) > wide(state.resting[animal])


@compiled
def add_placements(state: State, out: Actions, count: int, action: int, spaces: int) -> int:
    """Append the placements of every kind of animal on every space of a set; return the new count."""
    while spaces:
        first = spaces & -spaces
        space = bit_index(first)
        for animal in range(structs.KINDS):
            if may_place(state, animal):
                out[count] = action + animal * structs.SPACES + space
                count += 1
        spaces ^= first
    return count


@compiled
def hyena_targets(state: State, setup: Setup) -> int:
    """Return where the Hyena may move an animal: empty spaces of the line without Boa or Porcupine."""
    return totem_line(state, setup) & empty(state) & ~(wide(state.boa) | wide(state.porcupine))


@compiled
def hyena_animals(state: State, setup: Setup) -> int:
    """Return the mover's animals in the totem's line, except the one that the Hyena moved first."""
    return totem_line(state, setup) & wide(state.own[state.seat]) & ~wide(state.moved)


@compiled
def add_hyena_moves(state: State, setup: Setup, out: Actions, count: int) -> int:
    """Append the moves of the mover's animals along the totem's line; return the new count."""
    animals = hyena_animals(state, setup)
    targets = hyena_targets(state, setup)
    while animals:
        first = animals & -animals
        count = add_each(out, count, structs.USE_HYENA + bit_index(first) * structs.SPACES, targets)
        animals ^= first
    return count


@compiled
def swaps(state: State, setup: Setup) -> int:
    """Return the visible gazelles across a river from the crocodile, except on spaces it has already visited."""
    gazelles = wide(state.kinds[structs.GAZELLE]) & ~(wide(state.hidden) | wide(state.visited))
    return wide(setup.across_river[bit_index(wide(state.crocodile))]) & gazelles


@compiled
def totem_moves(state: State, setup: Setup, out: Actions) -> int:
    """Write the totem moves and the cards that may be used before them; return their number."""
    count = add_steps(state, setup, out, wide(0), structs.MOVE_TOTEM, structs.CLOCKWISE)
    cards = wide(state.cards[state.seat])
    if cards == 0:
        return count
    if cards & structs.WILDEBEEST:
        count = add_steps(state, setup, out, count, structs.USE_WILDEBEEST, structs.BACKWARDS)
    return add_anytime_cards(state, setup, out, count)


@compiled
def add_steps(state: State, setup: Setup, out: Actions, count: int, action: int, direction: int) -> int:
    """Append 1 to 3 steps onto lines with a free space, or if all three are full, onto the next such line."""
    free = empty(state)
    before = count
    for steps in range(1, structs.FARTHEST + 1):
        if steps > 3 and count > before:
            break
        if wide(setup.lines[(wide(state.totem) + direction * steps + structs.POSITIONS) % structs.POSITIONS]) & free:
            count = add(out, count, action + steps)
    return count


@compiled
def add_anytime_cards(state: State, setup: Setup, out: Actions, count: int) -> int:
    """Append the uses of Vulture, Rhinoceros and Giraffe, before placing or before the totem; return the new count."""
    cards = wide(state.cards[state.seat])
    if cards & structs.VULTURE:
        count = add_each(out, count, structs.USE_VULTURE, wide(state.hidden))
    if cards & structs.RHINOCEROS:
        count = add_each(out, count, structs.USE_RHINOCEROS, rhinoceros_spaces(state, setup))
    if cards & structs.GIRAFFE:
        count = add(out, count, structs.USE_GIRAFFE)
    return count


@compiled
def rhinoceros_spaces(state: State, setup: Setup) -> int:
    """Return the visible animals along the edge, or next to the animal placed last, depending on the option."""
    visible = structs.ALL & ~(empty(state) | wide(state.hidden))
    if not setup.rhinoceros_neighbour:
        return visible & structs.EDGE_SPACES
    if state.placed == 0:
        return 0
    return visible & wide(setup.neighbours[bit_index(wide(state.placed))])


@compiled
def add_announcements(state: State, setup: Setup, out: Actions, count: int) -> int:
    """Append the cards that may be used after the totem has moved; return the new count."""
    cards = wide(state.cards[state.seat])
    # At most one of Boa, Porcupine and Warthog, and only if the opponent is next.
    if not state.announced and has_tokens(state, 1 - wide(state.seat)):
        spaces = totem_line(state, setup) & empty(state)
        if cards & structs.BOA:
            count = add_each(out, count, structs.USE_BOA, spaces)
        if cards & structs.PORCUPINE and spaces & (spaces - 1):
            count = add_each(out, count, structs.USE_PORCUPINE, spaces)
        if cards & structs.WARTHOG:
            count = add(out, count, structs.USE_WARTHOG)
    if cards & structs.GIRAFFE:
        count = add(out, count, structs.USE_GIRAFFE)
    return count


@compiled
def may_announce(state: State, setup: Setup) -> bool:
    """Return whether any card can be used after the totem has moved."""
    cards = wide(state.cards[state.seat])
    if cards & structs.GIRAFFE:
        return True
    if state.announced or not has_tokens(state, 1 - wide(state.seat)):
        return False
    if cards & (structs.BOA | structs.WARTHOG):
        return True
    spaces = totem_line(state, setup) & empty(state)
    return cards & structs.PORCUPINE != 0 and spaces & (spaces - 1) != 0
