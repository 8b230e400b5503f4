"""Puzzles, as the server and a browser without one judge them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mchezo
from mchezo.local.desk import Desk
from mchezo.local.thinking import think
from mchezo.puzzles.collection import shipped
from mchezo.puzzles.puzzle import Puzzle
from mchezo.server.runtime.limits import Limits, Rate
from tests.local.games import START
from tests.server.serving import Client, Running


def first(game: str) -> Puzzle:
    """Return a puzzle."""
    return next(iter(shipped(game).values()))


def ask_server(client: Client, game: str, puzzle: Any, *moves: str) -> Any:
    return client.http.post(f"/api/puzzles/{game}/try", json={"puzzle": puzzle, "moves": moves}).json()


def ask_desk(game: str, puzzle: Any, *moves: str) -> Any:
    body = {"puzzle": puzzle, "moves": moves}
    call = {"call": "request", "method": "POST", "path": f"/api/puzzles/{game}/try", "body": body}
    return json.loads(Desk(lambda: START).call(json.dumps(call)))


@pytest.mark.parametrize("game", mchezo.games())
def test_a_puzzle_is_tried_with_and_without_a_server(game: str, ada: Client) -> None:
    puzzle = first(game)
    plain = msgspec.to_builtins(puzzle)
    for made in range(len(puzzle.line) + 1):
        tried = ask_server(ada, game, plain, *puzzle.line[:made])
        assert tried == ask_desk(game, plain, *puzzle.line[:made])
        assert tried["moves"][:made] == puzzle.line[:made]
        assert (tried["verdict"] == "solved") == (len(tried["moves"]) == len(puzzle.line))
        assert bool(tried["legal"]) == (tried["verdict"] == "open")
        assert [step["move"] for step in tried["steps"]] == tried["moves"]


def test_a_server_knows_puzzles_by_their_ids_alone(ada: Client) -> None:
    puzzle = first("kitara")
    forged = {"id": puzzle.id, "options": {"pack": "/etc/passwd"}, "line": ["."]}
    assert ask_server(ada, "kitara", forged) == ask_server(ada, "kitara", msgspec.to_builtins(puzzle))
    unknown = ada.http.post("/api/puzzles/kitara/try", json={"puzzle": forged | {"id": "other"}})
    assert unknown.status_code == 404
    assert ada.http.post("/api/puzzles/chess/try", json={"puzzle": forged}).json()["code"] == "unknown-game"


def test_an_illegal_move_is_refused_with_its_reason(ada: Client) -> None:
    puzzle = msgspec.to_builtins(first("katarenga"))
    refused = ask_server(ada, "katarenga", puzzle, "a1-a1")
    assert refused["type"] == "refused"
    assert "a1-a1" in refused["words"]


@pytest.mark.parametrize("game", ["katarenga", "kiwara"])
def test_a_wrong_move_is_explained(game: str) -> None:
    puzzle = first(game)
    wrong = next(move for move in puzzle.start(game).legal_moves if move != puzzle.line[0])
    task = {"think": "mistake", "game": game, "puzzle": msgspec.to_builtins(puzzle), "moves": [wrong]}
    found = json.loads(think(json.dumps(task)))
    assert found["move"] == wrong
    assert found["best"][0] == puzzle.line[0]
    assert found["mark"]
    assert found["why"]["key"]


def test_trying_puzzles_is_limited_like_trying_moves(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=Limits(previews=Rate(0.01, 3)))
    eve, puzzle = server.client("Eve"), msgspec.to_builtins(first("kiwara"))
    body = {"puzzle": puzzle, "moves": []}
    statuses = [eve.http.post("/api/puzzles/kiwara/try", json=body).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]
