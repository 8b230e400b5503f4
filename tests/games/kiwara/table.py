"""What the tests of Kiwara share: games from written positions, and moves played one after the other."""

from typing import Any

import pytest

import mchezo

KIWARA = mchezo.game("kiwara")


def at(position: str, **options: Any) -> mchezo.Position:
    """A game that begins with this position."""
    return KIWARA.start(position=position, **options)


def play(position: mchezo.Position, moves: str) -> dict[str, Any]:
    """Play the moves; returns what is then to be seen."""
    for move in moves.split():
        position.play(move)
    return position.view()


def refusal(position: mchezo.Position, move: str) -> str:
    """The reason why a move is refused."""
    before = position.view()
    with pytest.raises(mchezo.Refusal) as refused:
        position.play(move)
    assert position.view() == before
    assert all(refused.value.say(language) for language in ("en", "de", "fr", "nl"))
    return refused.value.key


def spaces(position: mchezo.Position, sign: str) -> list[str]:
    """The spaces of all legal moves that begin with this sign."""
    return sorted({move[-2:] for move in position.legal_moves if move.startswith(sign)})


def animal(view: dict[str, Any], space: str) -> str:
    """What stands on a space, as in a written position."""
    standing = view["animals"].get(space)
    if standing is None:
        return "-"
    letter = standing["animal"] if standing["seat"] == 0 else standing["animal"].lower()
    return f"{letter}*" if standing["hidden"] else f"{letter}"
