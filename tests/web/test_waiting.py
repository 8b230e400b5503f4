"""While the rules are being compiled: progress, no errors, and then the board."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.web.conftest import Visit
from tests.web.player import LOG, one_screen, play_on

pytestmark = pytest.mark.rotating(shares=24)

GAMES = ("katarenga", "kiwara", "kitara")


def compiling(done: int, ready: bool) -> str:
    games = {name: {"done": 1, "total": 1, "ready": True} for name in GAMES}
    return json.dumps({"type": "compiling", "games": games, "players": {"done": done, "total": 7, "ready": ready}})


def test_a_table_says_that_the_computer_is_getting_ready(visit: Visit) -> None:
    page = visit()
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)

        def heard(message: str | bytes) -> None:
            socket.send(message)
            if json.loads(message)["type"] == "news" and socket not in sockets:
                sockets.append(socket)
                socket.send(compiling(2, ready=False))

        server.on_message(heard)

    page.route_web_socket("**/live*", through)
    page.evaluate("localStorage.mchezo = JSON.stringify({...JSON.parse(localStorage.mchezo), levels: {kiwara: 1}})")
    page.reload()
    page.locator("[data-game=kiwara] button.primary").click()
    notice = page.get_by_role("status").filter(has_text="Preparing the computer players")
    expect(notice).to_be_visible()
    expect(notice.get_by_role("progressbar")).to_have_attribute("value", "2")
    expect(page.locator("svg.board")).to_be_visible()  # it can be looked at while waiting
    sockets[0].send(compiling(7, ready=True))
    expect(notice).to_be_hidden()
    assert play_on(page) > 0


def unready(route: Route, done: int) -> None:
    games: list[dict[str, Any]] = route.fetch().json()
    for game in games:
        game["ready"] = {"done": done, "total": 11, "ready": False}
    route.fulfill(json=games)


def test_play_pressed_too_early_opens_the_board_once_the_rules_are_compiled(visit: Visit) -> None:
    page: Page = visit()
    asked: list[int] = []

    def answer(route: Route) -> None:
        asked.append(1)
        unready(route, len(asked)) if len(asked) < 5 else route.continue_()

    page.route("**/api/games", answer)
    page.reload()
    expect(page.get_by_role("status").filter(has_text="Preparing")).to_be_visible()
    page.locator("[data-game=katarenga] button.primary").click()
    expect(page.locator("[data-game=katarenga] button.primary")).to_have_text("Starting soon…")
    page.locator("svg.board").wait_for()
    assert len(asked) >= 5


def test_a_step_beyond_the_rate_limit_is_tried_again(visit: Visit) -> None:
    page = visit()
    refused: list[str] = []

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def said(message: str | bytes) -> None:
            asked = json.loads(message)
            if asked["type"] in ("try", "move") and asked["type"] not in refused:
                refused.append(asked["type"])
                told = {"key": "too-often", "arguments": {"seconds": 0.1}}
                refusal = {"type": "refused", "code": "too-often", "told": told, "words": "Slowly.", "id": asked["id"]}
                socket.send(json.dumps(refusal))
            else:
                server.send(message)

        socket.on_message(said)
        server.on_message(socket.send)

    page.route_web_socket("**/live*", through)
    one_screen(page, "kiwara")
    expect(page.locator(LOG)).to_have_count(1)
    page.locator("svg.board [data-place].open").first.click()
    expect(page.locator(LOG)).to_have_count(2)
    assert refused == ["try", "move"]
    expect(page.get_by_text("Slowly.")).to_have_count(0)
