"""Level 8 as it once was, under the names by which `mchezo match` knows it: what new players are measured against.

A former player has the search and the weights that all levels still use, but no network; a test pins those weights.
"""

from functools import cache

from mchezo.core import registry
from mchezo.search.players import Level


@cache
def former_levels() -> dict[str, dict[str, Level]]:
    """Return the levels by name and game, as the games' levels.toml keep them; they play the best move they find."""
    found: dict[str, dict[str, Level]] = {}
    for game in registry.names():
        for name, facts in registry.find(game).computers.levels.get("former", {}).items():
            found.setdefault(name, {})[game] = Level(number=8, candidates=1, softness=0.0, **facts)
    return found
