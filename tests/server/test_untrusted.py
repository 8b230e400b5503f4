"""Untrusted input: refused with a text, without a failure and without changing anything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.transport import untrusted
from tests.server.hostile import attack_api, frames
from tests.server.serving import PATIENCE, Client, Running, new_id

pytestmark = pytest.mark.rotating(shares=24)

MOVE = {"type": "move", "id": "x", "decision": 2, "moves": ["turn0"]}


@pytest.fixture
def table(ada: Client, ben: Client) -> str:
    made = str(ada.make()["id"])
    ben.do(made, "join")
    return made


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_commands_from_another_site_are_refused(running: Running, ben: Client, table: str) -> None:
    path = f"/api/tables/{table}/commands"
    for origin in ("https://evil.example", f"http://{running.address}.evil.example", "null", ""):
        assert code(ben.http.post(path, json=MOVE, headers={"Origin": origin})) == (403, "origin")
    del ben.http.headers["Origin"]
    assert code(ben.http.post(path, json=MOVE)) == (403, "origin")  # a cookie without an origin
    form = ben.http.post(path, content="type=move", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert form.status_code in (400, 403, 415)
    assert ben.look(table)["made"] == 0


def test_sockets_from_another_site_are_refused(running: Running, ben: Client, table: str) -> None:
    cookie = "; ".join(f"{name}={value}" for name, value in ben.http.cookies.items())
    url = f"ws://{running.address}/api/tables/{table}/live"
    with connect(url, additional_headers={"Cookie": cookie, "Origin": "https://evil.example"}) as socket:
        assert json.loads(socket.recv())["code"] == "origin"
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)


def test_a_foreign_host_name_is_refused(running: Running) -> None:
    answer = httpx.get(f"http://{running.address}/api/games", headers={"Host": "evil.example"})
    assert code(answer) == (403, "origin")


def test_forged_and_foreign_tokens_are_refused(running: Running, ada: Client, table: str) -> None:
    bot = running.client("bot", bot=True)
    assert bot.refused(table, "move", decision=2, moves=["turn0"]) == (403, "not-your-seat")
    path = f"/api/tables/{table}/commands"
    token = bot.token or ""
    forged = (token[:-1] + ("0" if token[-1] != "0" else "1"), "mchezo-bot-x", "x", token.replace("mchezo-bot-", ""))
    for wrong in forged:
        answer = httpx.post(f"http://{running.address}{path}", json=MOVE, headers={"Authorization": f"Bearer {wrong}"})
        assert code(answer) == (401, "bad-token")
    # A cookie is not a token, and a token is not a cookie.
    cookie = ada.http.cookies["mchezo"]
    headers = {"Authorization": f"Bearer mchezo-bot-{cookie}"}
    assert code(httpx.post(f"http://{running.address}{path}", json=MOVE, headers=headers)) == (401, "bad-token")
    headers = {"Cookie": f"mchezo={token.removeprefix('mchezo-bot-')}", "Origin": f"http://{running.address}"}
    assert code(httpx.post(f"http://{running.address}{path}", json=MOVE, headers=headers)) == (401, "bad-token")
    assert code(httpx.post(f"http://{running.address}{path}", json=MOVE)) == (401, "not-signed-in")


def test_a_replayed_move_does_nothing(ben: Client, table: str) -> None:
    seen = ben.look(table)
    body = {"type": "move", "id": new_id(), "decision": seen["decision"], "moves": ["turn0"]}
    first = ben.post(f"/api/tables/{table}/commands", body)
    number = ben.look(table)["number"]
    for _ in range(3):
        assert ben.post(f"/api/tables/{table}/commands", body) == first
    assert ben.refused(table, "move", decision=seen["decision"], moves=["turn0"]) == (409, "stale")
    assert ben.look(table)["number"] == number


def test_bodies_and_frames_have_a_maximum_size(running: Running, ada: Client, ben: Client, table: str) -> None:
    large = {"game": "kitara", "seats": [{"kind": "you"}] * 2, "options": {"pack": "x\n" * 200_000}}
    assert code(ada.http.post("/api/tables", json=large)) == (413, "too-large")
    with ben.live(table) as live:
        live.wait_for("news")
        live.socket.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            live.wait_for("nothing")
    assert ben.look(table)["made"] == 0


def test_a_client_over_its_rate_limit_has_to_wait(start: Callable[..., Running], tmp_path: Path) -> None:
    limits = Limits(requests=Rate(0.001, 20), creations=Rate(0.001, 3), thinking=Rate(1, 1))
    server = start(str(tmp_path / "tables.sqlite"), limits=limits)
    ada = server.client("Ada")
    for _ in range(3):
        ada.make()
    body = {"game": "kiwara", "seats": [{"kind": "you"}, {"kind": "open"}]}
    answer = ada.http.post("/api/tables", json=body)
    assert code(answer) == (429, "too-often")
    assert int(answer.headers["Retry-After"]) > 0
    answers = {ada.http.get("/api/tables").status_code for _ in range(30)}
    assert answers == {200, 429}


def test_a_guest_may_open_a_limited_number_of_sockets(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=Limits(sockets=2))
    ada = server.client("Ada")
    table = ada.make()["id"]
    with ada.live(table) as first, ada.live(table) as second, ada.live(table) as third:
        assert first.wait_for("news")
        assert second.wait_for("news")
        assert third.receive()["code"] == "too-often"


@pytest.mark.parametrize(
    ("pack", "expected"),
    [
        ("/etc/passwd", "pack-stranger"),
        ("reconstruction.toml", "pack-stranger"),
        ("../packs/reconstruction.toml", "pack-stranger"),
        (f"/etc/passwd#{'0' * 64}", "pack-unknown"),
        (7, "pack-stranger"),
        ("name = 1\n", None),
    ],
)
def test_no_untrusted_option_opens_a_file(ada: Client, pack: Any, expected: str | None) -> None:
    body = {"game": "kitara", "seats": [{"kind": "you"}] * 2, "options": {"pack": pack}}
    answer = ada.http.post("/api/tables", json=body)
    assert answer.status_code == 400
    if expected:
        assert answer.json()["told"]["key"] == expected
    record = f'[Game "kitara"]\n[Rules "1"]\n[pack "/etc/passwd#{"0" * 64}"]\n\n'
    answer = ada.http.post("/api/tables", json={"game": "kitara", "seats": [{"kind": "you"}] * 2, "record": record})
    assert answer.json()["told"]["key"] == "pack-unknown"


def test_a_players_own_pack_is_used_from_its_text(running: Running, ada: Client) -> None:
    from mchezo.games.kitara.pack import FOLDER

    text = (FOLDER / "reconstruction.toml").read_text(encoding="utf-8").replace("D1W1M1", "D1W2M1")
    table = ada.make("kitara", [{"kind": "you"}] * 2, options={"pack": text})
    name = table["view"]["pack_id"]
    assert name in {f"{table['view']['pack']}#{digest}" for digest in untrusted.PACKS}
    path = f"/api/packs/{httpx.QueryParams({'p': name})['p'].replace('#', '%23')}/maps/2"
    assert ada.http.get(path).json()["spaces"]
    assert running.service is not None
    running.service.sessions.sessions.clear()  # as after a restart: the pack comes back from the log
    assert ada.look(table["id"])["view"]["pack_id"] == name


@pytest.mark.parametrize("options", [{"seed": 1}, {"chance": "manual"}, {"self": 1}, {"board": [[]]}, {"variant": {}}])
def test_unknown_and_malformed_options_are_refused(ada: Client, options: dict[str, Any]) -> None:
    body = {"game": "katarenga", "seats": [{"kind": "you"}] * 2, "options": options}
    assert code(ada.http.post("/api/tables", json=body)) == (400, "invalid-setup")


@given(frame=frames())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_frame_changes_anything_or_breaks_the_socket(ben: Client, table: str, frame: str | bytes) -> None:
    before = ben.look(table)["number"]
    with ben.live(table) as live:
        live.wait_for("news")
        live.socket.send(frame)
        assert live.ask("try", decision=before)["type"] in ("tried", "refused")
    assert ben.look(table)["number"] == before


def test_the_whole_api_withstands_generated_requests(running: Running, ada: Client) -> None:
    outcome = attack_api(running.address, ada, examples=6)
    assert outcome.failures == []
    assert outcome.cases > 60


def test_a_socket_at_an_unknown_table_gets_an_error(running: Running) -> None:
    with connect(f"ws://{running.address}/api/tables/{'x' * 12}/live") as socket:
        assert json.loads(socket.recv())["code"] == "unknown-table"
    with pytest.raises(InvalidStatus), connect(f"ws://{running.address}/api/nothing/live"):
        pass
