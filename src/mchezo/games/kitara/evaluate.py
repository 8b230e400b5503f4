"""Evaluation of Kitara: features in the words of the game, and their weights in points."""

from typing import Any

from mchezo.core import arrays
from mchezo.core.compiled import compiled, kernel
from mchezo.core.elementary import exp
from mchezo.core.features import Feature, learned
from mchezo.core.structs import Numbers, bits, wide
from mchezo.games.kitara.components import AGES, CARD_POINTS, RUIN_POINTS, VALUES
from mchezo.games.kitara.legal import group_size
from mchezo.games.kitara.rival import cards_left
from mchezo.games.kitara.structs import (
    ANIMAL,
    CHOOSING_START,
    FREE,
    GAME_OVER,
    HERO,
    REFILLING_AFTER_DRAFT,
    RUIN,
    SPACES,
    WARRIOR,
    Setup,
    State,
)

# Name, what it counts, and its hand-set weight in final points.
IN_POINTS = (
    Feature("points", "points on the track and on tokens", 1.0),
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
    Feature("raid", "1 if a hero is in a group that can attack", 1.5),
    Feature("idle", "master-animals outside ruins", -0.6),
    Feature("later-warriors", "warriors on the board, for each turn to come", 0.0),
    Feature("later-animals", "master-animals on the board, for each turn to come", 0.0),
    Feature("later-heroes", "heroes on the board, for each turn to come", 0.0),
    Feature("later-spaces", "spaces held beyond the first, for each turn to come", 0.0),
    Feature("later-raid", "1 if a hero is in a group that can attack, for each turn to come", 0.0),
    Feature("later-reserve", "savannas with a warrior beyond the need, up to four, for each turn to come", 0.0),
    Feature("shaken-ruins", "ruins held by a master-animal that a larger adjacent group can take", 0.0),
    Feature("shaken-savannas", "savannas with a warrior that a larger adjacent group can take", 0.0),
    Feature("prey", "spaces of other seats that an adjacent group can take", 0.0),
    Feature("way", "distance of master-animals outside ruins to the nearest ruin without one, in white borders", 0.0),
    Feature("stack", "pawns of the largest group beyond the second", 0.0),
    Feature("turns", "turns to come", 0.0),
)
COUNT = len(IN_POINTS)

# The index of each feature, by its name.
INDEX = {feature.name: index for index, feature in enumerate(IN_POINTS)}
POINTS = INDEX["points"]
CARDS = INDEX["cards"]
PROSPERITY = INDEX["prosperity"]
RUINS = INDEX["ruins"]
UNFED = INDEX["unfed"]
RESERVE = INDEX["reserve"]
DRAFT = INDEX["draft"]
MOVES = INDEX["moves"]
WARRIORS = INDEX["warriors"]
ANIMALS = INDEX["animals"]
HEROES = INDEX["heroes"]
SPACES_HELD = INDEX["spaces"]
RAID = INDEX["raid"]
IDLE = INDEX["idle"]
LATER_WARRIORS = INDEX["later-warriors"]
LATER_ANIMALS = INDEX["later-animals"]
LATER_HEROES = INDEX["later-heroes"]
LATER_SPACES = INDEX["later-spaces"]
LATER_RAID = INDEX["later-raid"]
LATER_RESERVE = INDEX["later-reserve"]
SHAKEN_RUINS = INDEX["shaken-ruins"]
SHAKEN_SAVANNAS = INDEX["shaken-savannas"]
PREY = INDEX["prey"]
WAY = INDEX["way"]
STACK = INDEX["stack"]
TURNS = INDEX["turns"]

# Weights are learned for each number of players; `weights.toml` has them in thousandths of points.
THOUSANDTHS = 1000.0
KINDS_OF_GAME = {2: "two-players", 3: "three-players", 4: "four-players"}
FEATURES = {
    kind: tuple(Feature(name, counts, THOUSANDTHS * weight) for name, counts, weight in IN_POINTS)
    for kind in KINDS_OF_GAME.values()
}

# The unit of a lead in points: NEAR at the end of the game, and FAR more for each turn to come.
NEAR, FAR = 1.0, 0.9


def weights(setup: Any) -> Numbers:
    """Return the learned weights, in points."""
    kind = KINDS_OF_GAME[int(setup.players)]
    return arrays.array([weight / THOUSANDTHS for weight in learned(__package__, kind, FEATURES[kind]).tolist()])


