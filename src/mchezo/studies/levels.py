"""The strengths of the computer levels on the scale of people's ratings: level 4 of every game is at 1500."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mchezo.arena.ratings import PairResult, PlayerRating, rate

FILE = Path(__file__).parent / "levels.json"  # scores by game, as `mchezo ratings levels` keeps them
ANCHOR, AT = "level:4", 1500.0
# Of pairings that would take hours at full budgets: the games of `mchezo ladder`, where both levels have a tenth.
TENTH = {
    "katarenga": [PairResult("level:7", "level:6", 40, 31.0), PairResult("level:8", "level:7", 40, 33.0)],
    "kiwara": [PairResult("level:7", "level:6", 62, 47.0), PairResult("level:8", "level:7", 78, 56.0)],
    "kitara": [
        PairResult("level:6", "level:5", 40, 32.0),
        PairResult("level:7", "level:6", 40, 32.5),
        PairResult("level:8", "level:7", 150, 102.5),
    ],
}


def read() -> dict[str, list[PairResult]]:
    """Return the scores of all games."""
    stored: dict[str, list[list[Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return {game: [PairResult(*pair) for pair in pairs] for game, pairs in stored.items()}


def write(scores: Mapping[str, Iterable[PairResult]]) -> None:
    """Keep the scores of all games."""
    lines = [
        f"  {json.dumps(game)}: [\n"
        + ",\n".join(f"    {json.dumps([one.first, one.second, one.games, one.points])}" for one in pairs)
        + "\n  ]"
        for game, pairs in scores.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def tally(lines: Iterable[Mapping[str, Any]]) -> list[PairResult]:
    """Return the scores of the games in a result file, every game counted once."""
    shares: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for line in lines:
        pair = shares.setdefault((line["first"], line["second"]), {})
        pair[line["rotation"], line["seat"]] = line["share"]
    return [PairResult(*names, len(games), sum(games.values())) for names, games in sorted(shares.items())]


def with_tenth(game: str, scores: Iterable[PairResult]) -> list[PairResult]:
    """Return the scores of a game, with those at a tenth of the budgets where there are no others."""
    full = list(scores)
    met = {(one.first, one.second) for one in full}
    return [*full, *(one for one in TENTH.get(game, []) if (one.first, one.second) not in met)]


def ratings(scores: Iterable[PairResult]) -> dict[int, PlayerRating]:
    """Return the ratings by level, with the halves of their 95 % intervals."""
    return {
        int(one.name.partition(":")[2]): one for one in sorted(rate(list(scores), ANCHOR, AT), key=lambda x: x.name)
    }
