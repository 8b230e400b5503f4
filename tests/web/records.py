"""Positions in the middle of a game, found by random play and given to the server as records."""

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

import mchezo
from mchezo.core.record import Record
from mchezo.core.structs import CHANCE


def reach(game: str, wanted: Callable[[Any], bool], **options: Any) -> str:
    """Return the record of the first random game that reaches a position as wanted."""
    for seed in range(400):
        rng = random.Random(seed)
        position = mchezo.game(game).start(seed=seed, **options)
        while position.to_move is not None:
            if wanted(position):
                return str(position.record())
            position.play(rng.choice(position.legal_moves))
    raise AssertionError("no such position was found")


def short_record(game: str) -> str:
    """Return the record of a random game, broken off after a few moves."""
    position, rng = mchezo.game(game).start(seed=7), random.Random(7)
    for _ in range(12):
        position.play(rng.choice(position.legal_moves))
    return str(position.record())


def first_choices(record: Record) -> int:
    """Return how many moves could be played when somebody had to decide first."""
    position = record.replay()
    first = next(number for number, step in enumerate(position.steps) if step.by != CHANCE)
    return len(position.earlier(first).legal_moves)


def set_table(page: Page, game: str, record: str, seats: list[dict[str, Any]]) -> dict[str, Any]:
    """Create a table that continues a record; the visitor of the page has the seats that are `you`."""
    origin = page.url.split("/", 3)
    page.request.get("/api/me")  # for the cookie, if the page has none yet
    answer = page.request.post(
        "/api/tables",
        data={"game": game, "seats": seats, "record": record, "lot": False},
        headers={"Origin": "/".join(origin[:3])},
    )
    assert answer.ok, answer.text()
    table: dict[str, Any] = answer.json()["table"]
    return table
