"""Set-ups before a table exists: what a game offers, options checked by a start, unfinished boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.errors import TableError, error_message
from mchezo.server.transport import packs, untrusted


def game_info(
    name: str,
    levels: list[messages.LevelInfo],
    ready: messages.GameReady,
    kinds: Sequence[messages.KindInfo] = (),
) -> messages.GameInfo:
    """Return what there is to know about a game before it is played; `kinds` are those for which players are paired."""
    game = registry.find(name)
    defaults = {option.name: option.default for option in game.setup.options}
    return messages.GameInfo(
        name=game.name,
        title=game.title,
        author=game.author,
        rules=game.version,
        players=list(game.players),
        sides=list(game.setup.seats({**defaults, "players": max(game.players)})),
        options=[
            messages.OptionInfo(option.name, option.default, None if option.values is None else list(option.values))
            for option in game.setup.options
        ],
        draws=bool(game.rules.draws),
        revenge=game.revenge is not None,
        touch_move=game.touch is not None,
        levels=levels,
        ready=ready,
        kinds=list(kinds),
    )


def check_setup(game: str, data: messages.CheckSetup) -> messages.CheckedSetup:
    """Check start options by starting a game with them."""
    found = registry.find(game)
    position = found.start(**untrusted.startable_options(game, data.options))
    extras = found.setup.extras(position.options)
    drawn = None
    if found.packs is not None:
        drawn = packs.draw_map(untrusted.find_pack(position.options[found.packs.option]), len(position.seats))
    return messages.CheckedSetup(dict(position.options), cast(Any, position.view()), position.svg(), extras, drawn)


def sketch(game: str, data: messages.Sketch) -> messages.Sketched:
    """Check an unfinished board."""
    found = registry.find(game)
    if found.sketch is None:
        raise TableError("not-possible", "no-sketch", game=found.title)
    drawn = found.sketch({"rivers": data.rivers, "board": data.board})
    error = drawn.pop("refusal", None)
    told = error_message(error, "en").told if error else None
    regions = [messages.Region(**region) for region in drawn.pop("regions", ())]
    rated = drawn.pop("rating", None)
    rating = rated and messages.BoardRating(list(map(list, rated.turns)), rated.chosen, rated.balanced)
    return messages.Sketched(**drawn, regions=regions, told=told, rating=rating)
