"""The rules of Katarenga, Congress, Quebec and Isolation, once, for the compiler; see structs.py for its numbers."""

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import fixed_words
from mchezo.core.structs import OVER, Actions, Bytes, Numbers, Weights, Words64, bits, wide
from mchezo.games.katarenga.structs import (
    BLACK,
    BLUE,
    BOTH_CAMPS,
    CHOOSE_BASELINE,
    CONGRESS,
    CONNECTED,
    EMPTY,
    FIFTY_MOVES,
    GREEN,
    HUNDRED_MOVES,
    ISOLATION,
    KATARENGA,
    MOVE,
    NO_MOVE,
    NO_PLACE,
    NONE,
    OUT,
    PAWNS,
    PLACE,
    PLACE_PAWN,
    PLACES,
    REPETITION,
    SQUARES,
    STATE,
    TOO_FEW_PAWNS,
    TURN,
    WHITE,
    Setup,
    State,
)


@compiled
def to_move(state: State) -> int:
    """The seat to move, or OVER."""
    return OVER if state.ending else wide(state.seat)


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """The legal actions of the seat to move."""
    if state.ending:
        return 0
    if state.decision == CHOOSE_BASELINE:
        for quarters in range(4):
            out[quarters] = TURN + quarters
        return 4
    if state.decision == PLACE_PAWN:
        return placings(state, setup, out)
    return moves(state, setup, out)


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Make one legal action, and see whether it ends the game."""
    if action >= TURN:
        state.turned = action - TURN
        set_up_pawns(state)
    elif action >= PLACE:
        square = action - PLACE
        state.cells[square] = state.seat + 1
        state.places[state.seat, state.pawns[state.seat]] = square
        state.pawns[state.seat] += 1
        state.in_hand[state.seat] -= 1
        state.last[0] = -1
        state.last[1] = square
        state.seat = 1 - state.seat
    else:
        move_pawn(state, action // PLACES, action % PLACES)
    settle(state, setup)


@compiled
def set_up_pawns(state: State) -> None:
    """Eight pawns each on the own baseline; White begins, because Black has chosen the side."""
    for file in range(8):
        state.cells[file] = WHITE + 1
        state.cells[56 + file] = BLACK + 1
        state.places[WHITE, file] = file
        state.places[BLACK, file] = 56 + file
    for seat in range(2):
        state.pawns[seat] = PAWNS
        state.in_hand[seat] = 0
    state.seat = WHITE
    state.decision = MOVE


@compiled
def move_pawn(state: State, start: int, target: int) -> None:
    """Move a pawn, take what stands there, and keep the trail of quiet moves."""
    captured = state.cells[target] != EMPTY
    state.cells[start] = EMPTY
    state.cells[target] = state.seat + 1
    relocate(state.places[state.seat], start, target)
    state.moves_made += 1
    state.last[0] = start
    state.last[1] = target
    state.seat = 1 - state.seat
    if captured:
        state.pawns[state.seat] -= 1
        relocate(state.places[state.seat], target, OUT)
    if captured or target >= SQUARES:
        state.quiet = 0
    else:
        state.trail[state.quiet, 0] = start
        state.trail[state.quiet, 1] = target
        state.quiet += 1


@compiled
def relocate(places: Bytes, old: int, new: int) -> None:
    """The pawn that stood on the old place stands on the new one."""
    for pawn in range(PAWNS):
        if places[pawn] == old:
            places[pawn] = new


@compiled
def moves(state: State, setup: Setup, out: Actions) -> int:
    """The moves of the seat to move."""
    cells = state.cells
    seat = wide(state.seat)
    turned = wide(state.turned)
    # Which contents of a cell let a pawn in, as bits: nothing, and the enemy where captures are allowed.
    open_to = 1 << EMPTY | wide(may_capture(state, setup)) << (2 - seat)
    count = 0
    for pawn in range(PAWNS):
        square = wide(state.places[seat, pawn])
        if not on_board(square):
            continue
        first = square * PLACES
        targets = setup.targets[turned, square]
        end = wide(setup.target_count[turned, square])
        colour = setup.colours[turned, square]
        if colour == GREEN or colour == BLUE:  # noqa: SIM109, a tuple is slower
            # Every target is a path of its own. Writing first and counting after spares the processor a guess.
            for at in range(end):
                target = wide(targets[at])
                out[count] = first + target
                count += open_to >> wide(cells[target]) & 1
        else:
            next_path = setup.next_path[turned, square]
            at = 0
            while at < end:
                target = wide(targets[at])
                there = wide(cells[target])
                out[count] = first + target
                count += open_to >> there & 1
                # A pawn in the way ends the path, whether it can be captured or not.
                at = at + 1 if there == EMPTY else wide(next_path[at])
        if on_enemy_baseline(state, setup, square):
            for camp in range(first_camp(seat), first_camp(seat) + 2):
                if cells[camp] == EMPTY:
                    out[count] = first + camp
                    count += 1
    return count


@compiled
def can_move(state: State, setup: Setup) -> bool:
    """Whether the seat to move has a move: only the first square of each path matters."""
    cells = state.cells
    me = wide(state.seat) + 1
    captures = may_capture(state, setup)
    turned = wide(state.turned)
    for pawn in range(PAWNS):
        square = wide(state.places[state.seat, pawn])
        if not on_board(square):
            continue
        at = 0
        while at < setup.target_count[turned, square]:
            there = cells[setup.targets[turned, square, at]]
            if there == EMPTY or (captures and there != me):
                return True
            at = wide(setup.next_path[turned, square, at])
        if on_enemy_baseline(state, setup, square):
            camp = first_camp(state.seat)
            if cells[camp] == EMPTY or cells[camp + 1] == EMPTY:
                return True
    return False


@compiled
def on_board(place: int) -> bool:
    """Neither in a camp nor out of the game."""
    return 0 <= place < SQUARES


@compiled
def may_capture(state: State, setup: Setup) -> bool:
    """Congress knows no captures; with the option, neither does each side's first move."""
    if setup.variant == CONGRESS:
        return False
    return not (setup.no_first_capture and state.moves_made < 2)


