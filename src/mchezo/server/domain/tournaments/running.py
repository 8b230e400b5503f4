"""The next step of a tournament, as facts. Each call returns one step, and the process may be killed after it.

Time, results of tables and new ids are passed in, so the same arguments give the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.arena import next_arena_games
from mchezo.server.domain.tournaments.knock_out import next_knock_out_games
from mchezo.server.domain.tournaments.round_robin import next_robin_round, robin_rounds
from mchezo.server.domain.tournaments.swiss import Pairing, next_swiss_round
from mchezo.server.domain.tournaments.tournament import Tournament

KEPT_OPEN = 30 * 24 * 3_600_000  # milliseconds after which one that nobody starts is over

NewId = Callable[[], str]


class TableResult(NamedTuple):
    """How a table ended: places by seat, and the seats that never moved."""

    places: list[int]
    absent: list[int]


def next_step(tournament: Tournament, now: int, results: Mapping[str, TableResult], new_id: NewId) -> list[log.AnyFact]:
    """Return the facts of the next step; none if there is nothing to do yet."""
    now = max(now, tournament.last_at)
    if tournament.status == "open":
        starts = tournament.plan.starts
        if starts is not None:
            return start(tournament, now) if now >= starts else []
        given_up = now >= tournament.creation.at + KEPT_OPEN
        return [log.TournamentFinished(at=now, reason="cancelled")] if given_up else []
    if tournament.status == "over":
        return []
    decided = list(decide_games(tournament, now, results))
    return decided or pair_or_finish(tournament, now, new_id)


def start(tournament: Tournament, now: int, by: str | None = None) -> list[log.AnyFact]:
    """Start with those who have entered; without enough of them the tournament is over."""
    active = set(tournament.active)
    if len(active) < least_players(tournament):
        return [log.TournamentFinished(at=now, by=by, reason="too-few")]
    seeds = [player for player in tournament.ranked_by_rating() if player in active]
    return [log.TournamentStarted(at=now, by=by, seeds=seeds)]


def least_players(tournament: Tournament) -> int:
    """Return how many players it takes: a table; in a knock-out two, since its tables may be smaller."""
    return 2 if tournament.plan.format == "knock-out" else tournament.plan.seats


def decide_games(tournament: Tournament, now: int, results: Mapping[str, TableResult]) -> Iterator[log.AnyFact]:
    """Yield the results of the tables that are over."""
    for game in tournament.open_games.values():
        result = results.get(game.table)
        if result is not None:
            absent = [game.players[seat] for seat in result.absent]
            yield log.GameDecided(at=now, table=game.table, places=result.places, absent=absent)


def planned_rounds(tournament: Tournament) -> int | None:
    """Return how many rounds there will be; None where that depends on the results or the time."""
    plan, players = tournament.plan, len(tournament.players)
    if plan.format == "round-robin":
        return robin_rounds(len(tournament.first_seeds), plan.seats) if tournament.started is not None else None
    if plan.format != "swiss":
        return None
    # Beyond that everybody has met everybody.
    return plan.rounds if plan.seats > 2 else min(plan.rounds, max(1, robin_rounds(players, 2)))


def pair_or_finish(tournament: Tournament, now: int, new_id: NewId) -> list[log.AnyFact]:
    """Return the next pairing, the end of the tournament, or nothing while games are played."""
    match tournament.plan.format:
        case "arena":
            return arena_step(tournament, now, new_id)
        case "knock-out":
            return knock_out_step(tournament, now, new_id)
    number, planned = len(tournament.rounds) + 1, planned_rounds(tournament) or 0
    if tournament.open_games and not (is_paired_at_once(tournament) and number <= planned):
        return []
    if number > planned or len(tournament.active) < tournament.plan.seats:
        return [log.TournamentFinished(at=now, reason="played")]
    if tournament.plan.format == "swiss":
        pairing = next_swiss_round(tournament, planned)
    else:
        pairing = next_robin_round(tournament, number)
    return [paired(number, pairing, now, new_id)]


def is_paired_at_once(tournament: Tournament) -> bool:
    """Return whether all rounds are played at the same time: in a round robin by correspondence."""
    plan = tournament.plan
    return plan.format == "round-robin" and plan.days is not None and plan.seats == 2


def knock_out_step(tournament: Tournament, now: int, new_id: NewId) -> list[log.AnyFact]:
    """Return the next games of a knock-out, or its end."""
    if tournament.open_games:
        return []
    found = next_knock_out_games(tournament)
    if found is None:
        return [log.TournamentFinished(at=now, reason="played")]
    return [paired(*found, now, new_id)]


def arena_step(tournament: Tournament, now: int, new_id: NewId) -> list[log.AnyFact]:
    """Return the next games of an arena, or its end once its time is over and all games are."""
    assert tournament.ends is not None
    if now >= tournament.ends:
        return [] if tournament.open_games else [log.TournamentFinished(at=now, reason="played")]
    pairing = next_arena_games(tournament, now)
    return [paired(len(tournament.rounds) + 1, pairing, now, new_id)] if pairing.tables else []


def paired(number: int, pairing: Pairing, now: int, new_id: NewId) -> log.RoundPaired:
    """Return a pairing as a fact."""
    games = [log.Game(new_id(), table) for table in pairing.tables]
    return log.RoundPaired(at=now, round=number, games=games, byes=pairing.byes)
