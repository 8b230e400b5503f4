"""Rating boards of Katarenga: the same games however the study goes, and ratings that are not flattered by chance."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from mchezo.cli import katarenga_study as study
from mchezo.cli.reports import marks
from mchezo.core.errors import UserError
from mchezo.games.katarenga import catalogue
from mchezo.games.katarenga.components import START_FIGURE, assemble, canonical, tile_code
from mchezo.studies import fairness
from mchezo.studies.katarenga import TURNS, BoardResult, Sample, boards, play_board, start

SMALL = Sample(chosen=6, others=3)


def asked(count: int, again: int = 0, threads: int = 2) -> study.BoardStudy:
    """Return a short study."""
    return study.BoardStudy(count, nodes=40, again=again, seed=1, workers=threads, sample=SMALL)


def simulated(count: int, seed: int, sample: Sample = Sample()) -> tuple[list[BoardResult], np.ndarray]:  # noqa: B008, a value
    """Return boards with known true scores, partly predicted by the long search."""
    generator = np.random.default_rng(seed)
    played, truths = [], []
    for board in islice(boards(1), count):
        truth = generator.beta(6, 4, TURNS)
        looks = np.clip(truth + generator.normal(0, 0.1, TURNS), 0.02, 0.98)
        sizes = sample.sizes(int(np.argmin(looks)))
        points = [float(generator.binomial(size, chance)) for size, chance in zip(sizes, truth, strict=True)]
        played.append(BoardResult(board, "printed", False, looks.tolist(), sizes, points, [0] * TURNS, [30] * TURNS))
        truths.append(truth)
    return played, np.array(truths)


def test_boards_are_drawn_once_and_stand_for_all_alike() -> None:
    drawn = list(islice(boards(1), 200))
    assert len(set(drawn)) == 200
    assert all(canonical(assemble(code)) == code for code in drawn)
    assert drawn[:50] == list(islice(boards(1), 50))
    assert drawn != list(islice(boards(2), 200))


def test_a_boards_games_follow_from_the_seed_and_differ_from_each_other() -> None:
    board = next(boards(1))
    first = play_board(board, "printed", SMALL, 40, seed=1)
    assert first == play_board(board, "printed", SMALL, 40, seed=1)
    assert sum(first.games) == SMALL.games
    assert first.games[first.chosen] == SMALL.chosen
    second = play_board(board, "printed", SMALL, 40, seed=1, again=True)
    assert second.moves != first.moves
    assert second.looks == first.looks
    # Games of equal length would be one game: six of them are not.
    assert first.moves[first.chosen] % SMALL.chosen or second.moves[second.chosen] % SMALL.chosen


def test_a_ban_on_first_captures_changes_what_the_long_search_sees() -> None:
    board = tile_code(START_FIGURE)
    assert board is not None
    printed, never = (play_board(board, rule, SMALL, 40, seed=1) for rule in ("printed", "never"))
    assert printed.looks != never.looks


@pytest.mark.parametrize(("most", "banned"), [(None, [0, 4, 8]), (2, [0, 4]), (0, [])])
def test_every_fourth_board_is_played_without_first_captures_too_up_to_a_number(
    most: int | None, banned: list[int]
) -> None:
    found = study.tasks(replace(asked(9), banned=most))
    drawn = list(islice(boards(1), 9))
    assert [task.board for task in found if task.rule == "printed"] == drawn
    assert [task.board for task in found if task.rule == "never"] == [drawn[number] for number in banned]


def test_an_interrupted_study_goes_on_to_the_same_boards(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    study.run(asked(3, again=2), whole, None, tmp_path / "whole.tsv")
    study.run(asked(1), broken, None, None)
    with broken.open("a") as lines:
        lines.write('{"board": "A0')  # the program was stopped while it wrote
    study.run(asked(3, again=2, threads=1), broken, None, tmp_path / "broken.tsv")
    assert whole.read_text() == broken.read_text()
    assert (tmp_path / "whole.tsv").read_text() == (tmp_path / "broken.tsv").read_text()
    study.run(asked(0), whole, None, tmp_path / "again.tsv")
    assert (tmp_path / "again.tsv").read_text() == (tmp_path / "whole.tsv").read_text(), "0 boards: those of the file"
    rules = [json.loads(line)["rule"] for line in whole.read_text().splitlines()[1:]]
    assert rules == ["printed", "never", "printed", "printed", "printed", "printed"]


def test_results_of_another_study_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    study.run(asked(1), file, None, None)
    for other, term in ((replace(asked(1), nodes=50), "nodes"), (replace(asked(1), sample=Sample()), "sample")):
        with pytest.raises(UserError) as refused:
            study.run(other, file, None, None)
        assert refused.value.values["term"] == term
    file.write_text(json.dumps(asked(1).terms) + '\n{"board": 1}\n')
    with pytest.raises(UserError, match="results"):
        study.run(asked(1), file, None, None)
    with pytest.raises(UserError, match="no boards"):
        study.run(asked(0), None, None, None)


def test_a_report_has_tables_and_pictures_and_the_catalogue_can_be_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    begin, end = marks("")
    page.write_text(f"# Ours\n\n{begin}old\n{end}\nThe end.\n")
    study.run(asked(5, again=2), None, page, tmp_path / "boards.tsv")
    text = page.read_text()
    assert text.startswith("# Ours\n")
    assert text.endswith("The end.\n")
    for picture in ("scores", "boards", "rules", "causes"):
        assert f"pictures/page-{picture}.svg" in text
        assert ElementTree.parse(tmp_path / "pictures" / f"page-{picture}.svg").getroot().tag.endswith("svg")
    assert "second sample" in text
    rated = dict(catalogue.read((tmp_path / "boards.tsv").read_text().splitlines()))
    assert sorted(rated) == sorted(islice(boards(1), 5))


def test_a_report_compares_with_the_results_of_another_player(tmp_path: Path) -> None:
    file, page = tmp_path / "stronger.jsonl", tmp_path / "page.md"
    study.run(replace(asked(3), nodes=80), file, None, None)
    study.run(asked(4), None, page, None, beside=file)
    section = page.read_text().partition("### The same boards with another player")[2]
    assert section.strip().splitlines()[2].startswith("| 80 | 3 | 45 | ")
    file.write_text("{}\n")
    with pytest.raises(UserError, match="stronger"):
        study.run(asked(1), None, None, None, beside=file)


def test_how_alike_two_players_score_does_not_depend_on_how_few_games_they_play() -> None:
    played, truths = simulated(400, seed=8)
    generator = np.random.default_rng(9)
    alike = [
        replace(board, points=generator.binomial(board.games, truth).astype(float).tolist())
        for board, truth in zip(played, truths, strict=True)
    ]
    found = fairness.agreement(played, alike)
    assert found is not None
    assert found.likeness == pytest.approx(1.0, abs=0.05)
    assert found.same == 1.0
    assert abs(found.any_baseline[0]) < 0.02
    others, _ = simulated(400, seed=10)
    untrusted = fairness.agreement(played, others)
    assert untrusted is not None
    assert abs(untrusted.likeness) < 0.15
    assert fairness.agreement(played[:2], played) is None


def test_ratings_are_nearer_to_the_truth_than_plain_scores_and_their_intervals_hold() -> None:
    played, truths = simulated(400, seed=5)
    rated = fairness.rate(played, fairness.expect(played))
    ratings = np.array([[score for score, _ in board.turns] for board in rated])
    halves = np.array([[half for _, half in board.turns] for board in rated])
    plain = np.array([board.points for board in played]) / np.array([board.games for board in played])
    assert np.abs(ratings - truths).mean() < 0.8 * np.abs(plain - truths).mean()
    assert 0.93 < (np.abs(ratings - truths) <= halves).mean() < 0.97


def test_boards_selected_as_balanced_by_their_rating_are_balanced_on_average() -> None:
    played, truths = simulated(1_000, seed=6)
    rated = fairness.rate(played, fairness.expect(played))
    picked = [number for number, board in enumerate(rated) if abs(board.white[0] - 0.5) < 0.03]
    truth = np.array([truths[number, played[number].chosen] for number in picked])
    expected = np.array([rated[number].white[1] / 1.96 for number in picked])
    assert len(picked) > 50
    assert truth.mean() == pytest.approx(0.5, abs=0.02)
    # They are not all even: their spread is what the intervals of the ratings allow.
    assert truth.std() == pytest.approx(expected.mean(), rel=0.25)


def test_sampling_noise_is_not_taken_for_a_difference_between_boards() -> None:
    generator = np.random.default_rng(1)
    even = [
        replace(board, points=[float(generator.binomial(size, 0.6)) for size in board.games])
        for board in simulated(300, seed=1)[0]
    ]
    found = fairness.spread(even, fairness.all_turns(even))
    assert found.mean[0] == pytest.approx(0.6, abs=0.02)
    assert found.deviation < 0.03
    differing, truths = simulated(300, seed=1)
    found = fairness.spread(differing, fairness.all_turns(differing))
    assert found.deviation == pytest.approx(truths.std(), rel=0.1)


def test_features_of_the_printed_start_array_and_a_half_turn_changes_the_sides() -> None:
    code = tile_code(START_FIGURE)
    assert code is not None
    ahead, behind = fairness.features(code, 0), fairness.features(code, 2)
    assert ahead.keys() == fairness.FEATURES.keys()
    for name in ("loose", "exposed", "mobility", "away"):
        assert ahead[f"{name}-white"] == behind[f"{name}-black"]
        assert ahead[f"{name}-black"] == behind[f"{name}-white"]
    assert ahead["yellow"] == -behind["yellow"]


def test_a_safe_side_is_one_on_which_every_first_capture_can_be_recaptured() -> None:
    codes = list(islice(boards(1), 60))
    safe = [code for code in codes if fairness.has_safe_side(code)]
    assert 0 < len(safe) < len(codes)
    for code in codes:
        hanging = []
        for turn in range(TURNS):
            position = start(code, turn, "printed")
            captures = [move for move in position.legal_moves if "x" in move]
            after = []
            for capture in captures:
                next_one = position.copy()
                next_one.play(capture)
                after.append(any(answer.endswith(capture[2:]) for answer in next_one.legal_moves))
            hanging.append(not all(after))
        assert (code in safe) is not all(hanging)


def test_an_effect_that_was_put_in_is_found() -> None:
    played, _ = simulated(150, seed=3)
    generator = np.random.default_rng(3)
    seen = [{name: float(generator.integers(0, 4)) for name in fairness.FEATURES} for _ in range(TURNS * len(played))]
    changed = []
    for number, board in enumerate(played):
        chances = [0.3 + 0.1 * seen[TURNS * number + turn]["loose-black"] for turn in range(TURNS)]
        points = [float(generator.binomial(size, chance)) for size, chance in zip(board.games, chances, strict=True)]
        changed.append(replace(board, points=points))
    found = fairness.effects(changed, seen)
    effect, half = found.by_name["loose-black"]
    assert effect == pytest.approx(0.1, abs=2 * half)
    assert half < 0.02
    assert abs(found.by_name["green"][0]) < 0.03
    assert found.explained > 0.9


def test_a_change_of_rules_is_measured_on_the_same_boards() -> None:
    before, _ = simulated(60, seed=9)
    after = [replace(board, rule="never", points=[0.5 * point for point in board.points]) for board in before[:40]]
    change, half = fairness.difference(before, after, fairness.all_turns)
    halved = np.mean([np.mean(np.array(board.points) / np.array(board.games)) / 2 for board in before[:40]])
    assert change == pytest.approx(-halved)
    assert 0 < half < 0.05


def test_the_change_in_unfairness_has_an_interval_that_holds() -> None:
    far = np.sqrt(6 * 4 / (10**2 * 11) + 0.1**2)  # of the simulated boards' beta distribution
    held, errors = [], []
    for seed in range(40):
        before, truths = simulated(60, seed)
        generator = np.random.default_rng(1_000 + seed)
        after = [
            replace(
                board, rule="never", points=generator.binomial(board.games, 0.15 + 0.7 * truth).astype(float).tolist()
            )
            for board, truth in zip(before, truths, strict=True)
        ]
        change, half = fairness.unfairness_change(before, after, fairness.all_turns)
        held.append(abs(change + 0.3 * far) <= half)
        errors.append(change + 0.3 * far)
        spreads = [fairness.spread(played, fairness.all_turns(played)) for played in (before, after)]
        assert change == pytest.approx(spreads[1].unfairness - spreads[0].unfairness)
    assert np.mean(held) >= 0.85
    assert abs(np.mean(errors)) < 0.005
