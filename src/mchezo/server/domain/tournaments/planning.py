"""New tournaments: what can be planned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.domain import log as table_log
from mchezo.server.domain.accounts import ABUSIVE, skeleton
from mchezo.server.domain.context import Context, clean_name
from mchezo.server.domain.rated import pool_of
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.tables import tournament_table
from mchezo.server.errors import TableError

FURTHEST = 90 * 24 * 3_600_000  # milliseconds until the start
PROBE = "000000000000"  # a table that is not stored


def create_tournament(
    plan: messages.TournamentPlan, options: Mapping[str, Any], pack: str | None, context: Context
) -> log.TournamentCreated:
    """Return a new tournament, or refuse what cannot be played; `options` and `pack` were checked."""
    if not context.who.has_account:
        raise TableError("not-possible", "no-account")
    check_times(plan, context.now)
    if plan.rated and plan.bots:
        raise TableError("invalid-setup", "rated-bots")
    name = clean_name(plan.name)
    if any(skeleton(word) in skeleton(name) for word in ABUSIVE):
        raise TableError("not-possible", "name-reserved")
    plan = msgspec.structs.replace(plan, name=name, options=dict(options))
    created = log.TournamentCreated(
        at=context.now, by=context.who.guest, plan=plan, organiser=context.who.shown_name, pack=pack
    )
    table = probe(created, [person(seat) for seat in range(plan.seats)], context)
    rated = registry.find(plan.game).rated
    pool = None if rated is None else pool_of(plan.game, table.options, plan.clock)
    return msgspec.structs.replace(created, pool=pool)


def check_times(plan: messages.TournamentPlan, now: int) -> None:
    """Refuse a tournament that might not end, or that starts at an impossible time."""
    if (plan.clock is None) == (plan.days is None):
        raise TableError("invalid-setup", "tournament-time")
    if plan.format == "arena" and plan.clock is None:
        raise TableError("invalid-setup", "arena-clock")
    if plan.starts is not None and not now <= plan.starts <= now + FURTHEST:
        raise TableError("invalid-setup", "tournament-start")


def check_computer(created: log.TournamentCreated, entrant: log.Entrant, context: Context) -> None:
    """Refuse a computer that cannot play at the tournament's tables."""
    others = [person(seat) for seat in range(1, created.plan.seats)]
    probe(created, [entrant, *others], context)


def probe(created: log.TournamentCreated, entrants: list[log.Entrant], context: Context) -> table_log.TableCreated:
    """Return a table as the tournament would create it; what is impossible is refused by that."""
    table = tournament_table(PROBE, created, entrants, PROBE, context.new.seed(), context.now)[0]
    assert isinstance(table, table_log.TableCreated)
    return table


def person(number: int) -> log.Entrant:
    """Return some player."""
    return log.Entrant("person", f"player {number}", f"Player {number}", account=True)
