"""The ratings of the levels follow from the games that are kept."""

from __future__ import annotations

import pytest

from mchezo.arena.ratings import PairResult
from mchezo.search.players import levels as shipped
from mchezo.studies import levels
from mchezo.studies.levels import Score


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_the_shipped_ratings_are_those_of_the_games_and_level_4_is_at_1500(game: str) -> None:
    rated = levels.ratings(levels.counted(game, levels.read()[game]))
    assert [level.rating for level in shipped(game)] == [round(rated[level].rating) for level in range(1, 9)]
    assert shipped(game)[3].rating == 1500


def test_a_game_in_a_file_twice_is_counted_once() -> None:
    line = {"first": "level:2", "second": "level:1", "rotation": 0, "seat": 0, "share": 1.0, "record": ""}
    (score,) = levels.tally([line, line, {**line, "seat": 1, "share": 0.5}], seed=7)
    assert score == levels.Score("level:2", "level:1", 2, 1.5, 7)


def test_games_of_another_seed_are_added_and_those_of_the_same_replaced() -> None:
    old, more = Score("level:2", "level:1", 10, 8.0, 1), Score("level:2", "level:1", 20, 15.0, 2)
    longer = Score("level:2", "level:1", 30, 22.0, 2)
    assert levels.merged([old], [more]) == [old, more]
    assert levels.merged([old, more], [longer]) == [old, longer]
    assert levels.counted("none", [old, longer]) == [PairResult("level:2", "level:1", 40, 30.0)]


def test_games_at_a_tenth_count_only_for_levels_with_few_others() -> None:
    few = levels.counted("katarenga", [Score("level:7", "level:6", levels.FEW - 1, 70.0, 1)])
    enough = levels.counted("katarenga", [Score("level:7", "level:6", levels.FEW, 70.0, 1)])
    tenth = levels.TENTH["katarenga"]
    assert few[1:] == tenth
    assert enough[1:] == [one for one in tenth if one.first == "level:8"]
