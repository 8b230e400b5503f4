"""Where a pawn can go from each square of a board in its four turns, and how far it is from goals on an empty board."""

from mchezo.core import arrays
from mchezo.core.compiled import compiled, kernel
from mchezo.core.structs import Bytes, Words64, bits, wide
from mchezo.games.katarenga.bitboards import rotate
from mchezo.games.katarenga.components import COLOURS
from mchezo.games.katarenga.structs import (
    COUNT,
    FALLING,
    JUMPS,
    MOST_TARGETS,
    OUT,
    RISING,
    SQUARES,
    Setup,
    State,
    last_rank,
)

# How a pawn leaves a square of each colour: steps of (files, ranks), and the most steps in one direction.
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPS = {
    "R": (STRAIGHT, 7),  # rook, as far as the next red square
    "Y": (DIAGONAL, 7),  # bishop, as far as the next yellow square
    "G": (KNIGHT, 1),  # knight
    "B": (STRAIGHT + DIAGONAL, 1),  # king
}
DIRECTIONS, FARTHEST = 8, 7
TURNS = 4
FARTHEST_AWAY = 6  # moves to a goal; also stands for an unreachable one


def rays() -> arrays.NDArray[arrays.int8]:
    """Return the squares in each direction from a square of each colour, near before far, and OUT behind the last."""
    found = arrays.full((len(COLOURS), SQUARES, DIRECTIONS, FARTHEST + 1), OUT, arrays.int8)
    for number, colour in enumerate(COLOURS):
        directions, far = STEPS[colour]
        for square in range(SQUARES):
            for direction, (across, up) in enumerate(directions):
                for step in range(1, far + 1):
                    file, rank = square % 8 + step * across, square // 8 + step * up
                    if 0 <= file < 8 and 0 <= rank < 8:
                        found[number, square, direction, step - 1] = rank * 8 + file
    return found


RAYS = rays()
# For each colour: whether pawns jump, and in which directions the numbers of squares rise.
JUMPING = arrays.zeros(len(COLOURS), arrays.int8)
RISES = arrays.zeros((len(COLOURS), DIRECTIONS), arrays.int8)
for _number, _colour in enumerate(COLOURS):
    JUMPING[_number] = STEPS[_colour][1] == 1
    for _direction, (_across, _up) in enumerate(STEPS[_colour][0]):
        RISES[_number, _direction] = (_up, _across) > (0, 0)


@kernel
def lay_out(state: State, setup: Setup) -> None:
    """Write the paths from each square of a board in all its turns, by the colours; the state can be any."""
    for turned in range(TURNS):
        for square in range(SQUARES):
            write_paths(setup, turned, square)
        for seat in range(2):
            measure(setup, turned, bits(0xFF) << bits(8 * last_rank(seat)), setup.moves_away[turned, seat])


@kernel
def aim_at(state: State, setup: Setup, goals: Words64) -> None:
    """Measure the distances to other goals of the seats than the baselines, and to each of these squares."""
    away = arrays.zeros(SQUARES, arrays.int8)
    for seat in range(2):
        measure(setup, wide(0), bits(goals[seat]), setup.moves_away[0, seat])
    for goal in range(SQUARES):
        place = bits(1) << bits(goal)
        if (goals[0] | goals[1]) & place:
            measure(setup, wide(0), place, away)
            for square in range(SQUARES):
                setup.away[square, goal] = away[square]


@compiled
def write_paths(setup: Setup, turned: int, square: int) -> None:
    """Write the paths from one square."""
    colours = setup.colours[turned]
    colour = wide(colours[square])
    targets, next_path = setup.targets[turned, square], setup.next_path[turned, square]
    paths = setup.paths[turned, square]
    count = wide(0)
    rising, falling = wide(RISING), wide(FALLING)
    reach = bits(0)
    for direction in range(DIRECTIONS):
        first, path, step = count, bits(0), wide(0)
        target = wide(RAYS[colour, square, direction, step])
        while target != OUT:
            targets[count] = target
            path |= bits(1) << bits(target)
            count += 1
            step += 1
            # "as far as but no further than the next square of the same colour"
            target = wide(OUT) if colours[target] == colour else wide(RAYS[colour, square, direction, step])
        for at in range(first, count):
            next_path[at] = count
        reach |= path
        if JUMPING[colour]:
            paths[JUMPS] = reach
        elif path and RISES[colour, direction]:
            paths[rising] = path
            rising += 1
        elif path:
            paths[falling] = rotate(path)
            falling += 1
    for at in range(count, MOST_TARGETS):
        targets[at] = square
    targets[COUNT] = count


@compiled
def measure(setup: Setup, turned: int, goal: int, out: Bytes) -> None:
    """Write the distance of every square to a set of squares, in moves on an empty board."""
    near = goal
    for square in range(SQUARES):
        out[square] = 0 if goal >> bits(square) & bits(1) else FARTHEST_AWAY
    for moves in range(1, FARTHEST_AWAY):
        found = bits(0)
        for square in range(SQUARES):
            if out[square] == FARTHEST_AWAY:
                targets = setup.targets[turned, square]
                for at in range(wide(targets[COUNT])):
                    if near >> bits(targets[at]) & bits(1):
                        found |= bits(1) << bits(square)
        for square in range(SQUARES):
            if found >> bits(square) & bits(1):
                out[square] = moves
        near |= found
