"""The rival of Kitara alone, by our own rules: what it does is chance, equally likely among equally good actions.

docs/kitara-alone.md has the rules. The rival sits in seat 1 of a game for two.
"""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, Weights, wide
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import ATTACK, NO_WISH, RUIN, SAVANNA, WISHES
from mchezo.games.kitara.legal import group_size, next_kind, recruitments, retreats
from mchezo.games.kitara.structs import RIVAL, Setup, State, group_number

YOURS, OWN = 1, RIVAL + 1  # owners of spaces
FAR = 99  # borders to a player who has no space
FIRST_INTO_SAVANNA = (structs.HERO, structs.WARRIOR, structs.ANIMAL)
FIRST_INTO_RUIN = (structs.ANIMAL, structs.HERO, structs.WARRIOR)


@compiled
def decides(state: State) -> bool:
    """Return whether it is for the rival to do something, other than drawing a card or a token for the row."""
    phase = wide(state.phase)
    if phase == structs.RETREATING:
        return state.retreating == state.rival
    refill = phase in (structs.DEALING, structs.REFILLING_AFTER_DRAFT, structs.REFILLING_AFTER_TURN)
    return state.seat == state.rival and not refill and phase != structs.DRAWING_TOKEN


@compiled
def cards_turned(state: State, setup: Setup) -> int:
    """Return how many cards the rival has turned up: one a round."""
    turned = wide(state.round_number) - 1
    if state.seat == state.rival and state.phase > structs.DRAFTING:
        turned += 1
    return min(turned, wide(setup.rival_cards))


@compiled
def cards_left(state: State, setup: Setup) -> int:
    """Return the number of cards in the rival's deck; none where there is no rival."""
    return wide(setup.rival_cards) - cards_turned(state, setup) if setup.rival else 0


@compiled
def kept_of_age(state: State, setup: Setup, age: int) -> int:
    """Return how many unseen cards of an age are in the rival's deck."""
    count = 0
    for place in range(cards_turned(state, setup), wide(setup.rival_cards)):
        if setup.rival_ages[place] == age:
            count += 1
    return count


