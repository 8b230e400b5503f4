"""docs/research.md: its tables are the games' own, its examples run, and its small agent beats random play."""

import doctest
import os
import subprocess
import sys
from typing import Any

import pytest

import mchezo.envs.batch
import mchezo.envs.gymnasium
import mchezo.envs.openspiel
from tests.envs.small_agent import PROGRAM
from tests.envs.tables import PAGE, written


def test_the_tables_are_those_of_the_encodings() -> None:
    page = PAGE.read_text()
    assert page == written(page)


def test_the_examples_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert failed == 0
    assert tried > 10


@pytest.mark.parametrize("module", [mchezo.envs.batch, mchezo.envs.gymnasium, mchezo.envs.openspiel])
def test_the_examples_in_the_modules_run(module: Any) -> None:
    failed, tried = doctest.testmod(module)
    assert failed == 0
    assert tried > 0


def test_the_small_agent_has_40_lines() -> None:
    assert sum(bool(line.strip()) for line in PROGRAM.splitlines()) <= 40


@pytest.mark.rotating(shares=4, first=3)
def test_the_small_agent_beats_random_play() -> None:
    # One thread for NumPy's matrices: on a busy machine several wait for each other.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.envs.small_agent"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    katarenga, kiwara = map(float, run.stdout.split())
    # Of 400 games, an equal player wins 50 % with a standard deviation of 2.5 %.
    assert katarenga > 0.9
    assert kiwara > 0.65
