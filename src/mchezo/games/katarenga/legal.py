"""Legal actions of Katarenga, Congress, Quebec and Isolation; `variants.py` knows those of the other games."""

from mchezo.core.bitsets import popcount
from mchezo.core.compiled import compiled, kernel
from mchezo.core.prefetch import prefetch
from mchezo.core.rng import randbelow
from mchezo.core.structs import Actions, Words64, bits, wide
from mchezo.games.katarenga import structs, variants
from mchezo.games.katarenga.bitboards import open_squares, pawns_of, reached_from, rotate
from mchezo.games.katarenga.pieces import write_actions
from mchezo.games.katarenga.structs import Setup, State, first_camp, last_rank, on_board


@compiled
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    phase = wide(state.phase)
    if phase == structs.MOVING:
        return moves(state, setup, out)
    if phase == structs.PLACING:
        return placements(state, setup, out)
    if phase > structs.GAME_OVER:
        return variants.legal(state, setup, out)
    count = wide(0)
    if phase == structs.CHOOSING_BASELINE:
        for quarters in range(4):
            out[count] = structs.TURN + quarters
            count += 1
    return count


@kernel
def moves(state: State, setup: Setup, out: Actions) -> int:
    """Write the moves of the seat to move, pawn by pawn, path by path, near before far; return their number."""
    own, enemy = pawns_of(state, wide(state.seat)), pawns_of(state, 1 - wide(state.seat))
    allowed = ~own if may_capture(state, setup) else ~(own | enemy)
    return moves_onto(state, setup, own | enemy, allowed, allowed, out)[0]


@compiled
def moves_onto(
    state: State, setup: Setup, occupied: int, squares: int, from_baseline: int, out: Actions
) -> tuple[int, int]:
    """Write the moves onto some squares, other ones for pawns on the enemy baseline, and into camps.

    Return their number, and the empty squares for which other moves exist.
    """
    cells = state.cells
    seat = wide(state.seat)
    turned = wide(state.turned)
    goal = last_rank(seat)
    rotated = rotate(occupied)
    others = bits(0)
    count = bits(0)  # an index without a sign needs no check
    for pawn in range(structs.PAWNS):
        square = wide(state.places[seat, pawn])
        if not on_board(square):
            continue
        first = structs.MOVE + square * structs.PLACES
        onto = from_baseline if square // 8 == goal else squares
        reach = reached_from(setup, turned, square, occupied, rotated)
        others |= reach & ~(occupied | onto)
        reach &= onto
        if reach:
            # Branches that cannot be predicted cost more than work in vain: every target is written, legal ones count.
            targets = setup.targets[turned, square]
            for at in range(structs.MANY_TARGETS):
                target = bits(targets[at])
                out[count] = first + wide(target)
                count += reach >> target & bits(1)
            if targets[structs.COUNT] > structs.MANY_TARGETS:
                for at in range(structs.MANY_TARGETS, structs.MOST_TARGETS):
                    target = bits(targets[at])
                    out[count] = first + wide(target)
                    count += reach >> target & bits(1)
        if on_enemy_baseline(state, setup, square):
            for camp in range(first_camp(seat), first_camp(seat) + 2):
                if cells[camp] == structs.EMPTY:
                    out[count] = first + camp
                    count += bits(1)
    return wide(count), others


@compiled
def announce(state: State, setup: Setup) -> None:
    """Prefetch the paths of the pawns that will move next: many boards together are larger than the caches."""
    seat, turned = 1 - wide(state.seat), wide(state.turned)
    paths, targets = setup.paths[turned], setup.targets[turned]
    for pawn in range(structs.PAWNS):
        square = wide(state.places[seat, pawn])
        prefetch(paths, square, 0)
        prefetch(paths, square, structs.PATHS - 1)
        prefetch(targets, square, 0)


