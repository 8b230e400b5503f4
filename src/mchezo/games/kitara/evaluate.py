"""What a position of Kitara is worth to a seat: quantities in the words of the game, and how much each counts."""

from typing import Any

import numpy as np

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.features import Feature, learned
from mchezo.core.structs import Numbers, bits, wide
from mchezo.games.kitara.choices import group_size
from mchezo.games.kitara.components import AGES, CARD_POINTS, RUIN_POINTS, VALUES
from mchezo.games.kitara.structs import (
    ANIMAL,
    CHOOSE_START,
    FREE,
    HERO,
    NOTHING,
    REFILL,
    RUIN,
    SPACES,
    STATE,
    WARRIOR,
    Setup,
    State,
)

# Name, what it counts, and what one of it is worth in points at the end, set by hand.
IN_POINTS = (
    Feature("points", "points on the track and on own tokens", 1.0),
    Feature("cards", "final points of the cards held", 1.0),
    Feature("prosperity", "prosperity symbols, for each turn to come", 0.9),
    Feature("ruins", "points of ruins held by a master-animal, for each turn to come", 0.7),
    Feature("unfed", "cards that the savannas cannot feed", -3.5),
    Feature("reserve", "savannas with a warrior beyond what the cards need, up to two", 0.7),
    Feature("draft", "draft symbols beyond the first, for each turn to come", 0.15),
    Feature("moves", "move symbols, for each turn to come", 0.25),
    Feature("warriors", "warriors on the board", 0.5),
    Feature("animals", "master-animals on the board", 0.8),
    Feature("heroes", "heroes on the board", 1.0),
    Feature("spaces", "spaces held, beyond the first", 0.3),
    Feature("raid", "a hero stands in a group that can attack", 1.5),
    Feature("idle", "master-animals that stand on no ruin", -0.6),
    Feature("later-warriors", "warriors on the board, for each turn to come", 0.0),
    Feature("later-animals", "master-animals on the board, for each turn to come", 0.0),
    Feature("later-heroes", "heroes on the board, for each turn to come", 0.0),
    Feature("later-spaces", "spaces held beyond the first, for each turn to come", 0.0),
    Feature("later-raid", "a hero stands in a group that can attack, for each turn to come", 0.0),
    Feature("later-reserve", "savannas with a warrior beyond the need, up to four, for each turn to come", 0.0),
    Feature("shaken-ruins", "ruins held by a master-animal that a larger group beside them can take", 0.0),
    Feature("shaken-savannas", "savannas with a warrior that a larger group beside them can take", 0.0),
    Feature("prey", "spaces of others that a group beside them can take", 0.0),
    Feature("way", "white borders between master-animals on no ruin and the nearest ruin without an own one", 0.0),
    Feature("stack", "pawns of the largest group beyond the second", 0.0),
    Feature("turns", "turns to come", 0.0),
)
COUNT = len(IN_POINTS)

# What is learned by itself, for each number of players: worths in thousandths of points, as `weights.toml` has them.
THOUSANDTHS = 1000.0
KINDS_OF_GAME = {2: "two-players", 3: "three-players", 4: "four-players"}
FEATURES = {
    kind: tuple(Feature(name, counts, THOUSANDTHS * worth) for name, counts, worth in IN_POINTS)
    for kind in KINDS_OF_GAME.values()
}

# How far a lead is from a victory: leads are counted in units of NEAR points, and FAR more for each turn to come.
NEAR, FAR = 1.0, 0.9


def weights(setup: Any) -> Numbers:
    """What each quantity is worth, in points."""
    kind = KINDS_OF_GAME[int(setup.players)]
    return learned("mchezo.games.kitara", kind, FEATURES[kind]) / THOUSANDTHS


