"""Statistics of random play: lengths, choices and results. Run `python bench/games.py`; about 10 s per game.

Writes the tables of docs/research.md.
"""

import numpy as np
from rich.console import Console
from rich.table import Table

from mchezo.envs.batch import Batch

GAMES = 2_000  # at once
STEPS = 3_000
KINDS = (
    ("Katarenga", "katarenga", {}),
    ("Congress", "katarenga", {"variant": "congress"}),
    ("Quebec", "katarenga", {"variant": "quebec"}),
    ("Isolation", "katarenga", {"variant": "isolation"}),
    ("Kiwara", "kiwara", {}),
    ("Kiwara, hidden pile", "kiwara", {"reinforcement": "pile"}),
    ("Kitara, two", "kitara", {"players": 2}),
    ("Kitara, three", "kitara", {"players": 3}),
    ("Kitara, four", "kitara", {"players": 4}),
)


def measure(name: str, options: dict[str, object]) -> list[str]:
    """Return horizon, decisions per game, choices per decision, and the mean return of each seat."""
    batch = Batch(name, GAMES, seed=1, **options)
    lengths, ends = np.zeros(GAMES, int), []
    choices, most, results = 0, 0, np.zeros(batch.seats)
    for _ in range(STEPS):
        choices += int(batch.counts.sum())
        most = max(most, int(batch.counts.max()))
        rewards, ended = batch.step(batch.sample())
        lengths += 1
        # No bias from games in progress: all of them start together.
        ends.append(lengths[ended])
        lengths[ended] = 0
        results += rewards.sum(axis=0)
    finished = np.concatenate(ends)
    low, high = np.percentile(finished, (5, 95))
    return [
        f"{batch.encoding.longest(batch.setups)[0]:,}",
        f"{finished.mean():.0f}",
        f"{low:.0f} to {high:.0f}",
        f"{finished.max():,}",
        f"{choices / GAMES / STEPS:.1f}",
        str(most),
        " ".join(f"{result:+.2f}" for result in results / len(finished)),
    ]


def main() -> None:
    """Print the table."""
    heads = ("horizon", "decisions", "of 90 %", "longest seen", "choices", "most seen", "mean result by seat")
    table = Table("random play", *heads, title="The games, played at random")
    for title, name, options in KINDS:
        table.add_row(title, *measure(name, options))
    Console().print(table)


if __name__ == "__main__":
    main()
