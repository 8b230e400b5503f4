"""A fourth game, registered with one call, is played by everything there is without a change to any other file."""

import datetime
import inspect
import io
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import mchezo
from mchezo.arena.matches import Match, play, score
from mchezo.arena.players import find
from mchezo.core import kernels, registry
from mchezo.core.errors import IllegalMove, InvalidMove, UserError
from mchezo.puzzles.collection import of_day
from mchezo.server.compute.opponents import Shipped
from tests.breakthrough import BreakthroughView
from tests.cli.running import run
from tests.server.serving import Running, eventually

# There is no library of it. What needs it compiled by Numba runs at the same hour, so that it is compiled once.
compiled = pytest.mark.rotating(shares=4, first=2)


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    registry.register("breakthrough", "tests.breakthrough")
    yield
    del registry.MODULES["breakthrough"]  # the tests of all games do not expect it


def count(own: frozenset[int], enemy: frozenset[int], depth: int) -> int:
    """Count the games of `depth` moves, with the board turned after each move: an independent perft."""
    if depth == 0:
        return 1
    total = 0
    for start in own:
        for side in (-1, 0, 1):
            end = start + 6 + side
            if not 0 <= start % 6 + side < 6 or end in own or (side == 0 and end in enemy):
                continue
            over = end >= 30 or enemy == {end}
            moved, left = own - {start} | {end}, enemy - {end}
            total += (depth == 1) if over else count(turned(left), turned(moved), depth - 1)
    return total


def turned(squares: frozenset[int]) -> frozenset[int]:
    return frozenset(35 - square for square in squares)


@compiled
def test_perft_agrees_with_an_independent_count() -> None:
    position = mchezo.game("breakthrough").start()
    for depth in range(1, 5):
        assert mchezo.perft(position, depth) == count(frozenset(range(12)), frozenset(range(24, 36)), depth)
    rng = random.Random(1)
    while position.outcome is None:
        white, black = (frozenset(np.flatnonzero(position.states[0].cells == cell).tolist()) for cell in (1, 2))
        sides = (white, black) if position.to_move == 0 else (turned(black), turned(white))
        assert mchezo.perft(position, 2) == count(*sides, 2)
        position.play(rng.choice(position.legal_moves))


@compiled
def test_records_and_refusals() -> None:
    position = mchezo.game("breakthrough").start(seed=1)
    with pytest.raises(InvalidMove, match="not a move"):
        position.play("a2b3")
    with pytest.raises(IllegalMove, match="against the rules"):
        position.play("a1-a2")
    rng = random.Random(1)
    while position.outcome is None:
        position.play(rng.choice(position.legal_moves))
    record = str(position.record())
    assert mchezo.Record.parse(record).replay().outcome == position.outcome
    assert position.outcome.scores in ((1.0, 0.0), (0.0, 1.0))


@compiled
def test_computer_players_of_higher_levels_win() -> None:
    position = mchezo.game("breakthrough").start(seed=1)
    players = mchezo.player("breakthrough", 1, seed=1), mchezo.player("breakthrough", 6, seed=1)
    while position.to_move is not None:
        position.play(players[position.to_move].choose(position))
    assert position.outcome is not None
    assert position.outcome.winners == (1,)
    assert len(mchezo.levels("breakthrough")) == 8


@compiled
def test_the_arena_plays_matches_of_it() -> None:
    match = Match("breakthrough", find("flat:200", "breakthrough"), find("random", "breakthrough"))
    games = list(play(match, range(2), workers=1))
    assert len(games) == 4
    assert score(games).mean > 0.5


@compiled
def test_an_analysis_finds_the_blunder() -> None:
    position = mchezo.game("breakthrough").start()
    for move in ("b2-b3", "c5-c4", "b3-b4", "c4-c3", "b4-c5", "a5-a4"):
        position.play(move)
    last = mchezo.analyse(position, nodes=5_000).moments[-1]
    assert last.mark == "blunder"  # White's pawn on c5 is one step from winning
    assert last.best[0] in ("b6-c5", "d6-c5")


