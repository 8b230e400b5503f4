"""Observations and actions of Kitara as numbers, from the point of view of a seat. See docs/research.md.

Seats are numbered from the observing one, in turn order. A seat sees the values of its own hero tokens and the number
of the others'; once the game is over, every seat sees all of them.
"""

from itertools import accumulate

from mchezo.core import arrays
from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.encoding import Block, Encoding, Floats, starts
from mchezo.core.structs import CHANCE, OVER, Bytes, Structs, bits, wide
from mchezo.games.kitara.components import (
    AGES,
    MOST_PAWNS,
    PAWNS_EACH,
    PLAYERS,
    ROW,
    SYMBOLS,
    TOKENS,
    VALUES,
    turns_each,
)
from mchezo.games.kitara.determinize import count_tokens
from mchezo.games.kitara.legal import draft_choices
from mchezo.games.kitara.rules import capacity_of_space, to_move
from mchezo.games.kitara.structs import (
    ACTIONS,
    CARD,
    CARDS,
    DRAFT,
    DRAFTING,
    GAME_OVER,
    GROUP_SHAPE,
    KINDS,
    KINGDOM,
    NOBODY,
    NOWHERE,
    SEATS,
    SPACES,
    SUM_BITS,
    Setup,
    State,
)

# Unbounded counts are divided by these and capped at 1.
MANY_MOVES = 20
MANY_POINTS = 200
MANY_SYMBOLS = 20

DECISIONS = (
    "deal",
    "start",
    "draft",
    "refill",
    "recruit",
    "move",
    "pawns",
    "token",
    "retreat",
    "discard",
    "remove",
    "last refill",
)
SYMBOL_ROWS = len(SYMBOLS)
MOST_DRAFTS, MOST_MOVES, MOST_PROSPERITY = SYMBOLS["D"], SYMBOLS["M"], SYMBOLS["V"]
SUMMARY = 5  # numbers for each kingdom
WHERE = 3 + SEATS  # where a card can be: in the row, in one of the kingdoms, discarded, in the deck

OBSERVATION = (
    Block("pawns", (SEATS, KINDS, SPACES), "warriors of 10, master-animals of 5, heroes of 3 on each space, by seats"),
    Block("kind", (KINDS, SPACES), "savannas, ruins, lakes"),
    Block("start", (SPACES,), "start spaces"),
    Block("crossing", (2, SPACES), "the border of the present move: from, to"),
    Block("cards", (WHERE, CARDS), "in the row (1/6 leftmost, 6/6), in the kingdoms by seats, discarded, in the deck"),
    Block(
        "row", (ROW, SYMBOL_ROWS), "what these cards show: draft of 6, W, A, H of 3, moves of 6, prosperity of 9, mark"
    ),
    Block(
        "kingdoms", (SEATS, SUMMARY), "by seats: draft, move and prosperity symbols of 20, cards to feed and fed of 16"
    ),
    Block("supply", (SEATS, KINDS), "pawns not on the board, as above"),
    Block("points", (SEATS,), "on the Prosperity Track, of 200"),
    Block("kept", (SEATS, len(VALUES)), "own tokens kept of value 2, 3, 4, 5, of 39; all seats' when the game is over"),
    Block("drawn", (len(VALUES),), "tokens drawn in this turn, if it is the seat's own, of 39"),
    Block("draws", (KINGDOM, len(VALUES)), "tokens drawn in each earlier turn of the seat that brought any, of 39"),
    Block("tokens", (SEATS, 2), "how many tokens each seat has kept, and has drawn in this turn, of 39"),
    Block("bag", (1,), "how many tokens are in the bag, of 39"),
    Block("pending", (KINDS,), "pawns still to recruit or to remove, of 3"),
    Block("fleeing", (KINDS,), "pawns that have to retreat, as above"),
    Block("retreating", (SEATS,), "whose they are"),
    Block("moves_left", (1,), "of 20"),
    Block("choices", (1,), "how many cards may be drafted, of 6"),
    Block("capacity", (1,), "how many cards can be fed in this turn, of 16"),
    Block("round", (2,), "the round, of 16; 1 once the last round is known"),
    Block("decision", (len(DECISIONS),), ", ".join(DECISIONS)),
    Block("to_move", (SEATS + 1,), "by seats, then chance; none once the game is over"),
    Block("turn", (SEATS,), "whose turn it is"),
    Block("seat", (SEATS,), "first, second, third, fourth"),
    Block("players", (len(PLAYERS),), "two, three, four"),
)
(
    ON_SPACES,
    KIND,
    STARTS,
    CROSSING,
    WHERE_CARDS,
    ROW_SYMBOLS,
    KINGDOMS,
    SUPPLY,
    POINTS,
    KEPT,
    DRAWN,
    DRAWS,
    TOKENS_OF,
    BAG,
    PENDING,
    FLEEING,
    WHO_RETREATS,
    MOVES_LEFT,
    CHOICES,
    CAPACITY,
    ROUND,
    DECISION,
    TO_MOVE,
    TURN,
    SEAT,
    HOW_MANY,
) = starts(OBSERVATION)
# The share of all pawns of a kind that a number of them is: to look it up costs less than to divide.
SHARES = arrays.zeros((KINDS, max(PAWNS_EACH) + 1), arrays.float32)
for _kind, _each in enumerate(PAWNS_EACH):
    SHARES[_kind, : _each + 1] = [_count / _each for _count in range(_each + 1)]


