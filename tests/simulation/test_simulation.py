"""The simulation finds nothing in the server, and everything that is planted there."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.simulation.__main__ import Totals, main
from tests.simulation.faults import KINDS
from tests.simulation.plants import PLANTS, run_planted
from tests.simulation.run import Outcome, run
from tests.simulation.world import World

SEEDS = 200
FOUND_BY = {"hide-late-turns": ("slow-disk", "full-disk")}  # among all faults it takes thousands of seeds
SHARE = 25  # seeds a test, so that tests can run side by side
TRACE = "import sys; from tests.simulation.run import run; print(run(int(sys.argv[1])).digest)"


@pytest.mark.parametrize("first", range(0, SEEDS, SHARE))
def test_no_fault_loses_a_move_or_shows_what_is_hidden(first: int) -> None:
    totals: Counter[str] = Counter()
    for seed in range(first, first + SHARE):
        outcome = run(seed)
        assert outcome.violation is None, f"python -m tests.simulation --seed {seed} --trace: {outcome.violation}"
        totals += Counter(moves=outcome.acknowledged, faults=sum(outcome.faults.values()))
    assert totals["moves"] > 5 * SHARE
    assert totals["faults"] > 2 * SHARE


@pytest.mark.parametrize("seed", [130, 230, 655, 910, 3338, 4029, 4254])
def test_seeds_that_found_bugs_pass(seed: int) -> None:
    assert run(seed).violation is None


@pytest.mark.rotating(shares=4, first=2)
def test_a_seed_replays_byte_for_byte() -> None:
    for seed in (3, 20):
        first, second = run(seed, keep_trace=True), run(seed, keep_trace=True)
        assert first.trace
        assert len(first.trace) > 100
        assert first.trace == second.trace
        assert first.digest == second.digest


@pytest.mark.rotating(shares=4, first=1)
def test_a_seed_replays_in_another_process_with_other_hashes() -> None:
    digest = run(20).digest
    for hashes in ("1", "2"):
        given = {**os.environ, "PYTHONHASHSEED": hashes}
        folder = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", TRACE, "20"], env=given, cwd=folder, capture_output=True, text=True
        )
        assert done.stdout.strip() == digest, done.stderr


@pytest.mark.rotating(shares=4, first=0)
def test_a_run_leaves_nothing_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds: list[weakref.ref[World]] = []
    begin = World.__init__

    def begin_and_note(world: World, *given: Any) -> None:
        begin(world, *given)
        worlds.append(weakref.ref(world))

    monkeypatch.setattr(World, "__init__", begin_and_note)
    for seed in range(4):
        run(seed)
    gc.collect()
    assert [world for world in worlds[:-1] if world()] == []  # the last one may still be the current one


@pytest.mark.rotating(shares=6)
@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_bug_is_found(plant: str) -> None:
    assert first_failure(plant).violation is not None


def first_failure(plant: str) -> Outcome:
    """Return the first seed that finds a planted bug, or the last one that was tried."""
    for seed in range(SEEDS):
        outcome = run_planted(seed, FOUND_BY.get(plant, tuple(KINDS)), plant)
        if outcome.violation is not None:
            break
    return outcome


def test_a_failing_seed_is_reported_with_the_command_that_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "0-1", "--plant", "tell-before-storing"]) == 1
    printed = capsys.readouterr().out
    assert "python -m tests.simulation --seed 0 --plant tell-before-storing --trace" in printed


def test_an_interrupted_run_is_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "progress.json"
    before = Totals(file)
    for seed in range(2):
        before.add(run(seed))
    before.save()
    assert main(["--seeds", "0-2", "--resume", str(file)]) == 0
    assert "3 seeds" in capsys.readouterr().out
    assert not file.exists()


@pytest.mark.rotating(shares=4, first=3)
def test_several_processes_run_the_same_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seeds", "0-3"]) == 0
    alone = capsys.readouterr().out.splitlines()
    command = [sys.executable, "-m", "tests.simulation", "--seeds", "0-3", "--jobs", "2"]
    together = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=600)
    assert together.stdout.splitlines()[:2] == alone[:2], together.stderr
