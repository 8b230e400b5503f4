"""`mchezo records export`: records of files and directories as CSV or Parquet."""

from pathlib import Path

import pyarrow.parquet

import mchezo
from tests.cli.running import run


def test_records_are_exported_as_csv_and_parquet(tmp_path: Path) -> None:
    position = mchezo.game("katarenga").start(seed=7)
    position.play(position.legal_moves[0])
    (tmp_path / "games").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / "games" / name).write_text(str(position.record()))
    source, out = str(tmp_path / "games"), tmp_path / "games.csv"
    exported = run("records", "export", source, "--out", str(out))
    assert (exported.returncode, exported.stderr) == (0, "")
    assert out.read_text().count("katarenga") == 2
    out = tmp_path / "games.parquet"
    assert run("records", "export", source, "--moves", "--out", str(out)).returncode == 0
    assert pyarrow.parquet.read_table(out)["moves"].to_pylist() == [position.moves] * 2


def test_what_cannot_be_exported_is_refused_in_a_sentence(tmp_path: Path) -> None:
    missing = run("records", "export", str(tmp_path / "none.txt"), "--out", str(tmp_path / "games.csv"))
    assert missing.returncode == 1
    assert "none.txt" in missing.stderr.replace("\n", "")  # long paths wrap
    (tmp_path / "broken.txt").write_text('[Game "katarenga"]\n[Rules "x"]\n')
    broken = run("records", "export", str(tmp_path / "broken.txt"), "--out", str(tmp_path / "games.csv"))
    assert broken.returncode == 1
    assert "broken.txt: Line 2" in broken.stderr.replace("\n", "")
    kind = run("records", "export", str(tmp_path), "--out", str(tmp_path / "games.xlsx"))
    assert kind.returncode == 1
    assert ".parquet" in kind.stderr
