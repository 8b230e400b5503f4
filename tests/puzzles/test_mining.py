"""Mining: what counts as a puzzle, and that a run can be interrupted."""

from functools import cache
from pathlib import Path

import pytest

import mchezo
from mchezo.core.structs import CHANCE
from mchezo.games.katarenga.puzzles import TACTICS
from mchezo.games.kitara.puzzles import TURN_ENDS, ruins
from mchezo.puzzles import collection, lines, mining, turns
from mchezo.puzzles.puzzle import Puzzle
from mchezo.puzzles.rating import most_likely
from mchezo.puzzles.sources import source_of
from mchezo.search.analysis import analyst
from tests.cli.running import run

GAMES = {"katarenga": range(12), "kiwara": range(6), "kitara": range(2)}  # few, but each has puzzles


@cache
def mined(game: str) -> list[Puzzle]:
    """Return the puzzles of a few games of self-play."""
    source = source_of(game)
    return [one for number in GAMES[game] for one in source.mine(source.play(number, 5), number, 1)]


@pytest.mark.parametrize("game", mchezo.games())
def test_equal_seeds_give_equal_puzzles_and_each_has_one_solution(game: str) -> None:
    found = mined(game)
    assert found
    assert mined.__wrapped__(game) == found
    for puzzle in found:
        assert source_of(game).holds(puzzle, 1, 0.15)
        position = puzzle.start(game)
        seat = position.to_move
        for move in puzzle.line:
            assert move in position.legal_moves
            position.play(move)
        assert position.steps[-1].by == seat  # the solver has the last word
        assert CHANCE not in [step.by for step in list(position.steps)[len(puzzle.moves) :]]


def test_the_only_good_move_is_better_than_the_second_by_the_margin() -> None:
    for puzzle in mined("katarenga"):
        verdict = lines.judge(analyst("katarenga"), puzzle.start("katarenga"), mining.CHECK * TACTICS.nodes)
        assert verdict.move == puzzle.line[0]
        assert verdict.chance - verdict.second >= lines.MARGIN


def test_endgames_of_kiwara_are_proved() -> None:
    for puzzle in mined("kiwara"):
        start = puzzle.start("kiwara")
        assert puzzle.proved
        best, second = analyst("kiwara").best(start, 2)
        assert best.solved
        assert second.solved
        assert start.to_move is not None
        assert (best.chances[start.to_move], second.chances[start.to_move]) == (1.0, 0.0)


def test_no_turn_of_kitara_reaches_the_points_of_a_puzzle_in_another_way() -> None:
    puzzle = mined("kitara")[0]
    turn = turns.Turn(puzzle.start("kitara"), TURN_ENDS)
    assert max(points for points, _ in turn.ends.values()) == turn.best == puzzle.points
    best = [states for points, states in turn.ends.values() if points == puzzle.points]
    assert len({ruins(states, turn.setup, turn.seat) for states in best}) == 1


def test_a_second_solution_is_noticed() -> None:
    board = {"board": "B" * 64}
    # Black is about to enter its second camp: White must win at once. Without that, any move wins, sooner or later.
    only = Puzzle(board | {"position": "7w/8/8/8/8/3w4/8/b6b w a a"}, ["h8-h9"])
    assert source_of("katarenga").holds(only, 1, 0.15)
    slower = Puzzle(board | {"position": "7w/8/8/8/8/3w4/8/b6b w a -"}, ["h8-h9"])
    assert not source_of("katarenga").holds(slower, 1, 0.15)


def test_a_puzzle_that_only_strong_players_solve_is_rated_higher() -> None:
    levels = [500.0, 1000.0, 1500.0, 2000.0]
    ratings = [most_likely([(level, level >= least) for level in levels]) for least in levels]
    assert ratings == sorted(ratings)
    assert ratings[0] < 1000 < 1500 < ratings[-1]


def test_an_interrupted_run_resumes_and_finds_the_same(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    options = ("--seed", "5", "--easy", "1")
    assert run("puzzles", "katarenga", "--games", "8", "--resume", str(whole), *options).returncode == 0
    assert run("puzzles", "katarenga", "--games", "3", "--resume", str(part), *options).returncode == 0
    part.write_text(part.read_text("utf-8") + '{"number": 3, "puz', "utf-8")  # the machine was switched off here
    out = tmp_path / "puzzles.json.gz"
    finished = run("puzzles", "katarenga", "--games", "8", "--resume", str(part), "--out", str(out), *options)
    assert finished.returncode == 0
    assert part.read_text("utf-8") == whole.read_text("utf-8")
    puzzles = collection.read(out.read_bytes())
    assert f"{len(puzzles)} puzzles found" in finished.stdout
    assert all(puzzle.themes for puzzle in puzzles)
    audit = run("puzzles-audit", "katarenga", str(out), "--effort", "10")
    assert f"{len(puzzles)} puzzles checked, 0 with a second solution" in audit.stdout


def test_an_audit_removes_what_has_a_second_solution(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json.gz"
    good = mined("katarenga")[0]
    spoilt = Puzzle({"board": "B" * 64, "position": "7w/8/8/8/8/3w4/8/b6b w a -"}, ["h8-h9"], id="spoilt")
    file.write_bytes(collection.write([good, spoilt]))
    audit = run("puzzles-audit", "katarenga", str(file), "--effort", "1", "--remove")
    assert audit.returncode == 1
    assert "spoilt has a second solution" in audit.stdout
    assert collection.read(file.read_bytes()) == [good]


def test_records_are_mined_instead_of_self_play(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    number = next(number for number in range(20) if list(mining.mine("katarenga", TACTICS, game_of(number), 0, 1)))
    record.write_text(str(game_of(number).record()), "utf-8")
    found = run("puzzles", "katarenga", "--record", str(record), "--easy", "1")
    count = len({one.id for one in mining.mine("katarenga", TACTICS, game_of(number), 0, 1)})
    assert found.stdout.strip() == f"{count} puzzles found."


def game_of(number: int) -> mchezo.Position:
    """Return a game of self-play."""
    return mining.played("katarenga", TACTICS, number, 5)
