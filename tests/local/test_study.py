"""Finished games in a browser: replay, variations and analysis give what the server and the library give."""

import json
import random
from typing import Any

import msgspec
import pytest

import mchezo
from mchezo.core.structs import CHANCE
from mchezo.local.desk import Desk
from mchezo.local.thinking import think
from mchezo.search.analysis import analyst, decisions
from mchezo.server import messages
from mchezo.server.projection.replay import position_after
from tests.local.games import START


def finished(game: str, moves: int) -> mchezo.Position:
    """Return a random game, broken off after a number of moves."""
    position, rng = mchezo.game(game).start(seed=11), random.Random(11)
    while position.to_move is not None and len(position.moves) < moves:
        position.play(rng.choice(position.legal_moves))
    return position


def think_about(**task: Any) -> Any:
    """Have a task thought about."""
    return json.loads(think(json.dumps(task)))


class Page:
    """A page with one imported game."""

    def __init__(self, record: str) -> None:
        self.desk = Desk(lambda: START)
        self.imported = self.call(call="import", record=record)
        self.path = f"/api/tables/{self.imported['table']}"

    def call(self, **call: Any) -> Any:
        return json.loads(self.desk.call(json.dumps(call)))

    def ask(self, method: str, path: str, body: object = None) -> Any:
        return self.call(call="request", method=method, path=self.path + path, body=body)


@pytest.mark.parametrize("game", mchezo.games())
def test_an_imported_game_is_replayed_and_varied(game: str) -> None:
    position = finished(game, 10)
    page = Page(str(position.record()))
    (facts,) = page.imported["facts"].values()
    assert len(facts) == 3  # created, started, ended
    replay = page.ask("GET", "/replay?whose=all")
    assert [step["move"] for step in replay["steps"]] == list(position.moves)
    assert replay["table"]["status"] == "over"
    (view,) = page.ask("GET", "/replay/views?whose=0&first=10&count=5")["views"]
    assert view == msgspec.to_builtins(position.view(0))
    earlier = position_after(position, len(position.moves) - 2)
    explored = page.ask("POST", "/replay/explore", {"at": 0, "moves": []})
    assert explored["here"] == []
    assert bool(explored["strong"]) == (game == "kiwara")
    varied = page.ask("POST", "/replay/try", {"at": len(earlier.moves), "moves": []})
    if earlier.to_move != CHANCE:
        assert varied["legal"] == list(earlier.legal_moves)


def test_a_record_that_cannot_be_read_is_refused() -> None:
    desk = Desk(lambda: START, "de")
    answer = json.loads(desk.call(json.dumps({"call": "import", "record": "1. e4 e5"})))
    assert answer["type"] == "refused"
    assert not desk.tables.tables


@pytest.mark.parametrize("game", mchezo.games())
def test_an_analysis_can_go_on_in_another_worker(game: str) -> None:
    position = finished(game, 8)
    record, total = str(position.record()), len(decisions(position))
    found: list[Any] = []
    for done in range(1, total + 1):
        analysis = msgspec.convert(think_about(think="analysis", record=record, found=found), messages.Analysed)
        found = msgspec.to_builtins(analysis.moves)
        assert (analysis.done, analysis.total, len(found)) == (done, total, done)
        assert analysis.status == ("done" if done == total else "waiting")
    expected = mchezo.analyse(position, nodes=position.game.computers.analysis_nodes)
    assert [(one["number"], one["move"], one["best"][0], one["mark"]) for one in found] == [
        (one.number, one.move, one.best[0], one.mark) for one in expected.moments
    ]


@pytest.mark.parametrize("game", mchezo.games())
def test_the_lines_of_a_position_are_those_of_the_strongest_engine(game: str) -> None:
    position = finished(game, 9)
    while len(position.legal_moves) < 2:
        position.play(position.legal_moves[0])
    record, effort = str(position.record()), 2
    lines = think_about(think="lines", record=record, at=len(position.moves), moves=[], count=3, effort=effort)
    nodes = position.game.computers.analysis_nodes * effort // 16
    thoughts = analyst(game).best(position, 3, nodes=nodes)
    assert [line["moves"] for line in lines] == [list(thought.moves) for thought in thoughts]
    first = lines[0]["moves"][0]
    after = think_about(think="lines", record=record, at=len(position.moves), moves=[first], count=1, effort=1)
    assert len(after) <= 1
