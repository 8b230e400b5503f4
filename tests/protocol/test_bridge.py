"""Engines on a server: the bridge joins by link, keeps to the rules of the table, and comes back."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mchezo.core.errors import UserError
from mchezo.core.record import Record
from mchezo.protocol import bridge
from mchezo.protocol.bridge import Plan, read_link
from tests.cli.running import run
from tests.protocol.talking import OURS, PATIENCE, example, program
from tests.server.serving import Client, Process, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)

ANSWERS = {"protocol": "id name Test\ngame * 0\nneeds legal\nprotocolok 1", "isready": "readyok"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(str(tmp_path_factory.mktemp("database") / "tables.sqlite"))
    yield running
    running.stop()


class Bot:
    """A bridge in a thread, with what it said."""

    challenges = False
    games = 4

    def __init__(self, address: str, command: str, *links: str, token: str | None = None, **given: Any) -> None:
        self.said: list[tuple[str, dict[str, object]]] = []
        self.server = f"http://{address}"
        self.token = token or bridge.new_token(self.server, "Robo")
        plan = Plan(self.server, self.token, command, say=lambda key, **v: self.said.append((key, v)), **given)
        self.well: bool | None = None
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=lambda: self.play(plan, list(links)))
        self.thread.start()

    def play(self, plan: Plan, links: list[str]) -> None:
        self.well = bridge.run(plan, links, self.games, self.stopped, challenges=self.challenges)

    def end(self, games: int = 1) -> bool:
        """Wait until the bot has said the results of its games, and let it leave."""
        eventually(lambda: sum(key.startswith("bot-") for key in self.heard()) == games)
        self.stopped.set()
        return self.left()

    def left(self) -> bool:
        """Wait until the bot has left; return whether it gave up no game."""
        self.thread.join(PATIENCE)
        assert self.well is not None
        return self.well

    def heard(self) -> list[str]:
        return [key for key, _ in self.said]


class ChallengedBot(Bot):
    """One that waits in the lobby for one game at a time."""

    challenges = True
    games = 1


def test_it_waits_in_the_lobby_plays_who_challenges_it_and_declines_when_busy(server: Running) -> None:
    bot = ChallengedBot(server.address, example())
    ada, ben = server.client("Ada"), server.client("Ben")
    (listed,) = eventually(lambda: ada.get("/api/lobby")["bots"])
    assert listed["name"] == "Robo"
    assert "kiwara" in listed["games"]
    terms = {"kind": "kiwara", "speed": "rapid", "bot": listed["id"]}

    def answer(client: Client) -> Any:
        client.post("/api/challenges", terms)
        return eventually(
            lambda: next((one for one in client.get("/api/lobby")["challenges"] if one["status"] != "waiting"), None)
        )

    accepted = answer(ada)
    assert accepted["status"] == "accepted"
    assert answer(ben)["status"] == "declined"
    assert play_first(ada, accepted["table"])["status"] == "over"
    eventually(lambda: any(key in ("bot-won", "bot-lost", "bot-drew") for key in bot.heard()))
    bot.stopped.set()
    assert bot.left()
    assert bot.heard()[0] == "bot-waits"


def invite(client: Client, game: str = "kiwara", **given: Any) -> tuple[str, str]:
    """Create a table with an open seat; return it and the link to that seat."""
    table = client.make(game, public=False, **given)
    ((_, key),) = table["keys"].items()
    return table["id"], f"http://{client.address}/join/{table['id']}/{key}"


def play_first(client: Client, table: str) -> dict[str, Any]:
    """Play the first legal move whenever it is the client's turn, until the game is over."""
    while True:
        seen: dict[str, Any] = eventually(
            lambda: next((t for t in [client.look(table)] if t["legal"] or t["status"] == "over"), None)
        )
        if seen["status"] == "over":
            return seen
        client.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])


