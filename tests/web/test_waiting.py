"""What people see while machine code is made: progress, no refusals, and then the board."""

import json
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.web.conftest import Visit
from tests.web.player import play_on

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
    notice = page.get_by_role("status").filter(has_text="getting ready")
    expect(notice).to_be_visible()
    expect(notice.get_by_role("progressbar")).to_have_attribute("value", "2")
    expect(page.locator("svg.board")).to_be_visible()  # it can be looked at meanwhile
    sockets[0].send(compiling(7, ready=True))
    expect(notice).to_be_hidden()
    assert play_on(page) > 0


def unready(route: Route, done: int) -> None:
    games: list[dict[str, Any]] = route.fetch().json()
    for game in games:
        game["ready"] = {"done": done, "total": 11, "ready": False}
    route.fulfill(json=games)


def test_whoever_presses_play_too_early_gets_the_board_as_soon_as_it_is_there(visit: Visit) -> None:
    page: Page = visit()
    asked: list[int] = []

    def answer(route: Route) -> None:
        asked.append(1)
        unready(route, len(asked)) if len(asked) < 5 else route.continue_()

    page.route("**/api/games", answer)
    page.reload()
    expect(page.get_by_role("status").filter(has_text="being prepared")).to_be_visible()
    page.locator("[data-game=katarenga] button.primary").click()
    expect(page.locator("[data-game=katarenga] button.primary")).to_have_text("Starts in a moment…")
    page.locator("svg.board").wait_for()
    assert len(asked) >= 5
