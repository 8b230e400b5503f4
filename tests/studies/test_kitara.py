"""The study of Kitara's balance: the same figures however it is played, interrupted or cut."""

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mchezo.arena.statistics import interval
from mchezo.cli import kitara_study as balance
from mchezo.cli.reports import marks
from mchezo.core.errors import UserError
from mchezo.games.kitara.evaluate import IN_POINTS
from mchezo.studies import kitara
from mchezo.studies.kitara import PLANS, SOURCES, SYMBOLS, Matchup
from mchezo.studies.self_play import BATCH, batch_sizes, play
from mchezo.workers.units import in_order

TRIES = 4
TWO, FOUR = Matchup("blue", 2), Matchup("red", 4)


def study(games: int, *matches: Matchup, seed: int = 1, tries: int = TRIES) -> balance.BalanceStudy:
    """Return a short study."""
    return balance.BalanceStudy(dict.fromkeys(matches or (TWO,), games), tries, seed, "reconstruction", workers=2)


def test_games_do_not_depend_on_the_number_of_threads() -> None:
    position = FOUR.start("reconstruction")
    players = FOUR.seats(TRIES, 0)
    alone = play(position, players, games=2 * BATCH + 10, seed=1, workers=1)
    together = play(position, players, games=2 * BATCH + 10, seed=1, workers=3)
    assert (alone.actions == together.actions).all()
    assert (alone.scores == together.scores).all()
    assert not (alone.actions == play(position, players, games=2 * BATCH + 10, seed=2).actions).all()


def test_a_batch_begins_with_the_same_games_however_many_it_has() -> None:
    position = TWO.start("reconstruction")
    few, many = (kitara.run_batch(position, TWO, games, TRIES, 1, 0) for games in (5, 20))
    assert many.scores[:5] == few.scores
    assert batch_sizes(120) == [50, 50, 20]


def test_every_victory_and_every_point_is_counted() -> None:
    for match in (TWO, FOUR):
        position = match.start("reconstruction")
        batch = kitara.run_batch(position, match, 30, 30, 1, 0)
        figures = kitara.statistics([batch])
        assert sum(rate for rate, _ in figures.seats) == pytest.approx(1)
        assert sum(figures.by_all[len(SYMBOLS) :]) == pytest.approx(figures.scores.mean())
        assert figures.by_all[len(SYMBOLS) + SOURCES.index("ruins")] >= 0
        assert sum(figures.by_winners[len(SYMBOLS) :]) == pytest.approx(figures.scores.max(axis=1).mean())
        # Seven turns each, a card a turn; nobody drafts what nobody was offered.
        assert sum(batch.drafted) == 30 * 7 * match.players
        assert all(drafted <= offered <= 30 for drafted, offered in zip(batch.drafted, batch.offered, strict=True))


def test_a_plan_goes_round_the_seats() -> None:
    match = Matchup("blue", 3, "heroes")
    usual = Matchup("blue", 3).seats(TRIES, 0)[0]
    for number in range(6):
        seats = match.seats(TRIES, number)
        assert [player != usual for player in seats] == [seat == number % 3 for seat in range(3)]
    names = {name for name, _, _ in IN_POINTS}
    assert all(set(times) <= names for times in PLANS.values())


def test_an_interrupted_study_goes_on_to_the_same_figures(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    balance.run(study(3 * BATCH, TWO, FOUR), whole, None)
    balance.run(study(BATCH, TWO), broken, None)
    with broken.open("a") as lines:
        lines.write('{"match": {"deck": "bl')  # the program was stopped while it wrote
    balance.run(study(3 * BATCH, TWO, FOUR), broken, None)
    assert sorted(whole.read_text().splitlines()) == sorted(broken.read_text().splitlines())
    before = whole.read_text()
    balance.run(study(3 * BATCH, TWO, FOUR), whole, None)
    assert whole.read_text() == before, "there was nothing left to play"


def test_plans_have_a_number_of_games_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    balance.start([2], ["red"], 4, TRIES, 3, 1, "reconstruction", 2, file, None)
    played = {(line["match"]["plan"], len(line["wins"])) for line in map(json.loads, file.read_text().splitlines()[1:])}
    assert played == {(plan, 4 if plan == "usual" else 3) for plan in PLANS}


def test_results_of_another_study_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    balance.run(study(2), file, None)
    before = file.read_text()
    for other, term in ((study(2, seed=2), "seed"), (study(2, tries=5), "tries")):
        with pytest.raises(UserError) as refused:
            balance.run(other, file, None)
        assert refused.value.key == "resume-other"
        assert refused.value.values["term"] == term
    assert file.read_text() == before
    for text in ("Dear diary\n", "[]\n{}\n", json.dumps(study(2).terms) + '\n{"match": 1}\n'):
        file.write_text(text)
        with pytest.raises(UserError, match="results"):
            balance.run(study(2), file, None)


def test_a_report_has_tables_and_pictures_and_spares_what_people_wrote(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    begin, end = marks("")
    file.write_text(f"# Ours\n\n{begin}old\n{end}\nThe end.\n")
    asked = study(4, TWO, FOUR, Matchup("blue", 2, "ruins"))
    balance.run(asked, None, file)
    text = file.read_text()
    assert text.startswith("# Ours\n")
    assert text.endswith("The end.\n")
    assert "old" not in text
    for picture in ("seats", "scores", "blue-cards", "red-cards"):
        assert f"pictures/page-{picture}.svg" in text
        assert ElementTree.parse(tmp_path / "pictures" / f"page-{picture}.svg").getroot().tag.endswith("svg")
    file.write_text("All mine.\n")
    with pytest.raises(UserError, match="no place for a report"):
        balance.run(asked, None, file)
    assert file.read_text() == "All mine.\n"


def test_batches_come_in_order_from_any_number_of_threads() -> None:
    assert list(in_order(lambda number: number * number, range(20), 3)) == [n * n for n in range(20)]


def test_intervals() -> None:
    rate, half = interval(np.array([1.0, 0.0] * 5_000))
    assert rate == 0.5
    assert half == pytest.approx(0.0098)
