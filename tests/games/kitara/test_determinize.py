"""Hero tokens are secret: views do not reveal them, and determinization is consistent with what a seat has seen."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mchezo.core import kernels
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.structs import CHANCE, Structs
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import TOKENS, VALUES
from tests.games.kitara.positions import GAME, arranged, crowd, play, random_states

SEEDS = st.integers(0, 2**32)
TOKEN_SETS = [(12, 12, 9, 6), (36, 1, 1, 1), (0, 0, 20, 19)]


def seen(states: Structs, position: Position, seat: int | None) -> str:
    """Return a seat's view as text."""
    return json.dumps(GAME.view.of(states[0], position.setups[0], seat), sort_keys=True)


@settings(max_examples=15)
@given(players=st.sampled_from([2, 3]), seed=SEEDS, tokens=st.sampled_from(TOKEN_SETS))
def test_determinized_states_are_legal_and_look_the_same_to_the_seat(
    players: int, seed: int, tokens: tuple[int, int, int, int]
) -> None:
    position = crowd(players, tokens)
    rng, logged = new_rng(seed + 1), 0
    for number, (states, choices) in enumerate(random_states(position, seed, eager=True)):
        if number % 11 or kernels.to_move(states) == CHANCE:
            continue
        logged = max(logged, int(states[0].logged))
        for seat in range(players):
            redrawn = states.copy()
            kernels.determinize(redrawn, position.setups, seat, rng)
            assert seen(redrawn, position, seat) == seen(states, position, seat)
            assert seen(redrawn, position, None) == seen(states, position, None)
            assert legal(redrawn, position) == choices
            check_history(redrawn, tokens)
            # What the seat has seen itself stays, and nothing but tokens changes.
            own = states[0].log[:, 0] == seat
            assert (redrawn[0].log[own] == states[0].log[own]).all()
            for field in structs.STATE.names or ():
                if field not in ("bag", "drawn", "kept", "log"):
                    assert (redrawn[0][field] == states[0][field]).all(), field
    assert logged > 2


def legal(states: Structs, position: Position) -> list[int]:
    """Return the legal actions."""
    actions, weights = (np.zeros(structs.MOST_CHOICES, np.int32) for _ in range(2))
    count = kernels.list_choices(states, position.setups, actions, weights)
    return [int(action) for action in actions[:count]]


def check_history(states: Structs, tokens: tuple[int, ...]) -> None:
    """Check that every logged draw is possible, that the best token was kept, and that the counts add up."""
    state = states[0]
    bag, kept = np.array(tokens), np.zeros((structs.SEATS, len(VALUES)), int)
    for entry in state.log[: state.logged]:
        drawn = entry[1:]
        assert drawn.sum() > 0
        assert (drawn <= bag).all()
        best = int(np.flatnonzero(drawn)[-1])
        bag[best] -= 1
        kept[entry[0], best] += 1
    assert (state.kept == kept).all()
    assert (state.drawn <= bag).all()
    assert (state.bag == bag - state.drawn).all()
    assert state.bag.sum() + state.drawn.sum() + state.kept.sum() == TOKENS


@settings(max_examples=10)
@given(seed=SEEDS)
def test_states_that_differ_only_in_what_a_seat_cannot_see_give_it_identical_views(seed: int) -> None:
    position = crowd(3)
    differing = 0
    for number, (states, _) in enumerate(random_states(position, seed, eager=True)):
        if number % 11 == 0 and states[0].phase != structs.GAME_OVER:
            other = states.copy()
            kernels.determinize(other, position.setups, 0, new_rng(seed + number))
            differing += bool((other[0].kept != states[0].kept).any())
            assert seen(other, position, 0) == seen(states, position, 0)
    assert differing


def test_tokens_of_other_seats_are_redrawn_from_those_this_seat_does_not_hold() -> None:
    position = arranged({"a": (0, "W1"), "f": (1, "W1")}, kept=[[5, 5], [5]])
    state = position.states[0]
    state.logged = 3
    state.log[:3] = [[0, 0, 0, 0, 1], [1, 1, 0, 0, 1], [0, 0, 0, 0, 1]]
    drawn: Counter[int] = Counter()
    rng = new_rng(5)
    for _ in range(20_000):
        states = position.states.copy()
        kernels.determinize(states, position.setups, 0, rng)
        drawn[VALUES[int(np.flatnonzero(states[0].kept[1])[0])]] += 1
    # Two of the 37 tokens that seat 0 does not hold: 12 twos, 12 threes, 9 fours, 4 fives; the higher is kept.
    pairs = 37 * 36 / 2
    expected = {2: 66 / pairs, 3: (66 + 144) / pairs, 4: (36 + 9 * 24) / pairs, 5: (6 + 4 * 33) / pairs}
    for value, share in expected.items():
        assert drawn[value] / 20_000 == pytest.approx(share, abs=0.015)


def test_a_seat_remembers_the_tokens_that_it_drew_and_returned() -> None:
    # Seat 0 drew both fives in its turn and returned one: seat 1 cannot have had a five before, only afterwards.
    position = arranged({"a": (0, "W1"), "f": (1, "W1")}, tokens=[37, 0, 0, 2], kept=[[5], [2, 5]])
    state = position.states[0]
    state.logged = 3
    state.log[:3] = [[1, 1, 0, 0, 0], [0, 0, 0, 0, 2], [1, 0, 0, 0, 1]]
    for seed in range(200):
        states = position.states.copy()
        kernels.determinize(states, position.setups, 0, new_rng(seed))
        assert states[0].log[0].tolist() == [1, 1, 0, 0, 0]
        check_history(states, (37, 0, 0, 2))


def test_tokens_drawn_in_the_middle_of_a_turn_are_hidden_as_well() -> None:
    spaces = {"a": (0, "H3"), "b": (1, "W1"), "f": (1, "W1")}
    position = play(arranged(spaces), "a-b H3 =5")
    assert position.view(0)["own_tokens"]["drawn"] == [5]
    assert position.view(1)["own_tokens"] == {"kept": [], "drawn": []}
    assert position.view(None)["own_tokens"] is None
    found = set()
    for seed in range(60):
        states = position.states.copy()
        kernels.determinize(states, position.setups, 1, new_rng(seed))
        found.add(int(np.flatnonzero(states[0].drawn)[0]))
        assert states[0].drawn.sum() == 1
    assert found == {0, 1, 2, 3}


def test_only_the_seat_that_draws_a_token_may_see_it() -> None:
    position = play(arranged({"a": (0, "H3"), "b": (1, "W1"), "f": (1, "W1")}), "a-b H3 =5 >f")
    assert [step.only for step in position.steps] == [None, None, 0, None]


def test_nothing_is_redrawn_once_the_game_is_over_and_all_is_open() -> None:
    spaces = {"a": (0, "W1"), "f": (1, "W1")}
    position = play(arranged(spaces, seat=1, kept=[[5], [2]], round_number=7, last_round=7), ".")
    assert position.view(None)["all_tokens"] == [[5], [2]]
    states = position.states.copy()
    kernels.determinize(states, position.setups, 0, new_rng(1))
    assert states == position.states