def test_two_engines_play_each_other_to_the_end(server: Running) -> None:
    ada = server.client("Ada")
    seats = [{"kind": "open"}, {"kind": "open"}, {"kind": "open"}]
    table = ada.make(
        "kitara", seats=seats, options={"players": 3}, clock={"milliseconds": 3_600_000, "increment": 1_000}
    )
    bots = [Bot(server.address, command, table["id"], nodes=200) for command in (OURS, example(), example())]
    assert [bot.left() for bot in bots] == [True] * 3, "they leave by themselves"
    over = ada.look(table["id"])
    assert over["status"] == "over"
    assert {seat["player"]["kind"] for seat in over["seats"]} == {"bot"}
    record = Record.parse(ada.http.get(f"/api/tables/{table['id']}/record").text)
    assert record.outcome is not None
    assert record.outcome.reason in ("prosperity", "tokens", "shared"), "no clock ran out"
    assert sorted(bot.heard()[-1] for bot in bots).count("bot-won") == len(record.outcome.winners)


def test_a_person_invites_it_by_link_and_gets_a_rematch(server: Running) -> None:
    ada = server.client("Ada")
    table, link = invite(ada)
    bot = Bot(server.address, example(), link)
    with ada.live(table) as live:
        assert play_first(ada, table)["seats"][1]["player"]["kind"] == "bot"
        while live.table.get("status") != "over":
            live.wait_for("news")
        live.ask("ask", what="rematch")
        while not live.table["next"]:
            live.wait_for("news")
        following = live.table["next"]
    eventually(lambda: ada.look(following)["seats"][1]["here"])
    ada.do(following, "resign")
    assert bot.end(games=2)
    assert bot.heard()[-1] == "bot-won"


def test_it_takes_back_moves_and_declines_draws(server: Running) -> None:
    ada = server.client("Ada")
    table, link = invite(ada, "katarenga", options={"board": "b0d3a0c3"})
    bot = Bot(server.address, example(), link)

    def ready() -> dict[str, Any] | None:
        seen = ada.look(table)
        return seen if seen["legal"] else None

    first = eventually(ready)
    ada.do(table, "move", decision=first["decision"], moves=[first["legal"][0]])
    later = eventually(lambda: (seen := ready()) and seen["made"] == 2 and seen)
    ada.do(table, "ask", what="draw")
    eventually(lambda: not ada.look(table)["asked"])
    assert ada.look(table)["status"] == "running"
    ada.do(table, "ask", what="takeback")
    again = eventually(lambda: (seen := ready()) and seen["made"] == 0 and seen)
    assert again["decision"] > later["decision"]
    ada.do(table, "move", decision=again["decision"], moves=[again["legal"][-1]])
    eventually(lambda: (seen := ready()) and seen["made"] == 2)
    ada.do(table, "resign")
    assert bot.end()