def shares_of(most: int) -> Floats:
    """Return the share of `most` that each number up to it is."""
    table = arrays.zeros(most + 1, arrays.float32)
    table[:] = [count / most for count in range(most + 1)]
    return table


OF_ROW, OF_KINGDOM, OF_TOKENS, OF_PAWNS = shares_of(ROW), shares_of(KINGDOM), shares_of(TOKENS), shares_of(MOST_PAWNS)
OF_DRAFTS, OF_MOVES, OF_PROSPERITY = shares_of(MOST_DRAFTS), shares_of(MOST_MOVES), shares_of(MOST_PROSPERITY)
OF_MANY_MOVES, OF_MANY_POINTS, OF_MANY_SYMBOLS = shares_of(MANY_MOVES), shares_of(MANY_POINTS), shares_of(MANY_SYMBOLS)
# Where the pawns of each owner begin, by the number of players and the seat that observes
PLANES = arrays.zeros((SEATS + 1, SEATS, 1 + SEATS), arrays.int64)
for _players in PLAYERS:
    for _seat in range(_players):
        for _owner in range(_players):
            PLANES[_players, _seat, 1 + _owner] = ON_SPACES + (_owner - _seat) % _players * KINDS * SPACES
# The members of all sets of four
FOURS = arrays.zeros((16, 4), arrays.float32)
for _set in range(16):
    FOURS[_set, :] = [float(_set >> _member & 1) for _member in range(4)]
IN_ROW, IN_KINGDOMS, DISCARDED, IN_DECK = 0, 1, 1 + SEATS, 2 + SEATS
# Within the symbols of a card of the row
DRAFT_SYMBOLS, PAWN_SYMBOLS, MOVE_SYMBOLS, PROSPERITY_SYMBOLS, MARK = 0, 1, 1 + KINDS, 2 + KINDS, 3 + KINDS
# Within the summary of a kingdom
ALL_DRAFT, ALL_MOVES, ALL_PROSPERITY, TO_FEED, FED = range(SUMMARY)

ACTION_BLOCKS = (
    Block("start", (SPACES,), "take a start space: `@a1`"),
    Block("card", (CARDS,), "chance turns a card up: `=1.3`"),
    Block("token", (len(VALUES),), "chance draws a hero token: `=4`"),
    Block("draft", (CARDS,), "take a card from the row: `+1.3`"),
    Block("recruit", (KINDS, SPACES), "a warrior, master-animal or hero joins a space: `W@a1`"),
    Block("cross", (SPACES, SPACES), "choose a border, from space to space: `a1-a2`"),
    Block("end", (1,), "end the moves: `.`"),
    Block("pawns", GROUP_SHAPE, "the warriors, master-animals and heroes that cross it: `W2A1H1`"),
    Block("retreat", (SPACES,), "to one of its own spaces: `>b2`"),
    Block("discard", (CARDS,), "a card that cannot be fed: `-1.3`"),
    Block("remove", (KINDS, SPACES), "a pawn leaves the board: `xW@a1`"),
)


@compiled
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what the seat sees: everything but the values of the other seats' tokens."""
    out[:] = 0.0  # all at once: memory is faster in a row
    seat = wide(seat)
    players = wide(setup.players)
    capacities = write_map(state, setup, seat, out)
    write_cards(state, setup, out)
    write_own_tokens(state, seat, out)
    whose = seat
    for place in range(players):
        write_seat(state, setup, whose, place, wide(capacities >> bits(8 * (whose + 1)) & bits(0xFF)), out)
        whose = whose + 1 if whose + 1 < players else wide(0)
    write_turn(state, setup, seat, out)


