"""Fixtures for tests of the command line."""

from pathlib import Path

import pytest

import mchezo


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the record of a finished game."""
    path = tmp_path_factory.mktemp("records") / "game.txt"
    position = mchezo.game("katarenga").start(board="B" * 64, position="8/8/8/8/8/1b6/8/w1b4w b - -")
    position.play("c1-a0")
    position.play("h1-h2")
    position.play("b3-b2")
    position.play("h2-h3")
    position.play("b2xa1")
    path.write_text(str(position.record()))
    assert position.outcome is not None
    return path
