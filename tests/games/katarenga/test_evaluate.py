"""The evaluation of Katarenga, Congress, Quebec and Isolation."""

import random
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.core.features import LARGEST, hand_set
from mchezo.games.katarenga import evaluate, rules, structs
from mchezo.games.katarenga.components import START_FIGURE, turn_board

KATARENGA = mchezo.game("katarenga")
VARIANTS = structs.VARIANTS
EVALUATED_HERE = VARIANTS[: structs.ISOLATION_ALONE]  # whose evaluation is in evaluate.py
FOR_TWO = tuple(variant for variant in VARIANTS if variant != "isolation-alone")
OPPOSITE_QUARTER = {"a1": "h8", "h1": "a8", "a8": "h1", "h8": "a1"}
FEW = "8/2b2w2/8/w6b/8/2b5/5w2/8 w - -"  # three pawns each are connected quickly
ALL_BLUE = "/".join(["BBBBBBBB"] * 8)  # every pawn steps one square, like a king


def random_positions(variant: str, games: int = 3, seed: int = 1) -> Iterator[mchezo.Position]:
    """Yield every position of some random games, except the last."""
    generator = random.Random(seed)
    for number in range(games):
        few = FEW if variant == "congress" and number % 2 else None
        position = KATARENGA.start(variant=variant, choose_baseline=False, seed=number, position=few)
        while position.to_move is not None:
            yield position
            position.play(generator.choice(position.legal_moves))


def features(position: mchezo.Position, seat: int) -> dict[str, float]:
    """Return the features of a seat by name."""
    kind = str(position.options["variant"])
    out = np.zeros(len(evaluate.FEATURES[kind]))
    evaluate.features(position.states[0], position.setups[0], seat, out)
    return dict(zip((feature.name for feature in evaluate.FEATURES[kind]), out.tolist(), strict=True))


def present(position: mchezo.Position, seat: int) -> dict[str, float]:
    """Return the nonzero features of a seat."""
    return {name: count for name, count in features(position, seat).items() if count}


def value(position: mchezo.Position, weights: Any = None) -> int:
    """Return the value of a position for White."""
    setup = position.setups[0]
    return evaluate.evaluate(position.states[0], setup, evaluate.weights(setup) if weights is None else weights)


def mirrored(position: mchezo.Position) -> mchezo.Position:
    """Return the same position with swapped seats, on the rotated board.

    North West Passage is mirrored from left to right instead: half a turn leaves both diagonals where they are.
    """
    options = dict(position.options)
    passage = options["variant"] == "north-west-passage"
    board = options["board"]
    turned = "/".join(rank[::-1] for rank in board.split("/")) if passage else turn_board(board, 2)
    flip = 7 if passage else 63
    other = KATARENGA.start(
        **{
            **options,
            "board": turned,
            "quarter": OPPOSITE_QUARTER[options["quarter"]] if options["variant"] == "cornered" else "a1",
        }
    )
    camps = {64: 67, 65: 66, 66: 65, 67: 64}
    state, from_state = other.states[0], position.states[0]

    def image(place: int) -> int:
        return place if place < 0 else camps.get(place, place ^ flip)

    for place in range(68):
        state.cells[image(place)] = (0, 2, 1, 3)[from_state.cells[place]]
    for seat in range(2):
        state.places[seat] = [image(int(place)) for place in from_state.places[1 - seat]]
        state.pawns[seat] = from_state.pawns[1 - seat]
        state.in_hand[seat] = from_state.in_hand[1 - seat]
        state.homing[seat] = image(int(from_state.homing[1 - seat]))
    state.last = [image(int(place)) for place in from_state.last]
    state.exposed = image(int(from_state.exposed))
    state.before_trail = image(int(from_state.before_trail))
    state.phase, state.moves_made = from_state.phase, from_state.moves_made
    state.seat = 1 - from_state.seat
    other.states = other.states.copy()  # what the position knew of its start no longer holds
    return other


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_value_is_the_weighted_difference_of_the_seats_features(variant: str) -> None:
    weights = np.random.default_rng(1).normal(0, 300, len(evaluate.FEATURES[variant]))
    for position in random_positions(variant):
        own, other = (np.array(list(features(position, seat).values())) for seat in range(2))
        expected = np.clip((own - other) @ weights, -LARGEST, LARGEST)
        assert abs(value(position, weights) - expected) <= 1


