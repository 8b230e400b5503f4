"""The games, one folder each."""

from mchezo.core import registry

registry.enter("katarenga", "mchezo.games.katarenga")
registry.enter("kiwara", "mchezo.games.kiwara")
registry.enter("kitara", "mchezo.games.kitara")
