"""The games, one folder each."""

from mchezo.core import registry


def register_games() -> None:
    """Make the games known by name; their code is imported when a game is first asked for."""
    registry.register("katarenga", "mchezo.games.katarenga")
    registry.register("kiwara", "mchezo.games.kiwara")
    registry.register("kitara", "mchezo.games.kitara")
