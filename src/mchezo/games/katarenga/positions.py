"""Written positions of the games from Troika on: ranks, side to move, and what else the game needs.

A rank is written with `w`, `b` and digits for empty squares; pawns that share a square stand in brackets, or are an
`m` in the games of `exchange.py`.
"""

import re
from typing import Any

from mchezo.core import arrays
from mchezo.core.structs import Structs, plain
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.notation import SQUARES, invalid
from mchezo.games.katarenga.structs import (
    BATTLE_STATIONS,
    BLACK,
    CENTRAL_PARK,
    COLORADO,
    CORNERED,
    ISOLATION_ALONE,
    OUT,
    PASSAGE,
    PAWNS,
    QUARTERMASTER,
    TROIKA,
    WHITE,
    last_rank,
)

EMPTY_BOARD = "8/8/8/8/8/8/8/8"
STARTS = {
    ISOLATION_ALONE: f"{EMPTY_BOARD} w",
    TROIKA: f"{EMPTY_BOARD} w -",
    BATTLE_STATIONS: f"{EMPTY_BOARD} w 8 8",
    CORNERED: f"{EMPTY_BOARD} w -",
    QUARTERMASTER: f"{EMPTY_BOARD} w -",
    CENTRAL_PARK: "[wb]6[wb]/8/8/8/8/8/8/[wb]6[wb] w 4 4 - -",
    COLORADO: "bbbbbbbb/8/8/8/8/8/8/wwwwwwww w -",
    PASSAGE: "w6b/1w4b1/2w2b2/3wb3/3bw3/2b2w2/1b4w1/b6w w",
}
EXAMPLE = "1b2b3/5b1b/b1b5/3b1b2/1w2w3/3w3w/1w4w1/w4w2 w"  # of Greengage, whose start depends on the board

CENTRE = ("d4", "e4", "d5", "e5")
SHARED_SQUARES = ("a1", "h1", "a8", "h8")
FOLLOWING = (TROIKA, CORNERED, QUARTERMASTER)
ENTER = "@"  # Central Park: the side to move has captured, and now enters a pawn of the other
TOKEN = re.compile(r"\[[wb]{2,4}\]|.")


def write(state: Any, variant: int) -> str:
    """Return a position in notation."""
    state = plain(state)
    parts = [write_ranks(state, variant), "wb"[state.seat]]
    if variant in FOLLOWING:
        parts.append(square_or_dash(state.last[1]))
    elif variant == BATTLE_STATIONS:
        parts += map(str, state.in_hand)
    elif variant == COLORADO:
        parts.append(square_or_dash(state.exposed))
    elif variant == CENTRAL_PARK:
        parts += [*map(str, state.in_hand), *map(square_or_dash, state.homing)]
        parts += [ENTER] if state.phase == structs.ENTERING else to_leave(state)
    return " ".join(parts)


def square_or_dash(square: int) -> str:
    """Return the name of a square, or `-` if there is none."""
    return "-" if square == OUT else SQUARES[square]


def to_leave(state: Any) -> list[str]:
    """Central Park: return the squares of the centre that the side to move has to leave."""
    state = plain(state)
    own, home = state.places[state.seat], state.homing[state.seat]
    return [name for name in CENTRE if SQUARES.index(name) in own and SQUARES.index(name) != home]


