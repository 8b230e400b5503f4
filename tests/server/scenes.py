"""Tables for tests that need no server: made, joined and played by commands alone."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import pytest

from mchezo.core.errors import Refusal
from mchezo.core.words import LANGUAGES
from mchezo.server import commands, messages
from mchezo.server import facts as log_facts
from mchezo.server.commands import Scene, Who
from mchezo.server.facts import Facts
from mchezo.server.refusals import code_of
from mchezo.server.table import Table

ADA, BEN, CAY = Who("ada", "Ada"), Who("ben", "Ben"), Who("cay", "Cay")
NUMBERS = count()
SEED = "5eed" * 16
OPEN = messages.SeatPlan("open")
YOU = messages.SeatPlan("you")


def computer(level: int = 1) -> messages.SeatPlan:
    return messages.SeatPlan("computer", level=level)


def scene(who: Who = ADA, now: int = 1_000_000, seed: str = SEED, **given: Any) -> Scene:
    return Scene(who, now, new_seed=lambda: seed, **given)


def make(
    game: str = "katarenga", seats: tuple[messages.SeatPlan, ...] = (YOU, OPEN), seed: str = SEED, **given: Any
) -> Table:
    given = {"lot": False, "public": True, **given}
    request = messages.CreateTable(game, list(seats), **given)
    at = scene(seed=seed)
    facts = commands.make(request, request.options, None, lambda game, level: (f"Level {level}", None), at, "T" * 12)
    return Table("T" * 12, facts)


def do(table: Table, who: Who, command: Any, now: int = 1_000_000, **given: Any) -> Table:
    """The table after a command; the one given stays as it was."""
    before = table.number
    verdict = commands.decide(table, command, scene(who, now, **given))
    assert table.number == before
    after = table.copy()
    for fact in verdict.facts:
        after.add(fact)
    return after


def two(game: str = "katarenga", **given: Any) -> Table:
    """Ada and Ben at a table that has begun."""
    return do(make(game, **given), BEN, messages.Join(new_id()))


def new_id() -> str:
    return f"id{next(NUMBERS)}"


def owner(table: Table) -> Who:
    """Who is to move."""
    assert table.to_move is not None
    holder = table.seats[table.to_move].holder
    return next(who for who in (ADA, BEN, CAY) if who.guest == holder)


def play(table: Table, *moves: str, now: int = 1_000_000, **given: Any) -> Table:
    """One message of whoever is to move."""
    assert table.decision is not None
    return do(table, owner(table), messages.Move(new_id(), table.decision, list(moves)), now, **given)


def play_random(table: Table, dice: random.Random, most: int = 1_000) -> Table:
    """Random moves to the end, or so many."""
    for _ in range(most):
        if table.to_move is None:
            break
        table = play(table, dice.choice(table.legal))
    return table


def refused(table: Table, who: Who, command: Any, now: int = 1_000_000, **given: Any) -> tuple[str, str]:
    """The code and the key of a refusal; the table stays as it was."""
    before, log = table.number, list(table.log)
    with pytest.raises(Refusal) as caught:
        commands.decide(table, command, scene(who, now, **given))
    assert (table.number, table.log) == (before, log)
    assert all(caught.value.say(language) for language in LANGUAGES)
    return code_of(caught.value), caught.value.key


def stored(facts: list[Facts]) -> list[Facts]:
    """Facts as they come back from the database."""
    return [log_facts.read(log_facts.write(fact)) for fact in facts]
