"""Isolation alone: how many pawns fit, the daily board, and what a game for one means elsewhere."""

import random
from datetime import date, timedelta
from typing import Any

import pytest

import mchezo
from mchezo import Position
from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidRecord, InvalidSetup
from mchezo.games.katarenga import alone
from mchezo.games.katarenga.components import ASSEMBLIES, assemble, assembly
from tests.oracles.katarenga_variants import Board

KATARENGA = mchezo.game("katarenga")


def start(**options: Any) -> Position:
    return KATARENGA.start(variant="isolation-alone", **options)


def most_by_plain_search(board: str, pawns: tuple[str, ...] = ()) -> int:
    """Return how many pawns fit, by trying every square of the one that is joined to the fewest: it or a neighbour."""
    squares = Board(board)
    names = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    reach = {name: set(squares.reach(name, [])) for name in names}
    joined = {name: reach[name] | {other for other in names if name in reach[other]} for name in names}
    left = frozenset(name for name in names if name not in pawns and not joined[name] & set(pawns))
    known: dict[frozenset[str], int] = {}

    def most(left: frozenset[str]) -> int:
        if not left:
            return 0
        if left not in known:
            # A largest set without the first square has one of its neighbours: otherwise it could be added.
            first = min(left, key=lambda name: (len(joined[name] & left), name))
            tried = [first, *sorted(joined[first] & left)]
            known[left] = max(1 + most(left - joined[name] - {name}) for name in tried)
        return known[left]

    return min(16, len(pawns) + most(left))


@pytest.mark.parametrize("seed", range(4))
def test_no_more_pawns_fit_than_the_search_says(seed: int) -> None:
    generator = random.Random(seed)
    position = start(seed=seed)
    for _ in range(3):
        position.play(generator.choice(position.legal_moves))
    pawns = tuple(square for squares in position.view()["pawns"].values() for square in squares)
    most, _, proven, _ = alone.attainable(position.states, position.setups, alone.BUDGET)
    assert proven
    assert most == most_by_plain_search(position.view()["board"], pawns)


def test_as_many_pawns_fit_as_the_view_says() -> None:
    found = []
    for seed in range(40):
        position = start(seed=seed)
        view = position.view()
        assert view["most_proven"]
        while position.outcome is None:
            position.play(mchezo.player("katarenga").choose(position))
        assert position.outcome.scores == (view["most"],)
        found.append(view["most"])
    assert set(found) == {14, 15, 16}


def test_a_search_cut_short_says_that_nothing_is_proven() -> None:
    position = start(board="b0d3a0c3")
    most, actions, proven, nodes = alone.attainable(position.states, position.setups, 5)
    assert (most, len(actions), proven, nodes) == (5, 5, False, 5)


def test_the_board_of_the_day_is_the_one_that_its_date_draws_as_a_seed() -> None:
    board = start(board="2026-11-17").options["board"]
    assert board == assemble(assembly(Seed(20261117).below(ASSEMBLIES)))
    assert board == start(seed=20261117).options["board"]
    days = [date(2026, 1, 1) + timedelta(days=day) for day in range(60)]
    assert len({start(board=day.isoformat()).options["board"] for day in days}) == 60


@pytest.mark.parametrize("day", ["2026-02-30", "0000-01-01", "2026-13-01"])
def test_a_date_that_does_not_exist_has_no_board(day: str) -> None:
    with pytest.raises(InvalidSetup) as caught:
        start(board=day)
    assert caught.value.key == "board-date"


@pytest.mark.parametrize(
    ("position", "key"),
    [
        ("8/8/8/8/3w4/4b3/8/8 w", "position-not-isolated"),
        ("8/8/8/8/3w4/8/8/8 w", "position-turns"),
        ("8/8/8/8/3w4/8/8/8 b d4", "position-form"),
    ],
)
def test_impossible_positions_are_refused(position: str, key: str) -> None:
    with pytest.raises(InvalidSetup) as caught:
        start(board="b0d3a0c3", position=position)
    assert caught.value.key == key


def test_a_given_position_is_continued_with_the_other_colour() -> None:
    position = start(board="b0d3a0c3", position="8/8/8/8/3w4/8/8/8 b")
    position.play("@f1")
    assert position.view()["pawns"] == {"white": ["d4"], "black": ["f1"]}
    assert position.view()["most"] == most_by_plain_search(position.view()["board"], ("d4",))


def test_the_analysis_finds_the_pawn_that_spoilt_the_best_result() -> None:
    position = start(board="b0d3a0c3")
    for move in ("@b1", "@d1", "@d4"):
        position.play(move)
    analysis = mchezo.analyse(position)
    assert [moment.points for moment in analysis.moments] == [(16.0,), (16.0,), (16.0,)]
    assert all(moment.solved for moment in analysis.moments)
    last = analysis.moments[-1]
    assert last.points_after < last.points
    assert last.why is not None
    assert last.why.key == "alone"
    share = analysis.accuracy(0)
    assert share is not None
    assert 0 < share < 1


def test_a_game_that_was_given_up_has_a_record_without_a_winner() -> None:
    position = start(board="b0d3a0c3")
    position.play("@d4")
    text = str(position.record())
    given_up = text.replace("\n\n", '\n[Winners ""]\n[Scores "1"]\n[Reason "resignation"]\n\n', 1)
    assert mchezo.Record.parse(given_up).replay().moves == ["@d4"]
    with pytest.raises(InvalidRecord):
        mchezo.Record.parse(given_up.replace('Winners ""', 'Winners "0"')).replay()
