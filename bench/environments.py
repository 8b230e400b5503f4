"""Benchmark of the environments in one run: `make bench`, about ten minutes.

Prints the tables and writes them, with a chart, to docs/benchmarks.md and docs/pictures/benchmarks.svg.
"""

import os
import platform
from collections.abc import Callable, Iterator
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import chart
import comparison
import numpy as np
import rivals
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from mchezo.cli import measure as measuring
from mchezo.cli.measure import perft_speed, random_speed, speed
from mchezo.core import registry
from mchezo.envs.batch import Batch

Row = tuple[str, str, str, float | None]  # system, game, driver, actions per second

DOCS = Path(__file__).parents[1] / "docs"
OURS = "mchezo"
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "Katarenga": ("katarenga", {}),
    "Kiwara, hidden pile": ("kiwara", {"reinforcement": "pile"}),
    "Kitara, four players": ("kitara", {"players": 4}),
}
GAMES = 16_384  # in a batch
PACKAGES = ("numba", "numpy", "pettingzoo", "open_spiel", "pgx", "jax", "chess", "pyffish")


def batch_speed(title: str, threads: int, step: Callable[[Batch], None]) -> float:
    """Return random decisions per second in a batch."""
    name, options = KINDS[title]
    batch = Batch(name, GAMES, seed=1, threads=threads, **options)

    def play() -> int:
        for _ in range(5):
            step(batch)
        return 5 * GAMES

    return speed(play)


def step_only(batch: Batch) -> None:
    """Step with a random action in each game."""
    batch.step(batch.sample())


def step_and_observe(batch: Batch) -> None:
    """Step with observations and masks, as a learner does."""
    batch.observe()
    batch.masks()
    batch.step(batch.sample())


def pettingzoo_speed(name: str, options: dict[str, Any]) -> float | None:
    """Return random decisions per second through PettingZoo, with wrappers, observations and masks."""
    if find_spec("pettingzoo") is None:
        return None
    from mchezo.envs.pettingzoo import env

    table, generator = env(name, **options), np.random.default_rng(1)

    def play() -> int:
        table.reset(seed=int(generator.integers(1 << 30)))
        decisions = 0
        for _ in table.agent_iter():
            observation, _, terminated, _, _ = table.last()
            if terminated:
                table.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            table.step(int(legal[generator.integers(len(legal))]))
            decisions += 1
        return decisions

    return speed(play)


def spiel_speed(name: str, options: dict[str, Any]) -> float | None:
    """Return random actions per second through OpenSpiel, from Python."""
    if find_spec("pyspiel") is None:
        return None
    import mchezo.envs.openspiel

    parameters = ",".join(f"{option}={value}" for option, value in options.items())
    assert mchezo.envs.openspiel
    return rivals.spiel_from_python(f"mchezo_{name}({parameters})")


def our_random_play() -> Iterator[Row]:
    """Yield our games with every driver."""
    for title, (name, options) in KINDS.items():
        yield OURS, title, "one game, compiled", random_speed(registry.find(name).start(seed=1, **options))
        yield OURS, title, "batch, 1 core", batch_speed(title, 1, step_only)
        yield OURS, title, "batch, 2 cores", batch_speed(title, 2, step_only)
        yield OURS, title, "batch, 1 core, observations and masks", batch_speed(title, 1, step_and_observe)
        yield OURS, title, "batch, 2 cores, observations and masks", batch_speed(title, 2, step_and_observe)
        yield OURS, title, "PettingZoo", pettingzoo_speed(name, options)
        yield OURS, title, "OpenSpiel, from Python", spiel_speed(name, options)


def our_perft() -> Iterator[Row]:
    """Yield the perft speed of our games."""
    for title, (name, options) in KINDS.items():
        yield OURS, title, "compiled", perft_speed(registry.find(name).start(seed=1, **options))


def measure(*parts: Callable[[], Iterator[Row]]) -> list[Row]:
    """Return all rows, showing what is being measured."""
    rows = []
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("compiling")
        for part in parts:
            for row in part():
                rows.append(row)
                progress.update(task, description=f"measured: {' '.join(row[:3])}")
    return sorted(rows, key=lambda row: -(row[3] or 0))


