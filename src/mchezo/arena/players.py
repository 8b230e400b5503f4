"""Players by name, as people write them: `level:5`, `random`, `alphabeta:3`, `flat:2000`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import cast

import mchezo
from mchezo.arena.opponents import WORDS
from mchezo.core.errors import Refusal
from mchezo.search.thought import Thinker


@dataclass(frozen=True)
class Kind:
    """A kind of player: where its class is, and what number may follow its name, if any."""

    place: str  # module:class; imported when it is first asked for
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
LEVELS = range(1, 9)


def enter(name: str, kind: Kind) -> None:
    """Make a kind of player known that lives elsewhere."""
    KINDS[name] = kind


@dataclass(frozen=True)
class Contestant:
    """Who takes part: a name, how to make the player anew for every game, and its nodes or seconds for a turn.

    With neither nodes nor seconds a player takes what is its own.
    """

    name: str
    make: Callable[[], Thinker]
    nodes: int | None = None
    seconds: float | None = None


def find(
    text: str, game: str, *, nodes: int | None = None, seconds: float | None = None, part: float = 1.0
) -> Contestant:
    """The player of that name; `part` is the share of its own budget that a level is given."""
    name, colon, given = text.partition(":")
    if name == "level":
        return level(text, game, number(text, given, "level", LEVELS[0], LEVELS[-1]), nodes, seconds, part)
    if name not in KINDS:
        allowed = [f"{other}:NUMBER" if kind.number else other for other, kind in KINDS.items()]
        raise Refusal("unknown-player", WORDS, given=text, allowed=", ".join(["level:NUMBER", *allowed]))
    kind = KINDS[name]
    numbers = [number(text, given, kind.number, kind.least, kind.most)] if colon else []
    module, _, attribute = kind.place.partition(":")
    try:
        maker = cast(Callable[..., Thinker], getattr(import_module(module), attribute))
    except ModuleNotFoundError as error:
        raise Refusal("player-missing", WORDS, given=name, reason=error) from error
    return Contestant(maker(*numbers).name, lambda: maker(*numbers), nodes, seconds)


def level(text: str, game: str, number: int, nodes: int | None, seconds: float | None, part: float) -> Contestant:
    """A level of the game's own player: unless it is given nodes or seconds, it has its own, or a part of them."""
    return Contestant(text, lambda: cast(Thinker, mchezo.player(game, level=number, share=part)), nodes, seconds)


def number(text: str, given: str, what: str, least: int, most: int) -> int:
    """The number after the colon."""
    if not what:
        raise Refusal("player-no-number", WORDS, given=text)
    if not given.isdecimal() or not least <= int(given) <= most:
        raise Refusal(f"number-{what}", WORDS, given=text, least=least, most=most)
    return int(given)
