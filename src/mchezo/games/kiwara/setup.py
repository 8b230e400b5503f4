"""From the start options of Kiwara to a checked setup and the first state."""

import re
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from mchezo.core import arrays
from mchezo.core.chance import Seed
from mchezo.core.options import Option, Start, one_of
from mchezo.core.structs import Structs
from mchezo.games.kiwara import rules, structs
from mchezo.games.kiwara.components import (
    ANIMALS,
    BOARDS,
    CARDS,
    COLUMNS,
    PATH,
    SIZES,
    SPACES,
    TERRITORIES,
    across_river,
    line,
    neighbours,
)
from mchezo.games.kiwara.notation import WrittenPosition, invalid, read_position

REINFORCEMENTS = ("okapi", "pile")
RHINOCEROS = ("edge", "neighbour")
HYENA = ("move", "place")


def write_handicap(handicap: tuple[int, int]) -> str:
    """Return a handicap in notation: `seat,cards`."""
    return ",".join(map(str, handicap))


def read_handicap(text: str) -> object:
    """Parse a handicap from a record; anything else is returned for `check_handicap` to reject."""
    parts = text.split(",")
    return tuple(map(int, parts)) if all(re.fullmatch("[0-9]", part) for part in parts) else text


OPTIONS = (
    Option("board", "classic", drawn="free"),
    Option("reinforcement", "okapi", values=REINFORCEMENTS),
    Option("handicap", None, write_handicap, read_handicap, values=(None, (0, 1), (0, 2), (1, 1), (1, 2))),
    Option("position", None),
    Option("rhinoceros", "edge", values=RHINOCEROS),
    Option("hyena", "move", values=HYENA),
)


def draw_free_board(seed: Seed) -> str:
    """Return a free board; each has the same probability."""
    if find_spec("numpy") is None:
        raise invalid("board", "board-free-browser")
    from mchezo.games.kiwara.free_boards import FREE_BOARDS, free_board

    return free_board(seed.below(FREE_BOARDS))


def prepare(given: Mapping[str, Any], seed: Seed) -> Start:
    """Check the options, draw a free board if requested, and set up the game."""
    options = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    one_of("reinforcement", options["reinforcement"], REINFORCEMENTS)
    one_of("rhinoceros", options["rhinoceros"], RHINOCEROS)
    one_of("hyena", options["hyena"], HYENA)
    options["handicap"] = check_handicap(options["handicap"])
    if options["position"] is not None and options["handicap"] is not None:
        raise invalid("handicap", "position-handicap")

    drawn: tuple[str, ...] = ()
    if options["board"] == "free":
        options["board"] = draw_free_board(seed)
        drawn = ("board",)
    elif not (isinstance(options["board"], str) and options["board"] in BOARDS):
        options["board"] = check_board(options["board"])
    position = None
    if options["position"] is not None:
        position = read_position(options["position"])
        options["position"] = str(position)

    setups = lay_out(BOARDS.get(options["board"], options["board"]))
    setups[0].hidden_pile = options["reinforcement"] == "pile"
    setups[0].rhinoceros_neighbour = options["rhinoceros"] == "neighbour"
    setups[0].hyena_places = options["hyena"] == "place"
    return Start(setups, first_state(setups, position, options["handicap"]), options, drawn)


def check_handicap(handicap: object) -> tuple[int, int] | None:
    """Return a valid handicap: a seat with one or two cards, or None."""
    if handicap is None:
        return None
    if isinstance(handicap, tuple | list) and len(handicap) == 2:
        seat, cards = handicap
        if not any(isinstance(value, bool) for value in handicap) and seat in (0, 1) and cards in (1, 2):
            return int(seat), int(cards)
    raise invalid("handicap", "handicap", given=handicap)


def check_board(board: object) -> str:
    """Return the board of 30 letters, with rows separated by `/`, if it is a legal free board."""
    if not isinstance(board, str):
        raise invalid("board", "board-not-text", given=board)
    letters = board.replace("/", "")
    for letter in letters:
        if letter not in TERRITORIES:
            raise invalid("board", "board-letter", given=letter)
    if len(letters) != len(SPACES):
        raise invalid("board", "board-size", given=len(letters))
    rows = [letters[at : at + len(COLUMNS)] for at in range(0, len(letters), len(COLUMNS))]
    if "/" in board and board.split("/") != rows:
        raise invalid("board", "board-rows")
    missing = [letter for letter in TERRITORIES if letter not in letters]
    if missing:
        raise invalid("board", "board-territories", given=len(TERRITORIES) - len(missing), missing=", ".join(missing))
    for letter in TERRITORIES:
        spaces = {space for space, other in enumerate(letters) if other == letter}
        if len(spaces) not in SIZES:
            raise invalid("board", "board-territory-size", territory=letter, given=len(spaces))
        apart = spaces - connected_from(min(spaces), spaces)
        if apart:
            first, second = SPACES[min(spaces)], SPACES[min(apart)]
            raise invalid("board", "board-not-connected", territory=letter, first=first, second=second)
    return "/".join(rows)


