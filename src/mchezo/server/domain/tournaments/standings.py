"""Standings: points, then tie-breaks in a fixed order, then shared places.

A round with a bye, or an opponent who did not come, counts as a game against an opponent with one's own points in
Buchholz scores; a round in which a player was not paired or did not come as one against an opponent without points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from mchezo.server.domain.tournaments.arena import STREAK, arena_scores
from mchezo.server.domain.tournaments.knock_out import final_places
from mchezo.server.domain.tournaments.tournament import Game, Tournament, points
from mchezo.server.messages import TieBreak


class Standing(NamedTuple):
    """A line of the standings."""

    player: int
    place: int  # from 1
    points: float
    played: int
    tie_breaks: list[float]
    streak: bool = False


def tie_breaks(tournament: Tournament) -> list[TieBreak]:
    """Return the tie-breaks of a tournament, the first decides first."""
    plan = tournament.plan
    if plan.format in ("knock-out", "arena"):
        return ["wins"]
    if plan.seats > 2:
        return ["firsts", "seconds", "buchholz"]
    if plan.format == "round-robin":
        return ["encounter", "wins", "sonneborn-berger"]
    return ["buchholz-cut", "buchholz", "sonneborn-berger", "encounter", "wins"]


def standings(tournament: Tournament) -> list[Standing]:
    """Return the standings, best first; players who are equal in everything share a place."""
    if tournament.plan.format == "arena":
        return arena_standings(tournament)
    if tournament.plan.format == "knock-out":
        return knock_out_standings(tournament)
    return points_standings(tournament)


def arena_standings(tournament: Tournament) -> list[Standing]:
    """Return the standings of an arena: points, then wins."""
    scores = arena_scores(tournament)
    lines = [
        Standing(player, 0, score.points, score.played, [float(score.wins)], score.in_a_row >= STREAK)
        for player, score in scores.items()
    ]
    return placed(lines, tournament, lambda line: (line.points, *line.tie_breaks))


def knock_out_standings(tournament: Tournament) -> list[Standing]:
    """Return the standings of a knock-out: the rounds that players reached; points are games won."""
    places = final_places(tournament) if tournament.started is not None else {}
    lines = []
    for player in tournament.players:
        games = [game for game in tournament.games_of(player.number) if game.places is not None]
        wins = sum(game.firsts == [player.number] for game in games)
        scored = sum(game.points_of(player.number) for game in games)
        lines.append(Standing(player.number, 0, scored, len(games), [float(wins)]))
    return placed(lines, tournament, lambda line: (-places.get(line.player, len(lines)),))


def points_standings(tournament: Tournament) -> list[Standing]:
    """Return the standings of a Swiss tournament or a round robin."""
    players = [player.number for player in tournament.players]
    scores = points(tournament, players)
    games: dict[int, list[Game]] = {player: [] for player in players}
    for game in tournament.games.values():
        for player in game.players if game.places is not None else ():
            games[player].append(game)
    kinds = tie_breaks(tournament)
    lines = []
    for player in players:
        found = {kind: COMPUTED[kind](tournament, player, games[player], scores) for kind in kinds if kind in COMPUTED}
        values = [found.get(kind, 0.0) for kind in kinds]
        lines.append(Standing(player, 0, scores[player], len(games[player]), values))
    if "encounter" in kinds:
        meetings = {player: encounters(tournament, games[player]) for player in players}
        lines = with_encounters(lines, kinds.index("encounter"), meetings)
    return placed(lines, tournament, lambda line: (line.points, *line.tie_breaks))


def placed(
    lines: Sequence[Standing], tournament: Tournament, key: Callable[[Standing], tuple[float, ...]]
) -> list[Standing]:
    """Return lines in the order of a key, highest first, with places; equal ones in the order of the seeds."""
    seed = {player: index for index, player in enumerate(tournament.ranked_by_rating())}
    ordered = sorted(lines, key=lambda line: seed[line.player])
    ordered.sort(key=key, reverse=True)
    found: list[Standing] = []
    for _, equal in groupby(ordered, key=key):
        place = len(found) + 1
        found += [line._replace(place=place) for line in equal]
    return found


def with_encounters(lines: list[Standing], index: int, games: Mapping[int, Sequence[Game]]) -> list[Standing]:
    """Fill in the points that players made against those with whom they are tied so far, if all of these have met."""

    def before(line: Standing) -> tuple[float, ...]:
        return (line.points, *line.tie_breaks[:index])

    found: list[Standing] = []
    for _, group in groupby(sorted(lines, key=before), key=before):
        tied = list(group)
        numbers = {line.player for line in tied}
        counts = len(tied) > 1 and all(everybody_met(one.player, numbers, games) for one in tied)
        for line in tied:
            among = [game for game in games[line.player] if numbers.issuperset(game.players)]
            met = {other for game in among for other in game.players}
            value = sum(game.points_of(line.player) for game in among) if counts and met else 0.0
            values = list(line.tie_breaks)
            values[index] = value
            found.append(line._replace(tie_breaks=values))
    return found


def everybody_met(player: int, others: set[int], games: Mapping[int, Sequence[Game]]) -> bool:
    """Return whether a player has met all the others."""
    return others <= {player, *(other for game in games[player] for other in game.players)}


# Tie-breaks of one player


def encounters(tournament: Tournament, games: Sequence[Game]) -> list[Game]:
    """Return the games that count as meetings: in a round robin also those to which somebody did not come."""
    return [game for game in games if game.met or tournament.plan.format == "round-robin"]


def buchholz_parts(
    tournament: Tournament, player: int, games: Sequence[Game], scores: Mapping[int, float]
) -> list[float]:
    """Return what a Buchholz score adds up."""
    parts = []
    for game in games:
        for other in game.players:
            if other == player:
                continue
            if player in game.absent:
                parts.append(0.0)
            else:
                parts.append(scores[other if other in game.met else player])
    seats = tournament.plan.seats
    for played in tournament.rounds:
        if player in played.byes:
            parts += [scores[player]] * (seats - 1)
        elif not any(player in game.players for game in played.games):
            parts += [0.0] * (seats - 1)
    return parts


def buchholz(tournament: Tournament, player: int, games: Sequence[Game], scores: Mapping[int, float]) -> float:
    """Return the sum of the opponents' points."""
    return sum(buchholz_parts(tournament, player, games, scores))


