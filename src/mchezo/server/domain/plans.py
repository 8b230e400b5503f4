"""Conditional moves: what a seat will answer to the moves of the others. They end where chance or something hidden is.

A line is a list of moves from the position in which the plan was made, those of all seats. It is played on as long as
the game follows it. A plan is nobody's business but its player's: it is not in the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mchezo.core import kernels
from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import CHANCE
from mchezo.server.domain import log
from mchezo.server.domain.checks import require_running
from mchezo.server.domain.context import Change, Context
from mchezo.server.domain.playing import play
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError

Lines = list[list[str]]


class Plan(NamedTuple):
    """The conditional moves of a seat."""

    seat: int
    number: int  # of the last fact when they were made
    made: int  # moves made by then
    lines: Lines


def check_plan(table: Table, seat: int, lines: Sequence[Sequence[str]]) -> Plan:
    """Return a plan with its moves as the game writes them; refuse one that is not clear or goes too far."""
    replies: dict[tuple[str, ...], str] = {}
    written: Lines = []
    for line in lines:
        position = ahead(table, seat, line)
        steps = position.steps[table.moves_made :]
        if not steps or steps[-1].by != seat:
            raise TableError("not-possible", "plan-no-reply")
        texts = [step.text for step in steps]
        for place, step in enumerate(steps):
            if step.by == seat and replies.setdefault(tuple(texts[:place]), step.text) != step.text:
                raise TableError("not-possible", "plan-two-replies", move=step.text)
        written.append(texts)
    return Plan(seat, table.number, table.moves_made, written)


def ahead(table: Table, seat: int, moves: Sequence[str]) -> Position:
    """Return the position after moves of all seats; refuse those behind a chance outcome, and hidden ones.

    What the seat may not see is redrawn, so what is legal reveals nothing about it.
    """
    require_running(table)
    if table.creation.settings.days is None:
        raise TableError("not-possible", "not-correspondence")
    if table.to_move == seat:
        raise TableError("not-possible", "plan-your-turn")
    assert table.position is not None
    position = table.position.copy()
    if table.game.rules.determinize is not None:
        position.states = position.states.copy()
        kernels.determinize(position.states, position.setups, seat, new_rng(table.number))
    for move in moves:
        if position.to_move == CHANCE:
            raise TableError("illegal", "beyond-chance", move=move)
        position.play(move)
        if position.steps[-1].only is not None:
            raise TableError("illegal", "beyond-chance", move=move)
    return position


def next_moves(table: Table, plan: Plan) -> list[str] | None:
    """Return what the seat plays now by its plan, nothing if it has to wait; None if the game has left the plan."""
    position, seat = table.position, plan.seat
    if table.status != "running" or position is None or seat in table.dropped_out:
        return None
    if any(isinstance(fact, log.MovesTakenBack) for fact in table.log[plan.number + 1 :]):
        return None
    played = [step.text for step in position.steps[plan.made :]]
    line = next((line for line in plan.lines if len(line) > len(played) and line[: len(played)] == played), None)
    if line is None or table.to_move != seat:
        return None if line is None else []
    position, moves = position.copy(), []
    for move in line[len(played) :]:
        if position.to_move != seat:
            break
        try:
            position.play(move)
        except UserError:
            return None
        moves.append(move)
    return moves


def reply(table: Table, plan: Plan, context: Context) -> Change | None:
    """Return what follows from a plan now; None if it has nothing to say."""
    moves = next_moves(table, plan)
    if not moves or (table.clock is not None and table.clock.is_down(context.now)):
        return None
    try:
        return play(table, plan.seat, moves, context)
    except UserError:
        return None  # a pawn was touched
