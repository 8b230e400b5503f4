"""Many records as a table: files, directories, match files; CSV, Arrow and Parquet."""

import csv
import doctest
import json
import random
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

import mchezo
from mchezo.core import record_table


def played(name: str, moves: int, **tags: str) -> mchezo.Record:
    generator = random.Random(name)
    position = mchezo.game(name).start(seed=7)
    while position.outcome is None and len(position.moves) < moves:
        position.play(generator.choice(position.legal_moves))
    text = str(position.record())
    for tag, value in tags.items():
        text = f'[{tag} "{value}"]\n{text}'
    return mchezo.Record.parse(text)


@pytest.fixture(scope="module")
def games() -> list[mchezo.Record]:
    return [
        played("katarenga", 0),
        played("katarenga", 3, White="Anna", Black="Bo"),
        played("kiwara", 1_000, Player0="level:3", Player1="random"),
        played("kitara", 20),
    ]


def test_records_one_after_the_other_are_read_back_one_by_one(games: list[mchezo.Record]) -> None:
    text = "\n".join(map(str, games))
    assert list(mchezo.read_records(text)) == games
    assert list(mchezo.read_records(text.replace("\n\n", "\n"))) == games


def test_a_tag_inside_a_comment_begins_no_record(games: list[mchezo.Record]) -> None:
    text = str(games[1]).rstrip() + ' {a comment\n[Game "katarenga"]\nover three lines}\n'
    (read,) = mchezo.read_records(text)
    assert read.moves == games[1].moves
    assert len(list(mchezo.read_records(text + "\n" + str(games[2])))) == 2


def test_files_directories_globs_and_match_files_are_read(games: list[mchezo.Record], tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(str(games[1]))
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "two.txt").write_text(f"{games[2]}\n{games[3]}")
    match = [{"study": "players"}, {"first": "a", "record": str(games[0])}]
    (tmp_path / "match.jsonl").write_text("".join(json.dumps(line) + "\n" for line in match))
    (tmp_path / "notes.md").write_text("not a record")
    assert list(mchezo.read_records(tmp_path)) == [games[2], games[3], games[0], games[1]]
    assert list(mchezo.read_records(str(tmp_path / "**" / "t*.txt"))) == [games[2], games[3]]
    assert list(mchezo.read_records(tmp_path / "one.txt", tmp_path / "match.jsonl")) == [games[1], games[0]]
    with pytest.raises(FileNotFoundError):
        list(mchezo.read_records(tmp_path / "none.txt"))


def test_a_row_says_who_played_and_how_the_game_ended(games: list[mchezo.Record]) -> None:
    rows = list(mchezo.read_records("\n".join(map(str, games)), moves=True).rows())
    assert [row["players"] for row in rows] == [[], ["Anna", "Bo"], ["level:3", "random"], []]
    assert [row["number"] for row in rows] == [1, 2, 3, 4]
    over = games[2].outcome
    assert over is not None
    assert (rows[2]["winners"], rows[2]["scores"]) == (list(over.winners), list(over.scores))
    assert (rows[2]["reason"], rows[2]["seed"]) == (over.reason, games[2].seed)
    assert rows[0]["winners"] is None
    assert rows[1]["options"] == dict(games[1].options)
    assert [row["moves"] for row in rows] == [list(game.moves) for game in games]


def test_csv_has_a_line_for_each_game(games: list[mchezo.Record], tmp_path: Path) -> None:
    table = mchezo.read_records("\n".join(map(str, games)), moves=True)
    table.to_csv(tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["game"] for row in rows] == ["katarenga", "katarenga", "kiwara", "kitara"]
    assert json.loads(rows[1]["players"]) == ["Anna", "Bo"]
    assert rows[3]["moves"].split() == list(games[3].moves)


def test_arrow_and_parquet_hold_the_same_rows(games: list[mchezo.Record], tmp_path: Path) -> None:
    table = mchezo.read_records("\n".join(map(str, games)), moves=True)
    table.to_parquet(tmp_path / "games.parquet")
    arrow = table.to_arrow()
    assert pyarrow.parquet.read_table(tmp_path / "games.parquet").equals(arrow)
    read = arrow.to_pylist(maps_as_pydicts="strict")
    assert read == list(table.rows())


def test_without_pyarrow_the_error_says_what_to_install(
    games: list[mchezo.Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    table = mchezo.read_records(str(games[0]))
    with pytest.raises(ImportError, match=r"mchezo\[arrow\]"):
        table.to_arrow()
    with pytest.raises(ImportError, match=r"mchezo\[arrow\]"):
        table.to_parquet(tmp_path / "games.parquet")
    table.to_csv(tmp_path / "games.csv")
    assert (tmp_path / "games.csv").read_text().count("\n") == 2


def test_a_broken_record_is_named_by_its_file_line_and_number(games: list[mchezo.Record], tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    good = str(games[1])
    file.write_text(good + '\n[Game "katarenga"]\n[Rules "x"]\n')
    with pytest.raises(mchezo.InvalidRecord) as refused:
        list(mchezo.read_records(file))
    assert refused.value.line == good.count("\n") + 3
    assert refused.value.__notes__ == [f"in {file}, record 2"]


def test_a_match_file_may_end_in_the_middle_of_a_line_but_must_be_json(
    games: list[mchezo.Record], tmp_path: Path
) -> None:
    file = tmp_path / "match.jsonl"
    line = json.dumps({"record": str(games[1])}) + "\n"
    file.write_text(line + line[:40])
    assert list(mchezo.read_records(file)) == [games[1]]
    file.write_text(line + line[:40] + "\n")
    with pytest.raises(mchezo.InvalidRecord) as refused:
        list(mchezo.read_records(file))
    error = refused.value
    assert (error.key, error.line, error.source) == ("record-json", 2, str(file))


def test_the_examples_run() -> None:
    failed, tried = doctest.testmod(record_table)
    assert (failed, tried > 0) == (0, True)
