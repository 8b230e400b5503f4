"""Round robins: everybody meets everybody.

For two seats by Berger's tables. For three or four, in as many rounds as it takes at least, with repeated meetings
avoided where that is possible.
"""

from __future__ import annotations

from mchezo.server.domain.tournaments.swiss import Pairing, next_groups
from mchezo.server.domain.tournaments.tournament import Tournament


def robin_rounds(players: int, seats: int) -> int:
    """Return how many rounds a round robin has."""
    if seats == 2:
        return players - 1 if players % 2 == 0 else players
    return -(-(players - 1) // (seats - 1))


def next_robin_round(tournament: Tournament, number: int) -> Pairing:
    """Pair a round; the opponents of players who withdrew have a bye."""
    if tournament.plan.seats > 2:
        return next_groups(tournament, by_score=False)
    seeds, active = tournament.seeds, set(tournament.active)
    pairing = Pairing([], [])
    for pair in berger(len(seeds) + len(seeds) % 2, number):
        present = [seeds[place] for place in pair if place < len(seeds) and seeds[place] in active]
        if len(present) == 2:
            pairing.tables.append(present)
        else:
            pairing.byes.extend(present)
    return pairing


def berger(players: int, number: int) -> list[tuple[int, int]]:
    """Return the pairs of a round for an even number of players, from 0; the first of each pair has seat 0.

    The last player stays, the others go round: in round r player 1 is where player 1 + (r - 1) * n / 2 was.
    """
    last = players - 1
    shift = (number - 1) * (players // 2) % last
    pairs = [(shift, last) if number % 2 else (last, shift)]
    return pairs + [((shift + step) % last, (shift - step) % last) for step in range(1, players // 2)]
