"""What a command is decided with, and what comes of it. Time, presence and randomness are passed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from mchezo.core.position import Position
from mchezo.server.domain import log
from mchezo.server.errors import TableError
from mchezo.server.messages import Avatar

INVISIBLE = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159"  # letters and signs without ink
ACCENTS = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
HEAPED = re.compile(f"({ACCENTS}{{2}}){ACCENTS}+")  # more than two on a letter


@dataclass(frozen=True)
class Identity:
    """Who sends a command."""

    guest: str
    name: str | None = None
    bot: bool = False
    issued: int = 0  # when the cookie or token was; 0 in those of earlier versions
    owner: str | None = None  # the guest who created the token
    avatar: Avatar | None = None
    device: str | None = None  # of an account: where it is signed in, or which of its tokens it is
    reads_only: bool = False  # a token that only looks

    @property
    def has_account(self) -> bool:
        """Whether this is a person signed in to an account."""
        return self.device is not None and not self.bot

    @property
    def shown_name(self) -> str:
        """The name that the other players see."""
        return self.name or ("Bot" if self.bot else "Guest")


@dataclass(frozen=True)
class Randomness:
    """Where new identifiers and seeds come from."""

    table_id: Callable[[], str]
    seat_key: Callable[[], str]
    seed: Callable[[], str]


class Context(NamedTuple):
    """Who sends a command, when, over how slow a connection, and how long players have been away."""

    who: Identity
    now: int
    new: Randomness
    delay: int = 0
    away: Mapping[int, int] = {}  # seat -> milliseconds


class Change(NamedTuple):
    """What a command results in: facts for this table, and for a new one if the players continue there."""

    facts: list[log.AnyFact]
    new_table: tuple[str, list[log.AnyFact]] | None = None
    position: Position | None = None  # with the facts' moves played


def clean_name(name: str) -> str:
    """Return a name without control and invisible characters, repeated spaces and heaps of accents.

    An empty one is refused.
    """
    shown = "".join(letter if letter.isprintable() and letter not in INVISIBLE else " " for letter in name)
    cleaned = " ".join(HEAPED.sub(r"\1", shown).split())
    if not cleaned:
        raise TableError("bad-request", "name-empty")
    return cleaned
