"""A year of 1,000 correspondence games: exactly one notice a turn, no game without end, vacations honoured."""

from __future__ import annotations

import pytest

from mchezo.server.runtime import notices
from mchezo.server.runtime.notices import Notices
from tests.simulation.world import Violation
from tests.simulation.year import play_year

GAMES = 1_000
SHARES = 24


@pytest.mark.rotating(shares=SHARES)
@pytest.mark.parametrize("share", range(SHARES))
def test_every_turn_of_a_year_is_announced_once_and_every_game_ends(share: int) -> None:
    games = len(range(share, GAMES, SHARES))
    report = play_year(share, games)
    assert report.endings.total() == games
    assert report.notified > (report.turns - report.excused["no channel"]) // 3
    assert report.turns == report.notified + report.excused.total()
    assert report.kills
    assert report.vacations


@pytest.mark.rotating(shares=8)
def test_a_year_is_the_same_again() -> None:
    assert play_year(100, 6) == play_year(100, 6)


async def nothing(_: Notices) -> None:
    """Forget something."""


@pytest.mark.rotating(shares=8, first=4)
@pytest.mark.parametrize("bug", ["looking", "quiet", "lost"])
def test_a_planted_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if bug == "looking":
        monkeypatch.setattr(Notices, "withdraw_seen", nothing)
    elif bug == "quiet":
        monkeypatch.setattr(notices, "due_time", lambda settings, vacations, at: at)
        monkeypatch.setattr(notices, "next_allowed", lambda settings, vacations, at: at)
    else:
        monkeypatch.setattr(Notices, "notices_of", lambda notices, table: [])
    with pytest.raises(Violation):
        play_year(101, 8)
