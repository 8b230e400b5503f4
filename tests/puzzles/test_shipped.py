"""The puzzles that come with mchezo: every solution is legal, and a try is judged by it."""

import datetime

import pytest

import mchezo
from mchezo.core.data import read_toml
from mchezo.core.errors import IllegalMove
from mchezo.games.kitara.puzzles import is_within
from mchezo.puzzles.attempt import attempt
from mchezo.puzzles.collection import WORDS, identified, of_day, read, shipped, shipped_file
from mchezo.puzzles.themes import themes
from tests.cli.running import run

PARTS = 24  # of the puzzles of a game; a run checks one of them, `--whole` all
FEWEST = {"katarenga": 1_000, "kiwara": 1_500, "kitara": 450}
LARGEST = 150_000  # bytes of a file


@pytest.mark.parametrize("game", mchezo.games())
def test_there_are_enough_and_each_is_there_once(game: str) -> None:
    puzzles = read(shipped_file(game))
    assert len(puzzles) >= FEWEST[game]
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len(shipped_file(game)) <= LARGEST


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", mchezo.games())
def test_the_solution_solves_the_puzzle(game: str, part: int) -> None:
    for puzzle in list(shipped(game).values())[part::PARTS]:
        begun = attempt(game, puzzle, [])
        assert (begun.verdict, begun.moves) == ("open", ())
        assert len(begun.position.legal_moves) > 1
        solved = attempt(game, puzzle, puzzle.line)
        assert solved.verdict == "solved"
        assert solved.points == puzzle.points
        assert list(solved.moves) == puzzle.line
        assert identified(puzzle) == puzzle
        assert themes(game, puzzle) == puzzle.themes
        assert 0 < puzzle.rating < 3500


@pytest.mark.parametrize("game", ["katarenga", "kiwara"])
def test_any_other_move_misses(game: str) -> None:
    puzzle = next(iter(shipped(game).values()))
    for move in attempt(game, puzzle, []).position.legal_moves:
        assert (attempt(game, puzzle, [move]).verdict == "missed") == (move != puzzle.line[0])
    with pytest.raises(IllegalMove):
        attempt(game, puzzle, ["a1-a9" if game == "katarenga" else "T0"])


def test_the_other_side_answers_by_itself() -> None:
    puzzle = next(one for one in shipped("katarenga").values() if len(one.line) >= 3)
    assert attempt("katarenga", puzzle, puzzle.line[:1]).moves == tuple(puzzle.line[:2])


def test_a_turn_of_kitara_is_judged_by_its_points_when_it_is_over() -> None:
    puzzle = next(iter(shipped("kitara").values()))
    assert attempt("kitara", puzzle, puzzle.line[:1]).verdict == "open"
    given_up = attempt("kitara", puzzle, ["."])
    assert given_up.verdict == "missed"
    assert given_up.points < puzzle.points
    assert not is_within(given_up.position.states, 0)


def test_every_theme_has_a_name() -> None:
    for game in mchezo.games():
        names = read_toml(f"mchezo.games.{game}", "themes.toml") | WORDS.sentences
        found = [puzzle.themes for puzzle in shipped(game).values()]
        assert all(found)
        assert {f"theme-{theme}" for themes in found for theme in themes} <= names.keys()


def test_the_games_take_turns_in_the_daily_puzzle() -> None:
    days = [datetime.date(2026, 11, day) for day in (18, 19, 20, 21)]
    drawn = [of_day(day) for day in days]
    assert {game for game, _ in drawn} == set(mchezo.games())
    assert drawn[0][0] == drawn[3][0]
    assert drawn[0][1] != drawn[3][1]


def test_a_puzzle_is_solved_at_the_terminal() -> None:
    puzzle = next(one for one in shipped("katarenga").values() if len(one.line) == 3)
    wrong = next(move for move in puzzle.start("katarenga").legal_moves if move != puzzle.line[0])
    lines = ["moves", wrong, "nonsense", puzzle.line[0], puzzle.line[2], "quit"]
    said = run("puzzle", "katarenga", "--id", puzzle.id, text="\n".join(lines)).stdout
    assert f"{wrong} isn't it." in said
    assert f"Correct. Keep going. … {puzzle.line[1]}" in said
    assert said.index("Correct") < said.index("Solved!")


def test_the_solution_is_shown_at_the_terminal_in_the_chosen_language() -> None:
    puzzle = next(iter(shipped("kitara").values()))
    said = run("puzzle", "kitara", "--id", puzzle.id, text="solution\n", language="de").stdout
    assert f"Lösung: {' '.join(puzzle.line)}" in " ".join(said.split())
    assert run("puzzle", "kitara", "--id", "none").returncode == 1
