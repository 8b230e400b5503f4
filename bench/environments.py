"""The benchmark of environments, all in one run on this machine: `make bench`, about ten minutes.

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
import numpy as np
import rivals
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from mchezo.cli import measure as measuring
from mchezo.cli.measure import perft_speed, random_speed, speed
from mchezo.core import registry
from mchezo.envs.batch import Batch

Row = tuple[str, str, str, float | None]  # system, game, how it is driven, so many a second

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
    """Random decisions a second in a batch."""
    name, options = KINDS[title]
    batch = Batch(name, GAMES, seed=1, threads=threads, **options)

    def play() -> int:
        for _ in range(5):
            step(batch)
        return 5 * GAMES

    return speed(play)


def blindly(batch: Batch) -> None:
    """A random action in each game."""
    batch.step(batch.sample())


def seeing(batch: Batch) -> None:
    """The same, with everything that a learner looks at."""
    batch.observe()
    batch.masks()
    batch.step(batch.sample())


def pettingzoo_speed(name: str, options: dict[str, Any]) -> float | None:
    """Random decisions a second through PettingZoo, with its wrappers, observation and mask each time."""
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
    """Random actions a second through OpenSpiel, from Python."""
    if find_spec("pyspiel") is None:
        return None
    import mchezo.envs.openspiel

    parameters = ",".join(f"{option}={value}" for option, value in options.items())
    assert mchezo.envs.openspiel
    return rivals.spiel_from_python(f"mchezo_{name}({parameters})")


def our_random_play() -> Iterator[Row]:
    """Our games in all ways there are to drive them."""
    for title, (name, options) in KINDS.items():
        yield OURS, title, "one game, compiled", random_speed(registry.find(name).start(seed=1, **options))
        yield OURS, title, "batch, 1 core", batch_speed(title, 1, blindly)
        yield OURS, title, "batch, 2 cores", batch_speed(title, 2, blindly)
        yield OURS, title, "batch, 1 core, observations and masks", batch_speed(title, 1, seeing)
        yield OURS, title, "batch, 2 cores, observations and masks", batch_speed(title, 2, seeing)
        yield OURS, title, "PettingZoo", pettingzoo_speed(name, options)
        yield OURS, title, "OpenSpiel, from Python", spiel_speed(name, options)


def our_perft() -> Iterator[Row]:
    """Leaves of our games."""
    for title, (name, options) in KINDS.items():
        yield OURS, title, "compiled", perft_speed(registry.find(name).start(seed=1, **options))


def measure(*parts: Callable[[], Iterator[Row]]) -> list[Row]:
    """All rows, with a line that says what is being measured."""
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
    """A speed as it stands in tables."""
    return "not installed" if value is None else f"{value:,.0f}"


def print_table(title: str, rows: list[Row]) -> None:
    """A table for the terminal."""
    table = Table("system", "game", "driven", "a second", title=title)
    table.columns[3].justify = "right"
    for system, game, how, value in rows:
        table.add_row(system, game, how, write(value), style="bold green" if system == OURS else "")
    Console().print(table)


def markdown(rows: list[Row]) -> str:
    """A table for the page."""
    lines = ["| system | game | driven | a second |", "| --- | --- | --- | ---: |"]
    for system, game, how, value in rows:
        name = f"**{system}**" if system == OURS else system
        lines.append(f"| {name} | {game} | {how} | {write(value)} |")
    return "\n".join(lines)


def ratios(rows: list[Row], driven: str) -> str:
    """How much faster each of our games is, driven so, than the fastest of the others."""
    theirs = max((row for row in rows if row[0] != OURS), key=lambda row: row[3] or 0)
    lines = []
    for system, game, how, value in rows:
        if system == OURS and how == driven and value and theirs[3]:
            lines.append(f"- {game}, {how}: {value / theirs[3]:.1f} times {' '.join(theirs[:2])} {theirs[2]}")
    return "\n".join(lines)


def versions() -> str:
    """The versions of everything measured."""
    told = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            told.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            told.append(f"{package} not installed")
    return ", ".join(told)


def page(played: list[Row], counted: list[Row]) -> str:
    """docs/benchmarks.md."""
    machine = f"{os.cpu_count()} cores of a shared machine ({platform.machine()}, {platform.system()})"
    return f"""# Benchmarks

Measured on {date.today():%d %B %Y} by `make bench` in one run, on {machine}. Each speed is the best of
twelve short runs (Pgx: three), for other programs only ever slow one down. {versions()}.
Written by `bench/environments.py`; do not edit.

## Random play

Whole games, every action drawn at random from the legal ones. Chance outcomes count as actions, except in our batches
and in PettingZoo, which count decisions only. Our batches have {GAMES:,} games, those of Pgx {rivals.PGX_BATCH:,}.

![Random actions a second, by system](pictures/benchmarks.svg)

{markdown(played)}

Our batches on one core, beside the fastest of the others:

{ratios(played, "batch, 1 core")}

What this does not say. The games are of comparable size, not the same: breakthrough has simpler rules than any of ours,
chess and backgammon have harder ones. OpenSpiel keeps histories and is made for study, not for speed. Pgx is made for
accelerators, where it is far faster than on a processor.

Where we lose: through PettingZoo and OpenSpiel our games are driven from Python, step by step, and lose nearly all of
their speed on the way; OpenSpiel's own games, in C++, are faster there.

## Perft

Sequences of moves from the start, counted to a depth, in leaves a second on one core. Fairy-Stockfish is measured where
its program is installed (Debian's package `fairy-stockfish`), on the two variants nearest to ours.

{markdown(counted)}
"""


def main() -> None:
    """Measure, print, write."""
    # Short and often, for all systems alike: on a shared machine some of the times are undisturbed.
    measuring.ENOUGH_SECONDS, measuring.TIMES = 0.25, 12
    played = measure(our_random_play, rivals.random_play)
    print_table("Random play, actions a second", played)
    counted = measure(our_perft, rivals.perft)
    print_table("Perft, leaves a second", counted)
    shown = [
        (f"{game}, {how}" if system == OURS else f"{system}, {game}, {how}", value, system == OURS)
        for system, game, how, value in played
        if value
    ]
    (DOCS / "pictures" / "benchmarks.svg").write_text(chart.bars("Random actions a second", shown))
    (DOCS / "benchmarks.md").write_text(page(played, counted))


if __name__ == "__main__":
    main()
