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
from mchezo.core.structs import CHANCE
from mchezo.search.montecarlo import MonteCarlo
from tests.games.kitara.positions import attacks, crowd

TOKENS = [(12, 12, 9, 6), (1, 12, 12, 14)]  # of the second set, guesses soon run out of the lowest


def decisions(start: Position, seed: int) -> Iterator[Position]:
    """Play Kitara with as many attacks by heroes as there may be; yield the position at every decision."""
    rng, position = random.Random(seed), start.copy()
    while position.outcome is None:
        legal = position.choices()[0]
        if position.to_move != CHANCE:
            yield position
            legal = attacks(position.states[0], legal) or legal
        position.play(position.game.notation.write(rng.choice(legal), position.states[0], position.setups[0]))


def as_seen(start: Position, position: Position, seat: int) -> Position:
    """Replay what a seat has seen."""
    replayed = start.copy()
    for move in position.seen_moves(seat):
        play_seen(replayed, move, seat)
    return replayed


@pytest.mark.parametrize("tokens", TOKENS)
@pytest.mark.parametrize("players", [2, 3])
def test_a_seat_sees_and_may_do_the_same_though_other_tokens_are_hidden(
    players: int, tokens: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    redrawn: list[bool] = []
    hidden = 0
    redraw = seen.redraw_for

    def count(position: Position, outcome: str, seat: int) -> bool:
        redrawn.append(redraw(position, outcome, seat))
        return redrawn[-1]

    monkeypatch.setattr(seen, "redraw_for", count)
    start = crowd(players, tokens)
    for number, position in enumerate(decisions(start, players)):
        if number % 40:
            continue
        for seat in range(players):
            hidden += position.seen_moves(seat).count(HIDDEN)
            replayed = as_seen(start, position, seat)
            assert json.dumps(replayed.view(seat)) == json.dumps(position.view(seat))
            assert replayed.legal_moves == position.legal_moves
    assert hidden > 20
    assert all(redrawn)
    if tokens == TOKENS[1]:
        assert redrawn, "a token that the seat drew was already with somebody else in the replayed game"


def test_a_player_thinks_the_same_of_it() -> None:
    compared, start = 0, crowd(3)
    for number, position in enumerate(decisions(start, 5)):
        seat = position.to_move
        assert seat is not None
        if number % 25 == 0 and HIDDEN in position.seen_moves(seat):
            both = (position, as_seen(start, position, seat))
            thoughts = [MonteCarlo().best(one, 3, nodes=400, seed=number) for one in both]
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
    start = crowd(2, (0, 20, 19, 0))
    position = next(one for one in decisions(start, 1) if any(step.only == 0 for step in one.steps))
    replayed = start.copy()
    for move, step in zip(position.seen_moves(0), position.steps, strict=True):
        if step.only == 0:
            break
        play_seen(replayed, move, 0)
    for outcome in ("=2", "=5", "=5.1"):
        with pytest.raises(IllegalMove):
            play_seen(replayed, outcome, 0)
    play_seen(replayed, step.text, 0)


def test_unknown_start_options_are_refused() -> None:
    with pytest.raises(InvalidSetup, match="colour"):
        start_written(mchezo.game("kitara"), {"colour": "red"})
