"""What a server said at its tables, said again by the tables of a browser; runs natively and in Pyodide.

A script is what a client of a server sent and when; its answers are the messages of the browser's own tables.
"""

import json
from pathlib import Path
from typing import Any

from mchezo.core.errors import UserError
from mchezo.local.desk import RANDOMNESS
from mchezo.local.tables import LocalTables
from mchezo.server import messages


def answers(script: dict[str, Any]) -> list[list[str]]:
    """Return the messages and facts that answer each step of a script."""
    times: list[int] = []
    tables = LocalTables(lambda: times.pop(0) if len(times) > 1 else times[0], RANDOMNESS, script["language"])
    said = []
    for step in script["steps"]:
        times[:] = step["times"]
        try:
            said.append(answer(tables, script["table"], step))
        except UserError as error:
            said.append([f"not known: {error}"])
    return said


def answer(tables: LocalTables, id: str, step: dict[str, Any]) -> list[str]:
    """Return the messages and facts that answer a step."""
    match step["do"]:
        case "open":
            tables.open(id, step["facts"])
            return [tables.news(id, -1).decode()]
        case "again":
            return [tables.news(id, step["known"]).decode()]
        case "send":
            outcome = tables.receive(id, step["message"].encode())
            return [message.decode() for message in outcome.messages] + outcome.facts.get(id, [])
        case "follow":
            tables.follow(id, step.get("record"), step["news"].encode())
            return ["known"]
        case "hear":
            heard = messages.encode(tables.hear(id, step["facts"].encode(), step["may"]))
            return [json.dumps(json.loads(heard), sort_keys=True)]
        case "moment":
            return [tables.moment(id, step["made"]).decode()]
        case unknown:
            raise ValueError(unknown)


def answers_in(file: str) -> list[list[list[str]]]:
    """Return the answers to all scripts of a file."""
    return [answers(script) for script in json.loads(Path(file).read_text("utf-8"))]
