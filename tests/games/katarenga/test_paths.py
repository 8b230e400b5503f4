"""The paths of a board and distances on it, by the words of the rule instead of tables."""

import random

import pytest

import mchezo
from mchezo.games.katarenga import structs
from mchezo.games.katarenga.components import COLOURS, START_FIGURE
from mchezo.games.katarenga.paths import FARTHEST_AWAY
from mchezo.games.katarenga.setup import paths_of

LEAPS = {  # what a pawn does on a green or a blue square, as (files, ranks)
    "G": {(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)},
    "B": {(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)} - {(0, 0)},
}


def random_board(seed: int) -> str:
    """Return a board that the tiles could not build."""
    generator = random.Random(seed)
    return "/".join("".join(generator.choices(COLOURS, k=8)) for _ in range(8))


def targets(colours: list[int], square: int) -> set[int]:
    """Return where a pawn can go on an empty board."""
    colour = COLOURS[colours[square]]
    found = set()
    for target in range(64):
        files, ranks = target % 8 - square % 8, target // 8 - square // 8
        if colour in LEAPS:
            if (files, ranks) in LEAPS[colour]:
                found.add(target)
            continue
        far = max(abs(files), abs(ranks))
        straight = (files == 0) != (ranks == 0)
        diagonal = abs(files) == abs(ranks) > 0
        if straight if colour == "R" else diagonal:
            between = [square + (ranks * 8 + files) // far * step for step in range(1, far)]
            if all(colours[passed] != colours[square] for passed in between):
                found.add(target)
    return found


@pytest.mark.parametrize("board", [START_FIGURE, random_board(1), random_board(2)])
def test_pawns_go_as_far_as_the_next_square_of_the_same_colour(board: str) -> None:
    setup = paths_of(board)[0]
    for turned in range(4):
        colours = setup.colours[turned].tolist()
        for square in range(64):
            listed = setup.targets[turned, square].tolist()
            count = listed[structs.COUNT]
            assert sorted(listed[:count]) == sorted(targets(colours, square))
            assert set(listed[count : structs.MOST_TARGETS]) <= {square}
            # The first square of each path is next to the pawn, or where it jumps.
            begins, at = set(), 0
            while at < count:
                begins.add(listed[at])
                at = int(setup.next_path[turned, square, at])
            assert at == count
            assert all(max(abs(begin % 8 - square % 8), abs(begin // 8 - square // 8)) <= 2 for begin in begins)


@pytest.mark.parametrize("board", [START_FIGURE, random_board(3)])
def test_distances_are_the_fewest_moves_on_an_empty_board(board: str) -> None:
    setup = paths_of(board)[0]
    for turned in range(4):
        reach = [targets(setup.colours[turned].tolist(), square) for square in range(64)]
        for seat, goal in enumerate((set(range(56, 64)), set(range(8)))):
            away = dict.fromkeys(goal, 0)
            for moves in range(1, FARTHEST_AWAY):
                away |= {square: moves for square in range(64) if square not in away and reach[square] & away.keys()}
            expected = [away.get(square, FARTHEST_AWAY) for square in range(64)]
            assert setup.moves_away[turned, seat].tolist() == expected


def test_distances_to_every_goal_are_known_where_goals_fill_up() -> None:
    setup = mchezo.game("katarenga").start(variant="north-west-passage", seed=3).setups[0]
    reach = [targets(setup.colours[0].tolist(), square) for square in range(64)]
    goals = [goal for goal in range(64) if (int(setup.goals[0]) | int(setup.goals[1])) >> goal & 1]
    assert len(goals) == 16
    for goal in goals:
        away = {goal: 0}
        for moves in range(1, FARTHEST_AWAY):
            away |= {square: moves for square in range(64) if square not in away and reach[square] & away.keys()}
        assert setup.away[:, goal].tolist() == [away.get(square, FARTHEST_AWAY) for square in range(64)]
