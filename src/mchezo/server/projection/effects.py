"""What moves do, as messages."""

from __future__ import annotations

from collections.abc import Iterable

from mchezo.core.effects import Effect
from mchezo.core.position import Position, Step
from mchezo.core.structs import Structs
from mchezo.server import messages


def effect_messages(effects: Iterable[Effect]) -> list[messages.Message]:
    """Return effects as messages."""
    return [messages.Message(effect.key, dict(effect.arguments)) for effect in effects]


def effects_of(position: Position, step: Step, after: Structs, seen: bool) -> list[messages.Message]:
    """Return what a step of a game did; `seen` says whether the viewer may see what chance revealed."""
    before, setup = position.fields_of(step.before), position.setup_fields
    return effect_messages(position.game.effects.of(step.action, before, position.fields_of(after), setup, seen))


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
        wins = after.outcome is not None and position.to_move in after.outcome.winners
        shown = game.effects.preview(action, before, state, setup)
        found[text] = messages.Preview(told, ends_turn=ends_turn, wins=wins, **shown)
    return found


def others(position: Position) -> dict[str, list[str]]:
    """Return the pawns of the others, each with the places where it could go if it were their turn."""
    return position.game.effects.others(position.states[0], position.setups[0])
