"""Compiled and interpreted rules agree."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from mchezo.games.kitara import structs
from tests.games.kitara.trace import trace


def test_interpreted_rules_play_the_same_games() -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.games.kitara.trace"],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == [trace(players) for players in (2, 3, 4)]


def test_no_field_has_the_name_of_a_record_method() -> None:
    for struct in (structs.STATE, structs.SETUP):
        assert not set(struct.names or ()) & set(dir(np.record))
