"""The tiles and boards have the properties of the printed ones."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from mchezo.games.katarenga.components import (
    ASSEMBLIES,
    COLOURS,
    MOVES_FIGURE,
    START_FIGURE,
    TILES,
    assemble,
    assembly,
    tile_code,
    turn,
    turn_board,
)


def assemblies() -> Iterator[str]:
    """Yield the tile codes of all assemblies, in order of their numbers."""
    for tiles in permutations("ABCD"):
        for sides in product((str.upper, str.lower), repeat=4):
            for turns in product("0123", repeat=4):
                yield "".join(side(tile) + turn for tile, side, turn in zip(tiles, sides, turns, strict=True))


def edges(rows: tuple[str, ...]) -> list[str]:
    return [rows[0], rows[-1], "".join(row[0] for row in rows), "".join(row[-1] for row in rows)]


def test_every_side_has_four_squares_of_each_colour() -> None:
    for rows in TILES.values():
        assert Counter("".join(rows)) == dict.fromkeys(COLOURS, 4)


def test_every_row_and_column_of_a_side_has_one_red_square() -> None:
    for rows in TILES.values():
        assert [row.count("R") for row in rows] == [1] * 4
        assert ["".join(column).count("R") for column in zip(*rows, strict=True)] == [1] * 4


def test_every_outer_edge_of_a_side_shows_all_four_colours() -> None:
    for rows in TILES.values():
        assert all(set(edge) == set(COLOURS) for edge in edges(rows))


def test_no_side_has_a_symmetry_and_no_two_sides_are_alike() -> None:
    looks = set()
    for rows in TILES.values():
        mirrored = tuple(row[::-1] for row in rows)
        turns = {turn(rows, quarters) for quarters in range(4)} | {turn(mirrored, quarters) for quarters in range(4)}
        assert len(turns) == 8
        looks |= {turn(rows, quarters) for quarters in range(4)}
    assert len(looks) == 32


@pytest.mark.rotating(shares=4)
def test_there_are_98304_different_assemblies_49152_up_to_a_half_turn_and_24576_up_to_any_turn() -> None:
    boards = [assemble(code) for code in assemblies()]
    assert len(boards) == len(set(boards)) == ASSEMBLIES == 98_304
    half = {min(board, turn_board(board, 2)) for board in boards}
    assert len(half) == 49_152
    assert len({min(turn_board(board, quarters) for quarters in range(4)) for board in half}) == 24_576


@pytest.mark.rotating(shares=4)
def test_every_assembled_board_shows_each_colour_twice_on_each_edge() -> None:
    for code in assemblies():
        for edge in edges(tuple(assemble(code).split("/"))):
            assert sorted(edge) == sorted(COLOURS * 2)


@pytest.mark.rotating(shares=4)
def test_every_assembly_is_found_again_by_its_number_and_by_its_board() -> None:
    for number, code in enumerate(assemblies()):
        assert assembly(number) == code
        assert tile_code(assemble(code)) == code


def test_the_printed_start_array_is_an_assembly() -> None:
    assert tile_code(START_FIGURE) == "b0d3a0c3"


def test_the_printed_move_figures_show_both_sides_of_tile_d_at_once_and_so_are_no_assembly() -> None:
    assert assemble("d0C2D3a2") == MOVES_FIGURE
    assert tile_code(MOVES_FIGURE) is None


def test_a_board_that_uses_a_tile_twice_has_no_tile_code() -> None:
    assert tile_code(assemble("A0A0B0C0")) is None
    assert tile_code("/".join(["RRRRRRRR"] * 8)) is None
