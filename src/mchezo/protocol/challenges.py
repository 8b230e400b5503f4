"""A bot in the lobby of a server: it accepts challenges while it has fewer games than it may play in parallel."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from mchezo.protocol.bridge import FIRST_WAIT, LONGEST_MESSAGE, LONGEST_WAIT, TIMEOUT, Plan, ServerError, Unreachable
from mchezo.protocol.bridge import request as send_request


def wait_for_challenges(
    plan: Plan,
    games: Sequence[str],
    has_time: Callable[[], bool],
    play: Callable[[str], None],
    stopped: threading.Event,
) -> None:
    """Stay in the lobby until stopped; play every game that is offered while the bot has time, and decline the rest."""
    wait = FIRST_WAIT
    while not stopped.is_set():
        try:
            with enter(plan, games) as socket:
                plan.say("bot-waits", games=", ".join(games))
                wait = FIRST_WAIT
                follow(plan, socket, has_time, play, stopped)
        except (OSError, WebSocketException, Unreachable) as error:
            plan.say("lobby-reconnecting", reason=error)
            stopped.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)


def enter(plan: Plan, games: Sequence[str]) -> ClientConnection:
    """Open the lobby's WebSocket; the bot is listed there with these games."""
    server = urlsplit(plan.server)
    scheme = "wss" if server.scheme == "https" else "ws"
    address = f"{scheme}://{server.netloc}{server.path.rstrip('/')}/api/lobby/live?plays={','.join(games)}"
    headers = {"Authorization": f"Bearer {plan.token}"}
    return connect(address, additional_headers=headers, max_size=LONGEST_MESSAGE, open_timeout=TIMEOUT)


def follow(
    plan: Plan,
    socket: ClientConnection,
    has_time: Callable[[], bool],
    play: Callable[[str], None],
    stopped: threading.Event,
) -> None:
    """Answer the challenges that the lobby shows."""
    answered: set[str] = set()
    while not stopped.is_set():
        try:
            message = json.loads(socket.recv(timeout=1.0))
        except TimeoutError:
            continue
        if message["type"] == "refused":
            raise ServerError(message["code"], message["words"])
        for challenge in message["challenges"]:
            if challenge["status"] == "waiting" and not challenge["yours"] and challenge["id"] not in answered:
                answered.add(challenge["id"])
                answer(plan, challenge, has_time(), play)


def answer(plan: Plan, challenge: dict[str, Any], accept: bool, play: Callable[[str], None]) -> None:
    """Accept a challenge and play its game, or decline it; ignore it if it was withdrawn in the meantime."""
    id = challenge["id"]
    try:
        lobby = json.loads(send_request(plan.server, f"/api/challenges/{id}", plan.token, {"accept": accept}))
    except ServerError as error:
        plan.say("challenge-refused", player=challenge["by"], reason=error)
        return
    plan.say("challenge-accepted" if accept else "challenge-declined", player=challenge["by"])
    for one in lobby["challenges"]:
        if one["id"] == id and one["table"] is not None:
            play(one["table"])
