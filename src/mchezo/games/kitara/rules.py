"""Rules of Kitara: what an action does, how a turn continues and how a game ends."""

from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import CHANCE, OVER, Numbers, UInt64, bits, wide
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import AGES, CARD_POINTS, FIRST_WARRIORS, PAWNS_EACH, ROW, RUIN_POINTS, VALUES
from mchezo.games.kitara.determinize import best_drawn, count_tokens
from mchezo.games.kitara.legal import NO_ENTRY, entry_rank, group_size, next_kind
from mchezo.games.kitara.rival import cards_left
from mchezo.games.kitara.structs import Setup, State, group_of


@compiled
def to_move(state: State) -> int:
    """Return the seat to move, CHANCE while cards and tokens are drawn or for a rival, or OVER."""
    phase = wide(state.phase)
    if phase == structs.GAME_OVER:
        return OVER
    if phase in (structs.DEALING, structs.REFILLING_AFTER_DRAFT, structs.REFILLING_AFTER_TURN, structs.DRAWING_TOKEN):
        return CHANCE
    seat = wide(state.retreating) if phase == structs.RETREATING else wide(state.seat)
    return CHANCE if seat == state.rival else seat


@compiled
def turn_of(state: State) -> int:
    """Return the seat whose turn it is, even while another one retreats."""
    return wide(state.seat)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Apply one legal action, and continue to the next decision."""
    action = wide(action)
    seat = wide(state.seat)
    if action < structs.CARD:
        choose_start(state, setup, seat, action - structs.START)
    elif action < structs.TOKEN:
        if state.phase == structs.DRAFTING:
            turn_up(state, setup, seat, action - structs.CARD)
        else:
            reveal(state, setup, action - structs.CARD)
    elif action < structs.DRAFT:
        draw_token(state, action - structs.TOKEN)
    elif action < structs.RECRUIT:
        draft(state, setup, seat, action - structs.DRAFT)
    elif action < structs.CROSS:
        recruit(state, seat, (action - structs.RECRUIT) // structs.SPACES, (action - structs.RECRUIT) % structs.SPACES)
    elif action < structs.END_MOVES:
        choose_border(state, (action - structs.CROSS) // structs.SPACES, (action - structs.CROSS) % structs.SPACES)
    elif action == structs.END_MOVES:
        state.moves_left = 0
    elif action < structs.RETREAT:
        cross(state, seat, action - structs.PAWNS)
    elif action < structs.DISCARD:
        retreat(state, action - structs.RETREAT)
    elif action < structs.REMOVE:
        discard(state, setup, seat, action - structs.DISCARD)
    else:
        remove(state, seat, (action - structs.REMOVE) // structs.SPACES, (action - structs.REMOVE) % structs.SPACES)
    advance(state, setup)


@compiled
def advance(state: State, setup: Setup) -> None:
    """Go from phase to phase until a seat, or chance, has something to decide."""
    while True:
        phase = wide(state.phase)
        if phase == structs.DEALING:
            if can_refill(state, setup):
                return
            state.phase = structs.CHOOSING_START
        elif phase == structs.CHOOSING_START:
            if state.seat < setup.players:
                return
            state.seat = 0
            state.phase = structs.DRAFTING
        elif phase == structs.DRAFTING:
            # With an empty row, or for a rival an empty deck of its own, there is neither a draft nor a recruitment.
            if cards_left(state, setup) if state.seat == state.rival else state.row_count:
                return
            begin_moves(state, setup)
        elif phase == structs.REFILLING_AFTER_DRAFT:
            if can_refill(state, setup):
                return
            state.phase = structs.RECRUITING
        elif phase == structs.RECRUITING:
            if next_kind(state) < structs.KINDS and entry_rank(state, setup) < NO_ENTRY:
                return
            for kind in range(structs.KINDS):
                state.pending[kind] = 0
            begin_moves(state, setup)
        elif phase == structs.MOVING:
            if state.moves_left:
                return
            score(state, setup, wide(state.seat))
            state.capacity = feeding_capacity(state, setup, wide(state.seat))
            state.phase = structs.DISCARDING
        elif phase == structs.REMOVING:
            if next_kind(state) < structs.KINDS:
                return
            state.phase = structs.DISCARDING
        elif phase == structs.DISCARDING:
            if hungry_cards(state, setup, wide(state.seat)) > state.capacity:
                return
            # Two players: the leftmost card of the row is discarded after every turn.
            if setup.players == 2 and state.row_count:
                state.discarded |= bits(1) << bits(state.row[0])
                close_row(state, 0)
            state.phase = structs.REFILLING_AFTER_TURN
        elif phase == structs.REFILLING_AFTER_TURN:
            if setup.players == 2 and can_refill(state, setup):
                return
            next_turn(state, setup)
        else:
            return


@compiled
def choose_start(state: State, setup: Setup, seat: int, space: int) -> None:
    """Put a seat's first warriors on its start space, and what a rival has in addition."""
    put(state, seat, space, structs.WARRIOR, FIRST_WARRIORS)
    state.supply[seat, structs.WARRIOR] -= FIRST_WARRIORS
    if seat == state.rival:
        for kind in range(structs.KINDS):
            put(state, seat, space, kind, wide(setup.rival_pawns[kind]))
            state.supply[seat, kind] -= setup.rival_pawns[kind]
    state.seat += 1


