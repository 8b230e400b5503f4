"""The games, one folder each."""

from mchezo.core import registry

registry.enter("katarenga", "mchezo.games.katarenga")
