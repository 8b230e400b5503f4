"""The contents of the box, compared with its description."""

from mchezo.games.kiwara import structs
from mchezo.games.kiwara.components import (
    ANIMALS,
    BOARDS,
    CARDS,
    EDGE,
    PATH,
    SIZES,
    SPACES,
    TERRITORIES,
    across_river,
    line,
    neighbours,
)
from mchezo.games.kiwara.notation import ACTIONS, TEXTS
from mchezo.games.kiwara.setup import check_board


def test_each_player_has_fifteen_tokens_worth_forty_eight_points() -> None:
    assert sum(animal.count for animal in ANIMALS) == 15
    assert sum(animal.count * animal.value for animal in ANIMALS) == 48


def test_there_are_ten_cards_and_thirty_spaces_of_which_eighteen_are_on_the_edge() -> None:
    assert len(set(CARDS)) == 10
    assert len(set(SPACES)) == 30
    assert len(EDGE) == 18


def test_the_boards_have_their_printed_territories_and_are_legal_free_boards() -> None:
    sizes = {name: [board.count(letter) for letter in TERRITORIES] for name, board in BOARDS.items()}
    assert sizes == {"classic": [5, 7, 7, 3, 3, 5], "president": [3, 9, 3, 5, 7, 3]}
    for board in BOARDS.values():
        assert check_board(board) == board
        assert all(board.count(letter) in SIZES for letter in TERRITORIES)


def test_every_line_is_faced_from_two_opposite_positions_of_the_path() -> None:
    assert len(PATH) == 22
    for position in range(22):
        others = [other for other in range(22) if line(other) == line(position)]
        assert len(others) == 2
        assert len(line(position)) == (5 if PATH[position].isalpha() else 6)
    assert [SPACES[space] for space in line(0)] == ["a1", "a2", "a3", "a4", "a5"]
    assert line(0) == line(16)
    assert [SPACES[space] for space in line(6)] == ["a1", "b1", "c1", "d1", "e1", "f1"]
    assert line(6) == line(21)
    assert line(10) == line(17)
    assert line(5) == line(11)


def test_rivers_run_between_territories_in_both_directions() -> None:
    for board in BOARDS.values():
        for space in range(30):
            for other in across_river(board, space):
                assert other in neighbours(space)
                assert space in across_river(board, other)
    around_c4 = {SPACES[other] for other in across_river(BOARDS["classic"], SPACES.index("c4"))}
    assert around_c4 == {"b4", "c5"}


def test_every_action_has_a_unique_text() -> None:
    assert len(TEXTS) == len(ACTIONS) == structs.ACTIONS
    assert TEXTS[structs.PLACE] == "Ga1"
    assert TEXTS[structs.USE_HYENA + 31] == "hyena:b1-b1"
    assert TEXTS[structs.MOVE_TOTEM + 2] == "+2"
    assert TEXTS[structs.USE_WILDEBEEST + 2] == "-2"
    assert TEXTS[structs.KEEP] == "keep:okapi"
    assert TEXTS[structs.STOP] == "."
