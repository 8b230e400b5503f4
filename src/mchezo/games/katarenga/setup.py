"""Start options of Katarenga -> a checked set-up and the first state."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidSetup
from mchezo.core.game import Option, Start, one_of, read_yes_no, write_yes_no, yes_no
from mchezo.core.structs import Fields, Structs, bits
from mchezo.games.katarenga import catalogue, notation, rules, structs
from mchezo.games.katarenga.components import (
    ASSEMBLIES,
    COLOURS,
    CONGRESS,
    TILE_CODE,
    assemble,
    assembly,
    turn_board,
)
from mchezo.games.katarenga.notation import WORDS

START_ARRAY = "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -"

BALANCED = "balanced"  # a board drawn from the catalogue
FIRST_CAPTURE = ("printed", "never")
ISOLATION = ("any", "opposite")

OPTIONS = (
    Option("board", None),
    Option("variant", "katarenga", values=structs.VARIANTS),
    Option("position", None),
    Option("choose_baseline", False, write_yes_no, read_yes_no, values=(False, True)),
    Option("first_capture", "printed", values=FIRST_CAPTURE),
    Option("isolation", "any", values=ISOLATION),
)

# (file step, rank step) of a pawn that leaves a square of each colour, and how often it may step.
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPS = {
    "R": (STRAIGHT, 7),  # rook, as far as the next red square
    "Y": (DIAGONAL, 7),  # bishop, as far as the next yellow square
    "G": (JUMPS, 1),  # knight
    "B": (STRAIGHT + DIAGONAL, 1),  # king
}


FARTHEST_AWAY = 6  # moves to a baseline; where there is no way, it counts as so many


def prepare(given: Mapping[str, Any], seed: Seed) -> Start:
    """Check the options, draw a board if none is given, and set up the game."""
    options = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    variant = one_of("variant", options["variant"], structs.VARIANTS)
    one_of("first_capture", options["first_capture"], FIRST_CAPTURE)
    one_of("isolation", options["isolation"], ISOLATION)

    # A balanced board counts as given: no record depends on what the catalogue was.
    drawn = ("board",) if options["board"] is None else ()
    if options["position"] is not None:
        options["position"] = notation.read_position(options["position"]).text
    by_lot = options["board"] in (None, BALANCED)
    chosen_by_default = variant == "katarenga" and by_lot and options["position"] is None
    options["choose_baseline"] = yes_no("choose_baseline", given.get("choose_baseline", chosen_by_default))
    check_combination(options)
    if options["board"] is None:
        options["board"] = assemble(assembly(seed.below(ASSEMBLIES)))
    elif options["board"] == BALANCED:
        options["board"] = catalogue.draw(seed, options["choose_baseline"])
    options["board"] = check_board(options["board"])

    setups = paths_of(options["board"]).copy()
    setup = setups[0]
    setup.variant = structs.VARIANTS.index(variant)
    setup.no_first_capture = options["first_capture"] == "never"
    setup.opposite_only = options["isolation"] == "opposite"
    return Start(setups, first_state(setups, options), options, drawn)


def check_board(board: object) -> str:
    """64 letters or a tile code -> the board as ranks parted by `/`."""
    if not isinstance(board, str):
        raise InvalidSetup("board-not-text", WORDS, option="board", given=board)
    if TILE_CODE.fullmatch(board):
        if sorted(board[::2].upper()) != list("ABCD"):
            raise InvalidSetup("board-tiles", WORDS, option="board", given=board)
        return assemble(board)
    letters = board.replace("/", "")
    for letter in letters:
        if letter not in COLOURS:
            raise InvalidSetup("board-letter", WORDS, option="board", given=letter)
    if len(letters) != 64:
        raise InvalidSetup("board-size", WORDS, option="board", given=len(letters))
    ranks = [letters[at : at + 8] for at in range(0, 64, 8)]
    if "/" in board and board.split("/") != ranks:
        raise InvalidSetup("board-ranks", WORDS, option="board")
    return "/".join(ranks)


def check_combination(options: Mapping[str, Any]) -> None:
    """Refuse options that do not go together."""
    variant, position = options["variant"], options["position"]
    if options["isolation"] != "any" and variant != "isolation":
        raise InvalidSetup("isolation-only", WORDS, option="isolation", variant=variant)
    if options["choose_baseline"] and variant != "katarenga":
        raise InvalidSetup("baseline-variant", WORDS, option="choose_baseline", variant=variant)
    if options["choose_baseline"] and position is not None:
        raise InvalidSetup("baseline-position", WORDS, option="choose_baseline")
    if options["first_capture"] == "never" and (variant != "katarenga" or position not in (None, START_ARRAY)):
        raise InvalidSetup("first-capture-only", WORDS, option="first_capture")
    if options["board"] == BALANCED and (variant != "katarenga" or position not in (None, START_ARRAY)):
        raise InvalidSetup("board-balanced-only", WORDS, option="board")


@lru_cache(maxsize=64)
def paths_of(board: str) -> Structs:
    """A set-up with all paths of a board in its four turns; a server starts the same game several times."""
    setups = np.zeros(1, structs.SETUP)
    for quarters in range(4):
        lay_out(Fields(setups[0]), quarters, turn_board(board, quarters))
    return setups


def lay_out(setup: Any, quarters: int, board: str) -> None:
    """Write where a pawn can go from each square of the board as it lies."""
    ranks = board.split("/")[::-1]  # rank 1 first
    reach = []
    for square in range(64):
        rank, file = divmod(square, 8)
        colour = ranks[rank][file]
        directions, far = STEPS[colour]
        targets: list[int] = []
        next_path: list[int] = []
        jumps: list[int] = []
        rising: list[list[int]] = []
        falling: list[list[int]] = []
        for across, up in directions:
            path = []
            for step in range(1, far + 1):
                to_file, to_rank = file + step * across, rank + step * up
                if not (0 <= to_file < 8 and 0 <= to_rank < 8):
                    break
                path.append(to_rank * 8 + to_file)
                # "as far as but no further than the next square of the same colour"
                if ranks[to_rank][to_file] == colour:
                    break
            targets += path
            if far == 1:
                jumps += path
            elif (up, across) > (0, 0):
                rising.append(path)
            else:
                falling.append([63 - target for target in path])
            next_path += [len(targets)] * len(path)
        setup.colours[quarters, square] = COLOURS.index(colour)
        setup.target_count[quarters, square] = len(targets)
        setup.targets[quarters, square, : len(targets)] = targets
        setup.next_path[quarters, square, : len(targets)] = next_path
        setup.jumps[quarters, square] = as_bits(jumps)
        setup.rising[quarters, square, : len(rising)] = [as_bits(path) for path in rising]
        setup.falling[quarters, square, : len(falling)] = [as_bits(path) for path in falling]
        reach.append(as_bits(targets))
    for seat, baseline in enumerate((0xFF << 56, 0xFF)):
        setup.moves_away[quarters, seat] = moves_away(reach, baseline)


def as_bits(squares: Iterable[int]) -> int:
    """Squares as one number with a bit for each."""
    return sum(1 << square for square in squares)


def moves_away(reach: Sequence[int], goal: int) -> list[int]:
    """How many moves every square is away from a set of squares, if nothing stands in the way."""
    away = [0 if goal >> square & 1 else FARTHEST_AWAY for square in range(64)]
    near = goal
    for moves in range(1, FARTHEST_AWAY):
        found = [square for square in range(64) if reach[square] & near and not near >> square & 1]
        for square in found:
            away[square] = moves
        near |= as_bits(found)
    return away


def first_state(setups: Structs, options: Mapping[str, Any]) -> Structs:
    """The pawns where the game begins."""
    variant = options["variant"]
    states = np.zeros(1, structs.STATE)
    state = states[0]
    state.winner = -1
    state.occurrences = 1
    state.last[:] = -1
    state.places[:] = structs.OUT
    state.in_hand[:] = structs.PAWNS
    if options["choose_baseline"]:
        state.seat = structs.BLACK
        state.decision = structs.CHOOSE_BASELINE
        return states
    begin = {"katarenga": START_ARRAY, "isolation": "8/8/8/8/8/8/8/8 w - -"}.get(variant, f"{CONGRESS} w - -")
    notation.read_position(options["position"] or begin).put(state)
    state.decision = structs.PLACE_PAWN if variant == "isolation" else structs.MOVE
    if variant != "isolation":
        state.in_hand[:] = 0
    check_pawns(state, setups[0], variant)
    rules.settle(state, setups[0])
    return states


def check_pawns(state: Any, setup: Any, variant: str) -> None:
    """Refuse pawns that cannot stand so in this variant."""
    if variant == "katarenga":
        if state.pawns[0] < 2 and state.pawns[1] < 2:
            raise InvalidSetup("position-both-too-few", WORDS, option="position")
        if all(state.cells[64:68]):
            raise InvalidSetup("position-both-camps", WORDS, option="position")
        return
    if any(state.cells[64:68]):
        raise InvalidSetup("position-no-camps", WORDS, option="position", variant=variant)
    if variant == "isolation":
        check_isolated(state, setup)
    elif not all(state.pawns):
        raise InvalidSetup("position-no-pawn", WORDS, option="position", variant=variant)
    elif rules.connected(state, 0) and rules.connected(state, 1):
        raise InvalidSetup("position-both-connected", WORDS, option="position")


def check_isolated(state: Any, setup: Any) -> None:
    """Isolation: in a given position no pawn can move onto another."""
    seat = int(state.seat)
    for square in range(64):
        cell = int(state.cells[square])
        if cell != structs.EMPTY:
            # As if the pawn were placed just now, by its own side, among all the others.
            state.cells[square], state.seat = structs.EMPTY, cell - 1
            # Compiled code gives Python its 64 bits as a number that it would not take back as it is.
            reached = bits(rules.reached_squares(state, setup))
            fits = rules.may_place(state, setup, square, reached)
            state.cells[square], state.seat = cell, seat
            if not fits:
                raise InvalidSetup("position-not-isolated", WORDS, option="position", square=notation.SQUARES[square])
