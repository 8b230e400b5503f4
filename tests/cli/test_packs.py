"""`mchezo pack`: from an empty template to a checked pack."""

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from tests.cli.running import run


def test_a_new_pack_is_a_template_that_check_finds_unfilled(tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    assert run("pack", "new", str(pack)).returncode == 0
    assert "starting_card" in pack.read_text()
    checked = run("pack", "check", str(pack))
    assert checked.returncode == 1
    assert "Traceback" not in checked.stderr


def test_a_pack_is_never_overwritten(tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    pack.write_text("precious")
    refused = run("pack", "new", str(pack))
    assert refused.returncode == 1
    assert "already exists" in " ".join(refused.stderr.split())
    assert pack.read_text() == "precious"


def test_a_good_pack_is_checked_and_played(tmp_path: Path) -> None:
    pack = tmp_path / "mine.toml"
    with as_file(files("mchezo.games.kitara").joinpath("packs", "reconstruction.toml")) as shipped:
        shutil.copy(shipped, pack)
    heuristic = run("pack", "check", str(pack))
    assert heuristic.returncode == 0
    assert "7" in heuristic.stdout
    played = run("play", "kitara", "-o", f"pack={pack}", "-o", "players=2", text="quit\n")
    assert played.returncode == 0