@compiled
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """The quantities of `IN_POINTS` for one seat."""
    for index in range(COUNT):
        out[index] = 0.0
    out[0] = state.points[seat]
    if state.step == NOTHING:
        return
    left = turns_left(state, setup, seat)
    for value in range(len(VALUES)):
        out[0] += VALUES[value] * wide(state.kept[seat, value])
    out[1] = CARD_POINTS * wide(state.kingdom_count[seat])
    if left == 0:
        # Pawns and spaces count for what they bring later; after the last turn that is nothing.
        return
    draft = moves = prosperity = hungry = wide(0)
    for place in range(wide(state.kingdom_count[seat])):
        card = state.kingdoms[seat, place]
        draft += setup.draft[card]
        moves += setup.moves[card]
        prosperity += setup.prosperity[card]
        hungry += 1 - setup.marked[card]
    fed = stack = wide(0)
    for space in range(wide(setup.spaces)):
        if state.owner[space] != seat + 1:
            continue
        size = group_size(state, space)
        stack = max(stack, size)
        out[8] += state.pawns[space, WARRIOR]
        out[9] += state.pawns[space, ANIMAL]
        out[10] += state.pawns[space, HERO]
        ruin = setup.kind[space] == RUIN
        shaken = False
        prey = 0
        for border in range(wide(setup.border_count[space])):
            target = wide(setup.borders[space, border])
            there = wide(state.owner[target])
            if there not in (FREE, seat + 1):
                beside = group_size(state, target)
                shaken |= beside > size and state.held[seat] > 1
                prey += 1 if size > beside and state.held[there - 1] > 1 else 0
        out[22] += prey
        if prey and state.pawns[space, HERO]:
            out[12] = 1.0
        if ruin and state.pawns[space, ANIMAL]:
            out[3] += RUIN_POINTS * left
            out[20] += shaken
        elif state.pawns[space, ANIMAL]:
            out[13] += state.pawns[space, ANIMAL]
            out[23] += wide(state.pawns[space, ANIMAL]) * way_to_ruin(state, setup, seat, space)
        if not ruin and state.pawns[space, WARRIOR]:
            fed += 1
            out[21] += shaken
    spare = fed - hungry
    out[2] = prosperity * left
    out[4] = max(0, -spare)
    out[5] = min(2, max(0, spare))
    out[6] = max(0, draft - 1) * left
    out[7] = moves * left
    out[11] = max(0, wide(state.held[seat]) - 1)
    out[14] = out[8] * left
    out[15] = out[9] * left
    out[16] = out[10] * left
    out[17] = out[11] * left
    out[18] = out[12] * left
    out[19] = min(4, max(0, spare)) * left
    out[24] = max(0, stack - 2)
    out[25] = left


@compiled
def way_to_ruin(state: State, setup: Setup, seat: int, space: int) -> int:
    """How many white borders lie between a space and the nearest ruin on which the seat has no master-animal."""
    nearest = SPACES
    for other in range(wide(setup.spaces)):
        if setup.kind[other] == RUIN and not (state.owner[other] == seat + 1 and state.pawns[other, ANIMAL]):
            nearest = min(nearest, wide(setup.distance[space, other]))
    return nearest if nearest < SPACES else 0


@compiled
def turns_left(state: State, setup: Setup, seat: int) -> int:
    """How many turns the seat has still to come; the deck tells when its first card of age 5 will be revealed."""
    last = wide(state.last_round)
    turn = wide(state.turn) if state.step > CHOOSE_START else 0
    if last == 0:
        missing = wide(1)  # cards to be revealed until the first of age 5 is
        for card in range(1, wide(setup.cards) + 1):
            if setup.age[card] < AGES and state.unseen >> bits(card) & bits(1):
                missing += 1
        # A turn reveals a card after the draft, with two players another at its end.
        each = 2 if setup.players == 2 else 1
        missing -= each if state.step <= REFILL else each - 1
        later = max(0, -(-missing // each))
        last = wide(state.round_number) + (turn + later) // wide(setup.players) + 1
    return max(0, last - wide(state.round_number) + (1 if seat >= turn else 0))


@compiled
def unit_of_lead(state: State, setup: Setup) -> float:
    """The points of a lead that make victory 2.7 times as likely."""
    turns = wide(0)
    for seat in range(wide(setup.players)):
        turns = max(turns, turns_left(state, setup, seat))
    return NEAR + FAR * turns


@compiled
def judge(state: State, setup: Setup, weights: Numbers, points: Numbers, chances: Numbers) -> None:
    """What the features promise each seat: points by their worths, chances by the leads."""
    quantities = np.empty(COUNT)
    players = wide(setup.players)
    most = 0.0
    for seat in range(players):
        features(state, setup, seat, quantities)
        points[seat] = 0.0
        for index in range(COUNT):
            points[seat] += weights[index] * quantities[index]
        most = max(most, points[seat])
    unit = unit_of_lead(state, setup)
    total = 0.0
    for seat in range(players):
        chances[seat] = np.exp((points[seat] - most) / unit)
        total += chances[seat]
    for seat in range(players):
        chances[seat] /= total


@compiled
def turn_of(state: State) -> int:
    """The seat whose turn it is, also while another retreats."""
    return wide(state.turn)


verbs.enter(STATE, features=features, judge=judge, turn_of=turn_of)
