"""The sequential test: its ratio is the classic one where that exists, and its errors are as rare as it says."""

from math import log

import numpy as np
import pytest

from mchezo.arena.matches import Match, PlayedGame, play, rotation_scores
from mchezo.arena.players import find
from mchezo.arena.sequential import Sprt, Verdict, complete, play_until, with_mean

CLAIM = Sprt()


def test_the_likeliest_distribution_has_the_mean_asked_for() -> None:
    values, seen = np.linspace(0, 1, 5), np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    for mean in (0.1, 0.5, 0.6, 0.95):
        found = with_mean(values, seen, mean)
        assert found.sum() == pytest.approx(1)
        assert (found * values).sum() == pytest.approx(mean)
    assert with_mean(values, seen, 0.5) == pytest.approx(seen), "what was seen is likeliest where it is allowed"
    assert with_mean(np.array([0.0, 1.0]), np.array([0.3, 0.7]), 0.6) == pytest.approx([0.4, 0.6])


@pytest.mark.parametrize(("won", "lost"), [(10, 5), (3, 0), (0, 4), (30, 30)])
def test_for_single_games_it_is_walds_ratio(won: int, lost: int) -> None:
    ratio = CLAIM.llr([1.0] * won + [0.0] * lost, games=1)
    assert ratio == pytest.approx(won * log(0.7 / 0.6) + lost * log(0.3 / 0.4), abs=0.05)


def test_limits_follow_from_the_error_levels() -> None:
    assert Sprt(wrong=0.05, missed=0.1).limits == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))
    for wrong in ({"least": 0.7, "clear": 0.6}, {"wrong": 0.0}, {"clear": 1.0}):
        with pytest.raises(ValueError, match="least < clear"):
            Sprt(**wrong)


def test_a_verdict_comes_with_the_number_of_rotations_it_took() -> None:
    stands, after = CLAIM.verdict([1.0] * 100)
    assert stands is Verdict.STANDS
    assert CLAIM.verdict([1.0] * (after - 1)) == (Verdict.OPEN, after - 1)
    assert CLAIM.verdict([1.0] * after + [0.0] * 90) == (Verdict.STANDS, after), "later games change nothing"
    assert CLAIM.verdict([0.0] * 100)[0] is Verdict.FALLS
    assert CLAIM.verdict([]) == (Verdict.OPEN, 0)


def verdicts(chance: float, times: int) -> list[Verdict]:
    """Return the verdict on a player that wins each game with this chance, after up to 400 pairs."""
    generator = np.random.default_rng(7)
    said = []
    for _ in range(times):
        pairs = (generator.binomial(2, chance, 400) / 2).tolist()
        # Testing after every tenth pair is quick, and errs less often than testing after every pair.
        found = Verdict.OPEN
        for count in range(10, 401, 10):
            ratio, (falls, stands) = CLAIM.llr(pairs[:count]), CLAIM.limits
            if not falls < ratio < stands:
                found = Verdict.STANDS if ratio >= stands else Verdict.FALLS
                break
        said.append(found)
    return said


@pytest.mark.rotating(shares=4, first=1)
def test_wrong_claims_stand_and_right_ones_fall_as_seldom_as_stated() -> None:
    assert verdicts(0.6, 200).count(Verdict.STANDS) <= 200 * 0.05 + 8
    assert verdicts(0.7, 200).count(Verdict.FALLS) <= 200 * 0.05 + 8
    assert verdicts(0.8, 40).count(Verdict.STANDS) == 40
    assert verdicts(0.5, 40).count(Verdict.FALLS) == 40


def test_only_whole_rotations_without_a_gap_count() -> None:
    games = [PlayedGame(rotation, seat, 1.0, "") for rotation, seat in ((0, 0), (0, 1), (1, 0), (2, 0), (2, 1))]
    assert complete(games, 2) == games[:2]
    assert complete(games[1:], 2) == []


def test_a_match_stops_when_its_claim_is_decided_and_goes_on_from_known_games() -> None:
    match = Match("katarenga", find("greedy", "katarenga"), find("random", "katarenga"))
    easy = Sprt(0.5, 0.9)
    games = list(play_until(match, easy, 50, workers=2))
    verdict, needed = easy.verdict(rotation_scores(games))
    assert verdict is Verdict.STANDS
    assert len(games) == 2 * needed < 100
    assert games == list(play(match, range(needed)))
    assert [*games[:5], *play_until(match, easy, 50, 1, games[:5])] == games
    assert list(play_until(match, easy, 50, 1, games)) == []
    assert len(list(play_until(match, None, 2, 2))) == 4
