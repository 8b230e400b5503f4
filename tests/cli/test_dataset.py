"""Data sets: the same records however they are made, and a run that continues where it was interrupted."""

from pathlib import Path

import pytest

import mchezo
from mchezo.cli import dataset
from mchezo.core.errors import UserError


def make(folder: Path, games: int, workers: int = 2, level: int = 1) -> dict[str, str]:
    """Make a small data set of Kiwara; return its files."""
    dataset.start("kiwara", folder, games, level, 0.01, 4, [], 1, workers)
    return {path.name: path.read_text() for path in sorted(folder.glob("*.txt"))}


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "SHARD", 4)


def test_a_data_set_can_be_interrupted_and_enlarged(tmp_path: Path) -> None:
    whole = make(tmp_path / "whole", 10)
    assert list(whole) == ["games-0000000.txt", "games-0000004.txt", "games-0000008.txt"]
    part = tmp_path / "part"
    make(part, 6, workers=1)
    (part / "games-0000000.txt").unlink()
    assert make(part, 10) == whole
    table = mchezo.read_records(tmp_path / "whole", moves=True)
    rows = list(table.rows())
    assert [row["tags"]["Site"] for row in rows] == [f"game {number}" for number in range(10)]
    assert len({tuple(row["moves"]) for row in rows}) == 10
    for record in table:
        assert record.replay().outcome == record.outcome


def test_a_data_set_with_other_terms_is_refused(tmp_path: Path) -> None:
    make(tmp_path, 2)
    with pytest.raises(UserError) as refused:
        make(tmp_path, 2, level=2)
    assert refused.value.key == "resume-other"
