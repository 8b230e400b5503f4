"""A person against the computer in the terminal, hints and undo; and the report of an analysed game."""

import re
from pathlib import Path

from mchezo.cli.rival_study import Cell, rows
from tests.cli.running import BOARD, run

RACE = "position=w7/4b3/8/8/8/8/8/b3w3 w h a"  # the side to move enters the last camp


def test_a_person_wins_against_the_computer_with_a_hint() -> None:
    played = run("play", "katarenga", "--level", "2", "--seat", "0", "-o", BOARD, "-o", RACE, text="hint\na8-a9\n")
    assert played.returncode == 0
    assert "level 2 (Learner)" in played.stdout
    assert "Try a8-a9: 100% chance of winning." in " ".join(played.stdout.split())
    assert "solved from here" in played.stdout
    assert "White wins: both enemy camps are occupied." in played.stdout


def test_the_computer_answers_and_its_answer_is_taken_back_too() -> None:
    played = run(
        "play", "kiwara", "--level", "1", "--seat", "0", "--seed", "3", text="undo\nT5\nundo\nT6\nrecord\nquit\n"
    )
    assert played.returncode == 0
    assert "There is no move to take back." in played.stderr
    assert "Took back T5." in played.stdout
    assert "Red plays" in played.stdout
    assert "T6" in played.stdout.split("[Game")[1]
    assert "T5" not in played.stdout.split("[Game")[1]


def test_a_seat_that_does_not_exist_is_refused() -> None:
    refused = run("play", "kiwara", "--level", "1", "--seat", "3")
    assert refused.returncode == 1
    assert "seat" in refused.stderr


def test_a_game_is_analysed_with_plot_table_and_picture(record: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "course.svg"
    shown = run("analyse", str(record), "--nodes", "2000", "--picture", str(drawn), language="de")
    assert shown.returncode == 0, shown.stderr
    assert "Gewinnchancen" in shown.stdout
    assert "Genauigkeit" in shown.stdout
    assert drawn.read_text().startswith("<svg")


def test_a_blunder_is_explained_in_the_words_of_the_game(tmp_path: Path) -> None:
    planted = (Path(__file__).parents[1] / "search" / "planted" / "katarenga-03.txt").read_text()
    shown = run("analyse", str(write(tmp_path, planted)), "--nodes", "3000", language="fr")
    assert shown.returncode == 0, shown.stderr
    assert "Noir peut forcer le gain en 3 coups" in " ".join(shown.stdout.split())


def write(folder: Path, text: str) -> Path:
    file = folder / "game.txt"
    file.write_text(text)
    return file


def test_what_a_hint_says_can_be_typed_as_it_stands() -> None:
    start = ("play", "kiwara", "--seed", "5")
    hinted = run(*start, text="T0\nhint\n")
    found = re.search(r"Try (\S+(?: \S+)+): ", hinted.stdout)
    assert found is not None, hinted.stdout
    played = run(*start, text=f"T0\n{found[1]}\nrecord\n")
    assert played.stderr == ""
    assert f"1. T0 2. {found[1]} " in " ".join(played.stdout.split())


def test_of_a_line_with_an_illegal_move_nothing_is_played() -> None:
    start = ("play", "kiwara", "--seed", "5")
    played = run(*start, text="T0\nGa1 +9\nrecord\n")
    assert "too far" in played.stderr
    assert "1. T0 Red, place an animal" in " ".join(played.stdout.split())  # the record, and the same question again


def test_against_the_computer_a_game_that_the_first_player_wins_has_the_swap_rule() -> None:
    command = ("play", "katarenga", "--level", "1", "--seat", "1", "-o", "variant=troika")
    played = run(*command, text="swap\nrecord\nquit\n")
    assert played.returncode == 0
    assert "Variant: Troika." in played.stdout
    assert "enter swap" in " ".join(played.stdout.split())
    assert "2. swap" in played.stdout
    without = run(*command, "-o", "swap=false", text="swap\nquit\n")
    assert "only under the swap rule" in " ".join(without.stderr.split())


def test_isolation_between_opposite_colours_says_whom_it_favours() -> None:
    command = ("play", "katarenga", "-o", "variant=isolation")
    for language, said in {
        "en": "strongly favours Black",
        "de": "bevorzugt Schwarz deutlich",
        "fr": "avantage nettement Noir",
        "nl": "bevoordeelt Zwart sterk",
    }.items():
        opposite = run(*command, "-o", "isolation=opposite", text="quit\n", language=language)
        assert said in " ".join(opposite.stdout.split())
        assert said not in " ".join(run(*command, text="quit\n", language=language).stdout.split())
    listed = " ".join(run("games").stdout.split())
    assert "(opposite), which strongly favours Black" in listed


def test_the_report_on_the_rival_has_all_games_that_are_stored(tmp_path: Path) -> None:
    page, games = tmp_path / "page.md", tmp_path / "games.jsonl"
    page.write_text("<!-- figures heirs: begin -->\n<!-- figures heirs: end -->\n", "utf-8")
    command = ("balance", "rival", "--scenario", "heirs", "--resume", str(games), "--report", str(page), "--level", "1")
    assert run(*command, "--difficulty", "1", "--games", "3").returncode == 0
    assert run(*command, "--difficulty", "5", "--games", "1").returncode == 0
    heads, _, row, *_ = [line for line in page.read_text("utf-8").splitlines() if line.startswith("|")]
    assert heads == "| % of games won | games | difficulty 1 | difficulty 5 |"
    assert row.startswith("| level 1, Beginner | 3, 1 |")
    assert len(games.read_text("utf-8").splitlines()) == 5


def test_a_level_that_always_wins_or_loses_gets_an_interval_all_the_same() -> None:
    win, shared, loss = (1.0, 80.0, 40.0), (0.5, 60.0, 60.0), (0.0, 40.0, 80.0)
    scores = {Cell(1, 4): [win] * 20, Cell(2, 4): [loss] * 20, Cell(1, 5): [shared] * 8 + [loss] * 2}
    heads, always, shares = rows(scores)
    assert heads[2:] == ["difficulty 1", "difficulty 2"]
    # Wilson's interval of 20 of 20 begins at 20 / (20 + 1.96²).
    assert always[1:] == ["20", "100 (84 - 100)", "0 (0 - 16)"]
    # By the rules of Kitara alone, a shared victory is a victory.
    assert shares[1:] == ["10, 0", "80 (49 - 94)", ""]
