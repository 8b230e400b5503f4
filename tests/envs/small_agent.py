"""The small agent of docs/research.md, trained and measured against random play: `python -m tests.envs.small_agent`."""

import re
from typing import Any

import numpy as np

from mchezo.envs.batch import Batch
from tests.envs.tables import PAGE

GAMES = 400
PROGRAM = next(code for code in re.findall("```python\n(.*?)```", PAGE.read_text(), re.DOTALL) if "def train" in code)


def won_against_random(name: str, weight: Any, choose: Any) -> float:
    """Return the share of games won, half of them in each seat, with set-ups and seeds not used in training."""
    batch, rng = Batch(name, GAMES, seed=99), np.random.default_rng(99)
    own = np.arange(GAMES) % 2
    won, over = np.zeros(GAMES, bool), np.zeros(GAMES, bool)
    while not over.all():
        actions = np.where(batch.to_move == own, choose(batch, weight, 0.0, rng)[0], batch.sample())
        rewards, ended = batch.step(actions)
        first = ended & ~over
        won[first] = rewards[first, own[first]] > 0
        over |= ended
    return float(won.mean())


if __name__ == "__main__":
    learned: dict[str, Any] = {}
    exec(PROGRAM, learned)
    print(won_against_random("katarenga", learned["weights"], learned["choose"]))
    print(won_against_random("kiwara", learned["train"]("kiwara"), learned["choose"]))
