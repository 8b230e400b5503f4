"""`mchezo train`."""

from pathlib import Path

import numpy as np
import pytest

import mchezo
from mchezo.cli import train
from mchezo.core.network import HIDDEN, rows_for
from mchezo.games.kiwara.network import INPUTS


def training_run(folder: Path, out: Path) -> None:
    """Run a very short training."""
    train.start("kiwara", 2, 32, 20, 1, 7, 1, folder, out)


@pytest.mark.rotating(shares=8)
def test_training_writes_a_network_and_goes_on_from_kept_positions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training_run(tmp_path / "positions", tmp_path / "network.bin")
    made = np.fromfile(tmp_path / "network.bin", np.int16).reshape(-1, HIDDEN)
    assert len(made) == rows_for(INPUTS)
    assert made.any()
    curve = (tmp_path / "positions" / "curve.jsonl").read_text().splitlines()
    assert len(curve) == 2, "one epoch in each of two rounds"
    # The last round is learned again from kept positions: none is played again, and the result is the same.
    (tmp_path / "positions" / "round-1.bin").unlink()
    monkeypatch.setattr(train, "play_batch", lambda *given: pytest.fail("a batch is played again"))
    training_run(tmp_path / "positions", tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "network.bin").read_bytes()


def test_a_game_without_a_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(mchezo.UserError, match="no network"):
        train.start("kitara", 1, 1, 20, 1, 1, 1, tmp_path, None)
