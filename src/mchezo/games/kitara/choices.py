"""What may be decided in Kitara, step by step, and what chance may bring."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, Weights, bits, wide
from mchezo.games.kitara.components import VALUES
from mchezo.games.kitara.structs import (
    ANIMAL,
    CARD,
    CHOOSE_PAWNS,
    CHOOSE_RETREAT,
    CHOOSE_START,
    CROSS,
    DISCARD,
    DISCARD_CARD,
    DRAFT,
    DRAFT_CARD,
    DRAW_TOKEN,
    END_MOVES,
    FREE,
    HERO,
    KINDS,
    LAKE,
    MOVE,
    PAWNS,
    RECRUIT,
    RECRUIT_PAWN,
    REMOVE,
    REMOVE_PAWN,
    RETREAT,
    SAVANNA,
    SPACES,
    START,
    TOKEN,
    WARRIOR,
    Setup,
    State,
)

# Where a seat without a space enters: the best kind of space that is free.
HAS_A_SPACE, ENTER_ON_START, ENTER_ON_SAVANNA, ENTER_ON_RUIN, NO_ENTRY = range(5)


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """The legal actions of the seat to move."""
    step = wide(state.step)
    if step == MOVE:
        return crossings(state, setup, out)
    if step == CHOOSE_PAWNS:
        return groups(state, out)
    if step == RECRUIT_PAWN:
        return recruitings(state, setup, out)
    if step == CHOOSE_RETREAT:
        return retreats(state, setup, out)
    if step == REMOVE_PAWN:
        return removals(state, setup, out)
    count = 0
    if step == DRAFT_CARD:
        for place in range(draft_choices(state, setup)):
            out[count] = DRAFT + wide(state.row[place])
            count += 1
    elif step == DISCARD_CARD:
        seat = wide(state.turn)
        for place in range(wide(state.kingdom_count[seat])):
            card = wide(state.kingdoms[seat, place])
            if not setup.marked[card]:
                out[count] = DISCARD + card
                count += 1
    elif step == CHOOSE_START:
        for space in range(wide(setup.spaces)):
            if setup.start[space] and state.owner[space] == FREE:
                out[count] = START + space
                count += 1
    return count


@compiled
def draft_choices(state: State, setup: Setup) -> int:
    """How many cards of the row, from the left, may be drafted: one per draft symbol, at least one."""
    seat = wide(state.turn)
    symbols = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        symbols += setup.draft[state.kingdoms[seat, place]]
    return min(max(symbols, 1), wide(state.row_count))


@compiled
def next_kind(state: State) -> int:
    """The kind of pawn to place or to remove now: warriors first, heroes last; KINDS if none is left."""
    kind = 0
    while kind < KINDS and state.pending[kind] == 0:
        kind += 1
    return kind


@compiled
def recruitings(state: State, setup: Setup, out: Actions) -> int:
    """A recruit joins any space of its player; without one it enters on a free space of the best kind there is."""
    me = wide(state.turn) + 1
    action = RECRUIT + next_kind(state) * SPACES
    entry = entry_rank(state, setup)
    count = 0
    for space in range(wide(setup.spaces)):
        there = wide(state.owner[space])
        if there == me or (there == FREE and space_rank(setup, space) == entry):
            out[count] = action + space
            count += 1
    return count


@compiled
def crossings(state: State, setup: Setup, out: Actions) -> int:
    """The borders that some pawns of the seat can cross, then the end of the moves."""
    me = wide(state.turn) + 1
    owner = state.owner
    count = 0
    for space in range(wide(setup.spaces)):
        if owner[space] == me:
            size = group_size(state, space)
            for border in range(wide(setup.border_count[space])):
                target = wide(setup.borders[space, border])
                there = wide(owner[target])
                # An attack takes more pawns than the defenders have, and spares a player's only space.
                if there in (FREE, me) or (state.held[there - 1] > 1 and size > group_size(state, target)):
                    out[count] = CROSS + space * SPACES + target
                    count += 1
    out[count] = END_MOVES
    return count + 1


@compiled
def group_size(state: State, space: int) -> int:
    """How many pawns stand there; each counts one, whatever its kind."""
    return wide(state.pawns[space, WARRIOR]) + wide(state.pawns[space, ANIMAL]) + wide(state.pawns[space, HERO])


@compiled
def least_group(state: State) -> int:
    """How many pawns have to cross the chosen border: one, or in an attack one more than the defenders."""
    target = wide(state.crossing[1])
    there = wide(state.owner[target])
    return 1 if there in (FREE, wide(state.turn) + 1) else group_size(state, target) + 1


@compiled
def groups(state: State, out: Actions) -> int:
    """Which pawns can cross the chosen border: any part of the group that is large enough."""
    standing = state.pawns[state.crossing[0]]
    least = least_group(state)
    count = 0
    for warriors in range(wide(standing[WARRIOR]) + 1):
        for animals in range(wide(standing[ANIMAL]) + 1):
            for heroes in range(wide(standing[HERO]) + 1):
                if warriors + animals + heroes >= least:
                    out[count] = PAWNS + (warriors * 6 + animals) * 4 + heroes
                    count += 1
    return count


@compiled
def retreats(state: State, setup: Setup, out: Actions) -> int:
    """The nearest spaces of the attacked seat, over white borders, whoever stands in between."""
    me = wide(state.retreating) + 1
    left = wide(state.crossing[1])
    nearest = SPACES
    count = 0
    for space in range(wide(setup.spaces)):
        if state.owner[space] == me:
            distance = wide(setup.distance[left, space])
            if distance < nearest:
                nearest = distance
                count = 0
            if distance == nearest:
                out[count] = RETREAT + space
                count += 1
    return count


@compiled
def removals(state: State, setup: Setup, out: Actions) -> int:
    """The spaces from which a pawn of a discarded card can be taken."""
    me = wide(state.turn) + 1
    kind = next_kind(state)
    count = 0
    for space in range(wide(setup.spaces)):
        if state.owner[space] == me and state.pawns[space, kind]:
            out[count] = REMOVE + kind * SPACES + space
            count += 1
    return count


@compiled
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """A card of the youngest age in the deck, each equally likely; or a token, as they lie in the bag."""
    count = 0
    if state.step == DRAW_TOKEN:
        for value in range(len(VALUES)):
            if state.bag[value]:
                actions[count] = TOKEN + value
                weights[count] = state.bag[value]
                count += 1
        return count
    age = 0
    for card in range(1, wide(setup.cards) + 1):
        if state.unseen >> bits(card) & bits(1):
            if age == 0:
                age = wide(setup.age[card])
            if setup.age[card] != age:
                break
            actions[count] = CARD + card
            weights[count] = 1
            count += 1
    return count


@compiled
def entry_rank(state: State, setup: Setup) -> int:
    """Whether the seat has a space, else the best kind of free space to enter on: start spaces, savannas, any land."""
    if state.held[state.turn]:
        return HAS_A_SPACE
    best = NO_ENTRY
    for space in range(wide(setup.spaces)):
        if state.owner[space] == FREE:
            best = min(best, space_rank(setup, space))
    return best


@compiled
def space_rank(setup: Setup, space: int) -> int:
    """How good a space is to enter on."""
    if setup.kind[space] == LAKE:
        return NO_ENTRY
    if setup.start[space]:
        return ENTER_ON_START
    return ENTER_ON_SAVANNA if setup.kind[space] == SAVANNA else ENTER_ON_RUIN
