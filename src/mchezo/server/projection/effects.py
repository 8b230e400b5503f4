"""What moves do, as messages."""

from __future__ import annotations

from collections.abc import Iterable

from mchezo.core.effects import Effect
from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.core.structs import Plain, Structs, plain
from mchezo.server import messages


def effect_messages(effects: Iterable[Effect]) -> list[messages.Message]:
    """Return effects as messages."""
    return [messages.Message(effect.key, dict(effect.arguments)) for effect in effects]


def effects_of(
    game: Game, move: str, before: Structs, after: Structs, setups: Structs | Plain, seen: bool
) -> list[messages.Message]:
    """Return what a move did; `seen` says whether the viewer may see what chance revealed."""
    state, setup = plain(before), plain(setups)
    action = game.notation.parse(move, state, setup)
    return effect_messages(game.effects.of(action, state, plain(after), setup, seen))


def previews(position: Position, legal: list[str]) -> dict[str, messages.Preview]:
    """Return what each of these legal moves would do, without what chance would add."""
    game, found = position.game, {}
    before, setup = position.states[0], position.setups[0]
    for text in legal:
        after = position.copy()
        after.manual = True
        after.play(text)
        action = game.notation.parse(text, before, setup)
        state = after.states[0]
        told = effect_messages(game.effects.of(action, before, state, setup, True))
        ends_turn = after.to_move != position.to_move or position.each_move_is_a_turn
        found[text] = messages.Preview(told, ends_turn=ends_turn, **game.effects.preview(action, before, state, setup))
    return found