def test_it_comes_back_when_the_server_does(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    process = Process(database)
    try:
        ada = Client(process.address, "Ada")
        table, link = invite(ada)
        bot = Bot(process.address, example(), link)
        seen = eventually(lambda: move(ada, table))
        while seen["made"] < 6:
            seen = eventually(lambda: move(ada, table))
        process.kill()
        eventually(lambda: "reconnecting" in bot.heard())
        process = Process(database, process.port)
        assert ada.look(table)["made"] >= seen["made"]
        assert play_first(ada, table)["status"] == "over"
        assert bot.end()
    finally:
        process.kill()


def move(client: Client, table: str) -> dict[str, Any] | None:
    """Play a move and return the table before it, if it is the client's turn."""
    seen = client.look(table)
    if not seen["legal"]:
        return None
    client.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
    return seen


def test_with_its_token_it_goes_on_where_it_was_stopped(server: Running) -> None:
    ada = server.client("Ada")
    table, link = invite(ada)
    token = bridge.new_token(f"http://{server.address}", "Robo")
    command = [sys.executable, "-m", "mchezo", "-l", "en", "bot", "--engine", example(), "--token", token]
    first = subprocess.Popen([*command, "--server", f"http://{server.address}", link])
    eventually(lambda: ada.look(table)["status"] == "running")
    first.kill()
    first.wait(PATIENCE)
    bot = Bot(server.address, example(), token=token)
    assert play_first(ada, table)["status"] == "over"
    assert bot.end()


@pytest.mark.parametrize("go", ["bestmove nonsense", "EXIT", "bestmove none"])
def test_an_engine_that_fails_resigns_so_that_nobody_waits(server: Running, tmp_path: Path, go: str) -> None:
    ada = server.client("Ada")
    table, link = invite(ada)
    bot = Bot(server.address, program(tmp_path, repr(ANSWERS | {"go": go})), link)
    over = play_first(ada, table)
    assert over["result"]["reason"] == "resignation"
    assert over["result"]["winners"] == over["you"]
    assert bot.end() is False
    assert "engine-failed" in bot.heard()


def test_the_clock_of_its_seat_is_sent_with_go() -> None:
    table = {"clock": {"left": [60_000, None], "increment": [1_000, 0], "running": 0, "at": 5}, "to_move": 0}
    plan = Plan("http://x", "t", "c", nodes=9, seconds=2.0)
    go = bridge.BotTable(plan, "t", threading.Event()).limits(table, 1e12)
    assert go.nodes == 9
    assert go.movetime == 2000
    assert go.clock is not None
    assert go.clock[1] is None
    assert go.increment == (1_000, 0)
    without = bridge.BotTable(plan, "t", threading.Event()).limits({"clock": None}, 0)
    assert without.clock is None


def test_links_are_read() -> None:
    table = "0123456789Ab"
    for text in (table, f"/t/{table}", f"http://here:8064/t/{table}", f"https://here/t/{table}?seat=1"):
        assert read_link(text) == (table, None)
    assert read_link(f"https://here/join/{table}/k3y") == (table, "k3y")
    for text in ("", "katarenga", "https://here/", f"https://here/other/{table}/x"):
        with pytest.raises(UserError, match="is not a table"):
            read_link(text)


def test_what_it_cannot_do_it_says_in_a_sentence(server: Running, tmp_path: Path) -> None:
    address = f"http://{server.address}"
    ada = server.client("Ada")
    table = ada.make("kiwara")["id"]
    only_kitara = program(tmp_path, repr(ANSWERS | {"protocol": "game kitara 0\nprotocolok 1"}))
    for arguments, message in (
        (["--engine", only_kitara, table], "does not play kiwara"),
        (["--engine", example()], "no game to play"),
        (["--engine", example(), "not-a-link"], "is not a table"),
        (["--engine", example(), "0123456789Ab"], "refused"),
        (["--engine", example(), "--token", "forged", table], "refused"),
        (["--engine", example(), "-o", "level=3", table], "has no option level"),
    ):
        shown = run("bot", "--server", address, *arguments)
        assert shown.returncode == 1
        assert message in " ".join(shown.stderr.split())
        assert "Traceback" not in shown.stderr
    assert ada.look(table)["status"] == "open", "it did not join"
    away = run("bot", "--server", "http://127.0.0.1:9", "--engine", example(), table)
    assert "does not answer" in " ".join(away.stderr.split())


def test_only_the_holder_of_a_seat_gets_its_record(server: Running) -> None:
    ada = server.client("Ada")
    table = ada.make("kitara", seats=[{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    assert ada.http.get(f"/api/tables/{table}/record?seat=0").status_code == 200
    for seat in (1, 3):
        assert ada.http.get(f"/api/tables/{table}/record?seat={seat}").status_code == 403
    other = server.client("Ben")
    assert other.http.get(f"/api/tables/{table}/record?seat=0").status_code == 403
    assert other.http.get(f"/api/tables/{table}/record").status_code == 200
