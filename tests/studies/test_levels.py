"""The ratings of the levels follow from the games that are kept."""

from __future__ import annotations

import pytest

from mchezo.search.players import levels as shipped
from mchezo.studies import levels


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_the_shipped_ratings_are_those_of_the_games_and_level_4_is_at_1500(game: str) -> None:
    rated = levels.ratings(levels.with_tenth(game, levels.read()[game]))
    assert [level.rating for level in shipped(game)] == [round(rated[level].rating) for level in range(1, 9)]
    assert shipped(game)[3].rating == 1500


def test_a_game_in_a_file_twice_is_counted_once() -> None:
    line = {"first": "level:2", "second": "level:1", "rotation": 0, "seat": 0, "share": 1.0, "record": ""}
    (score,) = levels.tally([line, line, {**line, "seat": 1, "share": 0.5}])
    assert (score.games, score.points) == (2, 1.5)
