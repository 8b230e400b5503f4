"""What if the others moved: the positions that conditional moves are made for, as the planning seat may see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from mchezo.core.structs import CHANCE
from mchezo.server import messages
from mchezo.server.domain.plans import Plan, ahead
from mchezo.server.domain.table import Table


def explore_plan(table: Table, seat: int, moves: Sequence[str]) -> messages.PlanStep:
    """Play moves of all seats on a copy; stop before anything that chance decides."""
    position = ahead(table, seat, moves)
    decides = None if position.to_move == CHANCE else position.to_move
    legal = [] if decides is None else position.legal_moves
    written = [step.text for step in position.steps[table.moves_made :]]
    return messages.PlanStep(written, decides, legal, cast(Any, position.view(seat)))


def plan_message(plan: Plan | None, table: Table, seat: int) -> messages.Plan:
    """Return a plan for the player who made it."""
    return messages.Plan(seat, *((table.moves_made, []) if plan is None else (plan.made, plan.lines)))
