"""Programs written for the first version of the API still play whole games."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import PATIENCE, Client, Live

pytestmark = pytest.mark.rotating(shares=6)

BOT = Path(__file__).with_name("first_version_bot.py")
# What the first version documented of each message; more may have been added since.
TABLE = {"number", "status", "view", "legal", "decision", "clock", "may", "say", "asked", "result", "you", "seats"}
EVENTS = {
    "created": {"game"},
    "joined": {"seat", "player"},
    "started": {"order", "players", "seed_hash"},
    "moved": {"seat", "move", "told"},
    "drawn": {"move", "told"},
    "ended": {"winners", "scores", "reason", "seed"},
}
LONGEST = 3_000  # decisions


def check_news(socket: Live) -> None:
    """Check what was received against what the first version documented."""
    assert socket.table.keys() >= TABLE
    numbers = [event["number"] for event in socket.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "events are numbered densely"
    for event in socket.events:
        assert event.keys() >= EVENTS.get(event["key"], set()), event


@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_a_bot_and_a_socket_of_the_first_version_play_a_whole_game(ada: Client, game: str) -> None:
    rng = random.Random(game)
    table = ada.make(game)["id"]
    bot = subprocess.Popen(
        [sys.executable, str(BOT), f"http://{ada.address}", table], stdout=subprocess.PIPE, text=True
    )
    events: list[dict[str, Any]] = []
    try:
        number, tried, over = -1, 0, False
        while not over:  # a new connection after every 40 decisions, which continues after the last known event
            with ada.live(table, f"?after={number}") as socket:
                socket.wait_for("news")
                for _ in range(40):
                    while not (over := socket.table["status"] == "over") and not socket.table["legal"]:
                        socket.wait_for("news")
                    if over:
                        break
                    seen = socket.table
                    move = rng.choice(seen["legal"])
                    if not tried % 10:
                        answer = socket.ask("try", decision=seen["decision"], moves=[move], previews=True)
                        assert answer["type"] == "tried"
                        assert answer["told"]
                        assert answer.keys() >= {"view", "legal", "told", "previews"}
                    tried += 1
                    assert tried < LONGEST
                    id = f"move {tried}"
                    done = socket.ask("move", id=id, decision=seen["decision"], moves=[move])
                    assert done["type"] == "done"
                    assert socket.ask("move", id=id, decision=seen["decision"], moves=[move]) == done, "done once"
                    refused = socket.ask("move", decision=seen["decision"], moves=[move])
                    assert (refused["type"], refused["code"] in {"stale", "not-running"}) == ("refused", True)
                    assert refused["told"]["key"]
                    assert refused["words"]
                    while socket.table["number"] <= seen["number"]:
                        socket.wait_for("news")
                check_news(socket)
                events += [event for event in socket.events if event["number"] > number]
                number = events[-1]["number"]
        out, _ = bot.communicate(timeout=PATIENCE)
        assert bot.returncode == 0
        result = ada.look(table)["result"]
        assert f"Winners: {result['winners']} I was" in out
    finally:
        if bot.poll() is None:
            bot.kill()
            bot.wait()
    assert [event["number"] for event in events] == list(range(len(events))), "nothing was missed"
    assert {"created", "joined", "started", "moved", "ended"} <= {event["key"] for event in events}
    assert f'[Game "{game}"]' in ada.http.get(f"/api/tables/{table}/record").text
