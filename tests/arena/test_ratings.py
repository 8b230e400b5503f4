"""Ratings: closed forms for two players, the truth found again in simulated tournaments, and perfect scores."""

from math import log, sqrt

import numpy as np
import pytest

from mchezo.arena import ratings
from mchezo.arena.matches import PlayedGame
from mchezo.arena.ratings import PRIOR, PairResult, PlayerRating, difference, expected, rate
from mchezo.arena.tournament import Pairing, ladder, round_robin, standings

SCALE = 400 / log(10)


def test_expected_scores_are_elos() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    assert difference(expected(123)) == pytest.approx(123)


def test_of_two_players_rating_and_error_have_closed_forms() -> None:
    best, other = rate([PairResult("a", "b", 100, 70.0)], anchor="b", at=1000)
    points, games = 70 + PRIOR / 2, 100 + PRIOR
    assert best.name == "a"
    assert best.rating == pytest.approx(1000 + SCALE * log(points / (games - points)))
    share = points / games
    assert best.half == pytest.approx(1.96 * SCALE / sqrt(games * share * (1 - share)))
    assert other == PlayerRating("b", 1000.0, 0.0, 100, 30.0)


def test_a_chain_of_players_adds_up() -> None:
    found = {
        one.name: one for one in rate([PairResult("b", "a", 50, 35.0), PairResult("c", "b", 50, 40.0)], anchor="a")
    }
    first = rate([PairResult("b", "a", 50, 35.0)], "a")[0]
    second = rate([PairResult("c", "b", 50, 40.0)], "b")[0]
    assert found["c"].rating == pytest.approx(first.rating + second.rating)
    assert found["c"].half == pytest.approx(sqrt(first.half**2 + second.half**2)), "so do the squares of errors"


def test_perfect_scores_have_a_rating() -> None:
    best, worst = rate([PairResult("a", "b", 60, 60.0)], anchor="b")
    assert best.rating == pytest.approx(SCALE * log((60 + PRIOR / 2) / (PRIOR / 2)))
    assert 300 < best.half < 1500
    assert worst.rating == 0


def test_the_order_of_results_does_not_matter() -> None:
    results = [PairResult("a", "b", 20, 13.5), PairResult("b", "c", 20, 11.0), PairResult("c", "a", 20, 4.0)]
    assert {one.name: one.rating for one in rate(results, "a")} == pytest.approx(
        {one.name: one.rating for one in rate([*results[1:], results[0]], "a")}
    )


def test_intervals_hold_the_truth_nineteen_times_of_twenty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "PRIOR", 1e-6)  # the prior pulls all ratings together slightly
    generator = np.random.default_rng(3)
    truth = {"a": 0.0, "b": 100.0, "c": 180.0, "d": 320.0}
    held = []
    for _ in range(200):
        results = [
            PairResult(one, other, 60, float(generator.binomial(60, expected(truth[one] - truth[other]))))
            for one, other in round_robin(list(truth))
        ]
        held += [abs(one.rating - truth[one.name]) <= one.half for one in rate(results, "a") if one.name != "a"]
    assert 0.925 <= np.mean(held) <= 0.975


def test_strangers_cannot_be_rated_together() -> None:
    with pytest.raises(ValueError, match="c, d not connected to a by games"):
        rate([PairResult("a", "b", 2, 1.0), PairResult("c", "d", 2, 1.0)], "a")
    with pytest.raises(ValueError, match="e has not played"):
        rate([PairResult("a", "b", 2, 1.0)], "e")


def test_who_meets_whom() -> None:
    assert round_robin(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert ladder(["a", "b", "c"]) == [("b", "a"), ("c", "b")]


def test_standings_come_from_the_games_of_meetings() -> None:
    games = [PlayedGame(number // 2, number % 2, share, "") for number, share in enumerate((1, 1, 0.5, 0))]
    best, second = standings([Pairing("x", "y", games)], anchor="y")
    assert (best.name, best.points, second.points) == ("x", 2.5, 1.5)
    assert best.rating == pytest.approx(SCALE * log(3 / 2))
