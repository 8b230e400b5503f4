"""From the start options of Katarenga to a checked setup and the first state."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from mchezo.core import arrays
from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidSetup
from mchezo.core.options import Option, Start, one_of, read_yes_no, write_yes_no, yes_no
from mchezo.core.structs import Structs, bits
from mchezo.games.katarenga import (
    alone,
    bitboards,
    catalogue,
    central_park,
    following,
    notation,
    paths,
    positions,
    rules,
    structs,
)
from mchezo.games.katarenga.components import ASSEMBLIES, COLOURS, CONGRESS, TILE_CODE, assemble, assembly, turn_board
from mchezo.games.katarenga.words import WORDS

START_ARRAY = "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -"

BALANCED = "balanced"  # a board drawn from the catalogue
DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")  # the daily board of a date
FIRST_CAPTURE = ("printed", "never")
ISOLATION = ("any", "opposite")
LINE = ("any", "straight")
AFTER_ALL = ("draw", "move")
QUARTERS = {"a1": 0x0F0F0F0F, "h1": 0xF0F0F0F0, "a8": 0x0F0F0F0F << 32, "h8": 0xF0F0F0F0 << 32}
WIPEOUT = ("draw", "loss")
COLOUR_NAMES = {"red": "R", "green": "G", "blue": "B", "yellow": "Y"}

# The options that belong to some variants only, with their defaults; others refuse them.
BELONGS_TO = {
    "line": ("troika",),
    "after_all": ("troika",),
    "quarter": ("cornered",),
    "wipeout": ("colorado",),
    "start_colour": ("chameleon",),
    "goal_colour": ("chameleon",),
    "swap": ("troika", "cornered", "quartermaster"),
    "points": ("battle-stations", "cornered", "quartermaster", "north-west-passage"),
}

OPTIONS = (
    Option("board", None),
    Option("variant", "katarenga", values=structs.VARIANTS),
    Option("position", None),
    Option("choose_baseline", False, write_yes_no, read_yes_no, values=(False, True)),
    Option("first_capture", "printed", values=FIRST_CAPTURE),
    Option("isolation", "any", values=ISOLATION),
    Option("line", "any", values=LINE),
    Option("after_all", "draw", values=AFTER_ALL),
    Option("quarter", "a1", values=tuple(QUARTERS)),
    Option("wipeout", "draw", values=WIPEOUT),
    Option("start_colour", "green", values=tuple(COLOUR_NAMES)),
    Option("goal_colour", "green", values=tuple(COLOUR_NAMES)),
    Option("swap", False, write_yes_no, read_yes_no, values=(False, True)),
    Option("points", False, write_yes_no, read_yes_no, values=(False, True)),
)

CHOOSE_BASELINE = ("katarenga", "colorado")


def fair(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return start options with the swap rule, where the first player would win and nobody decided about it."""
    return {**({"swap": True} if options.get("variant") in BELONGS_TO["swap"] else {}), **options}


def prepare(given: Mapping[str, Any], seed: Seed) -> Start:
    """Check the options, draw a board if none is given, and set up the game."""
    options = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    variant = one_of("variant", options["variant"], structs.VARIANTS)
    one_of("first_capture", options["first_capture"], FIRST_CAPTURE)
    one_of("isolation", options["isolation"], ISOLATION)
    check_variant_options(options)
    number = structs.VARIANTS.index(variant)

    # A balanced board counts as given: the record contains it, so that it does not depend on the catalogue.
    drawn = ("board",) if options["board"] is None else ()
    if options["position"] is not None:
        options["position"] = canonical_position(options["position"], number)
    random_board = options["board"] in (None, BALANCED)
    chosen_by_default = variant in CHOOSE_BASELINE and random_board and options["position"] is None
    options["choose_baseline"] = yes_no("choose_baseline", given.get("choose_baseline", chosen_by_default))
    check_combination(options)
    if options["board"] is None:
        options["board"] = assemble(assembly(seed.below(ASSEMBLIES)))
    elif options["board"] == BALANCED:
        options["board"] = catalogue.draw(seed, options["choose_baseline"])
    elif isinstance(options["board"], str) and DATE.fullmatch(options["board"]):
        options["board"] = daily_board(options["board"])
    options["board"] = check_board(options["board"])

    setups = paths_of(options["board"]).copy()
    setup = setups[0]
    setup.variant = number
    setup.no_first_capture = options["first_capture"] == "never"
    setup.opposite_only = options["isolation"] == "opposite"
    states = set_up_variant(setup, options) if number > structs.ISOLATION else first_state(setups, options)
    return Start(setups, states, options, drawn)


