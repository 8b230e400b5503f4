"""Writing actions, moving pawns, the history of quiet moves, and the end of a game: what the variants' rules share."""

from mchezo.core import arrays
from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, Bytes, bits, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.structs import State


@compiled
def place_pawn(state: State, square: int) -> None:
    """Put a pawn from the hand on a square."""
    seat = wide(state.seat)
    state.cells[square] = seat + 1
    state.places[seat, state.pawns[seat]] = square
    state.pawns[seat] += 1
    state.in_hand[seat] -= 1
    state.last[0] = -1
    state.last[1] = square
    state.seat = 1 - seat


@compiled
def move_pawn(state: State, start: int, target: int) -> None:
    """Move a pawn, capture what stands on its target, and record the move if it is quiet."""
    captured = state.cells[target] != structs.EMPTY
    state.cells[start] = structs.EMPTY
    state.cells[target] = state.seat + 1
    relocate(state.places[state.seat], start, target)
    state.moves_made += 1
    state.last[0] = start
    state.last[1] = target
    state.seat = 1 - state.seat
    if captured:
        state.pawns[state.seat] -= 1
        relocate(state.places[state.seat], target, structs.OUT)
    if captured or target >= structs.SQUARES:
        state.quiet = 0
    else:
        state.trail[state.quiet, 0] = start
        state.trail[state.quiet, 1] = target
        state.quiet += 1


@compiled
def write_actions(out: Actions, count: int, first: int, squares: int) -> int:
    """Append an action for each square of a set, `first` being that of square 0; return the new count."""
    rest = squares
    while rest:
        square = rest & (~rest + bits(1))
        rest ^= square
        out[count] = first + bit_index(square)
        count += 1
    return count


@compiled
def relocate(places: Bytes, old: int, new: int) -> None:
    """Change the place of the pawn that stands on the old one."""
    # Without a branch, this is compiled to vector instructions.
    before, after = arrays.int8(old), arrays.int8(new)
    for pawn in range(structs.PAWNS):
        places[pawn] = after if places[pawn] == before else places[pawn]


@compiled
def finish(state: State, ending: int, winner: int) -> None:
    """End the game."""
    state.phase = structs.GAME_OVER
    state.ending = ending
    state.winner = winner


@compiled
def count_occurrences(state: State) -> int:
    """Return how often this position has occurred with the same seat to move.

    Walking back the trail of quiet moves, one bitboard per side keeps the squares that differ from now; whenever both
    are empty, the position was the same.
    """
    occurrences = 1
    mine = theirs = bits(0)
    at = bits(state.quiet)  # an index without a sign needs no check
    while at > bits(1):
        at -= bits(2)
        mine ^= squares_of(state.trail[at + bits(1)])
        theirs ^= squares_of(state.trail[at])
        occurrences += mine | theirs == 0
    return occurrences


@compiled
def squares_of(move: Bytes) -> int:
    """Return the two squares of a quiet move as a bitboard."""
    one = bits(1)
    return (one << bits(move[0])) | (one << bits(move[1]))
