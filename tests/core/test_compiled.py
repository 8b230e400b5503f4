"""Compilation: from an empty cache, from a full one, not at all, and with bounds checked; always the same games."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mchezo
from mchezo.core import compiled

# Random games of every game there is, told position by position; small, for the interpreter is slow.
TRANSCRIPT = """
import random, mchezo
for name in mchezo.games():
    for seed in range(int("{games}")):
        generator = random.Random(seed)
        position = mchezo.game(name).start(seed=seed)
        while position.outcome is None and len(position.moves) < 120:
            position.play(generator.choice(position.legal_moves))
            print(name, position.key, position.moves[-1], len(position.legal_moves), position.view(0), position.outcome)
        print(mchezo.perft(position, 1))
"""


def transcript(games: int, **environment: str) -> str:
    program = TRANSCRIPT.replace("{games}", str(games))
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_interpreted_rules_play_the_same_games_as_compiled_ones() -> None:
    interpreted = transcript(3, NUMBA_DISABLE_JIT="1")
    assert interpreted.count("\n") > 300
    assert interpreted == transcript(3)


def test_rules_stay_within_their_arrays() -> None:
    assert transcript(3, NUMBA_BOUNDSCHECK="1") == transcript(3)


def test_every_kernel_runs_from_an_empty_cache_and_again_from_the_full_one(tmp_path: Path) -> None:
    program = "import sys; from mchezo.cli.measure import compile_all; compile_all(sys.argv[1:])"
    for step in ("cold", "warm"):
        before = set(tmp_path.rglob("*.nb?"))
        subprocess.run(
            [sys.executable, "-c", program, *mchezo.games()],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            check=True,
        )
        assert (set(tmp_path.rglob("*.nb?")) == before) == (step == "warm")


def test_the_cache_folder_follows_the_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = compiled.source_hash()
    assert before == compiled.source_hash()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert compiled.source_hash() != before
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    package = tmp_path / "mchezo"
    for folder in ("core", "games"):
        (package / folder).mkdir(parents=True)
        (package / folder / "rules.py").write_text("one = 1\n")
    monkeypatch.setattr(compiled, "__file__", str(package / "core" / "compiled.py"))
    first = compiled.source_hash()
    (package / "games" / "rules.py").write_text("one = 2\n")
    assert compiled.source_hash() != first


def test_folders_unused_for_thirty_days_go(tmp_path: Path) -> None:
    day = 24 * 3600
    for name, days in (("old", 31), ("new", 29)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").write_text("x")
        os.utime(tmp_path / name, (100 * day - days * day,) * 2)
    compiled.drop_unused(tmp_path, now=100 * day)
    assert [folder.name for folder in tmp_path.iterdir()] == ["new"]


def test_where_nothing_can_be_written_there_is_no_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert compiled.cache_folder() is None
