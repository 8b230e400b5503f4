"""A command at a table -> the facts that follow, or an error. Pure: the same arguments give the same facts."""

from __future__ import annotations

from mchezo.server import messages
from mchezo.server.domain import playing, questions, seating
from mchezo.server.domain.context import Change, Context
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError

MAX_FACTS = 3_000  # after which nothing is accepted that could be repeated for ever; every game ends by its moves


def decide(table: Table, command: messages.Commands, context: Context) -> Change:
    """Return what follows from a command; raise the reason if it cannot be carried out."""
    if table.number >= MAX_FACTS and isinstance(command, messages.Join | messages.Ask):
        raise TableError("not-possible", "log-full")
    match command:
        case messages.Move():
            return playing.move(table, command, context)
        case messages.Join():
            return seating.join(table, command, context)
        case messages.Leave():
            return seating.leave(table, command, context)
        case messages.Touch():
            return playing.touch(table, command, context)
        case messages.Resign():
            return playing.resign(table, command, context)
        case messages.Claim():
            return playing.claim(table, command, context)
        case messages.Ask():
            return questions.ask(table, command, context)
        case messages.Answer():
            return questions.answer(table, command, context)
