"""Invariants of every game of Kitara."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from mchezo.core import kernels
from mchezo.core.structs import CHANCE
from mchezo.games.kitara import structs
from mchezo.games.kitara.components import PAWNS, PAWNS_EACH, PRINTED_TURNS, TOKENS
from mchezo.games.kitara.setup import material_of
from tests.games.kitara.positions import GAME, random_states

SEEDS = st.integers(0, 2**32)
GAMES = {"players": st.sampled_from([2, 3, 4]), "deck": st.sampled_from(["blue", "red"]), "seed": SEEDS}


@settings(max_examples=30)
@given(**GAMES)
def test_nothing_is_lost_and_nobody_is_wiped_out_in_any_game(players: int, deck: str, seed: int) -> None:
    position = GAME.start(players=players, deck=deck, chance="manual")
    setup = position.setups[0]
    lakes = setup.kind == structs.LAKE
    everything = (1 << int(setup.cards) + 1) - 2
    held_before = None
    for states, choices in random_states(position, seed):
        state = states[0]
        owner = state.owner
        for seat in range(players):
            on_board = state.pawns[owner == seat + 1].sum(axis=0)
            fleeing = state.fleeing if state.retreating == seat else 0 * state.fleeing
            assert (on_board + fleeing + state.supply[seat] == PAWNS_EACH).all()
            assert state.held[seat] == (owner == seat + 1).sum()
        # A space has pawns if and only if a seat occupies it, and lakes stay empty.
        assert ((state.pawns.sum(axis=1) > 0) == (owner != structs.FREE)).all()
        assert not owner[lakes].any()
        assert state.bag.sum() + state.drawn.sum() + state.kept.sum() == TOKENS
        assert (state.bag >= 0).all()
        kingdoms = [card for seat in range(players) for card in state.kingdoms[seat, : state.kingdom_count[seat]]]
        row = state.row[: state.row_count].tolist()
        out = [card for card in range(1, int(setup.cards) + 1) if int(state.discarded) >> card & 1]
        unseen = [card for card in range(1, int(setup.cards) + 1) if int(state.unseen) >> card & 1]
        assert sorted([card for card in kingdoms if card] + row + out + unseen) == list(range(1, int(setup.cards) + 1))
        assert int(state.unseen) & ~everything == 0
        assert len(choices) == len(set(choices))
        assert choices or state.phase == structs.GAME_OVER
        # Attacks leave every seat a space: only discards remove the last pawns from the board.
        if state.phase == structs.RETREATING:
            assert state.held[state.retreating] >= 1
        if held_before is not None and state.phase in (structs.MOVING, structs.CHOOSING_PAWNS, structs.RETREATING):
            assert all(state.held[seat] for seat in range(players) if held_before[seat])
        held_before = state.held[:players].copy()
    assert state.round_number == state.last_round == PRINTED_TURNS[players]
    assert state.ending in (1, 2, 3)
    assert state.winners


@settings(max_examples=15)
@given(**GAMES)
def test_every_action_is_parsed_from_its_text_and_every_view_is_json(players: int, deck: str, seed: int) -> None:
    position = GAME.start(players=players, deck=deck, chance="manual")
    setup = position.setups[0]
    for number, (states, choices) in enumerate(random_states(position, seed)):
        state = states[0]
        texts = [GAME.notation.write(action, state, setup) for action in choices]
        assert len(texts) == len(set(texts))
        assert [GAME.notation.parse(text, state, setup) for text in texts] == choices
        if number % 10 == 0:
            view = GAME.view.of(state, setup, number % players)
            assert json.loads(json.dumps(view)) == view
            assert set(view["cards"]) == {"0", *view["row"], *view["discarded"]}.union(*view["kingdoms"])
            assert set(view["spaces"]) <= set(material_of(setup).map.ids)


@settings(max_examples=10)
@given(**GAMES)
def test_a_record_replays_and_follows_from_its_seed(players: int, deck: str, seed: int) -> None:
    position = GAME.start(players=players, deck=deck, seed=seed)
    while position.outcome is None:
        moves = position.legal_moves
        position.play(moves[(seed + len(position.steps)) % len(moves)])
    record = mchezo.Record.parse(str(position.record()))
    assert record.replay().outcome == position.outcome
    assert record.verify() == sum(step.by == CHANCE for step in position.steps)


@settings(max_examples=20)
@given(**GAMES)
def test_no_two_positions_of_a_game_have_the_same_key(players: int, deck: str, seed: int) -> None:
    position = GAME.start(players=players, deck=deck, chance="manual")
    keys = [int(kernels.key(states)) for states, _ in random_states(position, seed)]
    assert len(set(keys)) == len(keys)  # every move is used up, so no position occurs twice


def test_the_letters_of_pawns_are_those_of_the_cards() -> None:
    assert PAWNS == "WAH"
    assert PAWNS_EACH == (10, 5, 3)
