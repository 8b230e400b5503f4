"""Shared by the tests of Kiwara: games from written positions, and sequences of moves."""

from typing import Any

import pytest

import mchezo

KIWARA = mchezo.game("kiwara")


def at(position: str, **options: Any) -> mchezo.Position:
    """Return a game that starts from this position."""
    return KIWARA.start(position=position, **options)


def play(position: mchezo.Position, moves: str) -> dict[str, Any]:
    """Play moves separated by spaces; return the view after them."""
    for move in moves.split():
        position.play(move)
    return position.view()


def error(position: mchezo.Position, move: str) -> str:
    """Return the key of the error for an illegal move."""
    before = position.view()
    with pytest.raises(mchezo.UserError) as refused:
        position.play(move)
    assert position.view() == before
    assert all(refused.value.say(language) for language in ("en", "de", "fr", "nl"))
    return refused.value.key


def spaces(position: mchezo.Position, sign: str) -> list[str]:
    """Return the spaces of all legal moves with this prefix."""
    return sorted({move[-2:] for move in position.legal_moves if move.startswith(sign)})


def animal(view: dict[str, Any], space: str) -> str:
    """Return the animal on a space in the notation of positions."""
    standing = view["animals"].get(space)
    if standing is None:
        return "-"
    letter = standing["animal"] if standing["seat"] == 0 else standing["animal"].lower()
    return f"{letter}*" if standing["hidden"] else f"{letter}"