@compiled
def on_enemy_baseline(state: State, setup: Setup, square: int) -> bool:
    """From any square there, whatever its colour, one move leads into a camp."""
    return setup.variant == KATARENGA and square // 8 == (7 if state.seat == WHITE else 0)


@compiled
def first_camp(seat: int) -> int:
    """The first of the two enemy camps that this seat wants."""
    return 64 if seat == WHITE else 66


@compiled
def placings(state: State, setup: Setup, out: Actions) -> int:
    """Isolation: the squares where a pawn may be placed."""
    count = 0
    if state.in_hand[state.seat]:
        reached = reached_squares(state, setup)
        for square in range(SQUARES):
            if may_place(state, setup, square, reached):
                out[count] = PLACE + square
                count += 1
    return count


@compiled
def can_place(state: State, setup: Setup) -> bool:
    """Whether the seat to move has a pawn left and a square for it."""
    if state.in_hand[state.seat]:
        reached = reached_squares(state, setup)
        for square in range(SQUARES):
            if may_place(state, setup, square, reached):
                return True
    return False


@compiled
def reached_squares(state: State, setup: Setup) -> int:
    """The empty squares, as bits, that some pawn could move to, of those the next pawn has to keep away from."""
    reached = bits(0)
    turned = wide(state.turned)
    for square in range(SQUARES):
        if not shuns(state, setup, wide(state.cells[square])):
            continue
        at = 0
        while at < setup.target_count[turned, square]:
            target = wide(setup.targets[turned, square, at])
            if state.cells[target] == EMPTY:
                reached |= bits(1) << bits(target)
                at += 1
            else:
                at = wide(setup.next_path[turned, square, at])
    return reached


@compiled
def may_place(state: State, setup: Setup, square: int, reached: int) -> bool:
    """No pawn could move onto the new one, nor the new one onto another. Older pawns it can only block."""
    if state.cells[square] != EMPTY or reached >> bits(square) & bits(1):
        return False
    turned = wide(state.turned)
    at = 0
    while at < setup.target_count[turned, square]:
        there = wide(state.cells[setup.targets[turned, square, at]])
        if there == EMPTY:
            at += 1
        elif shuns(state, setup, there):
            return False
        else:
            at = wide(setup.next_path[turned, square, at])
    return True


@compiled
def shuns(state: State, setup: Setup, cell: int) -> bool:
    """Whether the next pawn must keep away from what stands on a cell."""
    if setup.opposite_only:
        return cell == 2 - state.seat
    return cell != EMPTY


