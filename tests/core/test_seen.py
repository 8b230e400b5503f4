"""A game as one seat has seen it leads to a position in which that seat sees, may do and thinks the same."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

import mchezo
from mchezo.core import seen
from mchezo.core.errors import IllegalMove, InvalidSetup
from mchezo.core.position import Position
from mchezo.core.record import HIDDEN
from mchezo.core.seen import play_seen, start_written
from mchezo.search.montecarlo import MonteCarlo


def decisions(seed: int, players: int) -> Iterator[Position]:
    """Play Kitara with as many attacks by heroes as there may be; yield the position at every decision."""
    rng = random.Random(seed)
    position = mchezo.game("kitara").start(players=players, seed=seed)
    while position.outcome is None:
        yield position
        legal = position.legal_moves
        eager = [move for move in legal if "H" in move] or [move for move in legal if move != "."]
        position.play(rng.choice(eager or legal))


def as_seen(position: Position, seat: int) -> Position:
    """Replay what a seat has seen."""
    replayed = start_written(position.game, position.written_options)
    for move in position.seen_moves(seat):
        play_seen(replayed, move, seat)
    return replayed


def test_a_seat_sees_and_may_do_the_same_though_other_tokens_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    redrawn, hidden = [], 0
    redraw = seen.redraw_for
    monkeypatch.setattr(seen, "redraw_for", lambda *given: redrawn.append(redraw(*given)) or redrawn[-1])  # type: ignore[func-returns-value]  # append returns None
    for seed in range(3):
        for number, position in enumerate(decisions(seed, 2 + seed)):
            if number % 40:
                continue
            for seat in range(len(position.seats)):
                hidden += position.seen_moves(seat).count(HIDDEN)
                replayed = as_seen(position, seat)
                assert json.dumps(replayed.view(seat)) == json.dumps(position.view(seat))
                assert replayed.legal_moves == position.legal_moves
    assert hidden > 20
    assert redrawn, "a token that the seat drew was already with somebody else in the replayed game"
    assert all(redrawn)


def test_a_player_thinks_the_same_of_it() -> None:
    compared = 0
    for number, position in enumerate(decisions(5, 3)):
        seat = position.to_move
        assert seat is not None
        if number % 25 == 0 and HIDDEN in position.seen_moves(seat):
            thoughts = [
                MonteCarlo().best(one, 3, nodes=400, seed=number) for one in (position, as_seen(position, seat))
            ]
            assert thoughts[0] == thoughts[1]
            compared += 1
    assert compared > 2


def test_hidden_outcomes_stand_only_where_something_is_hidden_from_the_seat() -> None:
    katarenga = start_written(mchezo.game("katarenga"), {"board": "B" * 64})
    kitara = start_written(mchezo.game("kitara"), {})
    for position in (katarenga, kitara):  # a decision of a seat; a card, which everybody sees
        before = position.moves
        with pytest.raises(IllegalMove, match=r"=\? stands for a chance outcome"):
            play_seen(position, HIDDEN, 0)
        assert position.moves == before


def test_what_nobody_can_have_seen_is_refused() -> None:
    for position in decisions(1, 2):
        drawn = next((at for at, step in enumerate(position.steps) if step.only == 0), None)
        if drawn is not None:
            break
    replayed = start_written(position.game, {})
    for move in position.moves[:drawn]:
        play_seen(replayed, move, 0)
    with pytest.raises(IllegalMove):
        play_seen(replayed, "=5.1", 0)
    with pytest.raises(InvalidSetup, match="colour"):
        start_written(position.game, {"colour": "red"})
