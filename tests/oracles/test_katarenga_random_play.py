"""Random games on the rule books for more games with the Katarenga kit: what always holds, and pinned counts."""

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.oracles.compare import perft
from tests.oracles.katarenga import LETTERS
from tests.oracles.katarenga_placing import (
    BattleStations,
    Cornered,
    IsolationAlone,
    Quartermaster,
    Troika,
)
from tests.oracles.katarenga_racing import (
    CENTRE,
    CORNERS,
    TARGET_DIAGONALS,
    CentralPark,
    Colorado,
    Greengage,
    NorthWestPassage,
)
from tests.oracles.katarenga_variants import FIGURES, START_ARRAY, Game, after, read_ranks

BOARDS = {"start-array": START_ARRAY, "figures": FIGURES}
WHITE, BLACK = (0,), (1,)
NOBODY: tuple[int, ...] = ()

GAMES: dict[str, Callable[..., Game]] = {
    "troika": Troika,
    "battle-stations": BattleStations,
    "cornered": Cornered,
    "quartermaster": Quartermaster,
    "central-park": CentralPark,
    "colorado": Colorado,
    "north-west-passage": NorthWestPassage,
    "greengage": Greengage,
    "isolation-alone": IsolationAlone,
}
# Every game with every option, as name and options.
WITH_OPTIONS: list[tuple[str, dict[str, str]]] = [
    *[(name, {}) for name in GAMES],
    ("troika", {"line": "straight"}),
    ("troika", {"after_all": "move"}),
    ("cornered", {"quarter": "h8"}),
    ("colorado", {"wipeout": "loss"}),
    ("greengage", {"from_colour": "blue", "to_colour": "green"}),
]
PERFT_FILE = Path(__file__).with_name("katarenga_variants.perft")


def random_games(name: str, options: dict[str, str], count: int) -> list[list[Game]]:
    """Every position of some random games, the boards in turn."""
    games: list[list[Game]] = []
    for seed in range(count):
        generator = random.Random(f"{name} {seed}")
        game = GAMES[name](list(BOARDS.values())[seed % 2], **options)
        played = [game]
        while game.outcome is None:
            game = after(game.copy(), generator.choice(game.legal_moves()))
            played.append(game)
        games.append(played)
    return games


class TestAlways:
    @pytest.mark.parametrize(("name", "options"), WITH_OPTIONS)
    def test_nobody_is_stuck_and_a_position_tells_everything(self, name: str, options: dict[str, str]) -> None:
        for seed, played in enumerate(random_games(name, options, 4)):
            for number, game in enumerate(played):
                assert bool(game.legal_moves()) == (game.outcome is None) == (game.to_move is not None)
                again = GAMES[name](list(BOARDS.values())[seed % 2], game.position(), **options)
                assert again.position() == game.position()
                # Counters start at zero in a given position, and Colorado forbids captures on the first moves only.
                by_counter = game.outcome is not None and game.outcome[1].endswith(("moves", "repetition"))
                if not by_counter and not (name == "colorado" and number < 2):
                    assert (again.legal_moves(), again.outcome) == (game.legal_moves(), game.outcome)

    @pytest.mark.parametrize("options", [{}, {"line": "straight"}])
    def test_troika_ends_by_a_line_or_with_all_pawns(self, options: dict[str, str]) -> None:
        for played in random_games("troika", options, 10):
            assert len(played) <= 17
            assert played[-1].outcome in [(WHITE, "line"), (BLACK, "line"), (NOBODY, "all-placed")]

    @pytest.mark.parametrize("seed", range(5))
    def test_troika_goes_on_by_option_when_all_pawns_are_placed(self, seed: int) -> None:
        generator = random.Random(seed)
        game = Troika(START_ARRAY, "1wbw4/1w1bb3/1b6/2bw1w2/5b2/2w5/w2b4/1bw5 w d7", after_all="move")
        while game.outcome is None:
            assert Troika(START_ARRAY, game.position(), after_all="move").legal_moves() == game.legal_moves()
            lifted, placed = generator.choice(game.legal_moves()).split("@")
            assert lifted != placed
            game.play(f"{lifted}@{placed}")
            assert len(read_ranks(game.position().split()[0])) == 16
        assert game.outcome[1] in ("line", "repetition", "fifty-moves")

    def test_battle_stations_is_never_drawn(self) -> None:
        for played in random_games("battle-stations", {}, 10):
            assert played[-1].outcome is not None
            assert len(played[-1].outcome[0]) == 1
            assert 17 <= len(played) <= 40

    @pytest.mark.parametrize("name", ["cornered", "quartermaster"])
    def test_the_last_to_place_wins(self, name: str) -> None:
        for played in random_games(name, {}, 10):
            assert played[-1].outcome == ((played[-2].to_move,), "no-place")
            assert played[-1].points == len(played) - 1 <= 16

    def test_central_park_keeps_four_pawns_each_on_the_board(self) -> None:
        for played in random_games("central-park", {}, 4):
            for game in played[:-1]:
                pawns = read_ranks(game.position().split()[0])
                assert ["".join(pawns.values()).count(side) for side in LETTERS] == [4, 4]
                assert all(len(standing) == 1 for square, standing in pawns.items() if square not in CORNERS + CENTRE)

    def test_colorado_loses_pawns_by_captures_only(self) -> None:
        for played in random_games("colorado", {}, 4):
            counts = [len(read_ranks(game.position().split()[0])) for game in played]
            assert {before - now for before, now in pairwise(counts)} <= {0, 1}

    @pytest.mark.parametrize("name", ["north-west-passage", "greengage"])
    def test_random_players_never_fill_all_targets(self, name: str) -> None:
        for played in random_games(name, {}, 2):
            assert played[-1].outcome == (NOBODY, "hundred-moves")
            assert len(played) == 201
            assert all(game.position().split()[0].count("m") <= 1 for game in played)

    def test_the_diagonals_hold_eight_squares_each(self) -> None:
        assert [len(squares) for squares in TARGET_DIAGONALS.values()] == [8, 8]
        assert not TARGET_DIAGONALS["w"] & TARGET_DIAGONALS["b"]


def pinned_counts() -> list[tuple[str, dict[str, str], str, str | None, list[int]]]:
    """The lines of the perft file: game and options, board, position, counts."""
    lines = [line for line in PERFT_FILE.read_text().splitlines() if line and not line.startswith("#")]
    pinned: list[tuple[str, dict[str, str], str, str | None, list[int]]] = []
    for line in lines:
        game, board, position, counts = [part.strip() for part in line.split("|")]
        name, *options = game.split()
        chosen = dict(option.split("=") for option in options)
        numbers = [int(count) for count in counts.split()]
        pinned.append((name, chosen, BOARDS[board], None if position == "start" else position, numbers))
    return pinned


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize(("name", "options", "board", "position", "counts"), pinned_counts(), ids=str)
def test_the_number_of_ways_to_play_on_is_unchanged(
    name: str, options: dict[str, str], board: str, position: str | None, counts: list[int]
) -> None:
    game = GAMES[name](board, position, **options)
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts
