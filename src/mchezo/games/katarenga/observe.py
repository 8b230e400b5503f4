"""Observations and actions of Katarenga as numbers, from the point of view of a seat. See docs/research.md."""

from mchezo.core import arrays
from mchezo.core.compiled import compiled
from mchezo.core.encoding import Block, Encoding, Floats, starts
from mchezo.core.structs import OVER, Structs, wide
from mchezo.games.katarenga.legal import may_capture
from mchezo.games.katarenga.rules import to_move
from mchezo.games.katarenga.structs import (
    ACTIONS,
    ALONE,
    BATTLE_STATIONS,
    CENTRAL_PARK,
    COLORADO,
    CONGRESS,
    EMPTY,
    ENTERING,
    FOLLOWING,
    GAME_OVER,
    ISOLATION,
    ISOLATION_ALONE,
    KATARENGA,
    LONGEST_QUIET,
    MOVING,
    PASSAGE,
    PAWNS,
    PLACES,
    PLACING,
    QUEBEC,
    SQUARES,
    STATIONING,
    Setup,
    State,
    first_camp,
    on_board,
)

BOARD = (8, 8)
CAMPS = 2  # of each side
MOST_OCCURRENCES = 3

OBSERVATION = (
    Block(
        "own_pawns",
        BOARD,
        "1 where a pawn of the seat stands, in Central Park a quarter for each; ranks 1 to 8, in each files a to h",
    ),
    Block("other_pawns", BOARD, "1 where a pawn of the opponent stands"),
    Block("colours", (4, *BOARD), "red, green, blue, yellow squares, as the board lies now"),
    Block("last_from", BOARD, "1 where the last move began"),
    Block("last_to", BOARD, "1 where the last move ended"),
    Block("own_camps", (CAMPS,), "the enemy camps that the seat holds, a and h"),
    Block("other_camps", (CAMPS,), "the seat's own camps that the opponent holds, a and h"),
    Block("in_hand", (2,), "pawns not yet on the board, own and other, of 8"),
    Block("quiet", (1,), "moves since the last capture or camp entry, of 200"),
    Block("occurrences", (MOST_OCCURRENCES,), "the position stands for the first, second or third time"),
    Block("decision", (GAME_OVER,), "choose the baseline, move, place"),
    Block("to_move", (2,), "the seat itself, the opponent; neither once the game is over"),
    Block("seat", (2,), "White, Black"),
    Block("variant", (ISOLATION + 1,), "Katarenga, Congress, Quebec, Isolation; all 0 in the other games"),
    Block("options", (3,), "no capture in this move, no first capture at all, Isolation between opposite colours only"),
)
(
    OWN_PAWNS,
    OTHER_PAWNS,
    COLOURS,
    LAST_FROM,
    LAST_TO,
    OWN_CAMPS,
    OTHER_CAMPS,
    IN_HAND,
    QUIET,
    OCCURRENCES,
    DECISION,
    TO_MOVE,
    SEAT,
    VARIANT,
    OPTIONS,
) = starts(OBSERVATION)

ACTION_BLOCKS = (
    Block(
        "move",
        (SQUARES, PLACES),
        "from a square (a1, b1 ... h8) to a square or a camp (a9, h9, a0, h0): `d1-d4`; a1-a1 is `pass`, b1-b1 `swap`",
    ),
    Block("place", (SQUARES,), "a pawn on a square: `@d4`"),
    Block("baseline", (4,), "turn the board by quarters, clockwise: `turn90`"),
)


@compiled
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what the seat sees. Squares are numbered as in actions, for either seat."""
    seat = wide(seat)
    other = 1 - seat
    # Loops without a branch are compiled to vector instructions; bytes are compared with bytes for the same reason.
    own, empty = arrays.int8(seat + 1), arrays.int8(EMPTY)
    for square in range(SQUARES):
        out[OWN_PAWNS + square] = state.cells[square] == own
    for square in range(SQUARES):
        out[OTHER_PAWNS + square] = (state.cells[square] != empty) & (state.cells[square] != own)
    colours = setup.colours[wide(state.turned)]
    for colour in range(4):
        for square in range(SQUARES):
            out[COLOURS + colour * SQUARES + square] = colours[square] == colour
    out[LAST_FROM:] = 0.0
    if 0 <= state.last[0] < SQUARES:
        out[LAST_FROM + wide(state.last[0])] = 1.0
    if 0 <= state.last[1] < SQUARES:
        out[LAST_TO + wide(state.last[1])] = 1.0
    for camp in range(CAMPS):
        out[OWN_CAMPS + camp] = state.cells[first_camp(seat) + camp] != EMPTY
        out[OTHER_CAMPS + camp] = state.cells[first_camp(other) + camp] != EMPTY
    out[IN_HAND] = state.in_hand[seat] / PAWNS
    out[IN_HAND + 1] = state.in_hand[other] / PAWNS
    out[QUIET] = state.quiet / LONGEST_QUIET
    out[OCCURRENCES + wide(state.occurrences) - 1] = 1.0
    mover = to_move(state)
    if mover != OVER:
        out[DECISION + decision(wide(state.phase))] = 1.0
        out[TO_MOVE + (mover != seat)] = 1.0
    out[SEAT + seat] = 1.0
    if setup.variant <= ISOLATION:
        out[VARIANT + wide(setup.variant)] = 1.0
    else:
        observe_pawns(state, setup, seat, out)
    out[OPTIONS] = not may_capture(state, setup)
    out[OPTIONS + 1] = setup.no_first_capture != 0
    out[OPTIONS + 2] = setup.opposite_only != 0


@compiled
def decision(phase: int) -> int:
    """Return whether a phase chooses the baseline, moves or places."""
    if phase < GAME_OVER:
        return phase
    return PLACING if phase in (FOLLOWING, STATIONING, ENTERING, ALONE) else MOVING


@compiled
def observe_pawns(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write the pawns of the games from Troika on, some of which let pawns share squares."""
    for whose in range(2):
        first = OWN_PAWNS if whose == seat else OTHER_PAWNS
        out[first : first + SQUARES] = 0.0
        for pawn in range(PAWNS):
            place = wide(state.places[whose, pawn])
            if on_board(place):
                out[first + place] += 0.25 if setup.variant == CENTRAL_PARK else 1.0


def longest(setups: Structs) -> tuple[int, int]:
    """Return the most decisions and chance outcomes of a game.

    Apart from the choice of the baseline, Katarenga and Quebec consist of stretches of at most a hundred quiet moves:
    six pawns of each side can be captured, and a camp of each side entered, before the next such move ends the game.
    """
    variant = setups[0].variant
    if variant in (ISOLATION, ISOLATION_ALONE):
        return 2 * PAWNS, 0
    if variant == CONGRESS or variant >= PASSAGE:
        return LONGEST_QUIET, 0
    if variant in (KATARENGA, QUEBEC):
        return 15 * 100 + 1, 0
    if variant == COLORADO:  # at most fifteen captures
        return 16 * 100 + 1, 0
    if variant == CENTRAL_PARK:  # four captures and three pawns settled by each side, each with the choice of a corner
        return 15 * 100 + 8, 0
    if variant == BATTLE_STATIONS:  # fifteen captures, with a pass after each at most
        return 2 * PAWNS + 30, 0
    return 2 * PAWNS + 1 + (100 if setups[0].goes_on else 0), 0


ENCODING = Encoding(
    version=1,
    observation=OBSERVATION,
    actions=ACTION_BLOCKS,
    chance=range(0),
    longest=longest,
    observe=observe,
)
assert ENCODING.action_count == ACTIONS
