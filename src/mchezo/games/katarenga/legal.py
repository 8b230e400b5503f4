"""Legal actions of Katarenga, Congress, Quebec and Isolation; `variants.py` knows those of the other games."""

from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import Actions, bits, wide
from mchezo.games.katarenga import structs, variants
from mchezo.games.katarenga.bitboards import open_squares
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
    """Write the moves of the seat to move; return their number."""
    cells = state.cells
    seat = wide(state.seat)
    turned = wide(state.turned)
    # The cell contents that a pawn may move onto, as bits: nothing, and the enemy where captures are allowed.
    allowed = 1 << structs.EMPTY | wide(may_capture(state, setup)) << (2 - seat)
    count = 0
    for pawn in range(structs.PAWNS):
        square = wide(state.places[seat, pawn])
        if not on_board(square):
            continue
        first = structs.MOVE + square * structs.PLACES
        targets = setup.targets[turned, square]
        end = wide(setup.target_count[turned, square])
        colour = setup.colours[turned, square]
        if colour == structs.GREEN or colour == structs.BLUE:
            # Every target is a path by itself. Writing first and counting afterwards avoids a branch.
            for at in range(end):
                target = wide(targets[at])
                out[count] = first + target
                count += allowed >> wide(cells[target]) & 1
        else:
            next_path = setup.next_path[turned, square]
            at = 0
            while at < end:
                target = wide(targets[at])
                there = wide(cells[target])
                out[count] = first + target
                count += allowed >> there & 1
                # Any pawn ends the path, whether or not it can be captured.
                at = at + 1 if there == structs.EMPTY else wide(next_path[at])
        if on_enemy_baseline(state, setup, square):
            for camp in range(first_camp(seat), first_camp(seat) + 2):
                if cells[camp] == structs.EMPTY:
                    out[count] = first + camp
                    count += 1
    return count


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
        while at < setup.target_count[turned, square]:
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
    count = 0
    if state.in_hand[state.seat]:
        rest = open_squares(state, setup, wide(state.seat))
        while rest:
            first = rest & (~rest + bits(1))
            out[count] = structs.PLACE + bit_index(first)
            count += 1
            rest ^= first
    return count


@compiled
def can_place(state: State, setup: Setup) -> bool:
    """Isolation: return whether the seat to move has a pawn in hand and a square for it."""
    return state.in_hand[state.seat] != 0 and open_squares(state, setup, wide(state.seat)) != 0
