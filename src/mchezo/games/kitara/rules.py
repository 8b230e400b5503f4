"""The rules of Kitara, once, for the compiler: how a turn goes on from one decision to the next.

`structs.py` has the layout and the actions, `choices.py` what may be decided, `hidden.py` what is redrawn for a seat
that cannot see it.
"""

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.structs import CHANCE, OVER, Bytes, Numbers, bits, wide
from mchezo.games.kitara.choices import (
    NO_ENTRY,
    chance,
    entry_rank,
    group_size,
    legal,
    next_kind,
)
from mchezo.games.kitara.components import (
    AGES,
    CARD_POINTS,
    FIRST_WARRIORS,
    PAWNS_EACH,
    ROW,
    RUIN_POINTS,
    VALUES,
)
from mchezo.games.kitara.hidden import best_drawn, count_tokens, hide
from mchezo.games.kitara.structs import (
    ANIMAL,
    CARD,
    CHOOSE_PAWNS,
    CHOOSE_RETREAT,
    CHOOSE_START,
    CROSS,
    DEAL_CARD,
    DISCARD,
    DISCARD_CARD,
    DRAFT,
    DRAFT_CARD,
    DRAW_TOKEN,
    END_MOVES,
    FREE,
    HERO,
    KINDS,
    LAST_REFILL,
    MORE_TOKENS,
    MOVE,
    NOBODY,
    NOTHING,
    NOWHERE,
    PAWNS,
    PROSPERITY,
    RECRUIT,
    RECRUIT_PAWN,
    REFILL,
    REMOVE,
    REMOVE_PAWN,
    RETREAT,
    RUIN,
    SAVANNA,
    SEATS,
    SHARED,
    SPACES,
    START,
    STATE,
    TOKEN,
    WARRIOR,
    Setup,
    State,
)


@compiled
def to_move(state: State) -> int:
    """The seat that decides, CHANCE for cards and tokens, OVER at the end."""
    step = wide(state.step)
    if step == NOTHING:
        return OVER
    if step in (DEAL_CARD, REFILL, LAST_REFILL, DRAW_TOKEN):
        return CHANCE
    if step == CHOOSE_RETREAT:
        return wide(state.retreating)
    return wide(state.turn)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Carry out one legal action, then everything that happens by itself."""
    seat = wide(state.turn)
    step = wide(state.step)
    if step == MOVE:
        if action == END_MOVES:
            state.moves_left = 0
        else:
            state.crossing[0] = (action - CROSS) // SPACES
            state.crossing[1] = (action - CROSS) % SPACES
            state.step = CHOOSE_PAWNS
    elif step == CHOOSE_PAWNS:
        cross(state, seat, action - PAWNS)
    elif step == RECRUIT_PAWN:
        kind, space = (action - RECRUIT) // SPACES, (action - RECRUIT) % SPACES
        put(state, seat, space, kind, 1)
        state.supply[seat, kind] -= 1
        state.pending[kind] -= 1
    elif step == CHOOSE_RETREAT:
        for kind in range(KINDS):
            put(state, wide(state.retreating), action - RETREAT, kind, wide(state.fleeing[kind]))
            state.fleeing[kind] = 0
        state.retreating = NOBODY
        end_crossing(state)
    elif step == REMOVE_PAWN:
        kind, space = (action - REMOVE) // SPACES, (action - REMOVE) % SPACES
        take(state, seat, space, kind, 1)
        state.supply[seat, kind] += 1
        state.pending[kind] -= 1
    elif step == DRAFT_CARD:
        draft(state, setup, seat, action - DRAFT)
    elif step == DISCARD_CARD:
        discard(state, setup, seat, action - DISCARD)
    elif step == DRAW_TOKEN:
        state.bag[action - TOKEN] -= 1
        state.drawn[action - TOKEN] += 1
        state.step = CHOOSE_RETREAT
    elif step == CHOOSE_START:
        put(state, seat, action - START, WARRIOR, FIRST_WARRIORS)
        state.supply[seat, WARRIOR] -= FIRST_WARRIORS
        state.turn += 1
    else:
        reveal(state, setup, action - CARD)
    settle(state, setup)


@compiled
def settle(state: State, setup: Setup) -> None:
    """Go from step to step until somebody, or chance, has something to decide."""
    while True:
        step = wide(state.step)
        if step == DEAL_CARD:
            if can_refill(state):
                return
            state.step = CHOOSE_START
        elif step == CHOOSE_START:
            if state.turn < setup.players:
                return
            state.turn = 0
            state.step = DRAFT_CARD
        elif step == DRAFT_CARD:
            # No card in the row: neither draft nor recruit.
            if state.row_count:
                return
            begin_moves(state, setup)
        elif step == REFILL:
            if can_refill(state):
                return
            state.step = RECRUIT_PAWN
        elif step == RECRUIT_PAWN:
            if next_kind(state) < KINDS and entry_rank(state, setup) < NO_ENTRY:
                return
            for kind in range(KINDS):
                state.pending[kind] = 0
            begin_moves(state, setup)
        elif step == MOVE:
            if state.moves_left:
                return
            score(state, setup, wide(state.turn))
            state.capacity = feeding_capacity(state, setup, wide(state.turn))
            state.step = DISCARD_CARD
        elif step == REMOVE_PAWN:
            if next_kind(state) < KINDS:
                return
            state.step = DISCARD_CARD
        elif step == DISCARD_CARD:
            if hungry_cards(state, setup, wide(state.turn)) > state.capacity:
                return
            # Two players: the leftmost card of the row goes after every turn.
            if setup.players == 2 and state.row_count:
                state.discarded |= bits(1) << bits(state.row[0])
                close_row(state, 0)
            state.step = LAST_REFILL
        elif step == LAST_REFILL:
            if setup.players == 2 and can_refill(state):
                return
            next_turn(state, setup)
        else:
            return


@compiled
def can_refill(state: State) -> bool:
    """Whether the row has a gap and the deck a card."""
    return state.row_count < ROW and state.unseen != bits(0)


@compiled
def reveal(state: State, setup: Setup, card: int) -> None:
    """Turn a card up at the right end of the row; the first of age 5 makes the next round the last."""
    state.unseen ^= bits(1) << bits(card)
    state.row[state.row_count] = card
    state.row_count += 1
    if setup.age[card] == AGES and state.last_round == 0:
        state.last_round = state.round_number + 1


@compiled
def close_row(state: State, place: int) -> None:
    """Take a card out of the row; those to its right slide left."""
    state.row_count -= 1
    for at in range(place, wide(state.row_count)):
        state.row[at] = state.row[at + 1]


@compiled
def draft(state: State, setup: Setup, seat: int, card: int) -> None:
    """Take a card from the row into the kingdom; its pawns are to be recruited, as far as the supply goes."""
    place = 0
    while state.row[place] != card:
        place += 1
    close_row(state, place)
    state.kingdoms[seat, state.kingdom_count[seat]] = card
    state.kingdom_count[seat] += 1
    for kind in range(KINDS):
        state.pending[kind] = min(setup.pawns[card, kind], state.supply[seat, kind])
    state.step = REFILL


@compiled
def begin_moves(state: State, setup: Setup) -> None:
    """One move for each move symbol of the kingdom, the new card's included."""
    seat = wide(state.turn)
    moves = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        moves += setup.moves[state.kingdoms[seat, place]]
    state.moves_left = moves
    state.step = MOVE


