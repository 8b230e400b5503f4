"""Speed before and after the games were compiled ahead of time, in one run: `make bench`, about six minutes.

The old code is taken from the repository into a temporary folder and compiled by Numba. Both are measured in turn, in
processes of their own, by processor time; the best of several rounds counts, since other programs only ever slow a
round down. The table is printed, and written to docs/benchmarks.md.
"""

import io
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

BEFORE = "5e3e1a2"  # the last commit without libraries
ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
HEADING = "## Before and after"  # the last part of the page
ROUNDS = 3
ENOUGH_SECONDS = 0.5  # least duration of a measurement
GAMES = 16_384  # in a batch
MOVES = 60  # of each game played through positions
KINDS: dict[str, dict[str, Any]] = {
    "katarenga": {},
    "kiwara": {"reinforcement": "pile"},
    "kitara": {"players": 4},
}


def speed(run: Callable[[], int]) -> float:
    """Return operations per second of processor time; `run` returns how many operations it did."""
    run()
    began, done = time.process_time(), 0
    while time.process_time() - began < ENOUGH_SECONDS:
        done += run()
    return done / (time.process_time() - began)


# What is measured. Both versions of the code run this, so it uses only what both have.


def random_play(name: str) -> float:
    """Return random decisions per second in compiled code."""
    from mchezo.cli import measure
    from mchezo.core import registry

    measure.speed = speed
    return measure.random_speed(registry.find(name).start(seed=1, **KINDS[name]))


def alpha_beta(name: str) -> float:
    """Return nodes per second of alpha-beta."""
    from mchezo.cli import measure

    measure.speed = speed
    return measure.search_speed(name)


def starting(name: str) -> float:
    """Return how many searches without a limit of nodes can be started in a second, and finish depth 1 at least."""
    from mchezo.core import registry
    from mchezo.search.deepening import AlphaBeta

    engine, position = AlphaBeta(), registry.find(name).start(seed=1)

    def start() -> int:
        engine.think(position, stop=lambda: True)
        return 1

    return speed(start)


def batch(name: str) -> float:
    """Return random decisions per second in a batch, with observations and masks."""
    from mchezo.envs.batch import Batch

    games = Batch(name, GAMES, seed=1, **KINDS[name])

    def step() -> int:
        games.observe()
        games.masks()
        games.step(games.sample())
        return GAMES

    return speed(step)


def positions(name: str) -> float:
    """Return moves per second through `legal_moves` and `play` of a position."""
    from mchezo.core import registry

    first, chosen = registry.find(name).start(seed=1, **KINDS[name]), random.Random(1).random

    def play() -> int:
        position, made = first.copy(), 0
        while made < MOVES and (moves := position.legal_moves):
            position.play(moves[int(chosen() * len(moves))])
            made += 1
        return made

    return speed(play)


def pettingzoo(name: str) -> float:
    """Return decisions per second through PettingZoo, with observations and masks."""
    from mchezo.envs.pettingzoo import env

    table, generator = env(name, **KINDS[name]), random.Random(1)

    def play() -> int:
        table.reset(seed=generator.randrange(1 << 30))
        decisions = 0
        for _ in table.agent_iter():
            observation, _, terminated, _, _ = table.last()
            if terminated:
                table.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"].view(np.bool_))
            table.step(int(legal[int(generator.random() * len(legal))]))
            decisions += 1
        return decisions

    return speed(play)


def openspiel(name: str) -> float:
    """Return actions per second through OpenSpiel, from Python."""
    import pyspiel

    import mchezo.envs.openspiel

    assert mchezo.envs.openspiel
    parameters = ",".join(f"{option}={value}" for option, value in KINDS[name].items())
    game, generator = pyspiel.load_game(f"mchezo_{name}({parameters})"), random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
            state.apply_action(actions[int(generator.random() * len(actions))])
        return len(state.history())

    return speed(play)


