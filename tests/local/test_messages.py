"""In the browser's Python, without NumPy, a table sends the same messages as natively, byte for byte."""

from pathlib import Path
from typing import Any, cast

import pytest

import mchezo
from mchezo.local import runtime
from tests.build.modules import needs_libraries
from tests.local import games
from tests.local.pyodide import in_pyodide, require_runtime
from tests.rotation import CURRENT, examples

pytestmark = needs_libraries

GAMES = 300
SHARES = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pyodide")
    runtime.unpack(require_runtime(), made)
    return made


def test_every_message_of_random_games_has_the_same_bytes(folder: Path) -> None:
    count = examples(GAMES, SHARES)
    first = 0 if CURRENT.whole else CURRENT.number % SHARES * count
    asked = [(game, number) for number in range(first, first + count) for game in mchezo.games()][:count]
    files = [Path(games.__file__)]
    found = cast(list[list[str]], in_pyodide(folder, "games", "digests", asked, files=files))
    assert len(found) == len(asked)
    for (game, number), there in zip(asked, found, strict=True):
        here = list(games.play(game, number))
        assert len(here) > 20
        for at, message in enumerate(here):
            assert there[at : at + 1] == [games.digest(message)], f"{game} {number}, message {at}: {message}"
        assert len(there) == len(here)


@pytest.mark.rotating(shares=2)
def test_computers_play_the_same_moves(folder: Path) -> None:
    asked = [(game, level) for game in mchezo.games() for level in (1, 6)]
    found: Any = in_pyodide(folder, "games", "turns", asked, files=[Path(games.__file__)])
    assert found == games.turns(asked)
    assert all(moves for moves in found)


@pytest.mark.rotating(shares=4)
def test_a_difference_is_found(folder: Path) -> None:
    there = cast(list[list[str]], in_pyodide(folder, "games", "digests", [("kiwara", 1)], files=[Path(games.__file__)]))
    here = [games.digest(message) for message in games.play("kiwara", 2)]
    assert there[0] != here