def write(value: float | None) -> str:
    """Format a speed."""
    return "not installed" if value is None else f"{value:,.0f}"


def print_table(title: str, rows: list[Row]) -> None:
    """Print a table."""
    table = Table("system", "game", "driver", "per second", title=title)
    table.columns[3].justify = "right"
    for system, game, how, value in rows:
        table.add_row(system, game, how, write(value), style="bold green" if system == OURS else "")
    Console().print(table)


def markdown(rows: list[Row]) -> str:
    """Return a table in Markdown."""
    lines = ["| system | game | driver | per second |", "| --- | --- | --- | ---: |"]
    for system, game, how, value in rows:
        name = f"**{system}**" if system == OURS else system
        lines.append(f"| {name} | {game} | {how} | {write(value)} |")
    return "\n".join(lines)


def ratios(rows: list[Row], driven: str) -> str:
    """Return how much faster each of our games is, with this driver, than the fastest of the others."""
    theirs = max((row for row in rows if row[0] != OURS), key=lambda row: row[3] or 0)
    lines = []
    for system, game, how, value in rows:
        if system == OURS and how == driven and value and theirs[3]:
            lines.append(f"- {game}, {how}: {value / theirs[3]:.1f} times {' '.join(theirs[:2])} {theirs[2]}")
    return "\n".join(lines)


def versions() -> str:
    """Return the versions of everything measured."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)


def page(played: list[Row], counted: list[Row], loads: list[float]) -> str:
    """Return docs/benchmarks.md."""
    load = f"{min(loads):.0f} to {max(loads):.0f}"
    machine = f"{os.cpu_count()} cores of a shared machine ({platform.machine()}, {platform.system()})"
    return f"""# Benchmarks

Measured on {date.today():%d %B %Y} by `make bench` in one run, on {machine}. Each speed is the best of
twelve short runs (Pgx: three), because other programs can only slow a run down; the load was {load}, ours
included. {versions()}.
Written by `bench/environments.py`; do not edit.

## Random play

Whole games with uniformly random legal actions. Chance outcomes count as actions, except in our batches
and in PettingZoo, which count decisions only. Our batches have {GAMES:,} games, those of Pgx {rivals.PGX_BATCH:,}.

![Random actions per second, by system](pictures/benchmarks.svg)

{markdown(played)}

Our batches on one core, compared with the fastest of the others:

{ratios(played, "batch, 1 core")}

**Limits of the comparison.** The games are of comparable size, not the same: breakthrough has simpler rules than any of
ours, chess and backgammon have harder ones. OpenSpiel keeps histories and is designed for research, not for speed. Pgx
is designed for accelerators, where it is far faster than on a CPU.

**Where we lose.** Through PettingZoo and OpenSpiel our games are driven from Python, step by step, and lose nearly all
of their speed; OpenSpiel's own games, in C++, are faster there.

## Perft

Move sequences from the start, counted to a fixed depth, in leaves a second on one core. Fairy-Stockfish is measured
where its program is installed (Debian's package `fairy-stockfish`), on the two variants nearest to ours.

{markdown(counted)}
"""


def main() -> None:
    """Measure, print and write."""
    # Many short measurements, for all systems alike: on a shared machine some of them are undisturbed.
    measuring.ENOUGH_SECONDS, measuring.TIMES = 0.25, 12
    loads = [os.getloadavg()[0]]
    played = measure(our_random_play, rivals.random_play)
    loads.append(os.getloadavg()[0])
    print_table("Random play, actions per second", played)
    counted = measure(our_perft, rivals.perft)
    loads.append(os.getloadavg()[0])
    print_table("Perft, leaves per second", counted)
    shown = [
        (f"{game}, {how}" if system == OURS else f"{system}, {game}, {how}", value, system == OURS)
        for system, game, how, value in played
        if value
    ]
    (DOCS / "pictures" / "benchmarks.svg").write_text(chart.bars("Random actions per second", shown))
    _, heading, compared = comparison.PAGE.read_text().partition(comparison.HEADING)
    comparison.PAGE.write_text("\n".join(filter(None, (page(played, counted, loads), heading + compared))))


if __name__ == "__main__":
    main()