@compiled
def write_map(state: State, setup: Setup, seat: int, out: Floats) -> int:
    """Write the spaces, their pawns, and the border being crossed; return the feeding capacities."""
    for number in range((KINDS + 1) * SPACES):
        out[KIND + number] = setup.seen_map[number]
    planes = PLANES[bits(setup.players), bits(seat)]
    capacities = bits(0)
    left = occupied(state)
    while left:
        single = left & (~left + bits(1))
        left ^= single
        space = bits(bit_index(single))  # an index without a sign needs no check
        at = bits(planes[bits(state.owner[space])]) + space
        for kind in range(KINDS):
            out[at + bits(kind * SPACES)] = SHARES[kind, bits(state.pawns[space, kind])]
        capacities += capacity_of_space(state, setup, space)
    for end in range(2):
        if state.crossing[end] != NOWHERE:
            out[CROSSING + end * SPACES + wide(state.crossing[end])] = 1.0
    return capacities


@compiled
def occupied(state: State) -> int:
    """Return the spaces that have an owner as a set, eight at a time: to look at each would cost a branch."""
    found = bits(0)
    for first in range(0, SPACES, 8):
        owners = bits(0)
        for space in range(8):
            owners |= (bits(state.owner[first + space]) & bits(0xFF)) << bits(8 * space)
        owners = (owners | owners >> bits(1) | owners >> bits(2)) & bits(0x0101010101010101)
        owners |= owners >> bits(7)
        owners |= owners >> bits(14)
        owners |= owners >> bits(28)
        found |= (owners & bits(0xFF)) << bits(first)
    return found


@compiled
def write_cards(state: State, setup: Setup, out: Floats) -> None:
    """Write where the cards outside the kingdoms are, and the symbols of those in the row."""
    write_set(state.discarded, WHERE_CARDS + DISCARDED * CARDS, out)
    write_set(state.unseen, WHERE_CARDS + IN_DECK * CARDS, out)
    for place in range(wide(state.row_count)):
        card = bits(state.row[place])
        out[bits(WHERE_CARDS + IN_ROW * CARDS) + card] = OF_ROW[place + 1]
        at = ROW_SYMBOLS + place * SYMBOL_ROWS
        out[at + DRAFT_SYMBOLS] = OF_DRAFTS[bits(setup.draft[card])]
        for kind in range(KINDS):
            out[at + PAWN_SYMBOLS + kind] = OF_PAWNS[bits(setup.pawns[card, kind])]
        out[at + MOVE_SYMBOLS] = OF_MOVES[bits(setup.moves[card])]
        out[at + PROSPERITY_SYMBOLS] = OF_PROSPERITY[bits(setup.prosperity[card])]
        out[at + MARK] = setup.marked[card] != 0


@compiled
def write_set(cards: int, first: int, out: Floats) -> None:
    """Write 1 for each card of a set and 0 for the others, and for up to three more, four at a time."""
    for four in range(0, CARDS, 4):
        members = cards >> bits(four) & bits(15)
        for member in range(4):
            out[first + four + member] = FOURS[members, member]


@compiled
def write_seat(state: State, setup: Setup, seat: int, place: int, capacity: int, out: Floats) -> None:
    """Write what is public of one seat, at its place from the observer; its tokens once the game is over."""
    sums = bits(0)
    own = bits(WHERE_CARDS + (IN_KINGDOMS + place) * CARDS)
    for number in range(wide(state.kingdom_count[seat])):
        card = bits(state.kingdoms[seat, number])
        out[own + card] = 1.0
        sums += setup.sums[card]
    draft, moves, prosperity, hungry = sum_of(sums, 0), sum_of(sums, 1), sum_of(sums, 2), sum_of(sums, 3)
    at = KINGDOMS + place * SUMMARY
    out[at + ALL_DRAFT] = OF_MANY_SYMBOLS[bits(min(draft, MANY_SYMBOLS))]
    out[at + ALL_MOVES] = OF_MANY_SYMBOLS[bits(min(moves, MANY_SYMBOLS))]
    out[at + ALL_PROSPERITY] = OF_MANY_SYMBOLS[bits(min(prosperity, MANY_SYMBOLS))]
    out[at + TO_FEED] = OF_KINGDOM[bits(hungry)]
    out[at + FED] = OF_KINGDOM[bits(min(hungry, capacity))]
    for kind in range(KINDS):
        out[SUPPLY + place * KINDS + kind] = SHARES[kind, bits(state.supply[seat, kind])]
    out[POINTS + place] = OF_MANY_POINTS[bits(min(wide(state.points[seat]), MANY_POINTS))]
    out[TOKENS_OF + place * 2] = OF_TOKENS[bits(count_tokens(state.kept[seat]))]
    if state.seat == seat:
        out[TOKENS_OF + place * 2 + 1] = OF_TOKENS[bits(count_tokens(state.drawn))]
    if place == 0 or state.phase == GAME_OVER:
        write_tokens(state.kept[seat], KEPT + place * len(VALUES), out)


