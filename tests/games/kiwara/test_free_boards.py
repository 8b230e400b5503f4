"""Free boards: their number, and that every board can be drawn with the same probability."""

import random
from collections import Counter

import pytest

from mchezo.games.kiwara.components import TERRITORIES
from mchezo.games.kiwara.free_boards import FREE_BOARDS, free_board, layers
from mchezo.games.kiwara.setup import check_board
from tests.games.kiwara.positions import KIWARA

# How many boards have territories of these sizes.
SIZE_SETS = {
    (3, 3, 3, 3, 9, 9): 595_050,
    (3, 3, 3, 5, 7, 9): 4_147_184,
    (3, 3, 3, 7, 7, 7): 672_096,
    (3, 3, 5, 5, 5, 9): 1_872_540,
    (3, 3, 5, 5, 7, 7): 2_790_498,
    (3, 5, 5, 5, 5, 7): 862_028,
    (5, 5, 5, 5, 5, 5): 27_950,
}


def sizes(board: str) -> tuple[int, ...]:
    return tuple(sorted(board.count(letter) for letter in TERRITORIES))


def test_there_are_ten_million_free_boards_of_which_27_950_have_six_fives() -> None:
    assert int(layers()[-1][1][0]) == FREE_BOARDS == sum(SIZE_SETS.values()) == 10_967_346
    assert int(layers((5,))[-1][1][0]) == SIZE_SETS[5, 5, 5, 5, 5, 5]
    # Two sizes only: three of each.
    assert int(layers((3, 7))[-1][1][0]) == SIZE_SETS[3, 3, 3, 7, 7, 7]


def test_every_number_gives_a_different_legal_board() -> None:
    generator = random.Random(1)
    numbers = {0, 1, FREE_BOARDS - 1, *generator.sample(range(FREE_BOARDS), 200)}
    boards = {free_board(number) for number in numbers}
    assert len(boards) == len(numbers)
    for board in boards:
        assert check_board(board) == board


def test_territories_are_named_in_reading_order() -> None:
    generator = random.Random(2)
    for number in generator.sample(range(FREE_BOARDS), 50):
        letters = free_board(number).replace("/", "")
        assert "".join(dict.fromkeys(letters)) == TERRITORIES


@pytest.mark.rotating(shares=4, first=2)
def test_every_combination_of_sizes_is_drawn_as_often_as_it_occurs() -> None:
    generator = random.Random(3)
    drawn = 1_500
    counts = Counter(sizes(free_board(generator.randrange(FREE_BOARDS))) for _ in range(drawn))
    assert counts.keys() == SIZE_SETS.keys()
    expected = {size_set: drawn * boards / FREE_BOARDS for size_set, boards in SIZE_SETS.items()}
    chi_square = sum((counts[size_set] - mean) ** 2 / mean for size_set, mean in expected.items())
    assert chi_square < 22.5  # 6 degrees of freedom, p = 0.001


def test_all_corners_belong_to_small_and_large_territories_equally_often() -> None:
    # Every board rotated by 180 degrees is a legal board too, so opposite corners have the same distribution.
    generator = random.Random(4)
    corners: list[Counter[int]] = [Counter(), Counter()]
    for _ in range(600):
        letters = free_board(generator.randrange(FREE_BOARDS)).replace("/", "")
        for counter, corner in zip(corners, (0, 29), strict=True):
            counter[letters.count(letters[corner])] += 1
    chi_square = sum((corners[0][n] - corners[1][n]) ** 2 / (corners[0][n] + corners[1][n]) for n in (3, 5, 7, 9))
    assert chi_square < 16.3  # 3 degrees of freedom, p = 0.001


def test_a_free_board_is_drawn_from_the_seed_and_written_into_the_record() -> None:
    position = KIWARA.start(board="free", seed=7)
    board = position.options["board"]
    assert position.drawn == ("board",)
    assert position.view()["board"] == board == check_board(board)
    assert board == KIWARA.start(board="free", seed=7).options["board"]
    assert board != KIWARA.start(board="free", seed=8).options["board"]
    assert position.record().options["board"] == board
    assert position.record().replay().view()["board"] == board