@pytest.mark.parametrize("variant", FOR_TWO)
def test_swapping_the_seats_negates_the_value(variant: str) -> None:
    total = 0
    for position in islice(random_positions(variant), 100):
        total += abs(value(position))
        assert value(mirrored(position)) == -value(position)
    assert total


@pytest.mark.parametrize("variant", FOR_TWO)
def test_the_moves_of_swapped_seats_are_mirror_images(variant: str) -> None:
    flip = 7 if variant == "north-west-passage" else 63
    squares = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
    images = {square: squares[number ^ flip] for number, square in enumerate(squares)}
    images |= {"a9": "h0", "h9": "a0", "a0": "h9", "h0": "a9"}

    def image(move: str) -> str:
        return re.sub("[a-h][0-9]", lambda found: images[found[0]], move)

    for position in islice(random_positions(variant, games=6), 200):
        assert sorted(mirrored(position).legal_moves) == sorted(map(image, position.legal_moves))


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_feature_has_a_unique_name_and_a_weight(variant: str) -> None:
    names = [feature.name for feature in evaluate.FEATURES[variant]]
    assert len(set(names)) == len(names)
    setup = KATARENGA.start(variant=variant, choose_baseline=False, seed=1).setups[0]
    assert evaluate.weights(setup).shape == (len(names),)
    assert np.any(hand_set(evaluate.FEATURES[variant]))


def test_before_the_baseline_is_chosen_the_position_is_even() -> None:
    position = KATARENGA.start(seed=1)
    assert position.legal_moves[0].startswith("turn")
    assert value(position) == 0


def test_in_the_start_array_both_sides_differ_only_by_the_move() -> None:
    position = KATARENGA.start(board=START_FIGURE)
    white = present(position, 0)
    assert white["pawns-8"] == 1
    assert white["tempo"] == 1
    assert "tempo" not in present(position, 1)
    # The first rank of the printed board is GBRYRGBY: two of each colour.
    assert [white[f"{colour}-1"] for colour in ("red", "green", "blue", "yellow")] == [2, 2, 2, 2]


def test_distances_to_the_camps_agree_with_a_count_by_hand() -> None:
    position = KATARENGA.start(board=ALL_BLUE, position="1w2b3/8/8/4w3/8/8/3b4/8 w a -")
    assert present(position, 0) == {
        "pawns-3": 1,  # two on the board, one in a camp
        "needs-last-1": 1,  # from b8 into h9
        "away-0": 1,
        "away-3": 1,
        "blue-8": 1,
        "blue-5": 1,
        "landings-to-move-2": 1,  # a8 and c8
        "entries-to-move-1": 1,  # nobody can capture b8
        "loose-to-move-0": 1,
        "mobility": 5 + 8,
        "tempo": 1,
    }
    assert present(position, 1) == {
        "pawns-2": 1,
        "needs-9": 1,  # two moves from d2; from e8 seven and more count alike
        "away-1": 1,
        "away-6": 1,
        "blue-7": 1,
        "blue-1": 1,
        "landings-waiting-3": 1,  # c1, d1 and e1
        "entries-waiting-0": 1,
        "loose-waiting-0": 1,
        "mobility": 8 + 5,
        "guarded": 2,  # d8 and f8
    }


def test_pawns_that_can_be_captured_are_loose_unless_they_are_defended() -> None:
    position = KATARENGA.start(board=ALL_BLUE, position="8/8/1b6/w7/w3wb2/8/8/8 b - -")
    white, black = present(position, 0), present(position, 1)
    # b6 attacks a5, which a4 defends; f4 attacks e4, which nobody defends.
    assert white["loose-waiting-1"] == 1
    assert white["exchange-waiting"] == 1
    # Both of Black's pawns can be captured and neither is defended.
    assert black["loose-to-move-2"] == 1
    assert "exchange-to-move" not in black


