"""Matches, ladders and tournaments from the command line: kept, resumed, and written into a page."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mchezo.arena import charts
from mchezo.arena.sequential import Sprt
from mchezo.cli.contests import Terms, run_ladder, run_match, run_tournament
from mchezo.cli.reports import marks
from mchezo.core.errors import UserError
from mchezo.core.record import Record
from tests.cli.running import run

EASY = Sprt(0.5, 0.9)


def test_a_match_is_reported_in_one_table(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    shown = run("match", "katarenga", "alphabeta:2", "random", "--games", "3", "--resume", str(file))
    assert shown.returncode == 0, shown.stderr
    assert "alphabeta:2" in shown.stdout
    assert "100.0 % (51.0 - 100.0)" in shown.stdout
    terms, *games = map(json.loads, file.read_text().splitlines())
    assert terms["game"] == "katarenga"
    assert len(games) == 4, "whole rotations"
    for game in games:
        record = Record.parse(game["record"])
        assert record.tags[f"Player{game['seat']}"] == "alphabeta:2"
        assert record.replay().outcome == record.outcome


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("kiwara", "nobody", "random"), "There is no player nobody"),
        (("kiwara", "planner", "random"), "does not play kiwara"),
        (("kitara", "alphabeta", "random", "-o", "players=3"), "only plays games for two"),
        (("kiwara", "greedy", "random", "--nodes", "5", "--seconds", "1"), "not both"),
        (("kiwara", "greedy", "random", "-o", "colour=red"), "colour"),
    ],
)
def test_matches_that_cannot_be_played_are_refused_in_a_sentence(arguments: tuple[str, ...], message: str) -> None:
    shown = run("match", *arguments)
    assert shown.returncode == 1
    assert message in " ".join(shown.stderr.split())
    assert "Traceback" not in shown.stderr


def test_an_interrupted_match_goes_on_to_the_same_file(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    run_match(Terms("kiwara", file=whole, workers=3), "flat:5", "random", 8, None, None)
    run_match(Terms("kiwara", file=broken, workers=1), "flat:5", "random", 3, None, None)
    with broken.open("a") as lines:
        lines.write('{"first": "flat:5", "rotat')  # the program was stopped while it wrote
    run_match(Terms("kiwara", file=broken, workers=2), "flat:5", "random", 8, None, None)
    assert broken.read_text() == whole.read_text()
    run_match(Terms("kiwara", file=whole), "flat:5", "random", 8, None, None)
    assert broken.read_text() == whole.read_text(), "there was nothing left to play"


def test_games_played_under_other_terms_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    run_match(Terms("kiwara", file=file), "greedy", "random", 2, None, None)
    before = file.read_text()
    for other, term in (
        (Terms("kiwara", file=file, seed=2), "seed"),
        (Terms("kiwara", file=file, nodes=5), "nodes"),
        (Terms("kiwara", ["board=president"], file=file), "options"),
        (Terms("kiwara", file=file, opening=0), "opening"),
    ):
        with pytest.raises(UserError) as refused:
            run_match(other, "greedy", "random", 2, None, None)
        assert (refused.value.key, refused.value.values["term"]) == ("resume-other", term)
    assert file.read_text() == before
    file.write_text(before.splitlines()[0] + '\n{"rotation": 1}\n')
    with pytest.raises(UserError, match="does not contain"):
        run_match(Terms("kiwara", file=file), "greedy", "random", 2, None, None)


def test_a_ladder_stops_each_step_when_it_is_decided_and_writes_its_place_in_a_page(tmp_path: Path) -> None:
    page, file = tmp_path / "page.md", tmp_path / "games.jsonl"
    (begin, end), (other_begin, other_end) = marks("ladder katarenga"), marks("ladder kiwara")
    page.write_text(f"# Ours\n\n{begin}old\n{end}\n{other_begin}kept\n{other_end}")
    run_ladder(Terms("katarenga", file=file, workers=2), ["random", "greedy", "alphabeta:2"], 60, EASY, page)
    text = page.read_text()
    assert "old" not in text
    assert "kept" in text
    assert text.count("| stands |") == 2
    assert "| random | 0 |" in text
    games = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert {(game["first"], game["second"]) for game in games} == {("greedy", "random"), ("alphabeta:2", "greedy")}
    assert len(games) < 120
    drawn = tmp_path / "pictures" / "page-ladder-katarenga.svg"
    assert ElementTree.parse(drawn).getroot().tag.endswith("svg")
    before = file.read_text(), page.read_text()
    run_ladder(Terms("katarenga", file=file), ["random", "greedy", "alphabeta:2"], 60, EASY, page)
    assert (file.read_text(), page.read_text()) == before


def test_a_page_without_a_place_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    page, file = tmp_path / "page.md", tmp_path / "games.jsonl"
    page.write_text("All mine.\n")
    with pytest.raises(UserError, match="figures kiwara greedy random"):
        run_match(Terms("kiwara", file=file), "greedy", "random", 2, None, page)
    assert page.read_text() == "All mine.\n"
    assert not file.exists()


def test_a_tournament_rates_everybody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    run_tournament(Terms("kiwara"), ["random", "greedy", "flat:30"], 4, page)
    shown = capsys.readouterr().out
    for name in ("random", "greedy", "flat:30"):
        assert name in shown
    assert page.read_text().count("| random | greedy | 4 |") == 1
    assert "| random | 0 |  | 8 |" in page.read_text()
    for names in (["greedy"], ["greedy", "greedy"], ["alphabeta", "alphabeta:3"]):
        with pytest.raises(UserError, match="twice"):
            run_tournament(Terms("kiwara"), names, 4, None)
    with pytest.raises(UserError, match="games for two"):
        run_tournament(Terms("kitara", ["players=3"]), ["greedy", "random"], 4, None)


def test_a_report_with_charts_is_refused_before_any_game_where_matplotlib_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda name: None)
    file = tmp_path / "games.jsonl"
    with pytest.raises(UserError, match=r"pip install 'mchezo\[reports\]'"):
        run_tournament(Terms("kiwara", file=file), ["greedy", "random"], 2, tmp_path / "page.md")
    assert not file.exists()
    assert not (tmp_path / "page.md").exists()
