"""Ratings: Glickman's published example, ties, levels, new accounts."""

from __future__ import annotations

import random

import pytest

from mchezo.ratings.games import Anchor, Entrant, rate_game
from mchezo.ratings.glicko import DAY, Opponent, Rating, predicted, update

ESTABLISHED = Rating(150_000, 6_000, games=50)


def test_glickmans_published_example() -> None:
    """The "Example of the Glicko-2 system": 1464.06, 151.52 and 0.05999, of which he rounds the steps in between."""
    opponents = [Opponent(1400, 30, 1), Opponent(1550, 100, 0), Opponent(1700, 300, 0)]
    after = update(Rating(150_000, 20_000, 60_000), opponents, 0)
    assert after.points == pytest.approx(1464.06, abs=0.02)
    assert after.deviation_points == pytest.approx(151.52, abs=0.01)
    assert after.volatility / 1e6 == pytest.approx(0.05999, abs=0.00001)


def test_the_winner_gains_what_the_loser_loses_between_equals() -> None:
    won, lost = rate_game([Entrant(ESTABLISHED, 0), Entrant(ESTABLISHED, 1)], 0)
    assert won is not None
    assert lost is not None
    assert won.rating - ESTABLISHED.rating == ESTABLISHED.rating - lost.rating > 0


def test_a_draw_and_a_shared_victory_change_nothing_between_equals() -> None:
    for place in (0, 1):
        for rated in rate_game([Entrant(ESTABLISHED, place)] * 1 + [Entrant(ESTABLISHED._replace(), place)], 0):
            assert rated is not None
            assert rated.rating == ESTABLISHED.rating
    first, second, third = rate_game(
        [Entrant(ESTABLISHED, 0), Entrant(ESTABLISHED._replace(), 0), Entrant(ESTABLISHED._replace(), 2)], 0
    )
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.rating == second.rating > ESTABLISHED.rating > third.rating


def test_a_better_place_among_four_is_worth_more() -> None:
    rated = rate_game([Entrant(ESTABLISHED._replace(), place) for place in range(4)], 0)
    points = [one.rating for one in rated if one is not None]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) == 4


def test_a_computer_keeps_its_rating_and_a_weak_one_gives_nothing() -> None:
    person, level = rate_game([Entrant(Rating(200_000, 6_000, games=50), 0), Entrant(Anchor(800, 25), 1)], 0)
    assert level is None
    assert person is not None
    assert person.rating - 200_000 < 5  # hundredths of a point


def test_a_sure_rating_does_not_change_by_a_game_against_a_new_account() -> None:
    farmer, fresh = rate_game([Entrant(ESTABLISHED, 0), Entrant(Rating(), 1)], 0)
    assert farmer is None
    assert fresh is not None
    assert fresh.rating < Rating().rating


def test_a_rating_is_provisional_until_some_games_and_again_after_a_long_time() -> None:
    rating, games = Rating(), 0
    while rating.provisional:
        rating = update(rating, [Opponent(1500, 25, games % 2)], games * DAY, 2 / 3)
        games += 1
    assert 8 <= games <= 30
    assert not ESTABLISHED.at_time(30 * DAY).provisional
    assert ESTABLISHED.at_time(3 * 365 * DAY).provisional


def test_ratings_find_known_strengths_on_the_scale_of_the_levels() -> None:
    rng = random.Random(1)
    errors = []
    for strength in (1200, 1600, 2000):
        rating = Rating()
        for game in range(300):
            level = min((900, 1200, 1500, 1800, 2100), key=lambda one: abs(one - rating.points))
            won = rng.random() < 1 / (1 + 10 ** ((level - strength) / 400))
            found = rate_game([Entrant(rating, 1 - won), Entrant(Anchor(level, 25), int(won))], game * DAY // 10)[0]
            assert found is not None
            rating = found
        errors.append(abs(rating.points - strength))
    assert max(errors) < 120


def test_hopeless_and_endless_streaks_stay_finite() -> None:
    rating = Rating()
    for game in range(500):
        rating = update(rating, [Opponent(3000, 25, 1)], game)
    assert 3000 < rating.points < 6000
    for game in range(2000):
        rating = update(rating, [Opponent(300, 25, 0)], game)
    assert -3000 < rating.points < 300
    assert predicted(rating, Rating()) < 0.5
