"""A tournament as lists show it."""

from __future__ import annotations

from typing import Any, cast

from mchezo.server import messages
from mchezo.server.domain.tournaments.standings import standings
from mchezo.server.domain.tournaments.tournament import Tournament


def summarize(tournament: Tournament) -> messages.ListedTournament:
    """Return a tournament's entry in a list; nothing in it is hidden."""
    plan = tournament.plan
    lines = standings(tournament) if tournament.finished and tournament.games else []
    return messages.ListedTournament(
        id=tournament.id,
        name=plan.name,
        format=plan.format,
        game=plan.game,
        seats=plan.seats,
        clock=plan.clock,
        days=plan.days,
        rated=plan.rated,
        organiser=tournament.creation.organiser,
        status=cast(Any, tournament.status),
        created=tournament.creation.at,
        starts=plan.starts,
        started=tournament.started,
        minutes=plan.minutes if plan.format == "arena" else None,
        round=len(tournament.rounds),
        players=len(tournament.active),
        most=plan.most,
        winners=[tournament.players[line.player].entrant.name for line in lines if line.place == 1],
    )
