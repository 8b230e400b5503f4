"""The evaluation of Kiwara."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import mchezo
from mchezo.core.features import LARGEST
from mchezo.games.kiwara import evaluate
from mchezo.games.kiwara.structs import NOBODY, PLACING
from tests.games.kiwara.positions import KIWARA, at

FEATURES = evaluate.FEATURES["kiwara"]
VERSIONS: tuple[dict[str, Any], ...] = (
    {},
    {"board": "president", "reinforcement": "pile"},
    {"reinforcement": "pile", "handicap": (1, 2), "hyena": "place"},
    {"handicap": (0, 2), "rhinoceros": "neighbour"},
)


def random_positions(seed: int) -> Iterator[mchezo.Position]:
    """Yield every position of random games in several versions, except the last."""
    generator = random.Random(seed)
    for options in VERSIONS:
        position = KIWARA.start(seed=seed, **options)
        while position.to_move is not None:
            yield position
            position.play(generator.choice(position.legal_moves))


def features(position: mchezo.Position, seat: int) -> dict[str, float]:
    """Return the features of a seat by name, without the scaling by free spaces."""
    out = np.zeros(len(FEATURES))
    evaluate.features(position.states[0], position.setups[0], seat, out)
    free = 30 - len(position.view()["animals"])
    counted = np.round(out / evaluate.SHARPNESS[free], 6).tolist()
    return dict(zip((feature.name for feature in FEATURES), counted, strict=True))


def present(position: mchezo.Position, seat: int, beginning: str = "") -> dict[str, float]:
    """Return the nonzero features of a seat."""
    return {name: n for name, n in features(position, seat).items() if n and name.startswith(beginning)}


def test_a_value_is_the_weighted_difference_of_the_seats_features() -> None:
    weights = np.random.default_rng(1).normal(0, 300, len(FEATURES))
    for position in random_positions(1):
        state, setup = position.states[0], position.setups[0]
        own, other = np.zeros(len(FEATURES)), np.zeros(len(FEATURES))
        evaluate.features(state, setup, 0, own)
        evaluate.features(state, setup, 1, other)
        expected = np.clip((own - other) @ weights, -LARGEST, LARGEST)
        assert abs(evaluate.evaluate(state, setup, weights) - expected) <= 1


def test_swapping_the_seats_negates_the_value() -> None:
    total = 0
    for position in random_positions(2):
        setup = position.setups[0]
        weights = evaluate.weights(setup)
        before = evaluate.evaluate(position.states[0], setup, weights)
        changed = position.states.copy()
        state = changed[0]
        for part in (state.own, state.hands, state.cards):
            part[:] = part[::-1].copy()
        state.seat = 1 - state.seat
        if state.reinforced != NOBODY:
            state.reinforced = 1 - state.reinforced
        assert evaluate.evaluate(state, setup, weights) == -before
        total += abs(before)
    assert total


def test_every_feature_has_a_unique_name_and_a_weight() -> None:
    names = [feature.name for feature in FEATURES]
    assert len(set(names)) == len(names) == evaluate.COUNT
    assert evaluate.weights(KIWARA.start(seed=1).setups[0]).shape == (len(names),)


def test_territories_count_for_their_leader_by_lead_and_free_spaces() -> None:
    # Territory D (e2 f2 f3) is Yellow's for good: two zebras of three spaces. A (5 spaces) has one red gazelle.
    position = at("g5/4ZZ/6/6/6 16 y - - - -")
    assert present(position, 0, "points") == {"points-won": 12}
    # The totem faces column a: there Yellow can place in the empty E (3 spaces), and in A, which Red leads.
    assert present(position, 0, "spaces") == {"spaces-won": 1, "spaces-level-3": 3}
    assert present(position, 1, "points") == {"points-1-of-4-other-places": 2}
    assert present(position, 1, "spaces") == {"spaces-1-of-4-other-places": 4}


def test_hidden_animals_count_for_the_lead_but_score_no_points() -> None:
    position = at("6/4Z*Z*/5L/6/6 16 y okapi - - y")
    assert present(position, 0, "points") == {"points-won": 1}  # the lion's


def test_a_tied_territory_counts_for_the_seat_that_can_break_the_tie() -> None:
    # D has a zebra each and f3 free, which the totem faces from the right of row 3.
    assert present(at("6/4Zz/6/6/6 8 r - - - -"), 1, "points") == {"points-level-1": 12}
    assert present(at("6/4Zz/6/6/6 8 r - - - -"), 0, "points") == {}
    # From column a it does not.
    assert present(at("6/4Zz/6/6/6 0 r - - - -"), 1, "points") == {}


def test_a_seat_that_can_fill_the_first_territory_may_win_the_reinforcement() -> None:
    assert features(at("6/4Zz/6/6/6 8 r - - - -"), 1)["filling"] == 1
    assert features(at("6/4Zz/6/6/6 8 r - - - -"), 0)["filling"] == 0
    assert features(at("6/4Zz/6/6/6 0 r - - - -"), 1)["filling"] == 0


def test_hands_and_cards_are_counted() -> None:
    position = at("G*1C3/L5/6/6/6 3 r vulture,hyena - - -")
    yellow = features(position, 0)
    in_hand = [yellow[f"{animal}s-in-hand"] for animal in ("gazelle", "zebra", "crocodile", "elephant", "lion")]
    assert in_hand == [5, 5, 1, 1, 0]
    assert (yellow["vulture"], yellow["hyena"], yellow["okapi"]) == (1, 1, 0)


def test_threatened_animals_are_counted_while_the_enemy_has_the_hunter_in_hand() -> None:
    # Yellow's zebra a1 and gazelle c4 are next to free spaces; c4 has rivers to b4 or c5, not to c3 and d4.
    yellow = features(at("Z5/6/6/2G3/6 0 y - - - -"), 0)
    assert (yellow["zebras-near-lion"], yellow["gazelles-near-lion"], yellow["gazelles-chased"]) == (1, 1, 2)
    # Red's lion is on the board and threatens nobody any more.
    yellow = features(at("Z5/6/6/2G2l/6 0 y - - - -"), 0)
    assert (yellow["zebras-near-lion"], yellow["gazelles-near-lion"], yellow["gazelles-chased"]) == (0, 0, 2)
    # One crocodile of Red's is used, and hides nobody.
    assert features(at("Z5/6/6/2G3/5c 0 y - - - -"), 0)["gazelles-chased"] == 1


def test_every_action_in_the_middle_of_a_turn_is_noisy() -> None:
    middles = 0
    for position in random_positions(3):
        state, setup = position.states[0], position.setups[0]
        actions = np.array(position.choices()[0], np.int32)
        count = evaluate.noisy(state, setup, actions.copy(), len(actions))
        begins = position.view()["position"] is not None
        # Cards that send animals home, or are announced before placing, leave the turn at its beginning.
        if begins and not state.hyena and state.phase == PLACING:
            assert count == 0
        if not begins and (state.placed or position.steps[-1].text.startswith("~")):
            assert count == len(actions)
            middles += 1
    assert middles > 50