def canonical_position(given: object, variant: int) -> str:
    """Check a written position and return it in its shortest form."""
    if variant > structs.ISOLATION:
        return positions.write(positions.read(given, variant)[0], variant)
    return str(notation.read_position(given))


def check_variant_options(options: Mapping[str, Any]) -> None:
    """Reject unknown values, and options that belong to another variant."""
    for option in OPTIONS:
        if option.name not in BELONGS_TO:
            continue
        given, variants = options[option.name], BELONGS_TO[option.name]
        if option.values == (False, True):
            yes_no(option.name, given)
        else:
            one_of(option.name, given, option.values or ())
        if given != option.default and options["variant"] not in variants:
            raise InvalidSetup("option-only", WORDS, option=option.name, name=option.name, variants=", ".join(variants))


def daily_board(day: str) -> str:
    """Return the board of a date: the one that the seed YYYYMMDD draws."""
    try:
        date.fromisoformat(day)
    except ValueError as error:
        raise InvalidSetup("board-date", WORDS, option="board", given=day) from error
    return assemble(assembly(Seed(int(day.replace("-", ""))).below(ASSEMBLIES)))


def check_board(board: object) -> str:
    """Return the board of 64 letters or a tile code, with ranks separated by `/`."""
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
    """Reject options that contradict each other."""
    variant, position = options["variant"], options["position"]
    if options["isolation"] != "any" and variant != "isolation":
        raise InvalidSetup("isolation-only", WORDS, option="isolation", variant=variant)
    if options["choose_baseline"] and variant not in CHOOSE_BASELINE:
        raise InvalidSetup("baseline-variant", WORDS, option="choose_baseline", variant=variant)
    if options["choose_baseline"] and position is not None:
        raise InvalidSetup("baseline-position", WORDS, option="choose_baseline")
    if options["first_capture"] == "never" and (variant != "katarenga" or position not in (None, START_ARRAY)):
        raise InvalidSetup("first-capture-only", WORDS, option="first_capture")
    if options["board"] == BALANCED and (variant != "katarenga" or position not in (None, START_ARRAY)):
        raise InvalidSetup("board-balanced-only", WORDS, option="board")


@lru_cache(maxsize=64)
def paths_of(board: str) -> Structs:
    """Return a setup with the paths of a board in its four turns; cached, for servers often reuse a board."""
    setups = arrays.zeros(1, structs.SETUP)
    setup = setups[0]
    for quarters in range(paths.TURNS):
        letters = "".join(turn_board(board, quarters).split("/")[::-1])  # a1 first
        setup.colours[quarters] = [COLOURS.index(colour) for colour in letters]
    paths.lay_out(positions.blank()[0], setup)
    return setups


def as_bits(squares: Iterable[int]) -> int:
    """Return squares as a bitboard."""
    return sum(1 << square for square in squares)


def first_state(setups: Structs, options: Mapping[str, Any]) -> Structs:
    """Return the first state."""
    variant = options["variant"]
    states = positions.blank()
    state = states[0]
    if options["choose_baseline"]:
        state.seat = structs.BLACK
        state.phase = structs.CHOOSING_BASELINE
        return states
    begin = {"katarenga": START_ARRAY, "isolation": "8/8/8/8/8/8/8/8 w - -"}.get(variant, f"{CONGRESS} w - -")
    notation.read_position(options["position"] or begin).put(state)
    state.phase = structs.PLACING if variant == "isolation" else structs.MOVING
    if variant != "isolation":
        state.in_hand[:] = 0
    check_pawns(state, setups[0], variant)
    rules.end_if_decided(state, setups[0])
    return states


