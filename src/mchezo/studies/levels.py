"""The strengths of the computer levels on the scale of people's ratings: level 4 of every game is at 1500."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mchezo.arena.ratings import PairResult, PlayerRating, rate

FILE = Path(__file__).parent / "levels.json"  # scores by game, as `mchezo ratings levels` keeps them
ANCHOR, AT = "level:4", 1500.0
FEW = 100  # games at full budgets against weaker levels, below which a level's games at a tenth count, too
# The games of `mchezo ladder`, where both levels have a tenth of their budgets.
TENTH = {
    "katarenga": [PairResult("level:7", "level:6", 40, 31.0), PairResult("level:8", "level:7", 40, 33.0)],
    "kiwara": [PairResult("level:7", "level:6", 62, 47.0), PairResult("level:8", "level:7", 78, 56.0)],
    "kitara": [
        PairResult("level:6", "level:5", 40, 32.0),
        PairResult("level:7", "level:6", 40, 32.5),
        PairResult("level:8", "level:7", 150, 102.5),
    ],
}


class Score(NamedTuple):
    """The first player's points against the second in the games of one match, which its seed tells from others."""

    first: str
    second: str
    games: int
    points: float
    seed: int


def read() -> dict[str, list[Score]]:
    """Return the scores of all games."""
    stored: dict[str, list[list[Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {game: [Score(*one) for one in scores] for game, scores in stored.items()}


def write(scores: Mapping[str, Iterable[Score]]) -> None:
    """Keep the scores of all games."""
    lines = [
        f"  {json.dumps(game)}: [\n" + ",\n".join(f"    {json.dumps(one)}" for one in found) + "\n  ]"
        for game, found in scores.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def tally(lines: Iterable[Mapping[str, Any]], seed: int) -> list[Score]:
    """Return the scores of the games in a result file, every game counted once."""
    shares: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for line in lines:
        pair = shares.setdefault((line["first"], line["second"]), {})
        pair[line["rotation"], line["seat"]] = line["share"]
    return [Score(*names, len(games), sum(games.values()), seed) for names, games in sorted(shares.items())]


def merged(known: Iterable[Score], new: Iterable[Score]) -> list[Score]:
    """Return scores with new ones, which replace those of the same match."""
    found = {(one.first, one.second, one.seed): one for one in (*known, *new)}
    return [found[match] for match in sorted(found)]


def counted(game: str, scores: Iterable[Score]) -> list[PairResult]:
    """Return the results from which a game's ratings follow: with those at a tenth of the budgets of some levels."""
    totals: dict[tuple[str, str], tuple[int, float]] = {}
    against_weaker: Counter[str] = Counter()
    for one in scores:
        games, points = totals.get((one.first, one.second), (0, 0.0))
        totals[one.first, one.second] = games + one.games, points + one.points
        against_weaker[one.first] += one.games
    tenth = [one for one in TENTH.get(game, []) if against_weaker[one.first] < FEW]
    return [*(PairResult(*names, *total) for names, total in totals.items()), *tenth]


def ratings(scores: Iterable[PairResult]) -> dict[int, PlayerRating]:
    """Return the ratings by level, with the halves of their 95 % intervals."""
    return {
        int(one.name.partition(":")[2]): one for one in sorted(rate(list(scores), ANCHOR, AT), key=lambda x: x.name)
    }