@kernel
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """Write the features of one seat."""
    for index in range(COUNT):
        out[index] = 0.0
    out[POINTS] = state.points[seat]
    if state.phase == GAME_OVER:
        return
    left = turns_left(state, setup, seat)
    for value in range(len(VALUES)):
        out[POINTS] += VALUES[value] * wide(state.kept[seat, value])
    out[CARDS] = CARD_POINTS * wide(state.kingdom_count[seat])
    if left == 0:
        # Pawns and spaces count for what they yield later: nothing after the last turn.
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
        out[WARRIORS] += state.pawns[space, WARRIOR]
        out[ANIMALS] += state.pawns[space, ANIMAL]
        out[HEROES] += state.pawns[space, HERO]
        ruin = setup.kind[space] == RUIN
        shaken = False
        prey = 0
        for border in range(wide(setup.border_count[space])):
            target = wide(setup.borders[space, border])
            there = wide(state.owner[target])
            if there not in (FREE, seat + 1):
                defenders = group_size(state, target)
                shaken |= defenders > size and state.held[seat] > 1
                prey += 1 if size > defenders and state.held[there - 1] > 1 else 0
        out[PREY] += prey
        if prey and state.pawns[space, HERO]:
            out[RAID] = 1.0
        if ruin and state.pawns[space, ANIMAL]:
            out[RUINS] += RUIN_POINTS * left
            out[SHAKEN_RUINS] += shaken
        elif state.pawns[space, ANIMAL]:
            out[IDLE] += state.pawns[space, ANIMAL]
            out[WAY] += wide(state.pawns[space, ANIMAL]) * way_to_ruin(state, setup, seat, space)
        if not ruin and state.pawns[space, WARRIOR]:
            fed += 1
            out[SHAKEN_SAVANNAS] += shaken
    spare = fed - hungry
    out[PROSPERITY] = prosperity * left
    out[UNFED] = max(0, -spare)
    out[RESERVE] = min(2, max(0, spare))
    out[DRAFT] = max(0, draft - 1) * left
    out[MOVES] = moves * left
    out[SPACES_HELD] = max(0, wide(state.held[seat]) - 1)
    out[LATER_WARRIORS] = out[WARRIORS] * left
    out[LATER_ANIMALS] = out[ANIMALS] * left
    out[LATER_HEROES] = out[HEROES] * left
    out[LATER_SPACES] = out[SPACES_HELD] * left
    out[LATER_RAID] = out[RAID] * left
    out[LATER_RESERVE] = min(4, max(0, spare)) * left
    out[STACK] = max(0, stack - 2)
    out[TURNS] = left


@compiled
def way_to_ruin(state: State, setup: Setup, seat: int, space: int) -> int:
    """Return the distance of a space to the nearest ruin without a master-animal of the seat; 0 if there is none."""
    nearest = SPACES
    for other in range(wide(setup.spaces)):
        if setup.kind[other] == RUIN and not (state.owner[other] == seat + 1 and state.pawns[other, ANIMAL]):
            nearest = min(nearest, wide(setup.distance[space, other]))
    return nearest if nearest < SPACES else 0


@compiled
def turns_left(state: State, setup: Setup, seat: int) -> int:
    """Return how many turns the seat still has; the deck determines when the first card of age 5 is revealed."""
    last = wide(state.last_round)
    turn = wide(state.seat) if state.phase > CHOOSING_START else 0
    if last == 0:
        missing = wide(1)  # cards to be revealed up to and including the first of age 5
        for card in range(1, wide(setup.cards) + 1):
            if setup.age[card] < AGES and state.unseen >> bits(card) & bits(1):
                missing += 1
        if setup.rival:
            # A round reveals two cards in the player's turn and one in the rival's.
            missing -= cards_left(state, setup)
            missing -= 1 if turn or state.phase > REFILLING_AFTER_DRAFT else 2
            if turn == 0:
                missing -= 1
            return max(0, -(-max(0, missing) // 3) + 1 + (1 if seat >= turn else 0))
        # A turn reveals a card after the draft, and with two players another one at its end.
        each = 2 if setup.players == 2 else 1
        missing -= each if state.phase <= REFILLING_AFTER_DRAFT else each - 1
        later = max(0, -(-missing // each))
        last = wide(state.round_number) + (turn + later) // wide(setup.players) + 1
    return max(0, last - wide(state.round_number) + (1 if seat >= turn else 0))


@compiled
def unit_of_lead(state: State, setup: Setup) -> float:
    """Return the lead in points that makes victory e times as likely."""
    turns = wide(0)
    for seat in range(wide(setup.players)):
        turns = max(turns, turns_left(state, setup, seat))
    return NEAR + FAR * turns


@compiled
def estimate(state: State, setup: Setup, weights: Numbers, points: Numbers, chances: Numbers) -> None:
    """Write the expected points of each seat, the weighted sum of its features, and its winning chances."""
    values = arrays.empty(COUNT)
    players = wide(setup.players)
    most = 0.0
    for seat in range(players):
        features(state, setup, seat, values)
        points[seat] = 0.0
        for index in range(COUNT):
            points[seat] += weights[index] * values[index]
        most = max(most, points[seat])
    unit = unit_of_lead(state, setup)
    total = 0.0
    for seat in range(players):
        chances[seat] = exp((points[seat] - most) / unit)
        total += chances[seat]
    for seat in range(players):
        chances[seat] /= total
