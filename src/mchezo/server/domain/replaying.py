"""Replaying a stored log, with everything that can be wrong with it reported as one kind of error.

A log names the version of the rules it was played by. A log of an older version is accepted if its recorded moves and
chance outcomes are still legal and lead to the recorded result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from mchezo.core import registry
from mchezo.core.errors import UnknownGame
from mchezo.core.outcome import OUTSIDE_REASONS
from mchezo.core.structs import CHANCE
from mchezo.server.domain import log
from mchezo.server.domain.creation import UNFINISHED
from mchezo.server.domain.table import Table, table_winners

UnreadableKind = Literal["damaged", "rules"]


class UnreadableTable(Exception):
    """A table cannot be replayed. `kind` says whether its log is damaged or its rules are unknown here."""

    def __init__(self, kind: UnreadableKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def replay(id: str, facts: Sequence[log.AnyFact]) -> Table:
    """Return the table with this log; raise `UnreadableTable` if there is none."""
    if not facts or not isinstance(facts[0], log.TableCreated):
        raise UnreadableTable("damaged", "the log does not begin with the creation of a table")
    creation = facts[0]
    try:
        known = registry.find(creation.game).version
    except UnknownGame:
        raise UnreadableTable("rules", f"the game {creation.game!r} is not known here") from None
    if creation.rules > known:
        raise UnreadableTable("rules", f"{unknown_rules(creation)}: version {known} is the newest known")
    table = Table(id)
    if creation.rules == known:
        apply_checked(table, facts)
        return table
    try:
        apply_checked(table, facts)
        check_result(table)
    except UnreadableTable as error:
        raise UnreadableTable("rules", f"{unknown_rules(creation)}: {error.reason}") from error
    return table


def extend(table: Table, facts: Iterable[log.AnyFact]) -> Table:
    """Return the table with more facts of its log; raise `UnreadableTable` if they do not fit."""
    following = table.copy()
    apply_checked(following, facts)
    return following


def unknown_rules(creation: log.TableCreated) -> str:
    """Return the beginning of the reason why a log's rules do not fit."""
    return f"rules version {creation.rules} of {creation.game} is no longer known here"


def apply_checked(table: Table, facts: Iterable[log.AnyFact]) -> None:
    """Apply facts to a table; report anything that goes wrong with the number of the fact."""
    for fact in facts:
        number = len(table.log)
        try:
            check_decider(table, fact)
            table.apply(fact)
        except MemoryError:
            raise  # says nothing about the table
        except OSError as error:
            if not isinstance(error, FileNotFoundError):  # a pack that is gone
                raise
            raise UnreadableTable("damaged", f"fact {number}: {error}") from error
        except UnreadableTable as error:
            raise UnreadableTable("damaged", f"fact {number}: {error.reason}") from error
        except Exception as error:
            raise UnreadableTable("damaged", f"fact {number}: {type(error).__name__}: {error}") from error


def check_decider(table: Table, fact: log.AnyFact) -> None:
    """Refuse a decision of a seat that was not to move, and a chance outcome where chance did not decide."""
    if not isinstance(fact, log.MovePlayed | log.ChanceResolved):
        return
    if table.position is None or table.ending is not None:
        raise UnreadableTable("damaged", "a move outside the game")
    decider = fact.seat if isinstance(fact, log.MovePlayed) else CHANCE
    if table.position.to_move != decider:
        raise UnreadableTable("damaged", f"{fact.move} was not for seat {decider} to decide")


def check_result(table: Table) -> None:
    """Refuse a replayed game whose result on the board is not the recorded one."""
    position, ending = table.position, table.ending
    if position is None:
        return
    outcome = position.outcome
    if ending is None:
        if outcome is not None or position.to_move == CHANCE:
            raise UnreadableTable("damaged", "the recorded game goes on where the replayed one does not")
    elif ending.reason not in (*OUTSIDE_REASONS, UNFINISHED):
        if outcome is None:
            raise UnreadableTable("damaged", "the recorded game is over, the replayed one is not")
        replayed = (table_winners(table, outcome), list(outcome.scores), outcome.reason)
        if replayed != (ending.winners, ending.scores, ending.reason):
            raise UnreadableTable("damaged", "the replayed game has another result than the recorded one")
