"""`mchezo bot`: an engine on a server."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from mchezo.cli.common import Terminal, echo
from mchezo.protocol import bridge
from mchezo.protocol.lines import WORDS


def run(
    server: str,
    token: str | None,
    name: str,
    command: str,
    options: Mapping[str, str],
    nodes: int | None,
    seconds: float | None,
    tables: Sequence[str],
    games: int,
    *,
    challenges: bool = False,
) -> bool:
    """Play the games of a bot; return whether none was given up."""
    if token is None:
        token = bridge.new_token(server, name)
        tell("bot-token", token=token)
    plan = bridge.Plan(server, token, command, options, nodes, seconds, tell)
    return bridge.run(plan, list(tables), games, threading.Event(), challenges=challenges)


def tell(key: str, **values: object) -> None:
    """Print what happens."""
    echo(WORDS.say(key, Terminal.language, **values))