@compiled
def settle(state: State, setup: Setup) -> None:
    """See whether the position is won, stuck or drawn, in this order."""
    if setup.variant == ISOLATION:
        if not can_place(state, setup):
            end(state, NO_PLACE, 1 - state.seat)
        return
    mover = 1 - wide(state.seat)
    state.occurrences = 1
    if setup.variant == KATARENGA:
        for seat in (mover, 1 - mover):
            camp = first_camp(seat)
            if state.cells[camp] != EMPTY and state.cells[camp + 1] != EMPTY:
                end(state, BOTH_CAMPS, seat)
                return
            if state.pawns[1 - seat] < 2:
                end(state, TOO_FEW_PAWNS, seat)
                return
    else:
        # Connecting both sides wins for the mover; only a capture in Quebec can connect the other side alone.
        for seat in (mover, 1 - mover):
            if connected(state, seat):
                end(state, CONNECTED, seat)
                return
    if not can_move(state, setup):
        end(state, NO_MOVE, mover)
        return
    state.occurrences = count_occurrences(state)
    if state.occurrences == 3:
        end(state, REPETITION, -1)
    elif setup.variant == CONGRESS:
        if state.quiet == 200:
            end(state, HUNDRED_MOVES, -1)
    elif state.quiet == 100:
        end(state, FIFTY_MOVES, -1)


@compiled
def end(state: State, ending: int, winner: int) -> None:
    """The game is over."""
    state.ending = ending
    state.winner = winner
    state.decision = NONE


@compiled
def connected(state: State, seat: int) -> bool:
    """Whether all pawns of a seat form one group, side by side. A lone pawn does."""
    own = bits(0)
    for pawn in range(PAWNS):
        if state.places[seat, pawn] != OUT:
            own |= bits(1) << bits(state.places[seat, pawn])
    not_a = bits(0xFEFEFEFEFEFEFEFE)
    not_h = bits(0x7F7F7F7F7F7F7F7F)
    one, eight = bits(1), bits(8)
    group = own & (~own + one)  # the first pawn; then all it touches, again and again
    while True:
        beside = (group << eight) | (group >> eight) | ((group & not_h) << one) | ((group & not_a) >> one)
        grown = group | (beside & own)
        if grown == group:
            return own == group
        group = grown


@compiled
def count_occurrences(state: State) -> int:
    """How often this position has stood with the same seat to move.

    Walking back the trail, the squares where each side differs from now are kept as bits; when no bit is left the
    position was the same.
    """
    occurrences = 1
    mine = theirs = bits(0)
    for at in range(wide(state.quiet) - 1, 0, -2):
        mine ^= bits_of(state.trail[at])
        theirs ^= bits_of(state.trail[at - 1])
        if mine | theirs == 0:
            occurrences += 1
    return occurrences


@compiled
def bits_of(move: Bytes) -> int:
    """The two squares of a quiet move, as bits."""
    one = bits(1)
    return (one << bits(move[0])) | (one << bits(move[1]))


@compiled
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Nothing is left to chance."""
    return 0


@compiled
def ending(state: State) -> int:
    """How the game ended, by number."""
    return wide(state.ending)


@compiled
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """1 for the winner, -1 for the loser, 0 each for a draw."""
    for seat in range(2):
        out[seat] = 0.0 if state.winner < 0 else (1.0 if state.winner == seat else -1.0)


@compiled
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """A point for a win, half a point each for a draw."""
    for seat in range(2):
        out[seat] = 0.5 if state.winner < 0 else (1.0 if state.winner == seat else 0.0)


CELL_BITS = fixed_words(PLACES * 2 + 2)


@compiled
def key(state: State) -> int:
    """Cells, side to move and turn of the board; how the position came about does not count."""
    mix = bits(state.turned) if state.decision != CHOOSE_BASELINE else bits(CELL_BITS[PLACES * 2])
    for seat in range(2):
        for pawn in range(PAWNS):
            place = wide(state.places[seat, pawn])
            if place != OUT:
                mix ^= CELL_BITS[place * 2 + seat]
    if state.seat == BLACK:
        mix ^= CELL_BITS[PLACES * 2 + 1]
    return mix


@compiled
def hide(state: State, setup: Setup, seat: int, dice: Words64) -> None:
    """Nothing is hidden."""


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