def test_congress_counts_groups_and_the_pawns_that_can_join_them() -> None:
    pawns = "b1b1b1b1/8/8/8/6w1/8/wwww1w2/8 w - -"
    position = KATARENGA.start(variant="congress", board=ALL_BLUE, position=pawns)
    white = present(position, 0)
    assert white["group-4"] == 1
    assert white["groups-3"] == 1
    assert white["joining-to-move-1"] == 1  # f2 steps to e2; g4 is too far
    # Files a b c d f g, ranks five times 2 and once 4.
    assert white["spread"] == sum(abs(a - b) for a in (0, 1, 2, 3, 5, 6) for b in (0, 1, 2, 3, 5, 6)) / 2 + 5 * 2
    assert white["blue"] == 6


def test_isolation_counts_the_open_squares() -> None:
    for position in random_positions("isolation", games=2):
        seat = position.to_move
        assert seat is not None
        count = len(position.legal_moves)
        assert features(position, seat)["open"] == count
        assert features(position, seat)[f"to-move-{min(count, evaluate.MOST_OPEN)}"] == 1
        assert features(position, seat)["own"] == 0  # what is open to one is open to the other


@pytest.mark.parametrize("variant", EVALUATED_HERE)
def test_noisy_moves_come_first(variant: str) -> None:
    seen = 0
    for position in random_positions(variant, games=4, seed=3):
        state, setup = position.states[0], position.setups[0]
        legal = np.array(position.choices()[0], np.int32)
        sorted_out = legal.copy()
        count = evaluate.noisy(state, setup, sorted_out, len(legal))
        first = {KATARENGA.notation.write(int(action), state, setup) for action in sorted_out[:count]}
        seen += count
        assert sorted(sorted_out) == sorted(legal)
        assert first == {move for move in position.legal_moves if cannot_wait(position, move)}
    assert seen or variant == "isolation"


@pytest.mark.parametrize("variant", EVALUATED_HERE)
def test_noisy_moves_alone_are_those_that_come_first(variant: str) -> None:
    seen = 0
    for position in random_positions(variant, games=4, seed=5):
        state, setup = position.states[0], position.setups[0]
        legal = np.zeros(KATARENGA.rules.most_choices, np.int32)
        alone = legal.copy()
        actions = position.choices()[0]
        legal[: len(actions)] = actions
        count = evaluate.noisy(state, setup, legal, len(actions))
        found = evaluate.noisy_only(state, setup, alone)
        assert abs(found) == count
        assert alone[:count].tolist() == legal[:count].tolist()
        assert (found < 0) == (count == len(actions))
        seen += count
    assert seen or variant == "isolation"


def test_where_every_move_is_noisy_it_is_said() -> None:
    # White's last pawn outside a camp stands on Black's baseline, and the other camp is empty.
    board = "/".join(["GGGGGGGG"] * 8)
    position = KATARENGA.start(board=board, position="w7/2b5/1b6/8/8/8/8/bb6 w h -")
    out = np.zeros(KATARENGA.rules.most_choices, np.int32)
    found = evaluate.noisy_only(position.states[0], position.setups[0], out)
    assert position.legal_moves == ["a8xc7", "a8xb6", "a8-a9"]
    assert found == -3


def cannot_wait(position: mchezo.Position, move: str) -> bool:
    """Return whether a move captures, enters a camp, reaches the baseline of the last camp, or connects all pawns."""
    variant = position.options["variant"]
    if variant == "isolation":
        return False
    if "x" in move or move[-1] in "09":
        return True
    seat = int(position.states[0].seat)
    if variant == "katarenga":
        camps = position.states[0].cells[64:66] if seat == 0 else position.states[0].cells[66:68]
        goal = "8" if seat == 0 else "1"
        return any(camps) and move[-1] == goal and move[1] != goal
    after = position.copy()
    after.play(move)
    return rules.connected(after.states[0], seat)


def test_a_move_that_connects_several_groups_is_noisy() -> None:
    # Three on the left, three on the right, and one above the gap that closes it.
    position = KATARENGA.start(variant="congress", board=ALL_BLUE, position="b1b3b1/8/8/8/8/8/3w4/www1www1 w - -")
    state, setup = position.states[0], position.setups[0]
    legal = np.array(position.choices()[0], np.int32)
    count = evaluate.noisy(state, setup, legal, len(legal))
    assert [KATARENGA.notation.write(int(action), state, setup) for action in legal[:count]] == ["d2-d1"]
