"""Observations and actions of Kitara as numbers, from the point of view of a seat. See docs/research.md.

Seats are numbered from the observing one, in turn order. A seat sees the values of its own hero tokens and the number
of the others'; once the game is over, every seat sees all of them.
"""

from itertools import accumulate

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.encoding import Block, Encoding, Floats, starts
from mchezo.core.structs import CHANCE, OVER, Structs, bits, wide
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
from mchezo.games.kitara.rules import feeding_capacities, hungry_cards, to_move
from mchezo.games.kitara.structs import (
    ACTIONS,
    CARD,
    CARDS,
    DRAFT,
    DRAFTING,
    FREE,
    GAME_OVER,
    GROUP_SHAPE,
    KINDS,
    KINGDOM,
    NOBODY,
    NOWHERE,
    SEATS,
    SPACES,
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
    out[:] = 0.0
    seat = wide(seat)
    players = wide(setup.players)
    write_map(state, setup, seat, out)
    write_cards(state, setup, out)
    capacities = feeding_capacities(state, setup)
    whose = seat
    for place in range(players):
        write_seat(state, setup, whose, place, wide(capacities >> bits(8 * (whose + 1)) & bits(0xFF)), out)
        whose = whose + 1 if whose + 1 < players else wide(0)
    write_own_tokens(state, seat, out)
    write_turn(state, setup, seat, out)


@compiled
def write_map(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write the spaces, their pawns, and the border being crossed."""
    players, spaces = wide(setup.players), wide(setup.spaces)
    # Loops without a branch are compiled to vector instructions.
    for kind in range(KINDS):
        for space in range(SPACES):
            out[KIND + kind * SPACES + space] = (setup.kind[space] == kind) & (space < spaces)
    for space in range(SPACES):
        out[STARTS + space] = setup.start[space] != 0
    for space in range(spaces):
        owner = wide(state.owner[space])
        if owner != FREE:
            place = owner - 1 - seat
            if place < 0:
                place += players
            at = bits(ON_SPACES + place * KINDS * SPACES + space)  # an index without a sign needs no check
            for kind in range(KINDS):
                out[at + bits(kind * SPACES)] = SHARES[kind, bits(state.pawns[space, kind])]
    for end in range(2):
        if state.crossing[end] != NOWHERE:
            out[CROSSING + end * SPACES + wide(state.crossing[end])] = 1.0


@compiled
def write_cards(state: State, setup: Setup, out: Floats) -> None:
    """Write where the cards outside the kingdoms are, and the symbols of those in the row."""
    for card in range(1, wide(setup.cards) + 1):
        out[WHERE_CARDS + DISCARDED * CARDS + card] = state.discarded >> bits(card) & bits(1) != bits(0)
        out[WHERE_CARDS + IN_DECK * CARDS + card] = state.unseen >> bits(card) & bits(1) != bits(0)
    for place in range(wide(state.row_count)):
        card = wide(state.row[place])
        out[WHERE_CARDS + IN_ROW * CARDS + card] = (place + 1) / ROW
        at = ROW_SYMBOLS + place * SYMBOL_ROWS
        out[at + DRAFT_SYMBOLS] = setup.draft[card] / MOST_DRAFTS
        for kind in range(KINDS):
            out[at + PAWN_SYMBOLS + kind] = setup.pawns[card, kind] / MOST_PAWNS
        out[at + MOVE_SYMBOLS] = setup.moves[card] / MOST_MOVES
        out[at + PROSPERITY_SYMBOLS] = setup.prosperity[card] / MOST_PROSPERITY
        out[at + MARK] = setup.marked[card] != 0


@compiled
def write_seat(state: State, setup: Setup, seat: int, place: int, capacity: int, out: Floats) -> None:
    """Write what is public of one seat, at its place from the observer; its tokens once the game is over."""
    draft = moves = prosperity = wide(0)
    for number in range(wide(state.kingdom_count[seat])):
        card = wide(state.kingdoms[seat, number])
        out[WHERE_CARDS + (IN_KINGDOMS + place) * CARDS + card] = 1.0
        draft += setup.draft[card]
        moves += setup.moves[card]
        prosperity += setup.prosperity[card]
    hungry = hungry_cards(state, setup, seat)
    at = KINGDOMS + place * SUMMARY
    out[at + ALL_DRAFT] = min(1.0, draft / MANY_SYMBOLS)
    out[at + ALL_MOVES] = min(1.0, moves / MANY_SYMBOLS)
    out[at + ALL_PROSPERITY] = min(1.0, prosperity / MANY_SYMBOLS)
    out[at + TO_FEED] = hungry / KINGDOM
    out[at + FED] = min(hungry, capacity) / KINGDOM
    for kind in range(KINDS):
        out[SUPPLY + place * KINDS + kind] = SHARES[kind, wide(state.supply[seat, kind])]
    out[POINTS + place] = min(1.0, wide(state.points[seat]) / MANY_POINTS)
    out[TOKENS_OF + place * 2] = count_tokens(state.kept[seat]) / TOKENS
    if state.seat == seat:
        out[TOKENS_OF + place * 2 + 1] = count_tokens(state.drawn) / TOKENS
    if place == 0 or state.phase == GAME_OVER:
        for value in range(len(VALUES)):
            out[KEPT + place * len(VALUES) + value] = state.kept[seat, value] / TOKENS


@compiled
def write_own_tokens(state: State, seat: int, out: Floats) -> None:
    """Write the tokens that the seat has drawn, in this turn and in earlier ones."""
    if state.seat == seat:
        for value in range(len(VALUES)):
            out[DRAWN + value] = state.drawn[value] / TOKENS
    at = DRAWS
    for turn in range(wide(state.logged)):
        if state.log[turn, 0] == seat:
            for value in range(len(VALUES)):
                out[at + value] = state.log[turn, 1 + value] / TOKENS
            at += len(VALUES)


@compiled
def write_turn(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write the phase, the seat to move, and the progress of the game."""
    players = wide(setup.players)
    phase = wide(state.phase)
    out[BAG] = count_tokens(state.bag) / TOKENS
    for kind in range(KINDS):
        out[PENDING + kind] = state.pending[kind] / MOST_PAWNS
        out[FLEEING + kind] = state.fleeing[kind] / PAWNS_EACH[kind]
    if state.retreating != NOBODY:
        out[WHO_RETREATS + (wide(state.retreating) - seat + players) % players] = 1.0
    out[MOVES_LEFT] = min(1.0, wide(state.moves_left) / MANY_MOVES)
    if phase == DRAFTING:
        out[CHOICES] = draft_choices(state, setup) / ROW
    out[CAPACITY] = min(1.0, wide(state.capacity) / KINGDOM)
    out[ROUND] = min(1.0, wide(state.round_number) / KINGDOM)
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
