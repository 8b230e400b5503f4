"""Level 8 as it once was, under the names by which `mchezo match` knows it: what new players are measured against.

A former player has the search and the weights that all levels still use, but no network; a test pins those weights.
"""

from mchezo.search.players import Level


def best_moves(engine: str, nodes: int) -> Level:
    """Return a level that always plays the best move it finds."""
    return Level(number=8, engine=engine, nodes=nodes, candidates=1, softness=0.0)


FORMER = {
    "level8-2026-11": {
        "katarenga": best_moves("alpha-beta", 760_000),
        "kiwara": best_moves("alpha-beta", 1_000_000),
        "kitara": best_moves("monte-carlo", 3_000_000),
    },
}
