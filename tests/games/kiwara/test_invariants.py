"""Invariants of every game, checked over random games in all versions."""

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from mchezo.games.kiwara.components import ANIMALS, CARDS, PATH, SPACES, neighbours
from mchezo.games.kiwara.notation import ACTIONS, TEXTS
from tests.games.kiwara.positions import KIWARA

VERSIONS = st.fixed_dictionaries(
    {
        "board": st.sampled_from(["classic", "president", "AAAAAA/BACCDA/BACEDD/BCCEEF/EEEEFF"]),
        "reinforcement": st.sampled_from(["okapi", "pile"]),
        "handicap": st.sampled_from([None, (0, 1), (0, 2), (1, 1), (1, 2)]),
        "rhinoceros": st.sampled_from(["edge", "neighbour"]),
        "hyena": st.sampled_from(["move", "place"]),
        "seed": st.integers(0, 10**6),
    }
)
MANY = settings(max_examples=25)
MOST_DECISIONS = 150  # a random game has about 65


def random_game(options: dict[str, Any]) -> Iterator[tuple[mchezo.Position, dict[str, Any]]]:
    """Yield every position of a random game with its view."""
    generator = random.Random(options["seed"])
    position = KIWARA.start(**options)
    yield position, position.view()
    while position.to_move is not None:
        position.play(generator.choice(position.legal_moves))
        yield position, position.view()


@MANY
@given(VERSIONS)
def test_every_game_ends_and_its_winner_has_more_points_or_the_reinforcement(options: dict[str, Any]) -> None:
    *_, (position, view) = random_game(options)
    assert len(position.moves) < MOST_DECISIONS
    assert len(view["animals"]) == 30
    outcome = position.outcome
    assert outcome is not None
    assert list(outcome.scores) == view["scores"]
    (winner,) = outcome.winners
    if outcome.reason == "points":
        assert outcome.scores[winner] > outcome.scores[1 - winner]
    else:
        assert outcome.scores[0] == outcome.scores[1]
        assert winner == view["reinforced"]


@MANY
@given(VERSIONS)
def test_tokens_in_hand_equal_empty_spaces_and_nobody_has_more_than_the_box_contains(
    options: dict[str, Any],
) -> None:
    for _, view in random_game(options):
        assert sum(sum(hand.values()) for hand in view["hands"]) == 30 - len(view["animals"])
        standing = [(token["seat"], token["animal"]) for token in view["animals"].values()]
        for seat in range(2):
            for animal in ANIMALS:
                assert view["hands"][seat][animal.letter] + standing.count((seat, animal.letter)) == animal.count


@MANY
@given(VERSIONS)
def test_every_card_is_always_in_one_place(options: dict[str, Any]) -> None:
    for _, view in random_game(options):
        seen = [*view["cards"][0], *view["cards"][1], *view["used"], *view["drawn"], *["okapi"] * view["okapi_open"]]
        assert len(set(seen)) == len(seen)
        assert len(seen) + view["pile"] == len(CARDS)


@MANY
@given(VERSIONS)
def test_only_gazelles_and_zebras_hide_and_none_is_visible_next_to_a_lion(options: dict[str, Any]) -> None:
    for _, view in random_game(options):
        for space, token in view["animals"].items():
            beside = [view["animals"].get(SPACES[other]) for other in neighbours(SPACES.index(space))]
            if token["animal"] not in "GZ":
                assert not token["hidden"]
            elif any(other and other["animal"] == "L" for other in beside):
                assert token["hidden"]


@MANY
@given(VERSIONS)
def test_a_player_who_must_place_has_a_token_and_the_totem_faces_a_free_space(options: dict[str, Any]) -> None:
    for position, view in random_game(options):
        if view["decision"] == "place":
            seat = position.to_move
            assert seat is not None
            assert sum(view["hands"][seat].values()) > sum(view["resting"].values())
            assert any(PATH[view["totem"]] in space and space not in view["animals"] for space in SPACES)


@MANY
@given(VERSIONS)
def test_in_one_chain_a_crocodile_never_returns_to_a_space(options: dict[str, Any]) -> None:
    chain: list[str] = []
    for _, view in random_game(options):
        if view["crocodile"] is None:
            chain = []
        else:
            assert view["crocodile"] not in chain
            chain.append(view["crocodile"])


@MANY
@given(VERSIONS)
def test_optional_decisions_arise_only_if_there_is_a_choice(options: dict[str, Any]) -> None:
    for position, view in random_game(options):
        moves = position.legal_moves
        assert len(set(moves)) == len(moves)
        assert all(TEXTS[ACTIONS[move]] == move for move in moves)
        if view["decision"] in ("swap", "hyena", "after"):
            assert len(moves) > 1
            assert moves[-1] == "."
        assert bool(moves) == (view["decision"] is not None)


@MANY
@given(VERSIONS)
def test_a_game_continued_from_a_written_position_is_the_same_game(options: dict[str, Any]) -> None:
    written = {**options, "handicap": None}
    for position, view in random_game(options):
        if view["position"] is not None:
            again = KIWARA.start(**{**written, "position": view["position"]})
            assert again.view() == view
            assert again.legal_moves == position.legal_moves
            assert again.outcome == position.outcome
            assert position.to_move is None or again.key == position.key


@settings(max_examples=10)
@given(VERSIONS)
def test_every_readable_move_is_legal_or_rejected_with_a_reason(options: dict[str, Any]) -> None:
    generator = random.Random(options["seed"])
    for position, view in random_game({**options, "chance": "manual"}):
        legal = position.legal_moves
        for move in generator.sample(TEXTS, 80):
            if move not in legal and view["decision"] is not None:
                refused = KIWARA.notation.explain(ACTIONS[move], position.states[0], position.setups[0])
                assert isinstance(refused, mchezo.IllegalMove)
                assert move in refused.say("nl")


@settings(max_examples=5)
@given(VERSIONS)
def test_different_positions_have_different_keys(options: dict[str, Any]) -> None:
    keys: dict[int, list[str]] = {}
    for position, _ in random_game(options):
        for move in position.legal_moves:
            after = position.copy()
            after.play(move)
            if after.to_move is not None:
                assert keys.setdefault(after.key, after.moves) == after.moves


def test_a_classic_game_never_ties() -> None:
    # The total is odd: all values but those of elephants, lions and the Okapi are even.
    generator = random.Random(4)
    for _ in range(150):
        position = KIWARA.start()
        while position.to_move is not None:
            position.play(generator.choice(position.legal_moves))
        assert position.outcome is not None
        assert position.outcome.reason == "points"
        assert sum(position.outcome.scores) % 2 == 1
