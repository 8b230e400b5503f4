"""Run seeds: `python -m tests.simulation --seeds 0-199`, or one exactly as before: `--seed 7 --trace`."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tests.simulation import faults
from tests.simulation.plants import PLANTS, run_planted
from tests.simulation.run import Outcome

SAVE_EVERY = 100  # seeds


def seed_range(text: str) -> range:
    """Read `7` or `0-199`."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def repeat_command(seed: int, kinds: Sequence[str], plant: str | None) -> str:
    """Return the command that repeats a seed exactly."""
    given = "" if list(kinds) == list(faults.KINDS) else f" --faults {','.join(kinds)}"
    return f"python -m tests.simulation --seed {seed}{given}{f' --plant {plant}' if plant else ''} --trace"


class Totals:
    """The sums over all seeds, which can be saved and continued."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.failed: list[int] = []
        self.next: int | None = None  # the first seed that was not run
        if file is not None and file.exists():
            saved = json.loads(file.read_text())
            self.counts, self.faults = Counter(saved["counts"]), Counter(saved["faults"])
            self.failed, self.next = saved["failed"], saved["next"]

    def add(self, outcome: Outcome) -> None:
        """Add a seed."""
        self.counts += Counter(
            seeds=1,
            steps=outcome.steps,
            acknowledged=outcome.acknowledged,
            moves=outcome.moves,
            tables=outcome.tables,
            worlds=outcome.worlds,
        )
        self.faults += outcome.faults
        if outcome.violation is not None:
            self.failed.append(outcome.seed)
        self.next = outcome.seed + 1
        if self.counts["seeds"] % SAVE_EVERY == 0:
            self.save()

    def save(self) -> None:
        """Save the totals, so that an interrupted run can be continued."""
        if self.file is not None:
            saved = {"counts": self.counts, "faults": self.faults, "failed": self.failed, "next": self.next}
            self.file.write_text(json.dumps(saved))

    def forget(self) -> None:
        """Remove the saved totals once all seeds were run."""
        if self.file is not None:
            self.file.unlink(missing_ok=True)


def outcomes(seeds: Sequence[int], kinds: Sequence[str], plant: str | None, jobs: int) -> Iterator[Outcome]:
    """Run seeds, in several processes if asked to; yield their outcomes in order."""
    work = partial(run_planted, kinds=kinds, plant=plant)
    if jobs == 1:
        yield from map(work, seeds)
    else:
        with multiprocessing.get_context("spawn").Pool(jobs) as pool:
            yield from pool.imap(work, seeds, chunksize=10)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the seeds that were asked for; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", "--seed", type=seed_range, default=range(200), help="such as 7 or 0-199")
    parser.add_argument("--faults", default=",".join(faults.KINDS), help="kinds of faults, separated by commas")
    parser.add_argument("--plant", choices=PLANTS, help="a bug to plant in the server")
    parser.add_argument("--trace", action="store_true", help="print everything that happens")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--resume", type=Path, help="a file in which progress is kept")
    given = parser.parse_args(arguments)
    kinds = [kind for kind in given.faults.split(",") if kind]
    if unknown := set(kinds) - set(faults.KINDS):
        parser.error(f"unknown faults: {', '.join(sorted(unknown))}")
    if given.trace:
        for seed in given.seeds:
            outcome = run_planted(seed, kinds, given.plant, keep_trace=True)
            print(*(outcome.trace or ()), sep="\n")
            print(f"seed {seed}: {outcome.violation or 'passed'}, trace {outcome.digest}")
        return 0
    totals = Totals(given.resume)
    seeds = given.seeds if totals.next is None else range(max(given.seeds.start, totals.next), given.seeds.stop)
    began = time.process_time()
    for outcome in outcomes(seeds, kinds, given.plant, given.jobs):
        totals.add(outcome)
        if outcome.violation is not None:
            print(f"seed {outcome.seed} failed: {outcome.violation}", flush=True)
            print(f"  repeat it with: {repeat_command(outcome.seed, kinds, given.plant)}", flush=True)
    totals.forget()
    print(", ".join(f"{number:,} {name}" for name, number in totals.counts.items()))
    print("faults:", ", ".join(f"{number:,} {kind}" for kind, number in sorted(totals.faults.items())))
    print(f"failed: {len(totals.failed)}" + (f", {time.process_time() - began:.0f} s" if given.jobs == 1 else ""))
    return 1 if totals.failed else 0


if __name__ == "__main__":
    sys.exit(main())
