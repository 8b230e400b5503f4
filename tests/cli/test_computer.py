"""A person against the computer in the terminal, hints and undo; and the report of an analysed game."""

from pathlib import Path

from tests.cli.running import BOARD, run

RACE = "position=w7/4b3/8/8/8/8/8/b3w3 w h a"  # whoever is to move enters the last camp


def test_a_person_wins_against_the_computer_with_a_hint() -> None:
    played = run("play", "katarenga", "--level", "2", "--seat", "0", "-o", BOARD, "-o", RACE, text="hint\na8-a9\n")
    assert played.returncode == 0
    assert "level 2: Learner" in played.stdout
    assert "Try a8-a9: 100 % chance of winning." in " ".join(played.stdout.split())
    assert "calculated to its end" in played.stdout
    assert "White occupies both enemy camps and wins." in played.stdout


def test_the_computer_answers_and_its_answer_is_taken_back_too() -> None:
    played = run(
        "play", "kiwara", "--level", "1", "--seat", "0", "--seed", "3", text="undo\nT5\nundo\nT6\nrecord\nquit\n"
    )
    assert played.returncode == 0
    assert "There is no move to take back." in played.stderr
    assert "T5 is taken back." in played.stdout
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
    assert "der Chancen behalten" in shown.stdout
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