@compiled
def can_refill(state: State, setup: Setup) -> bool:
    """Return whether the row has a gap and the deck a card, beside those in a rival's deck."""
    if state.rival != structs.NOBODY:
        return state.row_count < ROW and count_cards(state.unseen) > cards_left(state, setup)
    return state.row_count < ROW and state.unseen != bits(0)


@compiled
def count_cards(cards: UInt64) -> int:
    """Return the size of a set of cards."""
    count = 0
    while cards != bits(0):
        cards &= cards - bits(1)
        count += 1
    return count


@compiled
def turn_up(state: State, setup: Setup, seat: int, card: int) -> None:
    """Move the top card of the rival's deck into its kingdom."""
    state.unseen ^= bits(1) << bits(card)
    add_card(state, setup, seat, card)
    state.phase = structs.RECRUITING


@compiled
def reveal(state: State, setup: Setup, card: int) -> None:
    """Add a card at the right end of the row; the first one of age 5 makes the next round the last."""
    state.unseen ^= bits(1) << bits(card)
    state.row[state.row_count] = card
    state.row_count += 1
    if setup.age[card] == AGES and state.last_round == 0:
        state.last_round = state.round_number + 1


@compiled
def close_row(state: State, place: int) -> None:
    """Remove a card from the row; those to its right slide left."""
    state.row_count -= 1
    for at in range(place, wide(state.row_count)):
        state.row[at] = state.row[at + 1]


@compiled
def draw_token(state: State, value: int) -> None:
    """Move a token from the bag to those drawn in this turn."""
    state.bag[value] -= 1
    state.drawn[value] += 1
    state.phase = structs.RETREATING


@compiled
def draft(state: State, setup: Setup, seat: int, card: int) -> None:
    """Take a card from the row into the kingdom."""
    place = 0
    while state.row[place] != card:
        place += 1
    close_row(state, place)
    add_card(state, setup, seat, card)
    state.phase = structs.REFILLING_AFTER_DRAFT


@compiled
def add_card(state: State, setup: Setup, seat: int, card: int) -> None:
    """Add a card to a kingdom; its pawns are to be recruited as far as the supply allows."""
    state.kingdoms[seat, state.kingdom_count[seat]] = card
    state.kingdom_count[seat] += 1
    for kind in range(structs.KINDS):
        state.pending[kind] = min(setup.pawns[card, kind], state.supply[seat, kind])


@compiled
def begin_moves(state: State, setup: Setup) -> None:
    """Begin the moves: one for each move symbol of the kingdom, including the new card."""
    seat = wide(state.seat)
    moves = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        moves += setup.moves[state.kingdoms[seat, place]]
    state.moves_left = moves
    state.phase = structs.MOVING


@compiled
def recruit(state: State, seat: int, kind: int, space: int) -> None:
    """Place a pending pawn from the supply on a space."""
    put(state, seat, space, kind, 1)
    state.supply[seat, kind] -= 1
    state.pending[kind] -= 1


