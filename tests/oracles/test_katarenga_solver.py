"""The small games with the Katarenga kit, solved: who wins from which first square with best play."""

import random

import pytest

from tests.oracles.katarenga_placing import QUARTERS, Cornered, Troika
from tests.oracles.katarenga_solver import TroikaSolver, in_straight_line, last_placer_first_squares
from tests.oracles.katarenga_variants import START_ARRAY, Board, after, read_ranks

pytestmark = pytest.mark.rotating(shares=6)

# The sides of the tiles, and the number of first squares from which the first player wins Cornered on them.
SIDES = {
    "A": ("RYBG/GRGB/YYBR/BGRY", 3),
    "A'": ("RGYB/YRYG/BGBR/GBRY", 3),
    "B": ("RYGB/GYRY/BBGR/YRBG", 3),
    "B'": ("RGBY/YYBR/GRGB/BYRG", 3),
    "C": ("RGBY/YYGR/BBRG/GRYB", 4),
    "C'": ("RYBG/GYBR/BGRY/YRGB", 4),
    "D": ("RGBY/YYBR/BGRG/GRYB", 5),
    "D'": ("RYBG/GYGR/BBRY/YRGB", 5),
}


def test_white_wins_troika() -> None:
    values = TroikaSolver(Board(START_ARRAY)).first_squares()
    assert list(values.values()).count(1) == 56  # 45 to 59 of 64 on other boards
    lost = [square for square, value in values.items() if value == -1]
    assert lost == ["f8", "b7", "c6", "e6", "f6", "a3", "c1", "h1"]


def test_white_wins_troika_also_on_straight_lines_only() -> None:
    values = TroikaSolver(Board(START_ARRAY), in_straight_line).first_squares()
    assert [list(values.values()).count(value) for value in (1, 0, -1)] == [51, 0, 13]  # 43 to 56 wins elsewhere


@pytest.mark.parametrize("seed", range(10))
def test_the_solver_of_troika_agrees_with_the_rules_played_out(seed: int) -> None:
    def best(game: Troika) -> int:
        """The value for the player to move."""
        if game.outcome is not None:
            return -1 if game.outcome[0] else 0
        return max(-best(after(game.copy(), move)) for move in game.legal_moves())

    generator = random.Random(seed)
    game, solver = Troika(START_ARRAY), TroikaSolver(Board(START_ARRAY))
    while game.outcome is None:
        ranks, side, last = game.position().split()
        pawns = read_ranks(ranks)
        if len(pawns) >= 11:  # from there the rule book plays it out quickly
            own = tuple(square for square, owner in pawns.items() if owner == side)
            enemy = tuple(square for square, owner in pawns.items() if owner != side)
            assert solver.value(own, enemy, last) == best(game)
        game.play(generator.choice(game.legal_moves()))


@pytest.mark.parametrize("side", SIDES)
def test_the_first_player_wins_cornered_on_every_side_of_every_tile(side: str) -> None:
    rows, winning = SIDES[side]
    board = Board("/".join([row + row for row in rows.split("/")] * 2), QUARTERS["a1"])
    assert len(last_placer_first_squares(board)) == winning


def test_three_first_squares_win_cornered_on_the_start_array() -> None:
    assert last_placer_first_squares(Board(START_ARRAY, QUARTERS["a1"])) == ["a1", "c4", "d1"]


def test_the_solver_of_cornered_agrees_with_the_rules_played_out() -> None:
    known: dict[str, bool] = {}

    def wins(game: Cornered) -> bool:
        """Whether the player to move wins."""
        pawns, _, last = game.position().split()
        key = f"{pawns.replace('b', 'w')} {last}"  # whose pawn is whose does not matter
        if key not in known:
            known[key] = any(not wins(after(game.copy(), move)) for move in game.legal_moves())
        return known[key]

    game = Cornered(START_ARRAY)
    winning = [move for move in game.legal_moves() if not wins(after(game.copy(), move))]
    assert winning == ["@a1", "@c4", "@d1"]


def test_the_first_player_wins_quartermaster() -> None:
    winning = last_placer_first_squares(Board(START_ARRAY), span=4)
    assert " ".join(winning) == "a1 b4 c6 c8 d1 d5 e8 f1 f2 f7 g2 g4 h4 h7 h8"  # 7 to 17 on other boards