def set_up_variant(setup: Any, options: Mapping[str, Any]) -> Structs:
    """Write the set-up of a game from Troika on; return its first state."""
    variant = int(setup.variant)
    setup.straight_only = options["line"] == "straight"
    setup.goes_on = options["after_all"] == "move"
    setup.wipeout_loses = options["wipeout"] == "loss"
    setup.swap = options["swap"]
    setup.points = options["points"]
    setup.area = QUARTERS[options["quarter"]] if variant == structs.CORNERED else (1 << 64) - 1
    start = positions.STARTS.get(variant)
    if variant == structs.CENTRAL_PARK:
        paths.aim_at(positions.blank()[0], setup, arrays.array([CENTRE, CENTRE], arrays.uint64))
    elif variant >= structs.PASSAGE:
        if start is None:
            start = halves(setup, options)
        else:
            setup.goals = [as_bits(range(0, 64, 9)), as_bits(range(7, 63, 7))]
        paths.aim_at(positions.blank()[0], setup, setup.goals)
    if options["choose_baseline"]:
        setup.no_first_capture = True
        return first_state(arrays.array([setup]), options)
    assert start is not None
    position = options["position"] or start
    setup.no_first_capture = variant == structs.COLORADO and position == start
    states = positions.read(position, variant)
    check_variant_pawns(states[0], setup, variant)
    if states[0].phase != structs.ENTERING:
        rules.end_if_decided(states[0], setup)
    if variant == structs.ISOLATION_ALONE:
        found = arrays.zeros(3, arrays.uint64)
        setup.most = alone.most_placed(states[0], setup, alone.BUDGET, found)
        setup.most_proven = found[1]
    return states


CENTRE = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36


def halves(setup: Any, options: Mapping[str, Any]) -> str:
    """Greengage and Chameleon: write the goals, and return the position in which the game begins."""
    near = (1 << 32) - 1
    found = {}
    for name in ("start_colour", "goal_colour"):
        colour = COLOURS.index(COLOUR_NAMES[options[name]])
        squares = as_bits(square for square in range(64) if setup.colours[0, square] == colour)
        found[name] = squares & near, squares & ~near
        if any(half.bit_count() != structs.PAWNS for half in found[name]):
            raise InvalidSetup("board-halves", WORDS, option="board", colour=options[name])
    if options["start_colour"] == options["goal_colour"] == "red":
        raise InvalidSetup("red-to-red", WORDS, option="goal_colour")
    setup.goals = found["goal_colour"][::-1]
    white, black = found["start_colour"]
    cells = ["w" if white >> square & 1 else "b" if black >> square & 1 else "1" for square in range(64)]
    return "/".join("".join(cells[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1)) + " w"


def check_variant_pawns(state: Any, setup: Any, variant: int) -> None:
    """Reject a position that is impossible in this variant."""
    squares = as_bits({place for place in state.places.flatten().tolist() if place != structs.OUT})
    if variant == structs.ISOLATION_ALONE:
        check_isolated(state, setup)
    if squares & ~int(setup.area):
        raise InvalidSetup("position-area", WORDS, option="position")
    if variant == structs.QUARTERMASTER and squares & ~int(following.room(bits(squares))):
        raise InvalidSetup("position-area", WORDS, option="position")
    if variant == structs.CENTRAL_PARK and all(
        pawns + in_hand < central_park.TO_PARK
        for pawns, in_hand in zip(state.pawns.tolist(), state.in_hand.tolist(), strict=True)
    ):
        raise InvalidSetup("position-both-too-few", WORDS, option="position")
    if variant >= structs.PASSAGE and any(pawns != structs.PAWNS for pawns in state.pawns.tolist()):
        raise InvalidSetup("position-eight", WORDS, option="position", variant=structs.VARIANTS[variant])
    if variant == structs.COLORADO and not any(state.pawns):
        raise InvalidSetup("position-no-pawn", WORDS, option="position", variant="colorado")


def check_pawns(state: Any, setup: Any, variant: str) -> None:
    """Reject a position that is impossible in this variant."""
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
    """Isolation: reject a position in which a pawn can move onto another."""
    for square in range(64):
        cell = int(state.cells[square])
        if cell != structs.EMPTY:
            # Lift the pawn, and see whether its side could place it there again.
            places = state.places[cell - 1]
            pawn = places.tolist().index(square)
            places[pawn] = structs.OUT
            open_squares = int(bitboards.open_squares(state, setup, cell - 1))
            places[pawn] = square
            if not open_squares >> square & 1:
                raise InvalidSetup("position-not-isolated", WORDS, option="position", square=notation.SQUARES[square])
