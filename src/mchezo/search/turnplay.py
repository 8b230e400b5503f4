"""Games of Kitara by players that plan whole turns: to learn from, and to compare two judgements."""

from dataclasses import replace

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.dice import dice
from mchezo.core.game import Game
from mchezo.core.position import Position
from mchezo.core.structs import Actions, Numbers, Structs, Words64, wide
from mchezo.games.kitara.evaluate import THOUSANDTHS, unit_of_lead
from mchezo.search import planner
from mchezo.search.selfplay import Practice, starts
from mchezo.search.tuning import Samples, together

NODES_A_TRY = 8  # of the planner, on average
LONGEST_GAME = 2_000  # actions
MOST_TURNS = 100
CLEAR = 10_000  # thousandths of log-odds: no lead is surer before the end

DECKS = ({"deck": "blue"}, {"deck": "red"})
PRACTICES = {
    kind: Practice(tuple({"players": players, **deck} for deck in DECKS), 0)
    for kind, players in (("two-players", 2), ("three-players", 3), ("four-players", 4))
}


@compiled
def turns_of(games: Structs, setups: Structs, made: Actions, quantities: Structs, units: Numbers) -> int:
    """Write the features of all seats, and the unit of their leads, whenever a turn begins; return how often it did."""
    state, setup = games[0], setups[0]
    count = wide(0)
    last = wide(-1)
    for action in made:
        if action < 0:
            break
        turn = wide(verbs.turn_of(state))
        if verbs.to_move(state) == turn != last and count < len(units):
            last = turn
            for seat in range(quantities.shape[1]):
                verbs.features(state, setup, seat, quantities[count, seat])
            units[count] = unit_of_lead(state, setup)
            count += 1
        verbs.apply(state, setup, wide(action))
    return count


def play(position: Position, weights: Numbers, nodes: int, throws: Words64) -> tuple[Numbers, Numbers, Actions]:
    """One game by weights in points, a row for each seat: what each seat won of it, its points, and what was done."""
    states, setups, most, seats = position.arrays
    returned, scored = np.zeros((1, seats)), np.zeros((1, seats))
    made = np.full((1, LONGEST_GAME), -1, np.int32)
    tries = np.full(seats, max(1, nodes // NODES_A_TRY), np.int32)
    planner.play_games(states, setups, seats, weights, tries, most, throws, returned, scored, made)
    return (returned[0] + 1) / 2, scored[0], made[0]


def samples(position: Position, weights: Numbers, won: Numbers, scored: Numbers, made: Actions) -> Samples:
    """The turns of a game, each as all the pairs of seats: what they differ in, and who of them was ahead in the end.

    What the search thought of a turn is what was judged when everybody had one turn more.
    """
    seats = len(won)
    quantities, units = np.zeros((MOST_TURNS, seats, len(weights))), np.zeros(MOST_TURNS)
    count = turns_of(position.states.copy(), position.setups, made, quantities, units)
    judged = quantities[:count] @ weights / units[:count, None]
    # Of two seats with equal points the winner is ahead.
    ranks = scored + won / 2
    parts = []
    for one in range(seats):
        for other in range(one + 1, seats):
            result = 0.5 + 0.5 * np.sign(ranks[one] - ranks[other])
            differences = (quantities[:count, one] - quantities[:count, other]) / units[:count, None]
            values = np.full(count, CLEAR * np.sign(ranks[one] - ranks[other]))
            values[: max(0, count - seats)] = THOUSANDTHS * (judged[seats:, one] - judged[seats:, other])
            parts.append(
                Samples(
                    differences.astype(np.float32),
                    np.clip(values, -CLEAR, CLEAR).astype(np.int32),
                    np.full(count, result, np.float32),
                    won[:0].astype(np.float32),
                )
            )
    return replace(together(parts), games=won[:1].astype(np.float32))


def practise(game: Game, practice: Practice, weights: Numbers, nodes: int, count: int, seed: int) -> Samples:
    """So many games of players with these weights, in thousandths of points, against each other."""
    points = weights / THOUSANDTHS
    found = []
    for position, throws in starts(game, practice, count, seed):
        all_seats = np.stack([points] * len(position.seats))
        found.append(samples(position, points, *play(position, all_seats, nodes, throws)))
    return together(found)


def compare(
    game: Game, practice: Practice, first: Numbers, second: Numbers, nodes: int, pairs: int, seed: int
) -> Numbers:
    """What the first weights win from the second in pairs of games: every other seat has them, then the other seats."""
    points = np.stack([first, second]) / THOUSANDTHS
    scored = np.zeros(pairs)
    for number, (position, throws) in enumerate(starts(game, practice, pairs, seed)):
        sides = np.arange(len(position.seats)) % 2
        for swapped in (0, 1):
            won, _, _ = play(position, points[sides ^ swapped], nodes, dice(int(throws[0] >> 1)))
            scored[number] += won[sides == swapped].sum() / 2
    return scored
