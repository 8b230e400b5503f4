"""The explorer's counts: every decision once, positions however they are reached, nothing hidden."""

import random

import pytest

import mchezo
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE
from mchezo.explorer import counts
from mchezo.explorer.counts import DECISIONS, Counts, decisions, key_of, read, shipped


def played(game: str, seed: int) -> Position:
    """Return a random game."""
    chance = random.Random(seed)
    position = mchezo.game(game).start(seed=seed)
    while position.to_move is not None:
        position.play(chance.choice(position.legal_moves))
    return position


def winners(position: Position) -> tuple[int, ...]:
    assert position.outcome is not None
    return tuple(position.outcome.winners)


@pytest.mark.parametrize("game", mchezo.games())
def test_first_decisions_are_counted_for_the_seat_that_made_them(game: str) -> None:
    position = played(game, 1)
    found = list(decisions(position, winners(position)))
    assert 0 < len(found) <= DECISIONS
    own = [step for step in position.steps if step.by != CHANCE]
    for one, step in zip(found, own, strict=False):
        assert one.move == step.text
        assert one.score == (step.by in winners(position)) / max(1, len(winners(position)))


def test_a_draw_is_half_a_point_for_both() -> None:
    position = played("katarenga", 1)
    assert {one.score for one in decisions(position, ())} == {0.5}


def line(start: Position, moves: tuple[str, ...]) -> Position | None:
    """Return the position after these moves; None if one of them is illegal."""
    at = start.copy()
    for move in moves:
        if move not in at.legal_moves:
            return None
        at.play(move)
    return at


def test_a_position_counts_however_it_was_reached() -> None:
    start = mchezo.game("katarenga").start(board="b0d3a0c3", choose_baseline=False)
    white = list({move[:2]: move for move in start.legal_moves}.values())[:4]  # of four pawns
    black = start.copy()
    black.play(white[0])
    answers = list({move[:2]: move for move in black.legal_moves}.values())[:4]
    tried = [
        (line(start, (a, b, c, d)), line(start, (c, d, a, b)))
        for a in white
        for c in white
        for b in answers
        for d in answers
        if a != c and b != d
    ]
    both = [(one, other) for one, other in tried if one is not None and other is not None]
    assert any(one.view()["pawns"] == other.view()["pawns"] for one, other in both)
    for one, other in both:
        same = one.view()["pawns"] == other.view()["pawns"]
        assert (key_of(one) == key_of(other)) is same
    assert key_of(start) == key_of(mchezo.game("katarenga").start(seed=9, board="b0d3a0c3", choose_baseline=False))
    other_board = mchezo.game("katarenga").start(board="A0B0C0D0", choose_baseline=False)
    assert key_of(start) != key_of(other_board)


def test_nothing_is_counted_after_what_only_some_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "DECISIONS", 10_000)
    checked = 0
    for seed in range(30):
        position = played("kitara", seed)
        hidden = next((number for number, step in enumerate(position.steps) if step.only is not None), None)
        if hidden is None:
            continue
        before = sum(step.by != CHANCE for step in position.steps[:hidden])
        assert len(list(decisions(position, (0,)))) == before
        checked += 1
    assert checked


def test_a_game_can_be_taken_out_again() -> None:
    both, alone = Counts(), Counts()
    one, other = (list(decisions(game, winners(game))) for game in (played("kiwara", 1), played("kiwara", 2)))
    both.add(one)
    both.add(other)
    alone.add(one)
    assert both != alone
    both.add(other, -1)
    assert both == alone
    both.add(one, -1)
    assert not both.moves


def test_a_file_has_the_counts_of_positions_that_occurred_often_enough() -> None:
    every = Counts()
    for seed in range(20):
        game = played("kiwara", seed)
        every.add(decisions(game, winners(game)))
    assert read(every.write(1)) == every
    often = read(every.write(2))
    assert 0 < len(often.moves) < len(every.moves)
    start = mchezo.game("kiwara").start(seed=1)
    moves = often.of(start)
    assert sum(one.games for one in moves) == 20
    assert [one.games for one in moves] == sorted((one.games for one in moves), reverse=True)
    assert all(0 <= one.score <= 1 for one in moves)


def test_strong_games_of_kiwara_come_with_mchezo() -> None:
    start = mchezo.game("kiwara").start(seed=1)
    found = shipped("kiwara").of(start)
    assert sum(one.games for one in found) >= 100
    assert {one.move for one in found} <= set(start.legal_moves)
    assert not shipped("kitara").moves
