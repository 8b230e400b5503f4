"""Compiled ahead of time, by Numba, or not at all: always the same games. Numba's cache, and the libraries."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import mchezo
from mchezo.core import compiled, kernels, library
from mchezo.core.compiled import COMMON, Way, way_of_game
from mchezo.core.rng import new_rng
from mchezo.envs.kernels import mark_legal
from tests.build.modules import needs_libraries

pytestmark = pytest.mark.rotating(shares=6)

with_numba = pytest.mark.skipif(not find_spec("numba"), reason="Numba is not installed")

# Print random games of every game, position by position; only a few, because the interpreter is slow.
TRANSCRIPT = """
import random, mchezo
for name in {names}:
    for seed in range(int("{games}")):
        generator = random.Random(seed)
        position = mchezo.game(name).start(seed=seed)
        while position.outcome is None and len(position.moves) < 120:
            position.play(generator.choice(position.legal_moves))
            print(name, position.key, position.moves[-1], len(position.legal_moves), position.view(0), position.outcome)
        print(mchezo.perft(position, 1))
"""


def transcript(games: int, names: Sequence[str], **environment: str) -> str:
    program = TRANSCRIPT.replace("{games}", str(games)).replace("{names}", repr(tuple(names)))
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
    interpreted = transcript(3, mchezo.games(), NUMBA_DISABLE_JIT="1")
    assert interpreted.count("\n") > 300
    assert interpreted == transcript(3, mchezo.games())


# Tests that compile with Numba take turns.
@with_numba
@pytest.mark.rotating(shares=24, first=8)
@pytest.mark.parametrize("name", mchezo.games())
def test_rules_compiled_by_numba_play_the_same_games(name: str) -> None:
    assert transcript(3, [name], MCHEZO_JIT="1") == transcript(3, [name])


@with_numba
@pytest.mark.rotating(shares=24, first=12)
@pytest.mark.parametrize("name", mchezo.games())
def test_rules_stay_within_their_arrays(name: str) -> None:
    assert transcript(3, [name], NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0") == transcript(3, [name])


COMPILE = "import sys; from mchezo.cli.measure import compile_all; compile_all(sys.argv[1:])"
# Fails when something is compiled that should have been loaded from the cache.
LOAD = "from numba.core.caching import IndexDataCacheFile; IndexDataCacheFile.save = None; " + COMPILE


@with_numba
@pytest.mark.rotating(shares=24, first=16)
@pytest.mark.parametrize("name", mchezo.games())
def test_every_kernel_runs_from_an_empty_cache_and_again_from_the_full_one(name: str, tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "MCHEZO_JIT": "1"}
    for program in (COMPILE, LOAD):
        subprocess.run([sys.executable, "-c", program, name], env=environment, check=True)
    assert list(tmp_path.rglob("*.nbi"))


@with_numba
def test_the_cache_folder_follows_the_sources(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mchezo.core import jit

    before = jit.versioned_hash()
    assert before == jit.versioned_hash()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert jit.versioned_hash() != before
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    package = tmp_path / "mchezo"
    for folder in ("core", "games"):
        (package / folder).mkdir(parents=True)
        (package / folder / "rules.py").write_text("one = 1\n")
    monkeypatch.setattr(compiled, "PACKAGE", package)
    monkeypatch.setattr(compiled, "source_hash", compiled.source_hash.__wrapped__)
    first = jit.versioned_hash()
    (package / "games" / "rules.py").write_text("one = 2\n")
    assert jit.versioned_hash() != first


@with_numba
def test_folders_unused_for_thirty_days_go(tmp_path: Path) -> None:
    from mchezo.core import jit

    day = 24 * 3600
    for name, days in (("old", 31), ("new", 29)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code").write_text("x")
        os.utime(tmp_path / name, (100 * day - days * day,) * 2)
    jit.drop_unused(tmp_path, now=100 * day)
    assert [folder.name for folder in tmp_path.iterdir()] == ["new"]


@with_numba
def test_where_nothing_can_be_written_there_is_no_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mchezo.core import jit

    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert jit.cache_folder() is None


# The libraries

PLAY = """
import sys, mchezo
for name in mchezo.games():
    position = mchezo.game(name).start(seed=1)
    position.play(position.legal_moves[0])
    if position.to_move is not None:
        print(mchezo.player(name, level=1).think(position, nodes=200))
print("numba" in sys.modules)
"""


def test_every_platform_in_ci_has_libraries() -> None:
    assert os.environ.get("CI") != "true" or way_of_game(COMMON) is Way.LIBRARY


@needs_libraries
def test_playing_does_not_load_the_compiler() -> None:
    run = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "False"


@needs_libraries
def test_rules_edited_after_the_build_are_not_run_from_the_library(tmp_path: Path) -> None:
    package = tmp_path / "mchezo"
    shutil.copytree(compiled.PACKAGE, package, ignore=shutil.ignore_patterns("web", "__pycache__"))
    program = "from mchezo.core.compiled import describe; print(describe())"

    def described() -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )

    assert described().stdout.startswith("compiled ahead of time")
    rules = package / "games" / "kiwara" / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    edited = described()
    assert edited.stdout.startswith("compiled by Numba" if find_spec("numba") else "interpreted")
    assert "python -m mchezo.build" in edited.stderr


@needs_libraries
def test_a_library_refuses_arguments_of_another_kind() -> None:
    position = mchezo.game("kiwara").start(seed=1)
    states, setups, most, _ = position.arrays
    fitting, rng = np.zeros(most, np.int32), new_rng(1)
    with pytest.raises(TypeError, match="argument 3"):
        kernels.list_choices(states, setups, np.zeros(most, np.int64), fitting)
    with pytest.raises(TypeError, match="argument 3"):
        kernels.list_choices(states, setups, np.zeros(2 * most, np.int32)[::2], fitting)
    with pytest.raises(TypeError, match="argument 4"):
        kernels.list_choices(states, setups, fitting, None)  # type: ignore[arg-type]  # what is refused here
    with pytest.raises(TypeError, match="argument 2"):
        kernels.list_choices(states, mchezo.game("kitara").start(seed=1).setups, fitting, fitting)
    with pytest.raises(TypeError, match="argument 3"):
        mark_legal(fitting.reshape(1, -1), fitting[:1], np.zeros(most, np.bool_))
    kernels.determinize(states, setups, np.int64(0), rng)  # type: ignore[arg-type]  # NumPy's numbers will do
    assert kernels.list_choices(states, setups, fitting, fitting) == len(position.legal_moves)


@needs_libraries
def test_the_exported_functions_are_all_kernels_of_a_game() -> None:
    from mchezo.build.libraries import import_kernels, kernels_of

    import_kernels()
    for name in (COMMON, *mchezo.games()):
        loaded = library.load(name)
        assert kernels_of(name)
        for kernel in kernels_of(name):
            assert loaded.code[library.symbol(kernel)]
