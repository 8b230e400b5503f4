"""Kitara in numbers: what a seat observes, own things first, and which actions there are. See docs/research.md.

Seats are counted from the one that looks, in turn order. Of hero tokens a seat sees the values of its own, and how many
the others have; when the game is over everybody sees all.
"""

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.encoding import Block, Encoding, Floats, starts
from mchezo.core.structs import CHANCE, OVER, Structs, bits, wide
from mchezo.games.kitara.choices import draft_choices
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
from mchezo.games.kitara.hidden import count_tokens
from mchezo.games.kitara.rules import feeding_capacity, hungry_cards, to_move
from mchezo.games.kitara.structs import (
    ACTIONS,
    CARD,
    CARDS,
    DRAFT,
    DRAFT_CARD,
    FREE,
    KINDS,
    KINGDOM,
    NOBODY,
    NOTHING,
    NOWHERE,
    SEATS,
    SPACES,
    STATE,
    Setup,
    State,
)

# What is counted without a limit is given as a part of these, and never as more than 1.
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
WHERE = 3 + SEATS  # a card can be in the row, in a kingdom, discarded, in the deck; how far right it lies in the row

OBSERVATION = (
    Block("pawns", (SEATS, KINDS, SPACES), "warriors of 10, master-animals of 5, heroes of 3 on each space, by seats"),
    Block("kind", (KINDS, SPACES), "savannas, ruins, lakes"),
    Block("start", (SPACES,), "start spaces"),
    Block("crossing", (2, SPACES), "the border of the present move: from, to"),
    Block("cards", (WHERE, CARDS), "in the row (1/6 leftmost, 6/6), in the kingdoms by seats, discarded, in the deck"),
    Block(
        "row", (ROW, SYMBOL_ROWS), "what these cards show: draft of 6, W, A, H of 3, moves of 6, prosperity of 9, mark"
    ),
    Block("kingdoms", (SEATS, 5), "by seats: draft, move and prosperity symbols of 20, cards to feed and fed of 16"),
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
    RETREATING,
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
IN_ROW, IN_KINGDOMS, DISCARDED, IN_DECK = 0, 1, 1 + SEATS, 2 + SEATS

KINDS_OF_ACTION = (
    Block("start", (SPACES,), "take a start space: `@a1`"),
    Block("card", (CARDS,), "chance turns a card up: `=1.3`"),
    Block("token", (len(VALUES),), "chance draws a hero token: `=4`"),
    Block("draft", (CARDS,), "take a card from the row: `+1.3`"),
    Block("recruit", (KINDS, SPACES), "a warrior, master-animal or hero joins a space: `W@a1`"),
    Block("cross", (SPACES, SPACES), "choose a border, from space to space: `a1-a2`"),
    Block("end", (1,), "end the moves: `.`"),
    Block("pawns", (11, 6, 4), "so many warriors, master-animals and heroes cross it: `W2A1H1`"),
    Block("retreat", (SPACES,), "to an own space: `>b2`"),
    Block("discard", (CARDS,), "a card that cannot be fed: `-1.3`"),
    Block("remove", (KINDS, SPACES), "a pawn leaves the board: `xW@a1`"),
)


@compiled
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what the seat sees: everything but the values of the others' tokens."""
    out[:] = 0.0
    seat = wide(seat)
    players = wide(setup.players)
    write_map(state, setup, seat, out)
    write_cards(state, setup, out)
    for place in range(players):
        write_seat(state, setup, (seat + place) % players, place, out)
    write_own_tokens(state, seat, out)
    write_turn(state, setup, seat, out)


@compiled
def write_map(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """The spaces, who stands there, and the border being crossed."""
    players = wide(setup.players)
    for space in range(wide(setup.spaces)):
        out[KIND + wide(setup.kind[space]) * SPACES + space] = 1.0
        out[STARTS + space] = setup.start[space] != 0
        if state.owner[space] != FREE:
            place = (wide(state.owner[space]) - 1 - seat + players) % players
            for kind in range(KINDS):
                at = ON_SPACES + (place * KINDS + kind) * SPACES + space
                out[at] = state.pawns[space, kind] / PAWNS_EACH[kind]
    for end in range(2):
        if state.crossing[end] != NOWHERE:
            out[CROSSING + end * SPACES + wide(state.crossing[end])] = 1.0


@compiled
def write_cards(state: State, setup: Setup, out: Floats) -> None:
    """Where the cards are that belong to no seat, and what those in the row show."""
    for card in range(1, wide(setup.cards) + 1):
        out[WHERE_CARDS + DISCARDED * CARDS + card] = state.discarded >> bits(card) & bits(1) != bits(0)
        out[WHERE_CARDS + IN_DECK * CARDS + card] = state.unseen >> bits(card) & bits(1) != bits(0)
    for place in range(wide(state.row_count)):
        card = wide(state.row[place])
        out[WHERE_CARDS + IN_ROW * CARDS + card] = (place + 1) / ROW
        at = ROW_SYMBOLS + place * SYMBOL_ROWS
        out[at] = setup.draft[card] / MOST_DRAFTS
        for kind in range(KINDS):
            out[at + 1 + kind] = setup.pawns[card, kind] / MOST_PAWNS
        out[at + 4] = setup.moves[card] / MOST_MOVES
        out[at + 5] = setup.prosperity[card] / MOST_PROSPERITY
        out[at + 6] = setup.marked[card] != 0


@compiled
def write_seat(state: State, setup: Setup, seat: int, place: int, out: Floats) -> None:
    """What everybody sees of one seat, counted from the one that looks; its tokens' values once the game is over."""
    draft = moves = prosperity = wide(0)
    for number in range(wide(state.kingdom_count[seat])):
        card = wide(state.kingdoms[seat, number])
        out[WHERE_CARDS + (IN_KINGDOMS + place) * CARDS + card] = 1.0
        draft += setup.draft[card]
        moves += setup.moves[card]
        prosperity += setup.prosperity[card]
    hungry = hungry_cards(state, setup, seat)
    out[KINGDOMS + place * 5] = min(1.0, draft / MANY_SYMBOLS)
    out[KINGDOMS + place * 5 + 1] = min(1.0, moves / MANY_SYMBOLS)
    out[KINGDOMS + place * 5 + 2] = min(1.0, prosperity / MANY_SYMBOLS)
    out[KINGDOMS + place * 5 + 3] = hungry / KINGDOM
    out[KINGDOMS + place * 5 + 4] = min(hungry, feeding_capacity(state, setup, seat)) / KINGDOM
    for kind in range(KINDS):
        out[SUPPLY + place * KINDS + kind] = state.supply[seat, kind] / PAWNS_EACH[kind]
    out[POINTS + place] = min(1.0, wide(state.points[seat]) / MANY_POINTS)
    out[TOKENS_OF + place * 2] = count_tokens(state.kept[seat]) / TOKENS
    if state.turn == seat:
        out[TOKENS_OF + place * 2 + 1] = count_tokens(state.drawn) / TOKENS
    if place == 0 or state.step == NOTHING:
        for value in range(len(VALUES)):
            out[KEPT + place * len(VALUES) + value] = state.kept[seat, value] / TOKENS


@compiled
def write_own_tokens(state: State, seat: int, out: Floats) -> None:
    """The tokens that the seat has drawn, in this turn and in its earlier ones."""
    if state.turn == seat:
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
    """What is being decided, by whom, and how far the game has come."""
    players = wide(setup.players)
    step = wide(state.step)
    out[BAG] = count_tokens(state.bag) / TOKENS
    for kind in range(KINDS):
        out[PENDING + kind] = state.pending[kind] / MOST_PAWNS
        out[FLEEING + kind] = state.fleeing[kind] / PAWNS_EACH[kind]
    if state.retreating != NOBODY:
        out[RETREATING + (wide(state.retreating) - seat + players) % players] = 1.0
    out[MOVES_LEFT] = min(1.0, wide(state.moves_left) / MANY_MOVES)
    if step == DRAFT_CARD:
        out[CHOICES] = draft_choices(state, setup) / ROW
    out[CAPACITY] = min(1.0, wide(state.capacity) / KINGDOM)
    out[ROUND] = min(1.0, wide(state.round_number) / KINGDOM)
    out[ROUND + 1] = state.last_round != 0
    mover = to_move(state)
    if mover != OVER:
        out[DECISION + step] = 1.0
        out[TO_MOVE + (SEATS if mover == CHANCE else (mover - seat + players) % players)] = 1.0
        out[TURN + (wide(state.turn) - seat + players) % players] = 1.0
    out[SEAT + seat] = 1.0
    out[HOW_MANY + players - PLAYERS[0]] = 1.0


def longest(setups: Structs) -> tuple[int, int]:
    """Follows from the cards: in its turn number t a seat has no more moves than the t cards with most of them give."""
    setup = setups[0]
    players, cards = int(setup.players), int(setup.cards)
    turns = turns_each(int((setup.age[1 : cards + 1] < AGES).sum()), players)
    best = np.sort(setup.moves[1 : cards + 1].astype(int))[::-1][:turns]
    moves = turns * int(setup.moves[0]) + int(best.cumsum().sum())
    # A seat takes a start space. In a turn it drafts, recruits, and ends its moves; a move may take three decisions. It
    # can discard every card it ever had, each with its pawns.
    each = 1 + turns * (2 + MOST_PAWNS) + 3 * moves + (turns + 1) * (1 + MOST_PAWNS)
    return players * each, cards + players * moves


ENCODING = Encoding(
    version=1,
    observation=OBSERVATION,
    actions=KINDS_OF_ACTION,
    chance=range(CARD, DRAFT),
    longest=longest,
)
assert ENCODING.action_count == ACTIONS

verbs.enter(STATE, observe=observe)
