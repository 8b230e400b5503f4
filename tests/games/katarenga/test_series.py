"""Revenge: pairs of games on the same board, rotated each time, until one player leads."""

import random

import pytest

import mchezo
from mchezo.games.katarenga.components import START_FIGURE, turn_board

KATARENGA = mchezo.game("katarenga")
WHITE_WINS = mchezo.Outcome((0,), (1.0, 0.0), "resignation")
BLACK_WINS = mchezo.Outcome((1,), (0.0, 1.0), "resignation")
DRAW = mchezo.Outcome((), (0.5, 0.5), "agreement")


def test_the_second_game_rotates_the_board_and_black_does_not_choose_again() -> None:
    series = KATARENGA.series(seed=7)
    series.position.play("turn90")
    played_on = series.position.view()["board"]
    series.end(WHITE_WINS)
    following = series.next()
    assert following.view()["board"] == turn_board(played_on, 2)
    assert following.to_move == 0
    assert series.players == (0, 1)


def test_a_series_ends_when_one_player_leads_after_a_pair() -> None:
    series = KATARENGA.series(board=START_FIGURE)
    series.end(WHITE_WINS)
    assert series.score == (1.0, 0.0)
    assert series.winner is None
    series.next()
    series.end(DRAW)
    assert series.score == (1.5, 0.5)
    assert series.winner == 0
    with pytest.raises(mchezo.IllegalMove) as refused:
        series.next()
    assert refused.value.key == "series-decided"


def test_tied_pairs_continue_on_the_same_board() -> None:
    series = KATARENGA.series(board=START_FIGURE)
    for outcome in (WHITE_WINS, BLACK_WINS):
        series.end(outcome)
        series.next()
    assert series.position.view()["board"] == START_FIGURE
    assert series.winner is None
    series.end(DRAW)
    series.next()
    series.end(BLACK_WINS)
    assert series.score == (1.5, 2.5)
    assert series.winner == 1


def test_by_option_the_players_swap_colours_as_well() -> None:
    series = KATARENGA.series(board=START_FIGURE, swap=True)
    series.end(WHITE_WINS)
    series.next()
    assert series.players == (1, 0)
    series.end(BLACK_WINS)  # the first player again, now with Black
    assert series.score == (2.0, 0.0)
    assert series.winner == 0


def test_the_next_game_waits_for_the_end_of_this_one() -> None:
    series = KATARENGA.series(board=START_FIGURE)
    with pytest.raises(mchezo.IllegalMove) as refused:
        series.next()
    assert refused.value.key == "series-game-goes-on"
    series.end(DRAW)
    with pytest.raises(mchezo.IllegalMove) as refused:
        series.end(DRAW)
    assert refused.value.key == "series-game-over"


def test_finished_games_are_counted_automatically() -> None:
    series = KATARENGA.series(seed=3)
    generator = random.Random(3)
    while series.winner is None:
        while series.position.outcome is None:
            series.position.play(generator.choice(series.position.legal_moves))
        if series.winner is None:
            series.next()
    assert sum(series.score) == len(series.finished) + 1