@compiled
def sum_of(sums: int, number: int) -> int:
    """Return one of the sums of what cards add to a kingdom."""
    return wide(sums >> bits(SUM_BITS * number) & bits((1 << SUM_BITS) - 1))


@compiled
def write_tokens(tokens: Bytes, first: int, out: Floats) -> None:
    """Write how many tokens there are of each value."""
    for value in range(len(VALUES)):
        out[first + value] = OF_TOKENS[bits(tokens[value])]


@compiled
def write_own_tokens(state: State, seat: int, out: Floats) -> None:
    """Write the tokens that the seat has drawn, in this turn and in earlier ones."""
    if state.seat == seat:
        write_tokens(state.drawn, DRAWN, out)
    at = wide(DRAWS)
    for turn in range(wide(state.logged)):
        # A branch that cannot be predicted costs more than work in vain: the next turn overwrites that of another seat.
        write_tokens(state.log[turn, 1:], at, out)
        at += len(VALUES) * wide(state.log[turn, 0] == seat)
    out[at : at + len(VALUES)] = 0.0


@compiled
def write_turn(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write the phase, the seat to move, and the progress of the game."""
    players = wide(setup.players)
    phase = wide(state.phase)
    out[BAG] = OF_TOKENS[bits(count_tokens(state.bag))]
    for kind in range(KINDS):
        out[PENDING + kind] = OF_PAWNS[bits(state.pending[kind])]
        out[FLEEING + kind] = SHARES[kind, bits(state.fleeing[kind])]
    if state.retreating != NOBODY:
        out[WHO_RETREATS + (wide(state.retreating) - seat + players) % players] = 1.0
    out[MOVES_LEFT] = OF_MANY_MOVES[bits(min(wide(state.moves_left), MANY_MOVES))]
    if phase == DRAFTING:
        out[CHOICES] = OF_ROW[bits(draft_choices(state, setup))]
    out[CAPACITY] = OF_KINGDOM[bits(min(wide(state.capacity), KINGDOM))]
    out[ROUND] = OF_KINGDOM[bits(min(wide(state.round_number), KINGDOM))]
    out[ROUND + 1] = state.last_round != 0
    mover = to_move(state)
    if mover != OVER:
        out[DECISION + phase] = 1.0
        out[TO_MOVE + (SEATS if mover == CHANCE else (mover - seat + players) % players)] = 1.0
        out[TURN + (wide(state.seat) - seat + players) % players] = 1.0
    out[SEAT + seat] = 1.0
    out[HOW_MANY + players - PLAYERS[0]] = 1.0


def longest(setups: Structs) -> tuple[int, int]:
    """Return the most decisions and chance outcomes of a game.

    In its turn number t, a seat has no more moves than the t cards with the most move symbols give.
    """
    setup = setups[0]
    players, cards = int(setup.players), int(setup.cards)
    turns = turns_each(sum(age < AGES for age in setup.age[1 : cards + 1].tolist()), players)
    best = sorted(setup.moves[1 : cards + 1].tolist(), reverse=True)[:turns]
    moves = turns * int(setup.moves[0]) + sum(accumulate(best))
    # A seat chooses a start space. In each turn it drafts, recruits and ends its moves; a move takes up to three
    # decisions. It can discard every card that it ever had, each with its pawns.
    each = 1 + turns * (2 + MOST_PAWNS) + 3 * moves + (turns + 1) * (1 + MOST_PAWNS)
    return players * each, cards + players * moves


ENCODING = Encoding(
    version=1,
    observation=OBSERVATION,
    actions=ACTION_BLOCKS,
    chance=range(CARD, DRAFT),
    longest=longest,
    observe=observe,
)
assert ENCODING.action_count == ACTIONS