@compiled
def put(state: State, seat: int, space: int, kind: int, count: int) -> None:
    """Pawns come to a space that is free or their own."""
    if state.owner[space] == FREE:
        state.owner[space] = seat + 1
        state.held[seat] += 1
    state.pawns[space, kind] += count


@compiled
def take(state: State, seat: int, space: int, kind: int, count: int) -> None:
    """Pawns leave a space; whoever has none left there does not occupy it any more."""
    state.pawns[space, kind] -= count
    if group_size(state, space) == 0:
        state.owner[space] = FREE
        state.held[seat] -= 1


@compiled
def cross(state: State, seat: int, group: int) -> None:
    """Pawns cross the chosen border. In an attack the defenders give way, and a hero brings a token first."""
    start, target = wide(state.crossing[0]), wide(state.crossing[1])
    there = wide(state.owner[target])
    attack = there not in (FREE, seat + 1)
    if attack:
        state.retreating = there - 1
        for kind in range(KINDS):
            state.fleeing[kind] = state.pawns[target, kind]
            state.pawns[target, kind] = 0
        state.owner[target] = FREE
        state.held[there - 1] -= 1
    warriors, animals, heroes = group // 24, group // 4 % 6, group % 4
    put(state, seat, target, WARRIOR, warriors)
    put(state, seat, target, ANIMAL, animals)
    put(state, seat, target, HERO, heroes)
    state.pawns[start, WARRIOR] -= warriors
    state.pawns[start, ANIMAL] -= animals
    take(state, seat, start, HERO, heroes)
    state.moves_left -= 1
    if not attack:
        end_crossing(state)
    elif heroes and count_tokens(state.bag):
        state.step = DRAW_TOKEN
    else:
        state.step = CHOOSE_RETREAT


@compiled
def end_crossing(state: State) -> None:
    """The move is complete; the next may begin."""
    state.crossing[0] = NOWHERE
    state.crossing[1] = NOWHERE
    state.step = MOVE


@compiled
def score(state: State, setup: Setup, seat: int) -> None:
    """A point per prosperity symbol, two per ruin with a master-animal; one of the best tokens of the turn is kept."""
    points = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        points += setup.prosperity[state.kingdoms[seat, place]]
    for space in range(wide(setup.spaces)):
        if state.owner[space] == seat + 1 and setup.kind[space] == RUIN and state.pawns[space, ANIMAL]:
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


