"""Worlds that differ only in what a seat may not see, and everything that the seat is sent in each."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec

from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.compute import pictures
from mchezo.server.domain import commands, log
from mchezo.server.domain.context import Identity
from mchezo.server.domain.summary import decode_summary, summarize
from mchezo.server.domain.table import Table
from mchezo.server.errors import error_message
from mchezo.server.projection import replay
from mchezo.server.projection.events import facts_since, project_event, step_views
from mchezo.server.projection.listing import list_table
from mchezo.server.projection.records import export_record, moment_after
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.trial import try_moves
from mchezo.server.transport import links
from tests.server.contexts import OPEN, YOU, context, do, make, new_id, play

HASH = "0" * 64
OTHER_SEED = "07e4" * 16


def played(game: str, number: int, most: int) -> Table:
    """Return a random game, not played to its end."""
    rng = random.Random(number)
    seats = (YOU, OPEN, OPEN)[: 3 if game == "kitara" and number % 2 else 2]
    options: dict[str, Any] = {"reinforcement": "pile", "handicap": (1, 2)} if game == "kiwara" else {}
    table = make(game, seats, seed=f"{rng.getrandbits(256):064x}", options=options)
    for guest in ("ben", "cay")[: len(seats) - 1]:
        table = do(table, Identity(guest, guest.title()), messages.Join(new_id()))
    for _ in range(most):
        # Attacking heroes draw tokens, the only secrets of the three games.
        eager = [move for move in table.legal if "H" in move] or [move for move in table.legal if move != "."]
        after = play(table, rng.choice(eager or table.legal))
        if after.ending:
            break
        table = after
    return table


def other_world(table: Table, seat: int | None, rng: random.Random) -> Table | None:
    """Return the same table with another seed and other hidden draws; None if later moves would be impossible."""
    other = Table(table.id, [msgspec.structs.replace(table.creation, seed=OTHER_SEED)])
    for number, fact in enumerate(table.log[1:], start=1):
        transition = table.transitions[number]
        if (
            isinstance(fact, log.ChanceResolved)
            and transition is not None
            and transition.visible_to not in (None, seat)
        ):
            assert other.position is not None
            fact = msgspec.structs.replace(fact, move=rng.choice(other.position.legal_moves))
        try:
            other.apply(fact)
        except UserError:  # a visible token is no longer in this bag
            return None
    return other


def everything(table: Table, guest: str | None, seat: int | None) -> list[bytes]:
    """Return all that the server would send this guest about the table now, except the hash of the seed."""
    look = project_table(table, guest, seat, 99)
    seen = [messages.encode(msgspec.structs.replace(look, seed_hash=HASH))]
    for number in range(table.number + 1):
        event = project_event(table, number, seat)
        if isinstance(event, messages.Started):
            event = msgspec.structs.replace(event, seed_hash=HASH)
        seen.append(messages.encode(event))
        facts = facts_since(table, number, seat, 99)
        hashed = [
            msgspec.structs.replace(one, seed_hash=HASH) if isinstance(one, messages.Started) else one
            for one in facts.events
        ]
        seen.append(messages.encode(msgspec.structs.replace(facts, events=hashed[:20])))
    seen.append(messages.encode(step_views(table, 0, seat)))
    seen.append(str(without_hash(export_record(table))).encode())
    seen.append(str(without_hash(export_record(table, guest, seat))).encode())
    for made in range(0, table.moves_made, 5):
        seen.append(messages.encode(moment_after(table, guest, seat, made)))
    seen.append(messages.encode(list_table(table.id, decode_summary(summarize(table)), 5, guest)))
    assert table.position is not None
    seen.append(replay.picture(table, guest, "none" if seat is None else str(seat), None).encode())
    seen.append(pictures.card(table).encode())
    seen.append(links.preview_tags(table, "http://here", "en"))
    if guest is not None and table.to_move == seat:
        asked = messages.Try(table.decision or 0, previews=True)
        seen.append(messages.encode(try_moves(table, guest, asked)))
    for command in (
        messages.Move(new_id_for(table), table.decision or 0, ["="]),
        messages.Move(new_id_for(table), table.decision or 0, ["=5"]),
        messages.Move(new_id_for(table), table.decision or 0, ["a1-a2"]),
        messages.Ask(new_id_for(table), "takeback"),
        messages.Resign(new_id_for(table)),
    ):
        try:
            change = commands.decide(table, command, context(Identity(guest or "nobody")))
            seen.append(str(type(change.facts[0])).encode())
        except UserError as error:
            seen.append(messages.encode(error_message(error, "de")))
    return seen


def new_id_for(table: Table) -> str:
    return f"fixed-{table.number}"


def without_hash(record: Any) -> Any:
    """Return a record without the hash of its seed."""
    return replace(record, seed_hash=None)


def compare(game: str, number: int, most: int = 300) -> tuple[int, int]:
    """Compare what every seat and a spectator of a game see; return the bytes compared, and in how many worlds."""
    table = played(game, number, most)
    compared = worlds = 0
    seats: list[int | None] = [*range(len(table.seats)), None]
    for seat in seats:
        guest = None if seat is None else table.seats[seat].holder
        rng = random.Random(number)
        for _ in range(20):
            other = other_world(table, seat, rng)
            if other is not None and (
                game != "kitara" or other.log[1:] != table.log[1:] or not has_secrets(table, seat)
            ):
                break
        else:
            continue
        mine, theirs = everything(table, guest, seat), everything(other, guest, seat)
        assert mine == theirs
        compared += sum(map(len, mine))
        worlds += has_secrets(table, seat)
    return compared, worlds


def has_secrets(table: Table, seat: int | None) -> bool:
    """Return whether anything was drawn that this seat may not see."""
    return any(transition and transition.visible_to not in (None, seat) for transition in table.transitions)