@compiled
def choose_border(state: State, start: int, target: int) -> None:
    """Choose the border that the next group crosses."""
    state.crossing[0] = start
    state.crossing[1] = target
    state.phase = structs.CHOOSING_PAWNS


@compiled
def put(state: State, seat: int, space: int, kind: int, count: int) -> None:
    """Add pawns to a space that is free or belongs to the seat."""
    if state.owner[space] == structs.FREE:
        state.owner[space] = seat + 1
        state.held[seat] += 1
    state.pawns[space, kind] += count


@compiled
def take(state: State, seat: int, space: int, kind: int, count: int) -> None:
    """Remove pawns from a space, which becomes free with the last one."""
    state.pawns[space, kind] -= count
    if group_size(state, space) == 0:
        state.owner[space] = structs.FREE
        state.held[seat] -= 1


@compiled
def cross(state: State, seat: int, group: int) -> None:
    """Move a group across the chosen border; in an attack the defenders retreat, after a hero has drawn a token."""
    start, target = wide(state.crossing[0]), wide(state.crossing[1])
    there = wide(state.owner[target])
    attack = there not in (structs.FREE, seat + 1)
    if attack:
        state.retreating = there - 1
        for kind in range(structs.KINDS):
            state.fleeing[kind] = state.pawns[target, kind]
            state.pawns[target, kind] = 0
        state.owner[target] = structs.FREE
        state.held[there - 1] -= 1
    warriors, animals, heroes = group_of(group)
    put(state, seat, target, structs.WARRIOR, warriors)
    put(state, seat, target, structs.ANIMAL, animals)
    put(state, seat, target, structs.HERO, heroes)
    state.pawns[start, structs.WARRIOR] -= warriors
    state.pawns[start, structs.ANIMAL] -= animals
    take(state, seat, start, structs.HERO, heroes)
    state.moves_left -= 1
    if not attack:
        end_crossing(state)
    elif heroes and count_tokens(state.bag):
        state.phase = structs.DRAWING_TOKEN
    else:
        state.phase = structs.RETREATING


@compiled
def retreat(state: State, space: int) -> None:
    """Put the fleeing pawns on the space that their seat has chosen."""
    for kind in range(structs.KINDS):
        put(state, wide(state.retreating), space, kind, wide(state.fleeing[kind]))
        state.fleeing[kind] = 0
    state.retreating = structs.NOBODY
    end_crossing(state)


@compiled
def end_crossing(state: State) -> None:
    """Complete the move; the next one may begin."""
    state.crossing[0] = structs.NOWHERE
    state.crossing[1] = structs.NOWHERE
    state.phase = structs.MOVING


@compiled
def score(state: State, setup: Setup, seat: int) -> None:
    """Score a point per prosperity symbol and two per ruin with a master-animal; keep one of the best tokens drawn."""
    points = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        points += setup.prosperity[state.kingdoms[seat, place]]
    for space in range(wide(setup.spaces)):
        if state.owner[space] == seat + 1 and setup.kind[space] == structs.RUIN and state.pawns[space, structs.ANIMAL]:
            points += RUIN_POINTS
    state.points[seat] += points
    if count_tokens(state.drawn) == 0:
        return
    entry = state.log[state.logged]
    state.logged += 1
    entry[0] = seat
    for value in range(len(VALUES)):
        entry[1 + value] = state.drawn[value]
        state.bag[value] += state.drawn[value]
        state.drawn[value] = 0
    best = best_drawn(entry)
    state.bag[best] -= 1
    state.kept[seat, best] += 1


FORECAST_BITS = 8


@kernel
def forecasts(state: State, setup: Setup) -> UInt64:
    """Return for each seat, in two bytes from the lowest on, the cards to be fed and how many of them could be now."""
    found = bits(0)
    capacities = feeding_capacities(state, setup) >> bits(FORECAST_BITS)
    for seat in range(wide(setup.players)):
        cards = bits(hungry_cards(state, setup, seat))
        fed = capacities >> bits(FORECAST_BITS * seat) & bits(0xFF)
        found |= (cards | min(cards, fed) << bits(FORECAST_BITS)) << bits(2 * FORECAST_BITS * seat)
    return found