@compiled
def feeding_capacity(state: State, setup: Setup, seat: int) -> int:
    """Each savanna with a warrior feeds one card."""
    capacity = 0
    for space in range(wide(setup.spaces)):
        if state.owner[space] == seat + 1 and setup.kind[space] == SAVANNA and state.pawns[space, WARRIOR]:
            capacity += 1
    return capacity


@compiled
def hungry_cards(state: State, setup: Setup, seat: int) -> int:
    """How many cards of the kingdom must be fed: all but the marked ones."""
    cards = 0
    for place in range(wide(state.kingdom_count[seat])):
        if not setup.marked[state.kingdoms[seat, place]]:
            cards += 1
    return cards


@compiled
def discard(state: State, setup: Setup, seat: int, card: int) -> None:
    """A card leaves the kingdom for good; a pawn for each of its symbols is to leave the board, as far as there are."""
    place = 0
    while state.kingdoms[seat, place] != card:
        place += 1
    state.kingdom_count[seat] -= 1
    for at in range(place, wide(state.kingdom_count[seat])):
        state.kingdoms[seat, at] = state.kingdoms[seat, at + 1]
    if card:
        state.discarded |= bits(1) << bits(card)
    for kind in range(KINDS):
        state.pending[kind] = min(setup.pawns[card, kind], PAWNS_EACH[kind] - wide(state.supply[seat, kind]))
    state.step = REMOVE_PAWN


@compiled
def next_turn(state: State, setup: Setup) -> None:
    """The next seat's turn, the next round's first, or the end."""
    state.step = DRAFT_CARD
    if state.turn + 1 < setup.players:
        state.turn += 1
    elif state.round_number == state.last_round:
        finish(state, wide(setup.players))
    else:
        state.turn = 0
        state.round_number += 1


@compiled
def finish(state: State, players: int) -> None:
    """Final scoring: the tokens, and two points per card still held. Ties go to more tokens, then are shared."""
    state.step = NOTHING
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
    state.ending = PROSPERITY if tied == 1 else MORE_TOKENS if winners == 1 else SHARED


@compiled
def ending(state: State) -> int:
    """How the game ended, by number."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """1 for the winner, -1 for the others; winners share, so that two get 0 each, three -1/3 and four -1/2."""
    players, winners = wide(setup.players), wide(0)
    for seat in range(players):
        winners += state.winners >> seat & 1
    for seat in range(players):
        out[seat] = 2 / winners - 1 if state.winners >> seat & 1 else -1.0


@compiled
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """The points on the Prosperity Track."""
    for seat in range(wide(setup.players)):
        out[seat] = state.points[seat]


@compiled
def stir(mix: int, value: int) -> int:
    """Mix a number into a key: xorshift64, which maps different keys to different ones."""
    mix ^= bits(value)
    mix ^= mix << bits(13)
    mix ^= mix >> bits(7)
    mix ^= mix << bits(17)
    return mix


@compiled
def key(state: State) -> int:
    """Everything that decides how the game can go on; the order of cards in kingdoms does not count."""
    mix = stir(bits(0x9E3779B97F4A7C15), (wide(state.step) << 16) + (wide(state.turn) << 8) + wide(state.round_number))
    mix = stir(mix, (wide(state.last_round) << 16) + (wide(state.moves_left) << 8) + wide(state.capacity))
    for space in range(SPACES):
        if state.owner[space] != FREE:
            pawns = state.pawns[space]
            mix = stir(mix, (space << 20) + (wide(state.owner[space]) << 16) + count_by_kind(pawns))
    mix = stir(mix, (count_by_kind(state.pending) << 16) + count_by_kind(state.fleeing))
    mix = stir(mix, ((wide(state.crossing[0]) + 1) << 16) + ((wide(state.crossing[1]) + 1) << 8) + state.retreating + 1)
    for place in range(wide(state.row_count)):
        mix = stir(mix, wide(state.row[place]) + 1)
    mix = stir(mix, state.unseen)
    for seat in range(SEATS):
        held = bits(0)
        for place in range(wide(state.kingdom_count[seat])):
            held |= bits(1) << bits(state.kingdoms[seat, place])
        mix = stir(mix, held)
        mix = stir(mix, (wide(state.points[seat]) << 32) + count_by_value(state.kept[seat]))
    return stir(mix, (count_by_value(state.bag) << 32) + count_by_value(state.drawn))


@compiled
def count_by_kind(pawns: Bytes) -> int:
    """The numbers of warriors, master-animals and heroes as one number below 2**16."""
    return (wide(pawns[WARRIOR]) << 8) + (wide(pawns[ANIMAL]) << 4) + wide(pawns[HERO])


@compiled
def count_by_value(tokens: Bytes) -> int:
    """The numbers of tokens of each value as one number below 2**24."""
    return (wide(tokens[0]) << 18) + (wide(tokens[1]) << 12) + (wide(tokens[2]) << 6) + wide(tokens[3])


verbs.enter(
    STATE,
    to_move=to_move,
    legal=legal,
    apply=apply,
    chance=chance,
    ending=ending,
    returns=returns,
    scores=scores,
    key=key,
    hide=hide,
)
