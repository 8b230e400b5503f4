"""Kiwara, studied: units that follow from their numbers, exact solutions, interrupted studies, the opening book."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mchezo
from mchezo.cli import kiwara_study
from mchezo.cli.kiwara_study import PLAYED, REPLIES, KiwaraStudy, Results
from mchezo.cli.reports import marks
from mchezo.core import registry
from mchezo.search.deepening import AlphaBeta
from mchezo.search.solving import solve
from mchezo.studies import kiwara, kiwara_report
from mchezo.studies.kiwara import Endings, Reply

STUDY = KiwaraStudy(games=50, nodes=20, look=2, endings=3, most_empty=8, limit=200_000, seed=1, workers=2)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two openings, few nodes and small reduced boards."""
    monkeypatch.setattr(kiwara_study, "POSITIONS", 2)
    monkeypatch.setattr(kiwara_study, "CORNERS", ((2, 3),))
    monkeypatch.setattr(kiwara_study, "LONGEST", 20)


def test_turns_are_all_the_ways_to_answer() -> None:
    at = kiwara.start(3)
    found = kiwara.turns(at)
    assert len(found) == len({tuple(line) for line in found})
    for line in found:
        after = kiwara.after(at, line)
        assert after.to_move == 0
        assert len(after.legal_moves) > 1 or after.legal_moves
    # Five animals on five free spaces, and three steps of the totem; no crocodile meets a gazelle yet.
    assert len(found) == 5 * 5 * 3


def test_a_batch_follows_from_its_numbers() -> None:
    replies = kiwara.look_at_replies(3, 2)
    assert [reply.chance for reply in replies.replies[: kiwara.BEST]] == sorted(
        reply.chance for reply in replies.replies[: kiwara.BEST]
    )
    batch = kiwara.play_batch(replies, 10, seed=1, number=4)
    assert batch == kiwara.play_batch(replies, 10, seed=1, number=4)
    assert sum(batch.games) == kiwara.GAMES
    assert all(0 <= wins <= games for games, wins in zip(batch.games, batch.wins, strict=True))
    assert batch.games != kiwara.play_batch(replies, 10, seed=1, number=5).games


@pytest.mark.parametrize("seed", range(6))
def test_a_solution_agrees_with_iterative_deepening(seed: int) -> None:
    chance = np.random.default_rng(seed)
    at = registry.find("kiwara").start(seed=0)
    while (free := kiwara.empty_spaces(at)) is None or free > 7:
        at.play(str(chance.choice(at.legal_moves)))
    found = solve(at)
    assert found is not None
    thought = AlphaBeta().think(at, nodes=3_000_000)
    assert thought.solved
    assert thought.chances[found.winner] == 1.0
    # The move wins, if anything does.
    at.play(found.move)
    after = solve(at)
    assert after is not None
    assert after.winner == found.winner
    assert solve(at, nodes=1) is None


def test_a_game_on_a_reduced_board_stays_on_it() -> None:
    at = kiwara.reduced(2, 3)
    chance = np.random.default_rng(1)
    at.play("T1")
    while at.to_move is not None:
        move = str(chance.choice(at.legal_moves))
        at.play(move)
        if move[0].isupper():
            assert move[1] in "abc"
            assert move[2] in "12"
    found = kiwara.solve_reduced(2, 3, 1_000_000)
    assert set(found.winners) == {"0", "1", "2", "6", "7", "14", "15", "16", "20", "21"}
    assert set(found.winners.values()) == {0, 1}


def test_an_interrupted_study_ends_with_the_same_lines(small: None, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    kiwara_study.run(STUDY, whole, None, None)
    lines = whole.read_text().splitlines(keepends=True)
    broken.write_text("".join(lines[:4]) + lines[4][:20])
    kiwara_study.run(replace(STUDY, workers=1), broken, None, None)
    assert broken.read_bytes() == whole.read_bytes()


def test_results_of_several_runs_can_be_put_together_in_any_order(small: None, tmp_path: Path) -> None:
    whole, merged = tmp_path / "whole.jsonl", tmp_path / "merged.jsonl"
    kiwara_study.run(STUDY, whole, None, None)
    terms, *lines = whole.read_text().splitlines(keepends=True)
    merged.write_text("".join([terms, *reversed(lines), *lines]))
    one, other = Results(STUDY, whole), Results(STUDY, merged)
    assert one.of == other.of
    for kind in (REPLIES, PLAYED):
        assert one.kind(kind) == other.kind(kind)


def test_a_study_writes_a_report_and_a_book(small: None, tmp_path: Path) -> None:
    page, book = tmp_path / "page.md", tmp_path / "book.toml"
    page.write_text("\n".join(marks("")))
    kiwara_study.run(STUDY, tmp_path / "kiwara.jsonl", page, book)
    assert "### Openings" in page.read_text()
    assert (tmp_path / "pictures" / "page-openings.svg").exists()
    entries = tomllib.loads(book.read_text())
    assert set(entries) >= {"", "T0", "T1"}
    for moves, turns in entries.items():
        at = registry.find("kiwara").start(seed=0)
        for move in moves.split():
            at.play(move)
        for turn in turns:
            assert kiwara.after(at, turn).to_move != at.to_move


def test_ratings_lie_between_the_score_and_what_the_search_expects() -> None:
    reply = Reply(["Gc3", "+1"], 0.5, 10, [])
    replies = [kiwara.Replies(opening, [reply] * kiwara.BEST) for opening in range(4)]
    batches = [
        kiwara.Batch(opening, 0, 10, [200, 0, 0, 0, 0, 0], [wins, 0, 0, 0, 0, 0])
        for opening, wins in enumerate((80, 100, 100, 120))
    ]
    rated = kiwara_report.rate(replies, [], batches)
    assert [one.number for one in rated] == [3, *sorted(one.number for one in rated[1:3]), 0] or rated[0].number == 3
    assert 0.5 < rated[0].rating[0] < rated[0].score[0]
    assert rated[0].rating[1] < rated[0].score[1]


def test_the_growth_of_costs_is_found_again() -> None:
    chance = np.random.default_rng(1)
    endings = [
        Endings(
            number, list(range(8, 13)), [0] * 5, [int(1000 * 5**empty * chance.lognormal(0, 1)) for empty in range(5)]
        )
        for number in range(80)
    ]
    costs = kiwara_report.costs(endings)
    found = kiwara_report.growth(costs)
    assert found.slopes[0] < np.log(5) < found.slopes[1]
    assert found.full[1] < found.nodes(30) < found.full[2]


def test_level_8_plays_by_the_book_and_lower_levels_do_not() -> None:
    book = registry.find("kiwara").computers.book
    position = registry.find("kiwara").start(seed=1)
    openings = {turn[0] for turn in book(position)}
    assert openings
    assert mchezo.player("kiwara", 8, seed=1).turn(position)[0] in openings
    assert {mchezo.player("kiwara", 8, seed=seed).turn(position)[0] for seed in range(20)} == openings
    for opening in range(22):
        at = kiwara.start(opening)
        for _ in range(2):
            (turn,) = book(at)
            at = kiwara.after(at, turn)
        assert not book(at)
    assert not book(registry.find("kiwara").start(seed=1, reinforcement="pile"))
    assert not book(registry.find("kiwara").start(seed=1, board="president"))
    assert not mchezo.player("kiwara", 7).facts.book