@compiled
def draw_legal(state: State, setup: Setup, actions: Actions, rng: Words64) -> int:
    """Return the legal action at a random index, without writing all moves of a game with moving pawns."""
    if state.phase != structs.MOVING:
        return wide(actions[randbelow(rng, legal(state, setup, actions))])
    seat, turned = wide(state.seat), wide(state.turned)
    own, enemy = pawns_of(state, seat), pawns_of(state, 1 - seat)
    occupied = own | enemy
    rotated = rotate(occupied)
    allowed = ~own if may_capture(state, setup) else ~occupied
    # Moves are counted first: the byte of each pawn says how many there are up to and with its own.
    total, sums = wide(0), bits(0)
    for pawn in range(structs.PAWNS):
        square = wide(state.places[seat, pawn])
        if on_board(square):
            total += popcount(reached_from(setup, turned, square, occupied, rotated) & allowed)
            if on_enemy_baseline(state, setup, square):
                total += free_camps(state, seat)
        sums |= bits(total) << bits(8 * pawn)
    index = randbelow(rng, total)
    pawn = wide(0)
    for other in range(structs.PAWNS - 1):
        pawn += wide(sums >> bits(8 * other) & bits(0xFF)) <= index
    if pawn:
        index -= wide(sums >> bits(8 * (pawn - 1)) & bits(0xFF))
    square = wide(state.places[seat, pawn])
    return (
        structs.MOVE
        + square * structs.PLACES
        + nth_target(state, setup, square, reached_from(setup, turned, square, occupied, rotated) & allowed, index)
    )


@compiled
def free_camps(state: State, seat: int) -> int:
    """Return how many of the enemy camps are empty."""
    camp = first_camp(seat)
    return wide(state.cells[camp] == structs.EMPTY) + wide(state.cells[camp + 1] == structs.EMPTY)


@compiled
def nth_target(state: State, setup: Setup, square: int, reach: int, index: int) -> int:
    """Return the target of a pawn's move, by the index of the move among those of the pawn: camps come last."""
    targets = setup.targets[wide(state.turned), square]
    at = wide(0)
    left = wide(index)
    count = wide(targets[structs.COUNT])
    while at < count:
        left -= wide(reach >> bits(targets[at]) & bits(1))
        if left < 0:
            return wide(targets[at])
        at += 1
    camp = first_camp(wide(state.seat))
    return camp if left == 0 and state.cells[camp] == structs.EMPTY else camp + 1


@compiled
def can_move(state: State, setup: Setup) -> bool:
    """Return whether the seat to move has a move; only the first square of each path matters."""
    cells = state.cells
    me = wide(state.seat) + 1
    captures = may_capture(state, setup)
    turned = wide(state.turned)
    for pawn in range(structs.PAWNS):
        square = wide(state.places[state.seat, pawn])
        if not on_board(square):
            continue
        at = 0
        while at < setup.targets[turned, square, structs.COUNT]:
            there = cells[setup.targets[turned, square, at]]
            if there == structs.EMPTY or (captures and there != me):
                return True
            at = wide(setup.next_path[turned, square, at])
        if on_enemy_baseline(state, setup, square):
            camp = first_camp(state.seat)
            if cells[camp] == structs.EMPTY or cells[camp + 1] == structs.EMPTY:
                return True
    return False


@compiled
def may_capture(state: State, setup: Setup) -> bool:
    """Return whether captures are allowed: never in Congress, and by option not in the first move of each side."""
    if setup.variant == structs.CONGRESS:
        return False
    return not (setup.no_first_capture and state.moves_made < 2)


@compiled
def on_enemy_baseline(state: State, setup: Setup, square: int) -> bool:
    """Return whether the mover's pawn can enter a camp from here: one move, whatever the colour of the square."""
    return setup.variant == structs.KATARENGA and square // 8 == last_rank(state.seat)


@compiled
def placements(state: State, setup: Setup, out: Actions) -> int:
    """Isolation: write the placements of the seat to move; return their number."""
    if state.in_hand[state.seat] == 0:
        return wide(0)
    return write_actions(out, wide(0), structs.PLACE, open_squares(state, setup, wide(state.seat)))


@compiled
def can_place(state: State, setup: Setup) -> bool:
    """Isolation: return whether the seat to move has a pawn in hand and a square for it."""
    return state.in_hand[state.seat] != 0 and open_squares(state, setup, wide(state.seat)) != 0
