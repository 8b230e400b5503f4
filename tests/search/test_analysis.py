"""Analysis: it finds planted blunders, uses only what a seat could see, and can be stopped."""

import random
import xml.etree.ElementTree as ElementTree

import pytest

import mchezo
from mchezo.search.accuracy import as_chances
from mchezo.search.analysis import analyse, compare, mark_of
from mchezo.search.graph import draw
from mchezo.search.thought import Thought


def played(name: str, seed: int, moves: int, level: int = 4) -> mchezo.Position:
    """Return a game between players of one level."""
    position = mchezo.game(name).start(seed=seed)
    player = mchezo.player(name, level, seed=seed, share=0.2)
    while position.outcome is None and len(position.moves) < moves:
        for move in player.turn(position):
            position.play(move)
    return position


def test_a_missed_win_is_found_with_the_winning_move() -> None:
    # Each side lacks only one camp and stands in front of it.
    position = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h a")
    position.play(next(move for move in position.legal_moves if move.startswith("e1-")))
    (moment,) = mchezo.analyse(position, nodes=5_000).moments
    assert moment.best[0] == "a8-a9"
    assert moment.mark == "missed win"
    assert moment.chances == (1.0, 0.0)


def test_the_best_move_gives_nothing_away() -> None:
    position = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h -")
    position.play("a8-a9")
    found = mchezo.analyse(position, nodes=5_000)
    assert found.marked == ()
    assert found.accuracy(0) == pytest.approx(1.0, abs=1e-5)
    assert found.accuracy(1) is None


@pytest.mark.parametrize("name", mchezo.games())
def test_every_choice_of_a_game_is_evaluated_and_drawn(name: str) -> None:
    position = played(name, 2, 16)
    reported: list[tuple[int, int]] = []
    found = analyse(position, nodes=300, progress=lambda done, total: reported.append((done, total)))
    assert reported == [(number + 1, len(found.moments)) for number in range(len(found.moments))]
    for moment in found.moments:
        assert position.moves[moment.number] == moment.move
        assert 0.0 <= moment.loss <= 1.0
        assert len(moment.chances) == len(moment.after) == len(position.seats)
        if moment.best[0] == moment.move:
            assert moment.loss == 0.0
    ElementTree.fromstring(draw(found, position.seats))


def test_a_record_is_analysed_like_its_game() -> None:
    position = played("kiwara", 3, 200)
    assert analyse(str(position.record()), nodes=200) == analyse(position, nodes=200)


def test_an_analysis_can_be_stopped() -> None:
    position = played("katarenga", 3, 12)
    asked = iter([False, False, False, True])
    assert len(analyse(position, nodes=100, stop=lambda: next(asked, True)).moments) < 12


def test_a_game_without_decisions_is_refused() -> None:
    with pytest.raises(mchezo.UserError, match="Nothing to analyse"):
        mchezo.analyse(mchezo.game("katarenga").start(seed=1))


@pytest.mark.parametrize(
    ("chance", "after", "mark"),
    [
        (0.5, 0.5, ""),
        (0.5, 0.44, "inaccuracy"),
        (0.5, 0.39, "mistake"),
        (0.5, 0.2, "blunder"),
        (0.95, 0.5, "missed win"),
        (0.95, 0.7, "blunder"),
    ],
)
def test_marks_go_by_what_was_given_away(chance: float, after: float, mark: str) -> None:
    assert mark_of(chance, after) == mark


@pytest.mark.parametrize(
    ("chance", "points", "mark"),
    [(0.0, 1.0, ""), (0.0, 3.0, "inaccuracy"), (1.0, 5.0, "mistake"), (0.0, 10.0, "blunder")],
)
def test_points_are_marked_in_a_decided_game_too(chance: float, points: float, mark: str) -> None:
    assert mark_of(chance, chance, as_chances(points)) == mark


def test_random_play_in_a_lost_game_of_points_is_marked() -> None:
    position = mchezo.game("kiwara").start(seed=4)
    strong = mchezo.player("kiwara", 4, seed=4)
    rng = random.Random(4)
    while position.outcome is None:
        if position.to_move == 0:
            position.play(rng.choice(position.legal_moves))
        else:
            for move in strong.turn(position):
                position.play(move)
    assert position.outcome.winners == (1,)
    late = [number for number, step in enumerate(position.steps) if step.by == 0][-12:]
    found = analyse(position, nodes=2_000, numbers=late)
    assert any(moment.mark in ("mistake", "blunder") for moment in found.moments if moment.chances[0] < 0.05)


def thought(chance: float, *, solved: bool = False) -> Thought:
    """Return what a player thinks of a move of the first seat in a game without points."""
    return Thought(("a1-b3",), 1, (chance, 1 - chance), (), 1, 1, solved)


def test_who_is_lost_is_still_told_what_goes_wrong() -> None:
    at = mchezo.game("katarenga").start(board="b0d3a0c3")
    assert compare(at, 0, "a1-b3", thought(0.02), thought(0.006)).mark == "mistake"
    assert compare(at, 0, "a1-b3", thought(0.02), thought(0.017)).mark == ""
    assert compare(at, 0, "a1-b3", thought(0.99), thought(0.97)).mark == ""  # won all the same
    assert compare(at, 0, "a1-b3", thought(0.02), thought(0.0, solved=True)).mark == ""  # sooner or later


def test_points_early_in_a_game_follow_the_chances_and_not_the_end_of_a_line() -> None:
    position = mchezo.game("kiwara").start(board="classic", chance="manual")
    for move in ["T5", "Gf5", "+2", "Za2", "+3", "Zb5", "+1"]:
        position.play(move)
    for moment in mchezo.analyse(position, nodes=4_000).moments:
        assert sum(moment.points) == pytest.approx(84, abs=1)
        assert abs(moment.points[0] - moment.points[1]) < 20
        if moment.loss < 0.02:
            assert moment.mark in ("", "inaccuracy")
        assert moment.line[0] == moment.move
