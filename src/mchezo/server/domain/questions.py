"""Questions among the players: draws, takebacks, rematches, revenge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.checks import acting_seat, require_running
from mchezo.server.domain.context import Change, Context
from mchezo.server.domain.creation import continue_at_new_table
from mchezo.server.domain.playing import end_game
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError


def ask(table: Table, command: messages.Ask, context: Context) -> Change:
    """Ask the others; where nobody has to agree, it is done at once."""
    what = command.what
    last_mover = table.submissions[-1].seat if table.submissions else None
    seat = acting_seat(table, context.who, command.seat, [last_mover] if what == "takeback" else [])
    check_question(table, what, seat)
    open_question = table.questions.get(what)
    if open_question is not None:
        if seat in open_question.agreed:
            raise TableError("not-possible", "already-asked")
        answered = log.QuestionAnswered(at=context.now, seat=seat, what=what, yes=True)
        return settle(table, what, seat, [answered], context)
    if declined_recently(table, what, seat):
        raise TableError("too-often", "declined-already")
    return settle(table, what, seat, [log.QuestionAsked(at=context.now, seat=seat, what=what)], context)


def answer(table: Table, command: messages.Answer, context: Context) -> Change:
    """Agree, decline, or withdraw one's own question."""
    what = command.what
    question = table.questions.get(what)
    if question is None:
        raise TableError("not-possible", "not-asked")
    seat = acting_seat(table, context.who, command.seat, sorted(table.seats_to_agree(question.seat)))
    if command.yes:
        if seat in question.agreed:
            raise TableError("not-possible", "already-asked")
        check_question(table, what, question.seat)
    answered = log.QuestionAnswered(at=context.now, seat=seat, what=what, yes=command.yes)
    return settle(table, what, seat, [answered], context) if command.yes else Change([answered])


class Objection(NamedTuple):
    """Why something cannot be asked for: the error's code, key and arguments."""

    code: str
    key: str
    arguments: Mapping[str, str] = {}


def check_question(table: Table, what: log.QuestionKind, seat: int) -> None:
    """Refuse what cannot be asked for at this table, or not now."""
    objection = objection_to(table, what, seat)
    if objection is not None:
        raise TableError(objection.code, objection.key, **objection.arguments)


def objection_to(table: Table, what: log.QuestionKind, seat: int) -> Objection | None:
    """Return why something cannot be asked for at this table, or not now; None if it can be."""
    if what in ("rematch", "revenge"):
        if table.status != "over":
            return Objection("not-running", "not-over")
        if table.creation.tournament is not None:
            return Objection("not-possible", "tournament-game")
        if table.next_table is not None:
            return Objection("not-possible", "continued", {"table": table.next_table})
        if what == "revenge" and (table.game.revenge is None or len(table.seats) == 1):
            return Objection("not-possible", "no-revenge", {"game": table.game.title})
        return None
    if table.status != "running":
        require_running(table)
    if what == "draw":
        if not table.game.rules.draws or len(table.seats) == 1:
            return Objection("not-possible", "no-draws", {"game": table.game.title})
        return Objection("not-possible", "computer-no-draw") if table.has_computers else None
    if not table.creation.settings.takeback or table.creation.settings.touch_move:
        return Objection("not-possible", "no-takeback")
    submission = table.last_submission(seat)
    if submission is None:
        return Objection("not-possible", "nothing-to-take-back")
    return Objection("revealed", "revealed") if table.drawn_since(submission.moves_before) else None


def can_ask(table: Table, what: log.QuestionKind, seat: int) -> bool:
    """Return whether a seat could ask for something now."""
    return not (table.declined and declined_recently(table, what, seat)) and objection_to(table, what, seat) is None


def declined_recently(table: Table, what: log.QuestionKind, seat: int) -> bool:
    """Return whether the seat's question was declined less than a round of moves ago."""
    since = table.declined.get((seat, what))
    return since is not None and table.moves_made < since + len(table.seats)


def settle(table: Table, what: log.QuestionKind, seat: int, facts: list[log.AnyFact], context: Context) -> Change:
    """Carry out what was asked for once everybody who has to agree has agreed."""
    question = table.questions.get(what)
    asker = question.seat if question else seat
    agreed = (question.agreed if question else set()) | {seat}
    holders = {table.seats[one].holder for one in agreed}
    if any(table.seats[other].holder not in holders for other in table.seats_to_agree(asker)):
        return Change(facts)
    position = table.position
    assert position is not None
    if what == "draw":
        shares = [1 / len(table.seats)] * len(table.seats)
        ended = log.GameEnded(at=context.now, winners=[], scores=shares, reason="agreement")
        return end_game(table, facts, ended, position, context)
    if what == "takeback":
        moves_made = table.moves_after_takeback(asker)
        assert moves_made is not None
        return Change([*facts, log.MovesTakenBack(at=context.now, seat=asker, moves_made=moves_made)])
    return continue_at_new_table(table, facts, position, what, None, context)