def connected_from(start: int, spaces: set[int]) -> set[int]:
    """Return the spaces of a set that are connected to one of them."""
    reached, new = {start}, {start}
    while new:
        new = {beside for space in new for beside in neighbours(space)} & spaces - reached
        reached |= new
    return reached


def as_set(spaces: Iterable[int]) -> int:
    """Return spaces as a bit set."""
    return sum(1 << space for space in spaces)


def lay_out(board: str) -> Structs:
    """Return a setup with the territories, rivers and lines of a board."""
    letters = board.replace("/", "")
    setups = arrays.zeros(1, structs.SETUP)
    setup = setups[0]
    for space in range(structs.SPACES):
        setup.neighbours[space] = as_set(neighbours(space))
        setup.across_river[space] = as_set(across_river(board, space))
        setup.river_right |= as_set((space,)) if space + 1 in across_river(board, space) else 0
        setup.river_below |= as_set((space,)) if space + len(COLUMNS) in across_river(board, space) else 0
        setup.territory_of[space] = TERRITORIES.index(letters[space])
    for number, letter in enumerate(TERRITORIES):
        setup.territories[number] = as_set(space for space, other in enumerate(letters) if other == letter)
    for position in range(structs.POSITIONS):
        setup.lines[position] = as_set(line(position))
    return setups


def first_state(setups: Structs, position: WrittenPosition | None, handicap: tuple[int, int] | None) -> Structs:
    """Return the first state: the given position, or all animals in hand."""
    setup = setups[0]
    states = arrays.zeros(1, structs.STATE)
    state = states[0]
    state.hands[:] = [animal.count for animal in ANIMALS]
    state.totem = structs.NOWHERE
    state.reinforced = structs.NOBODY
    state.winner = structs.NOBODY
    state.pile = (1 << len(CARDS)) - 1
    if not setup.hidden_pile:
        state.pile ^= structs.OKAPI  # it lies face up beside the board
    if handicap is not None:
        state.seat, cards = handicap
        rules.begin_draws(state, cards, structs.FOR_HANDICAP)
    elif position is not None:
        position.put(state)
        check_position(state, setup, position)
        begin_turn(state, setup)
    return states


def begin_turn(state: Any, setup: Any) -> None:
    """Enter the first phase of a given position."""
    if state.totem == structs.NOWHERE:
        state.phase = structs.SETTING_TOTEM
    elif structs.empty(state) == 0:
        rules.finish(state, setup)
    else:
        state.phase = structs.MOVING_TOTEM if state.warthog else structs.PLACING


def check_position(state: Any, setup: Any, position: WrittenPosition) -> None:
    """Reject an impossible position."""
    for space, token in enumerate(position.tokens):
        scared = token and token.animal in (structs.GAZELLE, structs.ZEBRA) and not token.hidden
        if scared and setup.neighbours[space] & state.kinds[structs.LION]:
            raise invalid("position", "position-beside-lion", space=SPACES[space], letter=str(token))
    check_cards(state, setup)
    free = int(structs.empty(state))
    if state.totem == structs.NOWHERE:
        if free != structs.ALL or state.seat != 0 or state.reinforced != structs.NOBODY or position.force != "-":
            raise invalid("position", "position-totem-missing")
        return
    if state.reinforced == structs.NOBODY:
        for letter, territory in zip(TERRITORIES, setup.territories, strict=True):
            if territory & free == 0:
                raise invalid("position", "position-not-reinforced", territory=letter)
    if free == 0:
        return
    if not structs.has_tokens(state, int(state.seat)):
        raise invalid("position", "position-no-tokens")
    open_spaces = int(setup.lines[state.totem]) & free
    if open_spaces == 0:
        raise invalid("position", "position-line-full", line=PATH[state.totem], totem=int(state.totem))
    check_force(state, position.force, open_spaces)


def check_cards(state: Any, setup: Any) -> None:
    """Check that the reinforced seat holds the face-up Okapi, and that a Giraffe has three cards to draw."""
    if not setup.hidden_pile:
        for seat in range(2):
            if bool(state.cards[seat] & structs.OKAPI) != (state.reinforced == seat):
                raise invalid("position", "position-okapi")
        if state.used & structs.OKAPI:
            raise invalid("position", "position-okapi")
    if (state.cards[0] | state.cards[1]) & structs.GIRAFFE and int(state.pile).bit_count() < structs.GIRAFFE_DRAWS:
        raise invalid("position", "position-giraffe")


def check_force(state: Any, force: str, open_spaces: int) -> None:
    """Check that a card in force has been used and names an empty space of the totem's line."""
    if force == "-":
        return
    card, _, space = force.partition(":")
    if not state.used >> CARDS.index(card) & 1:
        raise invalid("position", "position-force-unused", card=card)
    if space and not int(state.boa | state.porcupine) & open_spaces:
        raise invalid("position", "position-force-space", card=card, space=space)
    if card == "porcupine" and open_spaces.bit_count() < 2:
        raise invalid("position", "position-force-alone", space=space)
