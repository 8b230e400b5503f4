"""Small packs, arranged positions and random games of Kitara."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import mchezo
from mchezo.core import kernels
from mchezo.core.position import Position
from mchezo.core.rng import new_rng, randbelow
from mchezo.core.structs import CHANCE, OVER, Structs
from mchezo.games.kitara import rules, structs
from mchezo.games.kitara.components import PAWNS, PAWNS_EACH, VALUES
from mchezo.games.kitara.setup import material_of

GAME = mchezo.game("kitara")

# A row of six savannas from start space to start space, with a ruin above each of the two in the middle.
LINE = "a-b b-c c-d d-e e-f c-r d-s"
# All players are neighbours, with heroes from the start and nothing to feed: many attacks, many tokens.
CROWD = {
    "links": "a-b b-c c-d d-a a-c b-d a-r b-r c-r d-r",
    "starts": "a b c d",
    "ruins": "r",
    "ages": tuple(" ".join(["M1N"] * count) for count in (9, 9, 9, 9, 9)),
    "starting_card": "D1W3M6N",
}


def pack_text(
    *,
    links: str = LINE,
    starts: str = "a f",
    ruins: str = "r s",
    lakes: str = "l",
    players: int = 2,
    ages: Sequence[str] = ("W1 W1 W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1"),
    starting_card: str = "D2W3M2",
    tokens: Sequence[int] = (12, 12, 9, 6),
) -> str:
    """Return a pack with one map and a blue deck; links are white borders."""
    borders: dict[str, list[str]] = {}
    for link in links.split():
        one, other = link.split("-")
        borders.setdefault(one, []).append(other)
        borders.setdefault(other, []).append(one)
    borders |= {lake: [] for lake in lakes.split()}
    lines = ['name = "Small"', f'starting_card = "{starting_card}"', "[tokens]"]
    lines += [f"{value} = {count}" for value, count in zip(VALUES, tokens, strict=True)]
    lines += ["[decks]", f"blue = {[age.split() for age in ages]}", f"[maps.{players}]", "size = [100, 100]"]
    for number, (space, others) in enumerate(borders.items()):
        kind = "lake" if space in lakes.split() else "ruin" if space in ruins.split() else "savanna"
        lines += [f"[[maps.{players}.spaces]]", f'id = "{space}"', f'kind = "{kind}"', f"borders = {others}"]
        lines += [f"start = {'true' if space in starts.split() else 'false'}", f"at = [{number}, {number}]"]
    return "\n".join(lines)


def start(players: int = 2, **pack: Any) -> Position:
    """Return a game with a small pack, before the first card is revealed; the test plays chance."""
    return GAME.start(players=players, pack=pack_text(players=players, **pack), chance="manual")


def arranged(
    spaces: Mapping[str, tuple[int, str]],
    *,
    players: int = 2,
    phase: int = structs.MOVING,
    seat: int = 0,
    kingdoms: Sequence[Sequence[str]] = (),
    row: Sequence[str] = (),
    unseen: Sequence[str] = (),
    moves_left: int = 3,
    bag: Sequence[int] | None = None,
    kept: Sequence[Sequence[int]] = (),
    points: Sequence[int] = (),
    round_number: int = 1,
    last_round: int = 0,
    **pack: Any,
) -> Position:
    """Return a position in the middle of a game: spaces are `name: (seat, "W2A1")`, cards are named as in moves."""
    position = start(players, **pack)
    state, material = position.states[0], material_of(position.setups[0])
    state.phase, state.seat, state.moves_left = phase, seat, moves_left
    state.round_number, state.last_round = round_number, last_round
    for name, (owner, pawns) in spaces.items():
        space = material.space_numbers[name]
        state.owner[space] = owner + 1
        state.held[owner] += 1
        for letter, count in zip(pawns[::2], pawns[1::2], strict=True):
            state.pawns[space, PAWNS.index(letter)] = int(count)
    for seat in range(players):
        on_board = state.pawns[state.owner == seat + 1].sum(axis=0)
        state.supply[seat] = PAWNS_EACH - on_board
    for seat, cards in enumerate(kingdoms):
        state.kingdom_count[seat] = len(cards)
        state.kingdoms[seat, : len(cards)] = [material.card_numbers[card] for card in cards]
    state.row_count = len(row)
    state.row[: len(row)] = [material.card_numbers[card] for card in row]
    state.unseen = sum(1 << material.card_numbers[card] for card in unseen)
    for seat, values in enumerate(kept):
        for value in values:
            state.kept[seat, VALUES.index(value)] += 1
    state.bag = bag if bag is not None else state.bag - state.kept.sum(axis=0)
    state.points[: len(points)] = points
    return position


def crowd(players: int, tokens: tuple[int, ...] = (12, 12, 9, 6)) -> Position:
    """Return a game with many hero attacks."""
    spaces = {"a": (0, "W3H3"), "b": (1, "W3H3"), "c": (2, "W3H3"), "d": (0, "W1"), "r": (1, "W1")}
    if players == 2:
        del spaces["c"]
    unseen = [f"{age}.{place}" for age in range(1, 6) for place in range(1, 10)][6:]
    row = [f"1.{place}" for place in range(1, 7)]
    rounds = {"round_number": 1, "phase": structs.DRAFTING, "row": row, "unseen": unseen}
    return arranged(spaces, players=players, tokens=tokens, **rounds, **CROWD)  # type: ignore[arg-type]  # as it takes them


def play(position: Position, moves: str) -> Position:
    """Play moves separated by spaces."""
    for move in moves.split():
        position.play(move)
    return position


def to_start(position: Position, cards: str, starts: str) -> Position:
    """Reveal the row and take the start spaces."""
    return play(position, " ".join([f"={card}" for card in cards.split()] + [f"@{space}" for space in starts.split()]))


def with_hidden_token() -> mchezo.Position:
    """Return a game of Kitara in which a seat holds a token that others may not see."""
    for seed in range(100):
        position, generator = mchezo.game("kitara").start(seed=seed), random.Random(seed)
        while position.outcome is None:
            if "=?" in position.seen_moves():
                return position
            position.play(generator.choice(position.legal_moves))
    raise AssertionError("no hero has attacked in a hundred games")


def random_states(position: Position, seed: int, *, eager: bool = False) -> Iterator[tuple[Structs, list[int]]]:
    """Yield the states of a random game from here to its end, each with what can happen next; eager players attack."""
    states, setups, rng = position.states.copy(), position.setups, new_rng(seed)
    actions, weights = (np.zeros(structs.MOST_CHOICES, np.int32) for _ in range(2))
    while True:
        count = kernels.list_choices(states, setups, actions, weights)
        choices = actions[:count].tolist()
        yield states, choices
        mover = kernels.to_move(states)
        if mover == OVER:
            return
        if mover == CHANCE:
            action = choices[kernels.weighted(weights, count, rng)]
        else:
            wanted = (eager and attacks(states[0], choices)) or choices
            action = wanted[randbelow(rng, len(wanted))]
        kernels.apply_action(states, setups, action)


def attacks(state: Any, choices: list[int]) -> list[int]:
    """Return the borders into enemy spaces, or the larger half of the groups that can cross."""
    if state.phase == structs.CHOOSING_PAWNS:
        return choices[len(choices) // 2 :]
    if state.phase != structs.MOVING:
        return []
    targets = {action: (action - structs.CROSS) % structs.SPACES for action in choices[:-1]}
    return [action for action, target in targets.items() if state.owner[target] not in (0, state.seat + 1)]


def settle(position: Position) -> None:
    """Continue to the next decision."""
    rules.advance(position.states[0], position.setups[0])
