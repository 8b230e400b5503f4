"""A tournament as somebody sees it."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.domain.tournaments.commands import available
from mchezo.server.domain.tournaments.knock_out import bracket, winner_of
from mchezo.server.domain.tournaments.running import planned_rounds
from mchezo.server.domain.tournaments.standings import standings, tie_breaks
from mchezo.server.domain.tournaments.summary import listed_players
from mchezo.server.domain.tournaments.tournament import Tournament


def project_tournament(tournament: Tournament, version: int) -> messages.Tournament:
    """Return a tournament as strangers see it; guests behind players and organisers stay hidden."""
    return messages.Tournament(
        id=tournament.id,
        version=version,
        plan=tournament.plan,
        organiser=tournament.creation.organiser,
        created=tournament.creation.at,
        status=cast(Any, tournament.status),
        started=tournament.started,
        ends=tournament.ends,
        ended=None if tournament.finished is None else tournament.finished.reason,
        rounds_planned=planned_rounds(tournament),
        players=listed_players(tournament),
        standings=[messages.Standing(*line) for line in standings(tournament)],
        tie_breaks=tie_breaks(tournament),
        rounds=[
            messages.TournamentRound(
                played.number,
                [messages.TournamentGame(one.table, one.players, one.places) for one in played.games],
                played.byes,
            )
            for played in tournament.rounds
        ],
        bracket=drawn_bracket(tournament),
        you=None,
        table=None,
        organises=False,
        may=[],
    )


def as_seen_by(who: Identity | None, seen: messages.Tournament, tournament: Tournament) -> messages.Tournament:
    """Return what strangers see of a tournament, with what concerns somebody."""
    if who is None:
        return seen
    own = tournament.player_of(who.guest)
    game = None if own is None else tournament.game_of(own.number)
    return msgspec.structs.replace(
        seen,
        you=None if own is None else own.number,
        table=None if game is None else game.table,
        organises=who.guest == tournament.creation.by,
        may=cast(Any, available(tournament, who)),
    )


def drawn_bracket(tournament: Tournament) -> list[list[messages.BracketMatch]]:
    """Return the bracket of a knock-out, with empty places for those who are not known yet."""
    if tournament.plan.format != "knock-out" or tournament.started is None:
        return []
    rounds: list[list[messages.BracketMatch]] = []
    matches = bracket(tournament)
    for number, those in enumerate(matches):
        played = tournament.rounds[number] if number < len(tournament.rounds) else None
        rounds.append(
            [
                messages.BracketMatch(
                    list(match), None if played is None else winner_of(match, played, tournament.seeds)
                )
                for match in those
            ]
        )
    while len(rounds[-1]) > 1:
        left = len(rounds[-1])
        tables = -(-left // tournament.plan.seats)
        sizes = [left // tables + (table < left % tables) for table in range(tables)]
        known = [match.winner for match in rounds[-1]] if tournament.plan.seats == 2 else [None] * left
        places = iter(known)
        rounds.append([messages.BracketMatch([next(places) for _ in range(size)], None) for size in sizes])
    return rounds


def tournament_entry(tournament: Tournament, guest: str) -> messages.MyTournament:
    """Return what is exported for a guest who entered or organised a tournament."""
    own = tournament.player_of(guest)
    line = None if own is None else next(one for one in standings(tournament) if one.player == own.number)
    return messages.MyTournament(
        id=tournament.id,
        name=tournament.plan.name,
        created=tournament.creation.at,
        organised=tournament.creation.by == guest,
        player=None if own is None else own.number,
        place=None if line is None else line.place,
        points=None if line is None else line.points,
    )
