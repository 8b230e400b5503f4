"""`mchezo tune`."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import mchezo
from mchezo.cli import tune
from mchezo.core.features import read_weights
from mchezo.games.katarenga.evaluate import FEATURES as KATARENGA
from mchezo.games.kitara.evaluate import FEATURES as KITARA
from mchezo.games.kiwara.evaluate import FEATURES as KIWARA

KINDS = {"katarenga": KATARENGA, "kiwara": KIWARA, "kitara": KITARA}
NAMES = {kind: [feature.name for feature in kinds[kind]] for kinds in KINDS.values() for kind in kinds}


def tuning_run(folder: Path, out: Path) -> None:
    """Run a very short tuning."""
    tune.start("kiwara", "kiwara", 2, 25, 20, 25, 7, 1, folder, out)


@pytest.mark.rotating(shares=8)
def test_learning_writes_weights_by_name_and_goes_on_from_kept_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "play_match", lambda *given: np.ones(25))
    tuning_run(tmp_path / "games", tmp_path / "weights.toml")
    table = tomllib.loads((tmp_path / "weights.toml").read_text())["kiwara"]
    assert table["command"] == ("mchezo tune kiwara --kind kiwara --rounds 2 --games 25 --nodes 20 --pairs 25 --seed 7")
    assert table["games"] == 50
    assert list(table["weights"]) == NAMES["kiwara"]
    # All games are stored: none is played again, and the result is the same.
    monkeypatch.setattr(tune, "play_batch", lambda *given: pytest.fail("a batch is played again"))
    tuning_run(tmp_path / "games", tmp_path / "again.toml")
    assert (tmp_path / "again.toml").read_text() == (tmp_path / "weights.toml").read_text()


@pytest.mark.parametrize(
    ("game", "kind", "out", "words"),
    [
        ("kitara", "one-player", "w.toml", "two-players"),
        ("katarenga", "draughts", "w.toml", "congress"),
        ("kiwara", None, "no/such/folder/w.toml", "no/such/folder"),
        ("kiwara", None, "broken.toml", "broken.toml"),
    ],
)
def test_what_cannot_be_learned_or_written_is_refused_before_anything_is_played(
    game: str, kind: str | None, out: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "broken.toml").write_text("[")
    with pytest.raises(mchezo.UserError) as refused:
        tune.start(game, kind, 1, 25, 20, 25, 7, 1, None, tmp_path / out)
    assert words in refused.value.say("en")


@pytest.mark.rotating(shares=8)
def test_what_does_not_play_better_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "play_match", lambda *given: np.full(25, 0.5))
    tuning_run(tmp_path / "games", tmp_path / "weights.toml")
    assert not (tmp_path / "weights.toml").exists()


# Isolation keeps its hand-set weights: learned ones predicted results better but played worse. The games from Troika on
# have hand-set ones, too.
LEARNED = sorted(kind for name in KINDS for kind in read_weights(f"mchezo.games.{name}"))


@pytest.mark.parametrize("kind", LEARNED)
def test_the_weights_that_come_with_the_games_are_learned_and_were_worth_it(kind: str) -> None:
    package = next(name for name, kinds in KINDS.items() if kind in kinds)
    table = read_weights(f"mchezo.games.{package}")[kind]
    assert list(table["weights"]) == NAMES[kind]
    assert table["log-loss-learned"] < table["log-loss-hand-set"]
    assert float(table["score"].split()[0]) > 50
    assert table["command"].startswith(f"mchezo tune {package} --kind {kind} ")