# What is measured, for which games, and the aim: a rate per second, or a multiple of the old speed.
MEASURES: dict[str, tuple[Callable[[str], float], dict[str, float | None], float | None]] = {
    "random play, plies": (random_play, {"katarenga": 8e6, "kiwara": None, "kitara": None}, None),
    "alpha-beta, nodes": (alpha_beta, {"katarenga": 3e6, "kiwara": 4e6}, None),
    "searches started": (starting, {"katarenga": 1e3, "kiwara": 1e3}, None),
    "batch with observations and masks": (batch, {"katarenga": 2e6, "kiwara": 2e6, "kitara": 2e6}, None),
    "legal_moves and play": (positions, dict.fromkeys(KINDS), 3),
    "PettingZoo": (pettingzoo, dict.fromkeys(KINDS), 2),
    "OpenSpiel": (openspiel, dict.fromkeys(KINDS), 2),
}


def measure_all() -> dict[str, float]:
    """Return every speed of the code that this process imports; without what is not installed."""
    found = {}
    for title, (run, games, _) in MEASURES.items():
        for game in games:
            with suppress(ImportError):
                found[f"{title}, {game}"] = run(game)
    return found


def measured(source: Path, cache: str) -> dict[str, float]:
    """Return every speed of the code in a folder, measured in a new process."""
    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, __file__, "--measure"]
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return {title: float(speed) for title, speed in json.loads(run.stdout.splitlines()[-1]).items()}


def best(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    """Return the better of two rounds for each measurement."""
    return {title: max(speed, other.get(title, 0.0)) for title, speed in one.items()}


def take_old(folder: Path) -> Path | None:
    """Take the old code from the repository and compile it; return the folder of its packages, None without it."""
    try:
        packed = subprocess.run(["git", "-C", str(ROOT), "archive", BEFORE, "src"], stdout=subprocess.PIPE, check=True)
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        measured(folder / "src", str(folder))
    except (OSError, subprocess.CalledProcessError):
        print(f"The old code cannot be measured: this needs git, the commit {BEFORE} and Numba.", file=sys.stderr)
        return None
    return folder / "src"


def rows(before: dict[str, float], after: dict[str, float]) -> Iterator[tuple[str, ...]]:
    """Yield what was measured, both speeds, their ratio and the aim."""
    for title, (_, games, times) in MEASURES.items():
        for game, least in games.items():
            name = f"{title}, {game}"
            if name not in after:
                yield name, "", "not installed", "", ""
                continue
            ratio = f"{after[name] / before[name]:.2f}" if name in before else ""
            aim = f"{times:.0f} times" if times else f"{least:,.0f}" if least else ""
            yield name, f"{before[name]:,.0f}" if name in before else "", f"{after[name]:,.0f}", ratio, aim


def write(lines: list[tuple[str, ...]], loads: list[float]) -> None:
    """Write the table to the page, in place of an earlier one."""
    text = f"""{HEADING}

Compiled ahead of time, compared with commit {BEFORE}, the last one without libraries. Operations
per second of processor time on one core, the best of {ROUNDS} rounds, in which old and new code take turns. Measured on
{date.today():%d %B %Y} at a load of {min(loads):.0f} to {max(loads):.0f} on {os.cpu_count()} cores. Written by
`bench/comparison.py`; do not edit.

| one core, per second | before | after | ratio | aim |
| --- | ---: | ---: | ---: | ---: |
"""
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    PAGE.write_text(f"{PAGE.read_text().partition(HEADING)[0].rstrip()}\n\n{text}{table}")


def main() -> None:
    """Measure both in turn, print the table and write it."""
    before: dict[str, float] = {}
    after: dict[str, float] = {}
    loads = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as folder:
        old = take_old(Path(folder))
        for _ in range(ROUNDS):
            if old is not None:
                before = best(measured(old, folder), before)
            after = best(measured(ROOT / "src", folder), after)
            loads.append(os.getloadavg()[0])
    lines = list(rows(before, after))
    table = Table("one core, per second", f"before, {BEFORE}", "after", "ratio", "aim", title="Before and after")
    for column in table.columns[1:]:
        column.justify = "right"
    for line in lines:
        table.add_row(*line)
    Console().print(table)
    if before:
        write(lines, loads)


if __name__ == "__main__":
    if sys.argv[1:] == ["--measure"]:
        print(json.dumps(measure_all()))
    else:
        main()
