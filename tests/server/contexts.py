"""Tables for tests without a server: created, joined and played by commands alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count
from typing import Any

import pytest

from mchezo.core.errors import UserError
from mchezo.core.words import LANGUAGES
from mchezo.server import messages
from mchezo.server.domain import commands, log
from mchezo.server.domain.context import Context, Identity, Randomness
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.log import AnyFact
from mchezo.server.domain.table import Table
from mchezo.server.errors import code_of
from mchezo.server.identifiers import new_seat_key, new_table_id

ADA, BEN, CAY = Identity("ada", "Ada"), Identity("ben", "Ben"), Identity("cay", "Cay")
NUMBERS = count()
SEED = "5eed" * 16
OPEN = messages.SeatPlan("open")
YOU = messages.SeatPlan("you")


def computer(level: int = 1) -> messages.SeatPlan:
    return messages.SeatPlan("computer", level=level)


def context(who: Identity = ADA, now: int = 1_000_000, seed: str = SEED, **given: Any) -> Context:
    return Context(who, now, Randomness(new_table_id, new_seat_key, lambda: seed), **given)


def make(
    game: str = "katarenga", seats: tuple[messages.SeatPlan, ...] = (YOU, OPEN), seed: str = SEED, **given: Any
) -> Table:
    given = {"lot": False, "public": True, **given}
    request = messages.CreateTable(game, list(seats), **given)
    at = context(seed=seed)
    facts = create_table(request, request.options, None, lambda game, level: (f"Level {level}", None), at, "T" * 12)
    return Table("T" * 12, facts)


def do(table: Table, who: Identity, command: Any, now: int = 1_000_000, **given: Any) -> Table:
    """Return the table after a command; the given one stays unchanged."""
    before = table.number
    change = commands.decide(table, command, context(who, now, **given))
    assert table.number == before
    after = table.copy()
    for fact in change.facts:
        after.apply(fact)
    return after


def two(game: str = "katarenga", **given: Any) -> Table:
    """Return a running table of Ada and Ben."""
    return do(make(game, **given), BEN, messages.Join(new_id()))


def new_id() -> str:
    return f"id{next(NUMBERS)}"


def owner(table: Table) -> Identity:
    """Return who is to move."""
    assert table.to_move is not None
    holder = table.seats[table.to_move].holder
    return next(who for who in (ADA, BEN, CAY) if who.guest == holder)


def play(table: Table, *moves: str, now: int = 1_000_000, **given: Any) -> Table:
    """Submit moves of the player to move."""
    assert table.decision is not None
    return do(table, owner(table), messages.Move(new_id(), table.decision, list(moves)), now, **given)


def play_random(table: Table, rng: random.Random, limit: int = 1_000) -> Table:
    """Play random moves to the end, or at most this many."""
    for _ in range(limit):
        if table.to_move is None:
            break
        table = play(table, rng.choice(table.legal))
    return table


def refused(table: Table, who: Identity, command: Any, now: int = 1_000_000, **given: Any) -> tuple[str, str]:
    """Return the code and the key of an error; the table stays unchanged."""
    before, log = table.number, list(table.log)
    with pytest.raises(UserError) as caught:
        commands.decide(table, command, context(who, now, **given))
    assert (table.number, table.log[:]) == (before, log)
    assert all(caught.value.say(language) for language in LANGUAGES)
    return code_of(caught.value), caught.value.key


def stored(facts: Sequence[AnyFact]) -> list[AnyFact]:
    """Return facts as they come back from the database."""
    return [log.decode(log.encode(fact)) for fact in facts]
