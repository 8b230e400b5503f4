"""Legal actions of Kitara, by phase."""

from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import Actions, wide
from mchezo.games.kitara import structs
from mchezo.games.kitara.structs import Setup, State, group_number

# Where a seat without a space enters: on the best free kind of space.
HAS_A_SPACE, ENTER_ON_START, ENTER_ON_SAVANNA, ENTER_ON_RUIN, NO_ENTRY = range(5)


@kernel
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    phase = wide(state.phase)
    if phase == structs.MOVING:
        return crossings(state, setup, out)
    if phase == structs.CHOOSING_PAWNS:
        return groups(state, out)
    if phase == structs.RECRUITING:
        return recruitments(state, setup, out)
    if phase == structs.RETREATING:
        return retreats(state, setup, out)
    if phase == structs.REMOVING:
        return removals(state, setup, out)
    count = 0
    if phase == structs.DRAFTING:
        for place in range(draft_choices(state, setup)):
            out[count] = structs.DRAFT + wide(state.row[place])
            count += 1
    elif phase == structs.DISCARDING:
        seat = wide(state.seat)
        for place in range(wide(state.kingdom_count[seat])):
            card = wide(state.kingdoms[seat, place])
            if not setup.marked[card]:
                out[count] = structs.DISCARD + card
                count += 1
    elif phase == structs.CHOOSING_START:
        for space in range(wide(setup.spaces)):
            if setup.start[space] and state.owner[space] == structs.FREE:
                out[count] = structs.START + space
                count += 1
    return count


@compiled
def draft_choices(state: State, setup: Setup) -> int:
    """Return how many cards of the row, from the left, may be drafted: one per draft symbol, at least one."""
    seat = wide(state.seat)
    symbols = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        symbols += setup.draft[state.kingdoms[seat, place]]
    return min(max(symbols, 1), wide(state.row_count))


@compiled
def next_kind(state: State) -> int:
    """Return the kind of pawn to recruit or remove next: warriors first, heroes last; KINDS if none is left."""
    kind = 0
    while kind < structs.KINDS and state.pending[kind] == 0:
        kind += 1
    return kind


@compiled
def recruitments(state: State, setup: Setup, out: Actions) -> int:
    """Write where a recruit may join its player, or enter if the player has no space; return their number."""
    me = wide(state.seat) + 1
    action = structs.RECRUIT + next_kind(state) * structs.SPACES
    entry = entry_rank(state, setup)
    count = 0
    for space in range(wide(setup.spaces)):
        there = wide(state.owner[space])
        if there == me or (there == structs.FREE and space_rank(setup, space) == entry):
            out[count] = action + space
            count += 1
    return count


@compiled
def crossings(state: State, setup: Setup, out: Actions) -> int:
    """Write the borders that pawns of the seat can cross, and the end of the moves; return their number."""
    me = wide(state.seat) + 1
    owner = state.owner
    count = 0
    for space in range(wide(setup.spaces)):
        if owner[space] == me:
            size = group_size(state, space)
            for border in range(wide(setup.border_count[space])):
                target = wide(setup.borders[space, border])
                there = wide(owner[target])
                # An attack needs more pawns than the defenders have, and cannot take a player's only space.
                if there in (structs.FREE, me) or (state.held[there - 1] > 1 and size > group_size(state, target)):
                    out[count] = structs.CROSS + space * structs.SPACES + target
                    count += 1
    out[count] = structs.END_MOVES
    return count + 1


@compiled
def group_size(state: State, space: int) -> int:
    """Return the number of pawns on a space; every kind counts one."""
    pawns = state.pawns[space]
    return wide(pawns[structs.WARRIOR]) + wide(pawns[structs.ANIMAL]) + wide(pawns[structs.HERO])


@compiled
def least_group(state: State) -> int:
    """Return how many pawns must cross the chosen border: one, or in an attack one more than the defenders."""
    target = wide(state.crossing[1])
    there = wide(state.owner[target])
    return 1 if there in (structs.FREE, wide(state.seat) + 1) else group_size(state, target) + 1


@compiled
def groups(state: State, out: Actions) -> int:
    """Write the groups of pawns that can cross the chosen border; return their number."""
    standing = state.pawns[state.crossing[0]]
    least = least_group(state)
    count = 0
    for warriors in range(wide(standing[structs.WARRIOR]) + 1):
        for animals in range(wide(standing[structs.ANIMAL]) + 1):
            for heroes in range(wide(standing[structs.HERO]) + 1):
                if warriors + animals + heroes >= least:
                    out[count] = structs.PAWNS + group_number(warriors, animals, heroes)
                    count += 1
    return count


@compiled
def retreats(state: State, setup: Setup, out: Actions) -> int:
    """Write the nearest spaces of the attacked seat, over white borders regardless of pawns; return their number."""
    me = wide(state.retreating) + 1
    left = wide(state.crossing[1])
    nearest = structs.SPACES
    count = 0
    for space in range(wide(setup.spaces)):
        if state.owner[space] == me:
            distance = wide(setup.distance[left, space])
            if distance < nearest:
                nearest = distance
                count = 0
            if distance == nearest:
                out[count] = structs.RETREAT + space
                count += 1
    return count


@compiled
def removals(state: State, setup: Setup, out: Actions) -> int:
    """Write the spaces from which a pawn of a discarded card can be removed; return their number."""
    me = wide(state.seat) + 1
    kind = next_kind(state)
    count = 0
    for space in range(wide(setup.spaces)):
        if state.owner[space] == me and state.pawns[space, kind]:
            out[count] = structs.REMOVE + kind * structs.SPACES + space
            count += 1
    return count


@compiled
def entry_rank(state: State, setup: Setup) -> int:
    """Return HAS_A_SPACE, or the best rank of a free space to enter on: start space, savanna, any land."""
    if state.held[state.seat]:
        return HAS_A_SPACE
    best = NO_ENTRY
    for space in range(wide(setup.spaces)):
        if state.owner[space] == structs.FREE:
            best = min(best, space_rank(setup, space))
    return best


@compiled
def space_rank(setup: Setup, space: int) -> int:
    """Return the rank of a space to enter on; lower is better."""
    if setup.kind[space] == structs.LAKE:
        return NO_ENTRY
    if setup.start[space]:
        return ENTER_ON_START
    return ENTER_ON_SAVANNA if setup.kind[space] == structs.SAVANNA else ENTER_ON_RUIN
