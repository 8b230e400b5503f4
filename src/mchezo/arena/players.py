"""Players by name: `level:5`, `level8-2026-11`, `random`, `alphabeta:3`, `flat:2000`, `engine:COMMAND`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import cast

import mchezo
from mchezo.arena.former import former_levels
from mchezo.arena.opponents import WORDS
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.protocol.client import EnginePlayer
from mchezo.search.players import LEVELS, Player
from mchezo.search.thought import Thinker


@dataclass(frozen=True)
class Kind:
    """A kind of player: its class, and the number that may follow its name."""

    place: str  # module:class, imported on first use
    number: str = ""
    least: int = 0
    most: int = 0


KINDS = {
    "random": Kind("mchezo.arena.opponents:Random"),
    "greedy": Kind("mchezo.arena.opponents:Greedy"),
    "alphabeta": Kind("mchezo.arena.opponents:PlainAlphaBeta", "depth", 1, 12),
    "flat": Kind("mchezo.arena.opponents:FlatMonteCarlo", "rollouts", 1, 1_000_000),
    "planner": Kind("mchezo.arena.opponents:Planner", "tries", 1, 100_000),
}


def register(name: str, kind: Kind) -> None:
    """Register a kind of player that is defined elsewhere."""
    KINDS[name] = kind


@dataclass(frozen=True)
class Contestant:
    """A participant: a name, a factory that creates a player for each game, and its nodes or seconds per turn.

    With neither nodes nor seconds a player uses its default budget.
    """

    name: str
    make: Callable[[], Thinker]
    nodes: int | None = None
    seconds: float | None = None

    @contextmanager
    def player(self) -> Iterator[Thinker]:
        """Make a player for one game; an engine's process ends with it."""
        made = self.make()
        try:
            yield made
        finally:
            if isinstance(made, EnginePlayer):
                made.close()


def find(
    text: str, game: str, *, nodes: int | None = None, seconds: float | None = None, part: float = 1.0
) -> Contestant:
    """Return the player of that name; `part` scales the default budget of a level."""
    name, colon, given = text.partition(":")
    if name == "level":
        return level(text, game, number(text, given, "level", 1, LEVELS), nodes, seconds, part)
    if text in former_levels():
        return former(text, game, nodes, seconds, part)
    if name == "engine":
        return Contestant(text, lambda: EnginePlayer(text, given), nodes, seconds)
    if name not in KINDS:
        kinds = [f"{other}:NUMBER" if kind.number else other for other, kind in KINDS.items()]
        allowed = ", ".join(["level:NUMBER", *former_levels(), *kinds, "engine:COMMAND"])
        raise UserError("unknown-player", WORDS, given=text, allowed=allowed)
    kind = KINDS[name]
    numbers = [number(text, given, kind.number, kind.least, kind.most)] if colon else []
    module, _, attribute = kind.place.partition(":")
    try:
        maker = cast(Callable[..., Thinker], getattr(import_module(module), attribute))
    except ModuleNotFoundError as error:
        raise UserError("player-missing", WORDS, given=name, reason=error) from error
    return Contestant(maker(*numbers).name, lambda: maker(*numbers), nodes, seconds)


def level(text: str, game: str, number: int, nodes: int | None, seconds: float | None, part: float) -> Contestant:
    """Return a level of the game's computer player; without nodes or seconds it gets `part` of its default budget."""
    return Contestant(text, lambda: cast(Thinker, mchezo.player(game, level=number, share=part)), nodes, seconds)


def former(text: str, game: str, nodes: int | None, seconds: float | None, part: float) -> Contestant:
    """Return a former level 8; without nodes or seconds it gets `part` of the budget that it had."""
    if game not in former_levels()[text]:
        raise UserError("unknown-player", WORDS, given=text, allowed="level:NUMBER")
    level = former_levels()[text][game]
    return Contestant(text, lambda: cast(Thinker, Player(registry.find(game), level, share=part)), nodes, seconds)


def number(text: str, given: str, what: str, least: int, most: int) -> int:
    """Parse the number after the colon."""
    if not what:
        raise UserError("player-no-number", WORDS, given=text)
    if not given.isdecimal() or not least <= int(given) <= most:
        raise UserError(f"number-{what}", WORDS, given=text, least=least, most=most)
    return int(given)
