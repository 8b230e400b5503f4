"""Knock-outs: the winner of a game goes through.

For two seats a bracket in which the best seeds meet as late as possible, and have the byes. For three or four seats
the players left are spread over as few tables as possible, best seeds apart, and the winner of each goes through.
A drawn game is replayed once by those who share the win, with the seats reversed; then the best seed goes through.
If nobody came to a game, the best seed is kept in the bracket, and the next opponent has a bye.
"""

from __future__ import annotations

from mchezo.server.domain.tournaments.swiss import Pairing
from mchezo.server.domain.tournaments.tournament import Game, Round, Tournament

GAMES = 2  # at most, to decide a match


def bracket(tournament: Tournament) -> list[list[list[int]]]:
    """Return the matches of every round as far as they are known; a match is the players who meet."""
    seeds, seats = tournament.seeds, tournament.plan.seats
    found = [first_matches(seeds, seats)]
    for played in tournament.rounds:
        winners = [winner_of(match, played, seeds) for match in found[-1]]
        through = [winner for winner in winners if winner is not None]
        if len(through) < len(winners) or len(winners) == 1:
            break
        found.append(following(through, seeds, seats))
    return found


def first_matches(seeds: list[int], seats: int) -> list[list[int]]:
    """Return the matches of the first round."""
    if seats > 2:
        return spread(seeds, seats)
    places = [0]
    while len(places) < len(seeds):
        places = [place for one in places for place in (one, 2 * len(places) - 1 - one)]
    slots = [seeds[place] if place < len(seeds) else None for place in places]
    pairs = [slots[start : start + 2] for start in range(0, len(slots), 2)]
    return [[player for player in pair if player is not None] for pair in pairs]


def following(through: list[int], seeds: list[int], seats: int) -> list[list[int]]:
    """Return the matches of those who are through."""
    if seats > 2:
        return spread(sorted(through, key=seeds.index), seats)
    return [through[start : start + 2] for start in range(0, len(through), 2)]


def spread(players: list[int], seats: int) -> list[list[int]]:
    """Return as few tables as possible, the players dealt to and fro, best seeds first."""
    tables: list[list[int]] = [[] for _ in range(-(-len(players) // seats))]
    for index, player in enumerate(players):
        turn, place = divmod(index, len(tables))
        tables[place if turn % 2 == 0 else len(tables) - 1 - place].append(player)
    return tables


def games_of(match: list[int], played: Round) -> list[Game]:
    """Return the games of a match."""
    return [game for game in played.games if set(game.players) <= set(match)]


def leaders(game: Game) -> list[int]:
    """Return the players on the first place; all if nobody came."""
    return game.firsts or game.players


def winner_of(match: list[int], played: Round, seeds: list[int]) -> int | None:
    """Return who advances; None while that is open."""
    games = games_of(match, played)
    if not games:
        return next((player for player in match if player in played.byes), None)
    if games[-1].places is None:
        return None
    equal = leaders(games[-1])
    alone = next((player for player in equal if player in played.byes), None)  # the others withdrew
    if len(equal) > 1 and len(games) < GAMES and alone is None:
        return None
    return alone if alone is not None else min(equal, key=seeds.index)


def next_knock_out_games(tournament: Tournament) -> tuple[int, Pairing] | None:
    """Return a round and what to pair in it: replays of drawn games, or the next round; None if it is decided."""
    seeds, active, rounds = tournament.seeds, set(tournament.active), tournament.rounds
    matches = bracket(tournament)
    number = len(matches)
    if len(rounds) < number:
        return number, first_games(matches[-1], active)
    if len(matches[-1]) == 1 and winner_of(matches[-1][0], rounds[-1], seeds) is not None:
        return None
    pairing = Pairing([], [])
    for match in matches[-1]:
        if winner_of(match, rounds[-1], seeds) is None:
            last = games_of(match, rounds[-1])[-1]
            equal = [player for player in leaders(last) if player in active]
            if len(equal) > 1:
                pairing.tables.append([player for player in reversed(last.players) if player in equal])
            else:
                pairing.byes.append(equal[0] if equal else min(leaders(last), key=seeds.index))
    return number, pairing


def first_games(matches: list[list[int]], active: set[int]) -> Pairing:
    """Return the first games of matches; a player without an opponent goes through."""
    pairing = Pairing([], [])
    for match in matches:
        present = [player for player in match if player in active]
        if len(present) > 1:
            pairing.tables.append(present)
        else:
            pairing.byes.append(present[0] if present else match[0])
    return pairing


def final_places(tournament: Tournament) -> dict[int, int]:
    """Return everybody's place, from 0: the later the round they went out in, the better; together if it is the same.

    Players who are still in have no place of their own yet.
    """
    seeds = tournament.seeds
    reached = dict.fromkeys(seeds, 0)
    for number, matches in enumerate(bracket(tournament), start=1):
        for match in matches:
            for player in match:
                reached[player] = number
            winner = None if number > len(tournament.rounds) else winner_of(match, tournament.rounds[number - 1], seeds)
            if winner is not None:
                reached[winner] = number + 1
    order = sorted(reached.values(), reverse=True)
    return {player: order.index(last) for player, last in reached.items()}
