"""Worlds that differ only in what a seat may not see, and everything that the seat is ever sent in each."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec

from mchezo.core.errors import Refusal
from mchezo.server import commands, links, messages, pictures, replay, sight
from mchezo.server import facts as log
from mchezo.server.commands import Who
from mchezo.server.refusals import refused
from mchezo.server.table import Table
from tests.server.scenes import OPEN, YOU, do, make, new_id, play, scene

HASH = "0" * 64
OTHER_SEED = "07e4" * 16


def played(game: str, number: int, most: int) -> Table:
    """A random game, not to its end."""
    dice = random.Random(number)
    seats = (YOU, OPEN, OPEN)[: 3 if game == "kitara" and number % 2 else 2]
    options: dict[str, Any] = {"reinforcement": "pile", "handicap": (1, 2)} if game == "kiwara" else {}
    table = make(game, seats, seed=f"{dice.getrandbits(256):064x}", options=options)
    for guest in ("ben", "cay")[: len(seats) - 1]:
        table = do(table, Who(guest, guest.title()), messages.Join(new_id()))
    for _ in range(most):
        # Heroes who attack draw tokens: the only secrets of the three games.
        eager = [move for move in table.legal if "H" in move] or [move for move in table.legal if move != "."]
        after = play(table, dice.choice(eager or table.legal))
        if after.finished:
            break
        table = after
    return table


def other_world(table: Table, seat: int | None, dice: random.Random) -> Table | None:
    """The same table with another seed and other hidden draws; None if what follows would not be possible then."""
    other = Table(table.id, [msgspec.structs.replace(table.made, seed=OTHER_SEED)])
    for number, fact in enumerate(table.log[1:], start=1):
        deed = table.deeds.get(number)
        if isinstance(fact, log.Chanced) and deed is not None and deed.only not in (None, seat):
            assert other.position is not None
            fact = msgspec.structs.replace(fact, move=dice.choice(other.position.legal_moves))
        try:
            other.add(fact)
        except Refusal:  # an own token that is not in this bag any more
            return None
    return other


def everything(table: Table, guest: str | None, seat: int | None) -> list[bytes]:
    """All that the server would send this guest about the table as it stands, the hash of the seed put aside."""
    look = sight.look(table, guest, seat, 99)
    seen = [messages.encode(msgspec.structs.replace(look, seed_hash=HASH))]
    for number in range(table.number + 1):
        event = sight.event(table, number, seat)
        if isinstance(event, messages.Started):
            event = msgspec.structs.replace(event, seed_hash=HASH)
        seen.append(messages.encode(event))
    seen.append(messages.encode(sight.step_views(table, 0, seat)))
    seen.append(str(without_hash(sight.record(table))).encode())
    for made in range(0, table.moves_made, 5):
        seen.append(messages.encode(sight.at_move(table, guest, seat, made)))
    seen.append(messages.encode(sight.listed(table.id, sight.summary(table), 5, guest)))
    assert table.position is not None
    seen.append(replay.picture(table, guest, "none" if seat is None else str(seat), None).encode())
    seen.append(pictures.card(table).encode())
    seen.append(links.tags(table, "http://here", "en"))
    if guest is not None and table.to_move == seat:
        asked = messages.Try(table.decision or 0, previews=True)
        seen.append(messages.encode(sight.try_moves(table, guest, asked)))
    for command in (
        messages.Move(new_id_for(table), table.decision or 0, ["="]),
        messages.Move(new_id_for(table), table.decision or 0, ["=5"]),
        messages.Move(new_id_for(table), table.decision or 0, ["a1-a2"]),
        messages.Ask(new_id_for(table), "takeback"),
        messages.Resign(new_id_for(table)),
    ):
        try:
            verdict = commands.decide(table, command, scene(Who(guest or "nobody")))
            seen.append(str(type(verdict.facts[0])).encode())
        except Refusal as refusal:
            seen.append(messages.encode(refused(refusal, "de")))
    return seen


def new_id_for(table: Table) -> str:
    return f"fixed-{table.number}"


def without_hash(record: Any) -> Any:
    """A record without the hash of its seed."""
    return replace(record, seed_hash=None)


def compare(game: str, number: int, most: int = 300) -> tuple[int, int]:
    """How many bytes were compared for all seats and a spectator of one game, and in how many worlds."""
    table = played(game, number, most)
    compared = worlds = 0
    seats: list[int | None] = [*range(len(table.seats)), None]
    for seat in seats:
        guest = None if seat is None else table.seats[seat].holder
        dice = random.Random(number)
        for _ in range(20):
            other = other_world(table, seat, dice)
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
    """Whether anything was drawn that this seat may not see."""
    return any(deed.only not in (None, seat) for deed in table.deeds.values())
