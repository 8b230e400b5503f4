"""The next round of a Swiss tournament.

For two seats the Dutch system of FIDE (C.04.3), by the library py4swiss. It does not repeat a meeting or a bye, and
balances seats as FIDE does colours: seat 0 is White. Where its rules leave no pairing, as in late rounds of small
tournaments, and for three or four seats, `groups.py` does what comes closest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from mchezo.server.domain.tournaments.groups import make_tables, pick_byes, seat_order
from mchezo.server.domain.tournaments.tournament import Round, Tournament, meetings, points, seats_taken

if TYPE_CHECKING:
    from py4swiss.trf.sections import PlayerSection


class Pairing(NamedTuple):
    """Who plays whom, by seat, and who sits out."""

    tables: list[list[int]]
    byes: list[int]


def next_swiss_round(tournament: Tournament, rounds: int) -> Pairing:
    """Pair the next round of a tournament with this many rounds."""
    if tournament.plan.seats == 2:
        paired = dutch(tournament.seeds, set(tournament.active), tournament.rounds, rounds)
        if paired is not None:
            return paired
    return next_groups(tournament)


def next_groups(tournament: Tournament, *, by_score: bool = True) -> Pairing:
    """Pair the next round by groups: of equal scores, or only of players who have not met."""
    seats, games = tournament.plan.seats, list(tournament.games.values())
    active = tournament.active
    scores = points(tournament, active) if by_score else {}
    place = {player: index for index, player in enumerate(tournament.seeds)}
    ranked = sorted(active, key=lambda player: (-scores.get(player, 0.0), place[player]))
    had_byes = Counter(player for played in tournament.rounds for player in played.byes)
    had_byes.update(player for game in games if not game.met for player in game.players if player not in game.absent)
    byes = pick_byes(ranked, seats, had_byes)
    playing = [player for player in ranked if player not in byes]
    taken = seats_taken(games, seats)
    last = {player: seat for game in games for seat, player in enumerate(game.players) if player in game.met}
    tables = make_tables(playing, seats, meetings(games), scores)
    return Pairing([seat_order(table, taken, last) for table in tables], byes)


def dutch(seeds: Sequence[int], active: set[int], rounds: Sequence[Round], planned: int) -> Pairing | None:
    """Pair by the Dutch system; None if its rules allow no pairing, or if the library is not installed."""
    try:
        from py4swiss.engines.common import PairingError
        from py4swiss.engines.dutch import Engine
        from py4swiss.trf import ParsedTrf
        from py4swiss.trf.sections import XSection
    except ImportError:  # there is no build of it for every platform
        return None
    numbers = {player: number for number, player in enumerate(seeds, start=1)}
    sections = [section(player, numbers, rounds) for player in seeds]
    absent = {numbers[player] for player in seeds if player not in active}
    report = ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=planned, zeroed_ids=absent))
    try:
        pairings = Engine.generate_pairings(report)
    except PairingError:
        return None
    tables = [[seeds[one.white - 1], seeds[one.black - 1]] for one in pairings if one.black]
    return Pairing(tables, [seeds[one.white - 1] for one in pairings if not one.black])


def section(player: int, numbers: dict[int, int], rounds: Sequence[Round]) -> PlayerSection:
    """Return a player's results as the library reads them: in a Tournament Report File of FIDE."""
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection

    results, total = [], 0
    for played in rounds:
        game = next((game for game in played.games if player in game.players), None)
        if game is not None:
            (opponent,) = (other for other in game.players if other != player)
            halves = round(2 * game.points_of(player))
            color = ColorToken.WHITE if game.players[0] == player else ColorToken.BLACK
            if game.met:
                result = (ResultToken.LOSS, ResultToken.DRAW, ResultToken.WIN)[halves]
            else:  # it counts neither as a meeting nor for colours, but a win without a game excludes a bye
                result = ResultToken.FORFEIT_WIN if halves == 2 else ResultToken.FORFEIT_LOSS
            results.append(RoundResult(id=numbers[opponent], color=color, result=result))
            total += 5 * halves
        elif player in played.byes:
            results.append(
                RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.PAIRING_ALLOCATED_BYE)
            )
            total += 10
        else:
            results.append(RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.ZERO_POINT_BYE))
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=numbers[player],
        points_times_ten=total,
        rank=numbers[player],
        results=results,
    )
