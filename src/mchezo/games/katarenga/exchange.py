"""Rules of North West Passage, Greengage and Chameleon: the sides change places.

Nothing is captured. Landing on an enemy pawn that stands on one of your goals makes it leave with the next move.
"""

from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, bits, wide
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.bitboards import pawns_of, reached_from, rotate
from mchezo.games.katarenga.pieces import count_occurrences, finish, relocate, write_actions
from mchezo.games.katarenga.structs import BLACK, LONGEST_QUIET, WHITE, Setup, State


@compiled
def targets_of(setup: Setup, seat: int, own: int, enemy: int, start: int) -> int:
    """Return where a pawn can go: to empty squares, and onto enemy pawns on goals that can then leave."""
    occupied = own | enemy
    place = bits(1) << bits(start)
    reach = reached_from(setup, wide(0), start, occupied, rotate(occupied))
    found = reach & ~occupied
    landings = reach & enemy & ~own & bits(setup.goals[seat])
    while landings:
        first = landings & (~landings + bits(1))
        landings ^= first
        after = (own & ~place) | first | enemy
        if reached_from(setup, wide(0), bit_index(first), after, rotate(after)) & ~after:
            found |= first
    return found


@compiled
def movable(own: int, enemy: int) -> int:
    """Return the pawns that may move: the one that an enemy pawn has landed on, otherwise all."""
    return own & enemy if own & enemy else own


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the moves of the seat to move; return their number."""
    count = wide(0)
    seat = wide(state.seat)
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    pawns = movable(own, enemy)
    while pawns:
        pawn = pawns & (~pawns + bits(1))
        pawns ^= pawn
        start = bit_index(pawn)
        targets = targets_of(setup, seat, own, enemy, start)
        count = write_actions(out, count, structs.MOVE + start * structs.PLACES, targets)
    return count


@compiled
def can_move(state: State, setup: Setup) -> bool:
    """Return whether the seat to move has a move."""
    seat = wide(state.seat)
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    pawns = movable(own, enemy)
    while pawns:
        pawn = pawns & (~pawns + bits(1))
        pawns ^= pawn
        if targets_of(setup, seat, own, enemy, bit_index(pawn)):
            return True
    return False


@compiled
def apply(state: State, setup: Setup, action: int) -> None:
    """Move a pawn; an enemy pawn on its target stays there."""
    seat, start, target = wide(state.seat), action // structs.PLACES, action % structs.PLACES
    state.cells[start] &= ~(seat + 1)
    state.cells[target] |= seat + 1
    relocate(state.places[seat], start, target)
    state.last[0] = start
    state.last[1] = target
    state.trail[state.quiet, 0] = start
    state.trail[state.quiet, 1] = target
    state.quiet += 1
    state.moves_made += 1
    state.seat = 1 - seat
    settle(state, setup)


@compiled
def has_filled(state: State, setup: Setup, seat: int) -> bool:
    """Return whether a pawn of the seat stands on each of its goals, alone or not."""
    return bits(setup.goals[seat]) & ~pawns_of(state, seat) == 0


@compiled
def settle(state: State, setup: Setup) -> None:
    """End the game if a side has filled its goals or cannot move, or if it is drawn; checked in this order."""
    state.phase = structs.EXCHANGING
    mover = 1 - wide(state.seat)
    white, black = has_filled(state, setup, wide(WHITE)), has_filled(state, setup, wide(BLACK))
    if setup.variant == structs.PASSAGE:
        if white and black:
            finish(state, structs.BOTH_FILLED, structs.NOBODY)
            return
        if black:
            finish(state, structs.FILLED, BLACK)
            return
        if white:
            # White moved first, so Black has one more move.
            if state.seat == WHITE or not can_move(state, setup):
                finish(state, structs.FILLED, WHITE)
            return
    elif white or black:
        finish(state, structs.FILLED, mover if (white and black) else (WHITE if white else BLACK))
        return
    if not can_move(state, setup):
        finish(state, structs.NO_MOVE, mover)
        return
    state.occurrences = count_occurrences(state)
    if state.occurrences == 3:
        finish(state, structs.REPETITION, structs.NOBODY)
    elif state.moves_made == LONGEST_QUIET:
        finish(state, structs.HUNDRED_MOVES, structs.NOBODY)