@compiled
def outcomes(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Write what the rival may do now, except turning up its card; return the number of actions."""
    phase = wide(state.phase)
    if phase == structs.RETREATING:
        count = keep_best(state, setup, actions, retreats(state, setup, actions), structs.RETREAT, False)
    elif phase == structs.RECRUITING:
        first = structs.RECRUIT + next_kind(state) * structs.SPACES
        count = keep_best(state, setup, actions, recruitments(state, setup, actions), first, True)
    elif phase == structs.MOVING:
        count = moves(state, setup, actions)
    elif phase == structs.CHOOSING_PAWNS:
        actions[0] = structs.PAWNS + crossing_group(state, setup)
        count = 1
    elif phase == structs.DISCARDING:
        actions[0] = structs.DISCARD + oldest_card(state, setup)
        count = 1
    else:
        count = 0
        for space in range(wide(setup.spaces)):
            if setup.start[space] and state.owner[space] == structs.FREE:
                actions[count] = structs.START + space
                count += 1
    for index in range(count):
        weights[index] = 1
    return count


@compiled
def keep_best(state: State, setup: Setup, actions: Actions, count: int, first: int, nearest: bool) -> int:
    """Keep the actions on spaces with the largest group, and if asked for the nearest to you; return their number."""
    best = -FAR
    kept = 0
    for index in range(count):
        action = wide(actions[index])
        space = action - first
        value = 100 * group_size(state, space) - (distance_to_you(state, setup, space) if nearest else 0)
        if value > best:
            best = value
            kept = 0
        if value == best:
            actions[kept] = action
            kept += 1
    return kept


@compiled
def distance_to_you(state: State, setup: Setup, space: int) -> int:
    """Return the number of white borders to the player's nearest space."""
    nearest = FAR
    for other in range(wide(setup.spaces)):
        if state.owner[other] == YOURS:
            nearest = min(nearest, wide(setup.distance[space, other]))
    return nearest


@compiled
def oldest_card(state: State, setup: Setup) -> int:
    """Return the oldest card of the rival's kingdom that has to be fed."""
    place = 0
    while setup.marked[state.kingdoms[RIVAL, place]]:
        place += 1
    return wide(state.kingdoms[RIVAL, place])


# The moves


@compiled
def first_wish(state: State, setup: Setup) -> int:
    """Return the wish with which the rival's wheel begins in this turn, by its new card or the scenario."""
    if setup.wish != NO_WISH:
        return wide(setup.wish)
    if state.round_number > setup.rival_cards:  # no new card
        return SAVANNA
    card = state.kingdoms[RIVAL, wide(state.kingdom_count[RIVAL]) - 1]
    if setup.pawns[card, structs.HERO]:
        return ATTACK
    return RUIN if setup.pawns[card, structs.ANIMAL] else SAVANNA


@compiled
def moves(state: State, setup: Setup, out: Actions) -> int:
    """Write the borders that the rival may cross next, or the end of its moves; return their number."""
    first = first_wish(state, setup)
    for step in range(WISHES):
        wish = (first + step) % WISHES
        count = wished(state, setup, wish, out)
        if count:
            return count
    count = marches(state, setup, out)
    if count == 0:
        out[0] = structs.END_MOVES
        count = 1
    return count


@compiled
def wished(state: State, setup: Setup, wish: int, out: Actions) -> int:
    """Write the best borders to cross for a wish; return their number."""
    if wish == SAVANNA and not hungry(state, setup):
        return 0
    if wish == ATTACK and state.held[0] <= 1:
        return 0
    best = -1
    count = 0
    for space in range(wide(setup.spaces)):
        if state.owner[space] != OWN:
            continue
        size = group_size(state, space)
        for border in range(wide(setup.border_count[space])):
            target = wide(setup.borders[space, border])
            value = -1
            if wish == ATTACK:
                if state.owner[target] == YOURS and size > group_size(state, target):
                    # A ruin before a savanna, then the fewest defenders, then from the largest group.
                    ruin = 1 if setup.kind[target] == structs.RUIN else 0
                    value = 10_000 * ruin + 100 * (FAR - group_size(state, target)) + size
            elif wish == RUIN:
                if steps_into_ruin(state, setup, space, target):
                    value = size
            elif steps_into_savanna(state, setup, space, target):
                value = size
            if value > best:
                best = value
                count = 0
            if value >= 0 and value == best:
                out[count] = structs.CROSS + space * structs.SPACES + target
                count += 1
    return count


@compiled
def hungry(state: State, setup: Setup) -> bool:
    """Return whether the rival cannot feed all its cards."""
    cards = fed = 0
    for place in range(wide(state.kingdom_count[RIVAL])):
        if not setup.marked[state.kingdoms[RIVAL, place]]:
            cards += 1
    for space in range(wide(setup.spaces)):
        savanna = state.owner[space] == OWN and setup.kind[space] == structs.SAVANNA
        if savanna and state.pawns[space, structs.WARRIOR]:
            fed += 1
    return cards > fed


@compiled
def steps_into_ruin(state: State, setup: Setup, space: int, target: int) -> bool:
    """Return whether a master-animal that does not hold a ruin alone can step into a ruin without one."""
    spare = wide(state.pawns[space, structs.ANIMAL]) - (1 if setup.kind[space] == structs.RUIN else 0)
    without = state.owner[target] in (structs.FREE, OWN) and state.pawns[target, structs.ANIMAL] == 0
    return spare > 0 and without and setup.kind[target] == structs.RUIN


@compiled
def steps_into_savanna(state: State, setup: Setup, space: int, target: int) -> bool:
    """Return whether a warrior whom its group can spare can step into a free savanna."""
    warriors = wide(state.pawns[space, structs.WARRIOR])
    if setup.kind[space] == structs.SAVANNA:
        warriors -= 1
    elif group_size(state, space) == 1:
        warriors = 0
    return warriors > 0 and state.owner[target] == structs.FREE and setup.kind[target] == structs.SAVANNA


@compiled
def marches(state: State, setup: Setup, out: Actions) -> int:
    """Write the borders over which the rival's largest group comes nearer to you; return their number."""
    best = -FAR
    for space in range(wide(setup.spaces)):
        if state.owner[space] == OWN:
            best = max(best, 100 * group_size(state, space) - distance_to_you(state, setup, space))
    count = 0
    for space in range(wide(setup.spaces)):
        distance = distance_to_you(state, setup, space)
        if state.owner[space] != OWN or 100 * group_size(state, space) - distance != best:
            continue
        if group_size(state, space) == staying(state, setup, space):
            continue
        for border in range(wide(setup.border_count[space])):
            target = wide(setup.borders[space, border])
            if state.owner[target] != YOURS and distance_to_you(state, setup, target) < distance:
                out[count] = structs.CROSS + space * structs.SPACES + target
                count += 1
    return count


@compiled
def staying(state: State, setup: Setup, space: int) -> int:
    """Return how many pawns stay when a group marches: a warrior on a savanna, a master-animal in a ruin."""
    kind = structs.WARRIOR if setup.kind[space] == structs.SAVANNA else structs.ANIMAL
    return min(1, wide(state.pawns[space, kind]))


@compiled
def crossing_group(state: State, setup: Setup) -> int:
    """Return the number of the group that crosses the chosen border."""
    space, target = wide(state.crossing[0]), wide(state.crossing[1])
    if state.owner[target] == YOURS:
        return attacking_group(state, setup, space, target)
    # A wish comes before a march, so a border that fulfils one was chosen for it.
    if steps_into_ruin(state, setup, space, target):
        return group_number(0, 1, 0)
    if hungry(state, setup) and steps_into_savanna(state, setup, space, target):
        return group_number(1, 0, 0)
    warriors = wide(state.pawns[space, structs.WARRIOR])
    animals = wide(state.pawns[space, structs.ANIMAL])
    if setup.kind[space] == structs.SAVANNA:
        warriors -= staying(state, setup, space)
    else:
        animals -= staying(state, setup, space)
    return group_number(warriors, animals, wide(state.pawns[space, structs.HERO]))


@compiled
def attacking_group(state: State, setup: Setup, space: int, target: int) -> int:
    """Return the number of the group that attacks: one pawn more than the defenders."""
    left = group_size(state, target) + 1
    warriors = animals = heroes = wide(0)
    order = FIRST_INTO_RUIN if setup.kind[target] == structs.RUIN else FIRST_INTO_SAVANNA
    for kind in order:
        count = min(left, wide(state.pawns[space, kind]))
        left -= count
        if kind == structs.WARRIOR:
            warriors = count
        elif kind == structs.ANIMAL:
            animals = count
        else:
            heroes = count
    return group_number(warriors, animals, heroes)