def write_ranks(state: Any, variant: int) -> str:
    """Return the pawns, rank 8 first."""
    letters = [""] * 64
    for seat, letter in enumerate("wb"):
        for place in plain(state).places[seat]:
            if place != OUT:
                letters[place] += letter
    shared = "m" if variant >= PASSAGE else None
    cells = [(shared or f"[{cell}]") if len(cell) > 1 else cell or "." for cell in letters]
    ranks = "/".join("".join(cells[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1))
    return re.sub(r"\.+", lambda run: str(len(run[0])), ranks)


def read(text: object, variant: int) -> Structs:
    """Return a state with the pawns of a written position; the error names what is wrong with it."""
    if not isinstance(text, str):
        raise invalid("position-not-text", given=text)
    parts = text.split()
    example = STARTS.get(variant, EXAMPLE)
    fewest = len(example.split())
    if not fewest <= len(parts) <= fewest + (2 if variant == CENTRAL_PARK else 0):
        raise invalid("position-form", variant=structs.VARIANTS[variant], example=example)
    if parts[1] not in ("w", "b"):
        raise invalid("position-side", given=parts[1])
    states = blank()
    state = states[0]
    state.seat = "wb".index(parts[1])
    read_ranks(parts[0], state)
    if not read_fields(parts[2:], state, variant):
        raise invalid("position-form", variant=structs.VARIANTS[variant], example=example)
    check_sharing(state, variant)
    return states


def blank() -> Structs:
    """Return a state without pawns."""
    states = arrays.zeros(1, structs.STATE)
    state = states[0]
    state.winner = structs.NOBODY
    state.occurrences = 1
    state.last[:] = OUT
    state.places[:] = OUT
    state.in_hand[:] = PAWNS
    state.homing[:] = OUT
    state.exposed = state.before_trail = OUT
    return states


def read_ranks(text: str, state: Any) -> None:
    """Put the pawns of a written position on the board."""
    ranks = text.split("/")
    if len(ranks) != 8:
        raise invalid("position-ranks", given=len(ranks))
    for number, rank in zip(range(8), reversed(ranks), strict=True):
        file = 0
        for token in TOKEN.findall(rank):
            if token in tuple("12345678"):
                file += int(token)
                continue
            pawns = "wb" if token == "m" else token.strip("[]")
            if not pawns or pawns.strip("wb"):
                raise invalid("position-letter", given=token, rank=number + 1)
            if file < 8:
                for letter in pawns:
                    put_pawn(state, "wb".index(letter), number * 8 + file)
            file += 1
        if file != 8:
            raise invalid("position-rank-size", given=file, rank=number + 1)


def put_pawn(state: Any, seat: int, square: int) -> None:
    """Put one pawn on the board."""
    if state.pawns[seat] == PAWNS:
        raise invalid("position-too-many", given=PAWNS + 1, letter="wb"[seat])
    state.cells[square] |= seat + 1
    state.places[seat, state.pawns[seat]] = square
    state.pawns[seat] += 1
    state.in_hand[seat] -= 1


def read_fields(fields: list[str], state: Any, variant: int) -> bool:
    """Read what follows the side to move; return whether it is well formed."""
    if variant == ISOLATION_ALONE:
        return read_stations(state)
    if variant in FOLLOWING:
        return read_last(fields[0], state)
    if variant == COLORADO:
        return read_exposed(fields[0], state)
    if variant in (BATTLE_STATIONS, CENTRAL_PARK):
        if not all(re.fullmatch("[0-8]", field) for field in fields[:2]):
            return False
        for seat in range(2):
            in_hand = int(fields[seat])
            if in_hand > state.in_hand[seat]:
                given = in_hand + int(state.pawns[seat])
                raise invalid("position-too-many", given=given, letter="wb"[seat])
            state.in_hand[seat] = in_hand
        return read_stations(state) if variant == BATTLE_STATIONS else read_homing(fields[2:], state)
    state.in_hand[:] = 0
    return True


def read_last(field: str, state: Any) -> bool:
    """Troika, Cornered, Quartermaster: read the pawn placed last, and check that the sides placed in turn."""
    if field != "-" and field not in SQUARES:
        return False
    white, black = state.pawns.tolist()
    # White begins, or Black after a swap; once all pawns stand, either side may be to move.
    ahead = white - black if state.seat == BLACK else black - white
    if ahead not in (0, 1) or (state.seat == BLACK and white == 0):
        raise invalid("position-turns")
    if field != "-":
        state.last[1] = SQUARES.index(field)
    there = 0 if field == "-" else state.cells[state.last[1]]
    if there != (2 - state.seat if white + black else 0):
        raise invalid("position-last", given=field)
    state.before_trail = state.last[1]
    return True


def read_exposed(field: str, state: Any) -> bool:
    """Colorado: read the pawn that has just come home."""
    state.in_hand[:] = 0
    if field == "-":
        return True
    if field not in SQUARES:
        return False
    square, mover = SQUARES.index(field), 1 - int(state.seat)
    if state.cells[square] != mover + 1 or square // 8 != last_rank(mover):
        raise invalid("position-exposed", given=field)
    state.exposed = state.before_trail = state.last[1] = square
    return True


def read_stations(state: Any) -> bool:
    """Battle Stations, Isolation alone: check that the colours were placed in turn."""
    white, black = state.in_hand.tolist()
    if white + black and black - white != (0 if state.seat == WHITE else 1):
        raise invalid("position-turns")
    return True


def read_homing(fields: list[str], state: Any) -> bool:
    """Central Park: read the homing squares, and what the side to move has to do."""
    for seat, field in enumerate(fields[:2]):
        if field not in ("-", *CENTRE):
            return False
        state.homing[seat] = OUT if field == "-" else SQUARES.index(field)
    white, black = state.homing.tolist()
    centre = {SQUARES.index(name) for name in CENTRE}
    for seat in range(2):
        if state.homing[seat] == OUT and centre & set(state.places[seat].tolist()):
            raise invalid("position-homing")
    if white == black != OUT:
        raise invalid("position-homing")
    for seat, other in ((WHITE, black), (BLACK, white)):
        if other != OUT and other in state.places[seat].tolist():
            raise invalid("position-homing")
    if fields[2:] == [ENTER]:
        if state.in_hand[1 - state.seat] == 0:
            return False
        state.phase = structs.ENTERING
        return True
    return fields[2:] in ([], to_leave(state))


def check_sharing(state: Any, variant: int) -> None:
    """Reject pawns that share a square which the game does not let them share."""
    both = [*state.places[WHITE].tolist(), *state.places[BLACK].tolist()]
    shared = {place for place in both if place != OUT and both.count(place) > 1}
    if variant == CENTRAL_PARK:
        corners = {SQUARES.index(name) for name in SHARED_SQUARES}
        allowed = shared <= corners | set(state.homing.tolist()) and all(both.count(place) <= 4 for place in shared)
    elif variant >= PASSAGE:
        allowed = len(shared) <= 1 and all(state.cells[place] == 3 and both.count(place) == 2 for place in shared)
    else:
        allowed = not shared
    if not allowed:
        raise invalid("position-shared", variant=structs.VARIANTS[variant])