@compiled
def test_a_person_plays_a_computer_on_the_server(tmp_path: Path) -> None:
    server = Running(str(tmp_path / "tables.sqlite"), opponents=Shipped())
    try:
        ada = server.client("Ada")
        info = next(game for game in ada.get("/api/games") if game["name"] == "breakthrough")
        assert (info["title"], info["revenge"], info["draws"]) == ("Breakthrough", False, False)
        assert ada.get("/api/words/de")["breakthrough"]["seat-white"] == "Weiß"
        assert ada.http.get("/api/rules/breakthrough").status_code == 409
        puzzle = {"id": "none", "options": {}, "line": ["a2-a3"]}
        assert ada.http.post("/api/puzzles/breakthrough/try", json={"puzzle": puzzle}).status_code == 404
        checked = ada.post("/api/games/breakthrough/setup", {"options": {}})
        assert "<svg" in checked["svg"]
        table = ada.make("breakthrough", [{"kind": "you"}, {"kind": "computer", "level": 2}])["id"]
        rng = random.Random(1)
        with ada.live(table) as live:
            while True:
                eventually(lambda: live.receive() and (live.table.get("legal") or live.table.get("status") == "over"))
                if live.table["status"] == "over":
                    break
                move = rng.choice(live.table["legal"])
                assert live.ask("move", decision=live.table["decision"], moves=[move])["type"] == "done"
        seen = ada.look(table)
        assert BreakthroughView(**{k: v for k, v in seen["view"].items() if k != "game"}).outcome is not None
        assert ada.http.get(f"/api/tables/{table}/picture.svg").status_code == 200
        assert mchezo.Record.parse(ada.http.get(f"/api/tables/{table}/record").text).verify() == 0
    finally:
        server.stop()


@compiled
def test_it_is_played_in_the_terminal() -> None:
    played = run(
        "play", "breakthrough", "--level", "1", "--seat", "0", text="a2-a3\nmoves\nhint\nquit\n", language="de"
    )
    assert played.returncode == 0, played.stderr
    assert "Weiß, zieh einen Bauern" in played.stdout
    assert "6 ● ● ● ● ● ●" in played.stdout
    assert "Breakthrough" in run("games").stdout
    refused = run("rules", "breakthrough")
    assert refused.returncode == 1
    assert "no rules page" in refused.stderr
    assert "no puzzles for Breakthrough" in run("puzzle", "breakthrough").stderr


def test_it_is_never_the_game_of_the_daily_puzzle() -> None:
    days = [datetime.date(2026, 11, day) for day in range(1, 9)]
    assert {of_day(day)[0] for day in days} == set(mchezo.games()) - {"breakthrough"}


@compiled
def test_pettingzoo_plays_it() -> None:
    from pettingzoo.test import api_test

    from mchezo.envs.pettingzoo import env

    api_test(env("breakthrough"), num_cycles=200)


def test_the_cached_machine_code_depends_on_its_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")  # whose cache this is about
    from mchezo.core import jit

    states = {name: mchezo.game(name).start(seed=1).states for name in ("breakthrough", "kiwara")}

    def cache_key(name: str) -> object:
        dispatcher: Any = jit.dispatcher(inspect.unwrap(kernels.to_move))
        return dispatcher._cache._index_key((numba.typeof(states[name]),), dispatcher.targetctx.codegen())

    before = {name: cache_key(name) for name in states}
    assert before == {name: cache_key(name) for name in states}
    changed, unchanged = states["breakthrough"].dtype, jit.external_hash
    monkeypatch.setattr(jit, "external_hash", lambda state: "changed" if state == changed else unchanged(state))
    assert cache_key("breakthrough") != before["breakthrough"]
    assert cache_key("kiwara") == before["kiwara"]


def test_the_page_about_adding_a_game_quotes_this_one() -> None:
    page = Path(__file__).parents[2].joinpath("docs/adding-a-game.md").read_text(encoding="utf-8")
    source = Path(__file__).with_name("__init__.py").read_text(encoding="utf-8")
    quoted = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(quoted) == 7
    for code in quoted:
        assert code in source


def test_a_user_of_missing_extras_is_told_so() -> None:
    game = mchezo.game("breakthrough")
    with pytest.raises(UserError):
        game.series()
    console = Console(file=io.StringIO(), width=80)
    console.print(game.pictures.terminal(game.start().view(), "en"))
