"""What is in the box of Katarenga: four double-sided quarter boards, and the boards they make.

A board is written as 64 letters, rank 8 first, ranks separated by `/`: R red, G green, B blue, Y yellow. A tile code is
a short name for an assembly: for each corner (top left, top right, bottom left, bottom right, from White's side) the
letter of the tile, upper case for its front and lower case for its back, and its quarter turns clockwise: `A0c1B2d3`.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import permutations

SEAT_NAMES = ("white", "black")
SINGLE_SEAT = ("player",)  # Isolation alone
COLOURS = "RGBY"

# The front of each tile, followed by its back.
TILES = {
    "A": ("RYBG", "GRGB", "YYBR", "BGRY"),
    "a": ("RGYB", "YRYG", "BGBR", "GBRY"),
    "B": ("RYGB", "GYRY", "BBGR", "YRBG"),
    "b": ("RGBY", "YYBR", "GRGB", "BYRG"),
    "C": ("RGBY", "YYGR", "BBRG", "GRYB"),
    "c": ("RYBG", "GYBR", "BGRY", "YRGB"),
    "D": ("RGBY", "YYBR", "BGRG", "GRYB"),
    "d": ("RYBG", "GYGR", "BBRY", "YRGB"),
}
ASSEMBLIES = 98_304  # 4! corners x 2^4 sides x 4^4 turns
TILE_CODE = re.compile("(?:[A-Da-d][0-3]){4}")

# Congress starts with the pawns spread around the edge; Black's side is at the top.
CONGRESS = ".b.wb.w./w......b/......../b......w/w......b/......../b......w/.w.bw.b."

# The two boards printed in the rulebook, Black's baseline first.
START_FIGURE = "RGBYGRYB/YYBRBGRG/GRGBYYBR/BYRGRGBY/RGYBGRYB/YRYGBBRG/BGBRYYGR/GBRYRGBY"
MOVES_FIGURE = "RYBGBYRG/GYGRGRBB/BBRYRGYY/YRGBYBGR/YRGBYRBG/BBRYRBGB/GYGRGYRY/RYBGBYGR"


def turn(rows: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    """Return rows of letters, turned clockwise."""
    for _ in range(quarters % 4):
        rows = tuple("".join(row) for row in zip(*reversed(rows), strict=True))
    return rows


def turn_board(board: str, quarters: int) -> str:
    """Return a board, turned clockwise."""
    return "/".join(turn(tuple(board.split("/")), quarters))


def mirror_board(board: str) -> str:
    """Return a board with left and right exchanged; the tiles can build it, for each back mirrors its front."""
    return "/".join(rank[::-1] for rank in board.split("/"))


def equivalents(board: str) -> Iterator[str]:
    """Yield the eight boards that play alike: the four turns of a board and of its mirror image."""
    for image in (board, mirror_board(board)):
        for quarters in range(4):
            yield turn_board(image, quarters)


def canonical(board: str) -> str | None:
    """Return the smallest tile code among equivalent boards; None if the tiles cannot build the board."""
    codes = [code for image in equivalents(board) if (code := tile_code(image)) is not None]
    return min(codes, default=None)


def assemble(code: str) -> str:
    """Return the board of a tile code."""
    quarters = [turn(TILES[code[at]], int(code[at + 1])) for at in range(0, 8, 2)]
    top = map("".join, zip(quarters[0], quarters[1], strict=True))
    bottom = map("".join, zip(quarters[2], quarters[3], strict=True))
    return "/".join([*top, *bottom])


def tile_code(board: str) -> str | None:
    """Return the tile code of a board; None if the four tiles cannot build it."""
    rows = board.split("/")
    corners = [tuple(row[left : left + 4] for row in rows[top : top + 4]) for top in (0, 4) for left in (0, 4)]
    codes = [_turned_tiles().get(corner) for corner in corners]
    if None in codes:
        return None
    code = "".join(str(code) for code in codes)
    return code if sorted(code[::2].upper()) == list("ABCD") else None


@cache
def _turned_tiles() -> dict[tuple[str, ...], str]:
    """Return the two characters of a tile code by what they show; no two sides look alike in any turn."""
    return {turn(rows, quarters): f"{side}{quarters}" for side, rows in TILES.items() for quarters in range(4)}


def assembly(number: int) -> str:
    """Return the tile code of the assembly with this number, below ASSEMBLIES."""
    number, turns = divmod(number, 256)
    number, sides = divmod(number, 16)
    tiles = list(permutations("ABCD"))[number]
    code = ""
    for corner, tile in enumerate(tiles):
        side = tile.lower() if sides >> (3 - corner) & 1 else tile
        code += f"{side}{turns >> 2 * (3 - corner) & 3}"
    return code
