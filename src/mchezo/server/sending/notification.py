"""What a notice says: the turns that wait, or that a test has arrived, in the language of its channel."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from mchezo.core import registry
from mchezo.server.domain.log import Occupant
from mchezo.server.domain.summary import Summary
from mchezo.server.errors import WORDS


@dataclass(frozen=True)
class Turn:
    """A turn that waits for somebody."""

    table: str
    number: int  # of the fact that began it
    game: str
    players: tuple[str, ...]  # the others
    deadline: int | None

    @property
    def id(self) -> str:
        """What names the turn, as in feeds."""
        return f"{self.table}-{self.number}"


def turn_of(table: str, summary: Summary, guest: str) -> Turn:
    """Return the turn that waits for a guest at a table."""
    assert summary.turn is not None
    others = tuple(shown_name(one) for one in summary.seats if one.holder != guest)
    return Turn(table, summary.turn, summary.game, others, summary.deadline)


def shown_name(occupant: Occupant) -> str:
    """Return the name of a player."""
    return occupant.name or occupant.kind


@dataclass(frozen=True)
class Notification:
    """One message to one channel; without turns it is a test."""

    turns: tuple[Turn, ...]
    language: str
    site: str

    @property
    def id(self) -> str:
        """The same for the same turns, so that a repeated message can be recognised."""
        named = " ".join(turn.id for turn in self.turns) or "test"
        return hashlib.sha256(named.encode()).hexdigest()[:32]

    @property
    def title(self) -> str:
        """The title, or the subject."""
        if not self.turns:
            return self.say("notice-test-title")
        if len(self.turns) > 1:
            return self.say("notice-turns", count=len(self.turns))
        return self.line(self.turns[0])

    @property
    def lines(self) -> list[str]:
        """What is below the title."""
        if not self.turns:
            return [self.say("notice-test")]
        return [self.line(turn) for turn in self.turns] if len(self.turns) > 1 else [self.say("notice-open")]

    @property
    def deadline(self) -> int | None:
        """When the last of the turns is over."""
        return max((turn.deadline for turn in self.turns if turn.deadline is not None), default=None)

    def line(self, turn: Turn) -> str:
        """Return what waits: the game and the other players."""
        title = registry.find(turn.game).title
        return self.say("feed-turn", game=title, players=", ".join(turn.players))

    def link(self, turn: Turn) -> str:
        """Return the address of a turn's table."""
        return f"{self.site}/t/{turn.table}"

    def say(self, key: str, **values: object) -> str:
        """Return a sentence in the language of the channel."""
        return WORDS.say(key, self.language, **values)


def notification_of(turns: Sequence[Turn], language: str, site: str) -> Notification:
    """Return the message about turns; the most urgent comes first."""
    ordered = sorted(turns, key=lambda turn: (turn.deadline is None, turn.deadline or 0, turn.table))
    return Notification(tuple(ordered), language, site)
