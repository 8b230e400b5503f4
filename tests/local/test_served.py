"""A real server, over its sockets, and the browser's Python say the same, byte for byte."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import mchezo
from mchezo.local import runtime
from tests.build.modules import needs_libraries
from tests.local import repeating, served
from tests.local.pyodide import in_pyodide, require_runtime
from tests.rotation import CURRENT, examples
from tests.server.serving import Running

pytestmark = needs_libraries

GAMES = 300
SHARES = 24
BATCH = 30  # games at once in Pyodide


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("served") / "tables.sqlite")


@pytest.fixture(scope="module")
def running(database: str) -> Iterator[Running]:
    server = Running(database)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pyodide")
    runtime.unpack(require_runtime(), made)
    return made


def played(running: Running, database: str, asked: list[tuple[str, int]]) -> list[served.RecordedClient]:
    """Play games at the server; one in two at one screen."""
    clients = [running.client(name) for name in ("Ada", "Ben", "Cleo", "Dan")]
    guest = json.loads(served.stored(database, clients[0].make("kiwara")["id"], "-")[0])["by"]
    told: list[served.RecordedClient] = []
    for game, number in asked:
        if number % 2:
            told += served.apart(clients, game, number)
        else:
            told.append(served.one_screen(clients[0], guest, database, game, number))
    return told


def test_every_message_over_a_servers_socket_has_the_same_bytes(
    running: Running, database: str, folder: Path, tmp_path: Path
) -> None:
    count = examples(GAMES, SHARES)
    first = 0 if CURRENT.whole else CURRENT.number % SHARES * count
    asked = [(game, number) for number in range(first, first + count) for game in mchezo.games()][:count]
    followed = heard = 0
    for at in range(0, len(asked), BATCH):
        told = played(running, database, asked[at : at + BATCH])
        scripts = tmp_path / "scripts.json"
        scripts.write_text(json.dumps([one.script for one in told]), "utf-8")
        files = [Path(repeating.__file__), scripts]
        found = cast(list[list[list[str]]], in_pyodide(folder, "repeating", "answers_in", scripts.name, files=files))
        for one, answers in zip(told, found, strict=True):
            compare(one, answers)
            followed += sum(step["do"] == "follow" for step in one.steps)
            heard += sum(step["do"] == "hear" for step in one.steps)
    assert followed > 20
    assert heard > 20


def compare(told: served.RecordedClient, answers: list[list[str]]) -> None:
    """Compare what the server said with what the browser's Python says."""
    assert (
        len(told.steps) > 3 or told.steps[-1]["do"] == "hear"
    )  # a game on a random board may be over after a few moves
    assert len(answers) == len(told.said)
    for step, said, here in zip(told.steps, told.said, answers, strict=True):
        if step["do"] == "send" and "follow" in {one["do"] for one in told.steps}:
            assert json.loads(said[0])["type"] in ("tried", "refused")
        assert here == said, f"{told.table}: {step}"


def test_a_table_that_turns_out_differently_is_not_known(running: Running, database: str) -> None:
    (told, *_) = played(running, database, [("kiwara", 1)])
    steps: list[dict[str, Any]] = told.steps
    at = [number for number, step in enumerate(steps) if step["do"] == "follow"][2]
    news = json.loads(steps[at]["news"])
    news["table"]["view"]["to_move"] = 1 - news["table"]["view"]["to_move"]
    spoilt = [*steps[:at], {**steps[at], "news": json.dumps(news)}, *steps[at + 1 :]]
    found = repeating.answers({**told.script, "steps": spoilt})
    assert found[:at] == told.said[:at]
    assert all("not known" in here[0] or '"refused"' in here[0] for here in found[at:])