def buchholz_cut(tournament: Tournament, player: int, games: Sequence[Game], scores: Mapping[int, float]) -> float:
    """Return the sum of the opponents' points without the lowest."""
    parts = buchholz_parts(tournament, player, games, scores)
    return sum(parts) - min(parts, default=0.0)


def sonneborn_berger(tournament: Tournament, player: int, games: Sequence[Game], scores: Mapping[int, float]) -> float:
    """Return the points of the opponents who were beaten, and half of those with whom the player drew."""
    met = encounters(tournament, games)
    return sum(game.points_of(player) * scores[other] for game in met for other in game.players if other != player)


def count_place(place: int) -> Callable[..., float]:
    """Return the tie-break that counts games on a place; sharing the first place with all others is none."""

    def count(_: Tournament, player: int, games: Sequence[Game], scores: Mapping[int, float]) -> float:
        return float(sum(game.place_of(player) == place for game in games))

    return count


def wins(_: Tournament, player: int, games: Sequence[Game], scores: Mapping[int, float]) -> float:
    """Return how many games a player won alone."""
    return float(sum(game.firsts == [player] for game in games))


COMPUTED: dict[TieBreak, Callable[..., float]] = {
    "buchholz-cut": buchholz_cut,
    "buchholz": buchholz,
    "sonneborn-berger": sonneborn_berger,
    "wins": wins,
    "firsts": wins,
    "seconds": count_place(1),
}
