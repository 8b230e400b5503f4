"""Puzzles of Kitara: the end of a turn, with as many points as possible if the game ended after it."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from mchezo.core.puzzles import BestTurn, Puzzles, Solution
from mchezo.core.structs import Structs, plain
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import CARD_POINTS, VALUES
from mchezo.games.kitara.structs import ANIMAL, RUIN, Setup, State

EARLIEST = 2  # round of the first puzzle
BEGINNING = (structs.RECRUITING, structs.MOVING)  # phases in which a puzzle begins
TURN = (*BEGINNING, structs.CHOOSING_PAWNS, structs.RETREATING, structs.DRAWING_TOKEN)
THEMES = {"attacked": "attack", "recruited": "recruit"}  # by the effect of a move


def turn(state: State) -> tuple[int, int] | None:
    """Return the round and the seat of a turn in which a puzzle can begin."""
    if int(state.phase) not in BEGINNING or int(state.round_number) < EARLIEST:
        return None
    return int(state.round_number), int(state.seat)


def length(state: State, setup: Setup) -> int:
    """Return how many pawns a seat has still to recruit in its turn, and how many moves it has left."""
    if state.phase == structs.MOVING:
        return int(state.moves_left)
    cards = state.kingdoms[state.seat][: state.kingdom_count[state.seat]]
    return sum(map(int, state.pending)) + sum(int(setup.moves[card]) for card in cards)


def is_within(states: Structs, seat: int) -> bool:
    """Return whether the moves of a seat's turn go on."""
    return int(states[0].seat) == seat and int(states[0].phase) in TURN


def points(states: Structs, setup: object, seat: int) -> int:
    """Return the points of a seat if the game ended after the moves of its turn; cards that starve do not count."""
    state, facts = plain(states), plain(setup)
    prosperity = int(state.points[seat])
    if state.phase == structs.GAME_OVER:
        return prosperity
    cards = state.kingdoms[seat][: state.kingdom_count[seat]]
    kept = len(cards)
    if state.phase == structs.DISCARDING and state.seat == seat:
        hungry = sum(not facts.marked[card] for card in cards)
        kept -= max(0, hungry - int(state.capacity))
    tokens = sum(value * int(count) for value, count in zip(VALUES, state.kept[seat], strict=True))
    return prosperity + CARD_POINTS * kept + tokens


def ruins(states: Structs, setup: object, seat: int) -> frozenset[int]:
    """Return the ruins that score for a seat."""
    state, facts = plain(states), plain(setup)
    return frozenset(
        space
        for space in range(facts.spaces)
        if state.owner[space] == seat + 1 and facts.kind[space] == RUIN and state.pawns[space][ANIMAL]
    )


def themes(solution: Solution) -> Iterator[str]:
    """Yield the themes of a puzzle."""
    yield from (THEMES[effect.key] for effect in solution.effects if effect.key in THEMES)
    animals = any(effect.key == "crossed" and "A" in str(effect.arguments["pawns"]) for effect in solution.effects)
    yield "master-animal" if animals else "feeding"  # otherwise only warriors on savannas can bring the points
    state: Any = plain(solution.start.states)
    is_last = state.last_round and state.round_number == state.last_round
    yield "last-turn" if is_last else "middle-game"


TURN_ENDS = BestTurn(
    players=(2, 3, 4),
    levels=(2, 3),
    lengths=(2, 2, 3),
    most=6,
    stop=".",
    turn=turn,
    length=length,
    is_within=is_within,
    points=points,
    achieved=ruins,
)
PUZZLES = Puzzles(TURN_ENDS, themes, files(__package__) / "puzzles.json.gz")
