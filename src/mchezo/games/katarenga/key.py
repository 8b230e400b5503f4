"""The Zobrist key of a position of Katarenga."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import bits, wide
from mchezo.core.zobrist import zobrist_words
from mchezo.games.katarenga.structs import (
    BLACK,
    CHOOSING_BASELINE,
    CROSSING,
    EMPTY,
    ENTERING,
    GAME_OVER,
    LIFTING,
    OUT,
    PARKING,
    PAWNS,
    PHASES,
    PLACES,
    SQUARES,
    Setup,
    State,
)

# A word for each seat on each place, one for the choice of the baseline, and one for Black to move.
BASELINE = PLACES * 2
BLACK_TO_MOVE = BASELINE + 1
# For the games from Troika on: the phase, a square that matters (the pawn placed last or exposed), and in Central Park
# each side's homing square, pawns in hand, and the second, third and so on pawn on a square.
PHASE = BLACK_TO_MOVE + 1
SQUARE = PHASE + PHASES
HOMING = SQUARE + SQUARES
IN_HAND = HOMING + SQUARES * 2
ANOTHER = IN_HAND + (PAWNS + 1) * 2
WORDS = zobrist_words(ANOTHER + PAWNS * PLACES * 2)


@compiled
def key(state: State) -> int:
    """Return the key of pawns, side to move and turn of the board; the history of the position does not count."""
    word = bits(state.turned) if state.phase != CHOOSING_BASELINE else bits(WORDS[BASELINE])
    for seat in range(2):
        for pawn in range(PAWNS):
            place = wide(state.places[seat, pawn])
            if place != OUT:
                word ^= WORDS[place * 2 + seat]
    if state.seat == BLACK:
        word ^= WORDS[BLACK_TO_MOVE]
    if state.phase > GAME_OVER:
        word ^= key_of_variant(state)
    return word


@compiled
def key_after(state: State, setup: Setup, key: int, action: int) -> int:
    """Return the key after an action, if it moves a pawn and nothing else matters."""
    start, target = wide(action) // PLACES, wide(action) % PLACES
    seat = wide(state.seat)
    key = bits(key) ^ WORDS[start * 2 + seat] ^ WORDS[target * 2 + seat] ^ WORDS[BLACK_TO_MOVE]
    if state.cells[target] != EMPTY:
        key ^= WORDS[target * 2 + 1 - seat]
    return key


@compiled
def key_of_variant(state: State) -> int:
    """Return what else counts in the games from Troika on."""
    phase = wide(state.phase)
    word = bits(WORDS[PHASE + phase])
    square = wide(OUT)
    if phase <= LIFTING:
        square = wide(state.last[1])
    elif phase == CROSSING:
        square = wide(state.exposed)
    if square != OUT:
        word ^= WORDS[SQUARE + square]
    if phase in (PARKING, ENTERING):
        for seat in range(2):
            word ^= WORDS[IN_HAND + wide(state.in_hand[seat]) * 2 + seat]
            if state.homing[seat] != OUT:
                word ^= WORDS[HOMING + wide(state.homing[seat]) * 2 + seat]
            for pawn in range(PAWNS):
                place = wide(state.places[seat, pawn])
                if place != OUT:
                    before = wide(0)
                    for other in range(pawn):
                        before += state.places[seat, other] == place
                    word ^= WORDS[ANOTHER + (before * PLACES + place) * 2 + seat]
    return word
