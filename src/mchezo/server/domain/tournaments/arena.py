"""Arenas: for a fixed time all free players are paired again, with players of similar points.

A sole winner of a game gets 2 points, players who share the win 1 each. After two wins in a row everything counts
double, until a game is not won.
"""

from __future__ import annotations

from typing import NamedTuple

from mchezo.server.domain.tournaments.groups import make_tables, seat_order
from mchezo.server.domain.tournaments.swiss import Pairing
from mchezo.server.domain.tournaments.tournament import Game, Tournament, seats_taken

STREAK = 2  # wins in a row after which points are doubled
PATIENCE = 20_000  # milliseconds until the same players meet again while others are still playing


class ArenaScore(NamedTuple):
    """A player's points, wins and finished games, and whether the next ones count double."""

    points: int = 0
    wins: int = 0
    played: int = 0
    in_a_row: int = 0

    def after(self, game: Game, player: int) -> ArenaScore:
        """Return the score with one more game."""
        won = game.firsts == [player]
        gained = 2 if won else 1 if player in game.firsts else 0
        doubled = gained * (2 if self.in_a_row >= STREAK else 1)
        in_a_row = self.in_a_row + 1 if won else 0
        return ArenaScore(self.points + doubled, self.wins + won, self.played + 1, in_a_row)


def arena_scores(tournament: Tournament) -> dict[int, ArenaScore]:
    """Return everybody's score."""
    found = {player.number: ArenaScore() for player in tournament.players}
    over = [game for game in tournament.games.values() if game.places is not None]
    for game in sorted(over, key=lambda game: game.decided or 0):
        for player in game.players:
            found[player] = found[player].after(game, player)
    return found


def next_arena_games(tournament: Tournament, now: int) -> Pairing:
    """Pair the players who are free; those who played last wait if the number does not fit."""
    seats = tournament.plan.seats
    busy = {player for game in tournament.open_games.values() for player in game.players}
    free = [player for player in tournament.active if player not in busy]
    games = list(tournament.games.values())
    last = {player: game for game in games for player in game.players}
    scores = arena_scores(tournament)
    place = {player: index for index, player in enumerate(tournament.seeds)}
    ranked = sorted(free, key=lambda player: (-scores[player].points, place[player]))

    def freed(player: int) -> int:
        return (last[player].decided or 0) if player in last else 0

    for player in sorted(ranked, key=freed, reverse=True)[: len(ranked) % seats]:
        ranked.remove(player)
    met = {
        (min(player, other), max(player, other)): 1
        for player in ranked
        if player in last
        for other in last[player].players
        if other != player
    }
    tables = make_tables(ranked, seats, met, {player: scores[player].points for player in ranked})
    seated = seats_taken(games, seats)
    seat_of = {player: game.players.index(player) for player, game in last.items()}

    def too_soon(table: list[int]) -> bool:
        same = table[0] in last and set(table) == set(last[table[0]].players)
        return same and bool(tournament.open_games) and now - max(map(freed, table)) < PATIENCE

    def alone(table: list[int]) -> bool:
        """Computers are there for others: they would play each other without end."""
        return all(tournament.players[player].entrant.kind == "computer" for player in table)

    return Pairing(
        [seat_order(table, seated, seat_of) for table in tables if not too_soon(table) and not alone(table)], []
    )
