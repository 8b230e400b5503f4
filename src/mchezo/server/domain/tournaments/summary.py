"""A tournament as lists show it, and its players."""

from __future__ import annotations

from typing import Any, cast

from mchezo.server import messages
from mchezo.server.domain.tournaments.standings import standings
from mchezo.server.domain.tournaments.tournament import Tournament


def summarize(tournament: Tournament) -> messages.ListedTournament:
    """Return a tournament's entry in a list; nothing in it is hidden."""
    plan = tournament.plan
    lines = standings(tournament) if tournament.finished and tournament.games else []
    players = listed_players(tournament)
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
        winners=[players[line.player] for line in lines if line.place == 1],
    )


def listed_players(tournament: Tournament) -> list[messages.TournamentPlayer]:
    """Return the players in the order of entry."""
    seed = {player: place for place, player in enumerate(tournament.ranked_by_rating(), start=1)}
    return [
        messages.TournamentPlayer(
            number=player.number,
            kind=player.entrant.kind,
            name=player.entrant.name,
            level=player.entrant.level,
            rating=player.entrant.rating,
            avatar=player.entrant.avatar,
            account=player.entrant.account,
            active=player.active,
            seed=seed[player.number],
        )
        for player in tournament.players
    ]
