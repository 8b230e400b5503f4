"""The types that other people's code sees: the package is marked `py.typed`, and mypy reads it."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

SCRIPT = """
import mchezo

position = mchezo.game("katarenga").start(seed=7)
reveal_type(position.legal_moves)
reveal_type(mchezo.read_records("games.txt").rows())
reveal_type(mchezo.player("katarenga", level=3).choose(position))
position.play(7)
"""


def test_the_package_is_marked_as_typed() -> None:
    assert files("mchezo").joinpath("py.typed").is_file()


@pytest.mark.rotating(shares=4)
def test_a_type_checker_knows_the_public_types(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    # The package is found where this Python finds it. Its own modules and NumPy are not checked again.
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "script.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 'Revealed type is "list[str]"' in run.stdout
    assert 'Revealed type is "typing.Iterator[dict[str, Any]]"' in run.stdout
    assert 'Revealed type is "str"' in run.stdout
    assert '"play" of "Position" has incompatible type "int"; expected "str"' in run.stdout
    assert "Found 1 error in 1 file" in run.stdout