@compiled
def feeding_capacity(state: State, setup: Setup, seat: int) -> int:
    """Return how many cards a seat can feed."""
    return wide(feeding_capacities(state, setup) >> bits(8 * (wide(seat) + 1)) & bits(0xFF))


@compiled
def feeding_capacities(state: State, setup: Setup) -> int:
    """Return how many cards each owner can feed, as a byte of a word: one for each savanna with a warrior."""
    capacities = bits(0)
    for space in range(wide(setup.spaces)):
        capacities += capacity_of_space(state, setup, space)
    return capacities


@compiled
def capacity_of_space(state: State, setup: Setup, space: int) -> int:
    """Return how many cards each owner can feed by one space, in the same form."""
    feeds = (setup.kind[space] == structs.SAVANNA) & (state.pawns[space, structs.WARRIOR] != 0)
    return bits(feeds) << bits(8 * wide(state.owner[space]))


@compiled
def hungry_cards(state: State, setup: Setup, seat: int) -> int:
    """Return how many cards of the kingdom must be fed: all but the marked ones."""
    cards = 0
    for place in range(wide(state.kingdom_count[seat])):
        if not setup.marked[state.kingdoms[seat, place]]:
            cards += 1
    return cards


@compiled
def discard(state: State, setup: Setup, seat: int, card: int) -> None:
    """Discard a card for good; a pawn for each of its symbols is to be removed, as far as the board has any."""
    place = 0
    while state.kingdoms[seat, place] != card:
        place += 1
    state.kingdom_count[seat] -= 1
    for at in range(place, wide(state.kingdom_count[seat])):
        state.kingdoms[seat, at] = state.kingdoms[seat, at + 1]
    if card:
        state.discarded |= bits(1) << bits(card)
    if seat != state.rival:  # its pawns stay
        for kind in range(structs.KINDS):
            state.pending[kind] = min(setup.pawns[card, kind], PAWNS_EACH[kind] - wide(state.supply[seat, kind]))
    state.phase = structs.REMOVING


@compiled
def remove(state: State, seat: int, kind: int, space: int) -> None:
    """Return a pawn of a discarded card to the supply."""
    take(state, seat, space, kind, 1)
    state.supply[seat, kind] += 1
    state.pending[kind] -= 1


@compiled
def next_turn(state: State, setup: Setup) -> None:
    """Begin the next turn or round, or end the game."""
    state.phase = structs.DRAFTING
    if state.seat + 1 < setup.players:
        state.seat += 1
    elif state.round_number == state.last_round:
        finish(state, wide(setup.players))
    else:
        state.seat = 0
        state.round_number += 1


@compiled
def finish(state: State, players: int) -> None:
    """End the game: add the tokens and two points per card; a tie goes to the most tokens and is then shared."""
    state.phase = structs.GAME_OVER
    most_points = wide(0)
    for seat in range(players):
        points = wide(state.points[seat]) + CARD_POINTS * wide(state.kingdom_count[seat])
        for value in range(len(VALUES)):
            points += VALUES[value] * wide(state.kept[seat, value])
        state.points[seat] = points
        most_points = max(most_points, points)
    tied = most_tokens = wide(0)
    for seat in range(players):
        if state.points[seat] == most_points:
            tied += 1
            most_tokens = max(most_tokens, count_tokens(state.kept[seat]))
    winners = wide(0)
    for seat in range(players):
        if state.points[seat] == most_points and count_tokens(state.kept[seat]) == most_tokens:
            state.winners |= 1 << seat
            winners += 1
    state.ending = structs.PROSPERITY if tied == 1 else structs.MORE_TOKENS if winners == 1 else structs.SHARED


@compiled
def ending(state: State) -> int:
    """Return how the game ended, as an index of REASONS."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """Write 1 for the winner and -1 for the others; joint winners share: two get 0 each, three -1/3, four -1/2."""
    players, winners = wide(setup.players), wide(0)
    for seat in range(players):
        winners += state.winners >> seat & 1
    for seat in range(players):
        out[seat] = 2 / winners - 1 if state.winners >> seat & 1 else -1.0


@compiled
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """Write the points on the Prosperity Track."""
    for seat in range(wide(setup.players)):
        out[seat] = state.points[seat]
