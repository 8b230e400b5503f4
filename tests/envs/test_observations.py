"""Observations and actions: what a seat sees, in numbers, and nothing that it cannot see."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.core import kernels, registry
from mchezo.core.encoding import Floats, starts
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.envs.episode import Episode, observe
from tests.envs.kinds import every_game, every_kind, lively_move, same


def seen(position: Position, seat: int) -> Floats:
    return observe(position.game.encoding, position.states, position.setups, seat)


def blocks(position: Position, seat: int) -> dict[str, Floats]:
    return dict(position.game.encoding.split(seen(position, seat)))


def random_game(name: str, seed: int, options: dict[str, Any]) -> Iterator[Position]:
    """Yield every position of a random game, including the last."""
    generator = random.Random(seed)
    position = mchezo.game(name).start(seed=seed, **options)
    while position.to_move is not None:
        yield position
        position.play(lively_move(position, generator))
    yield position


@every_kind
def test_all_numbers_lie_between_0_and_1(name: str, options: dict[str, Any]) -> None:
    for position in random_game(name, 1, options):
        for seat in range(len(position.seats)):
            observation = seen(position, seat)
            assert observation.min() >= 0
            assert observation.max() <= 1


@every_kind
def test_the_view_tells_who_is_to_move(name: str, options: dict[str, Any]) -> None:
    for position in random_game(name, 2, options):
        for seat in range(len(position.seats)):
            observed = blocks(position, seat)
            own_turn, is_mine = observed["to_move"][0], position.to_move == seat
            assert own_turn == is_mine
            assert observed["seat"].argmax() == seat
        if position.to_move is None:
            assert not observed["to_move"].any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_worlds_that_differ_only_in_hidden_tokens_look_the_same(players: int) -> None:
    rng, differing = new_rng(5), 0
    for seed in range(3):
        for position in random_game("kitara", seed, {"players": players}):
            for seat in range(players):
                world = position.copy()
                world.states = position.states.copy()
                kernels.determinize(world.states, world.setups, seat, rng)
                differing += not same(world.states, position.states)
                assert seen(world, seat).tobytes() == seen(position, seat).tobytes()
    assert differing > 100


def test_own_tokens_are_seen_and_everybody_sees_all_at_the_end() -> None:
    own = others = 0
    for seed in range(4):
        for position in random_game("kitara", seed, {"players": 3}):
            for seat in range(3):
                kept = blocks(position, seat)["kept"] * 39
                mine = position.view(seat)["own_tokens"]["kept"]
                assert [round(float(number)) for number in kept[0]] == [mine.count(value) for value in (2, 3, 4, 5)]
                own += len(mine)
                others += position.to_move is None and bool(kept[1:].any())
                assert position.to_move is None or not kept[1:].any()
    assert own
    assert others


def test_own_pawns_of_one_side_are_the_other_sides_other_pawns() -> None:
    for position in random_game("katarenga", 3, {}):
        white, black = blocks(position, 0), blocks(position, 1)
        assert (white["own_pawns"] == black["other_pawns"]).all()
        assert (white["own_camps"] == black["other_camps"]).all()
        assert (white["colours"] == black["colours"]).all()
        assert (white["colours"].sum(axis=0) == 1).all()
        on_board = [f"{'abcdefgh'[file]}{rank + 1}" for rank, file in np.argwhere(white["own_pawns"])]
        assert sorted(on_board) == position.view()["pawns"]["white"]


def test_animals_stand_where_the_view_has_them() -> None:
    for position in random_game("kiwara", 4, {"reinforcement": "pile"}):
        observed, animals = blocks(position, 1), position.view()["animals"]
        for seat, block in ((1, "own_animals"), (0, "other_animals")):
            there = {
                (f"{'abcdef'[column]}{row + 1}", "GZCEL"[kind]) for kind, row, column in np.argwhere(observed[block])
            }
            assert there == {(space, token["animal"]) for space, token in animals.items() if token["seat"] == seat}
        assert observed["hidden"].sum() == sum(token["hidden"] for token in animals.values())
        assert np.round(observed["points"] * 101).tolist() == position.view()["scores"][::-1]


def test_pawns_on_the_map_are_counted_by_seats_from_the_one_that_looks() -> None:
    for position in random_game("kitara", 5, {"players": 4}):
        pawns = blocks(position, 2)["pawns"] * np.array([10, 5, 3])[:, None]
        for space in position.view()["spaces"].values():
            assert pawns[(space["seat"] - 2) % 4, 0].sum() >= space["W"]
        supply = [entry["W"] for entry in position.view()["supply"]]
        fleeing = position.view()["fleeing"] or {"W": 0}
        assert round(float(pawns[:, 0].sum())) == 40 - sum(supply) - fleeing["W"]


@every_kind
def test_a_mask_has_exactly_the_legal_moves(name: str, options: dict[str, Any]) -> None:
    episode = Episode(name, 7, options)
    generator = random.Random(7)
    while episode.to_move is not None:
        position = episode.position
        mask = episode.mask(episode.to_move)
        texts = [
            episode.game.notation.write(int(n), position.states[0], position.setups[0]) for n in np.flatnonzero(mask)
        ]
        assert sorted(texts) == sorted(position.legal_moves)
        assert not episode.mask((episode.to_move + 1) % len(episode.seats)).any()
        episode.play(generator.choice(episode.legal.tolist()))


@every_kind
def test_an_episode_is_the_game_that_its_seed_and_moves_give(name: str, options: dict[str, Any]) -> None:
    episode = Episode(name, 8, options)
    generator = random.Random(8)
    while episode.to_move is not None:
        episode.play(generator.choice(episode.legal.tolist()))
    position = episode.replay()
    assert same(position.states, episode.position.states)
    assert position.outcome is not None
    best = max(episode.results)
    winners = tuple(seat for seat, result in enumerate(episode.results) if result == best)
    assert position.outcome.winners in (winners, ())
    assert episode.record().replay().outcome == position.outcome
    with pytest.raises(ValueError, match="not legal"):
        episode.play(0)


@every_game
def test_actions_are_where_their_blocks_are(name: str) -> None:
    encoding = mchezo.game(name).encoding
    firsts = dict(zip((block.name for block in encoding.actions), starts(encoding.actions), strict=True))
    position = mchezo.game(name).start(seed=1)
    parse = position.game.notation.parse
    examples = {
        "katarenga": {"d1-a9": ("move", 3 * 68 + 64), "@b1": ("place", 1), "turn270": ("baseline", 3)},
        "kiwara": {"Zb1": ("place", 31), "hyena:a1-c1": ("hyena", 2), "T21": ("set_totem", 21), ".": ("others", 3)},
        "kitara": {"A@a1": ("recruit", 48), "W2A1H1": ("pawns", 2 * 24 + 4 + 1), "=3": ("token", 1), ".": ("end", 0)},
    }
    for text, (block, number) in examples[name].items():
        assert parse(text, position.states[0], position.setups[0]) == firsts[block] + number


@every_kind
def test_no_game_is_longer_than_its_horizon(name: str, options: dict[str, Any]) -> None:
    for seed in range(5):
        *_, last = random_game(name, seed, options)
        decisions, chances = last.game.encoding.longest(last.setups)
        assert sum(step.by >= 0 for step in last.steps) <= decisions
        assert sum(step.by < 0 for step in last.steps) <= chances


def test_an_unknown_game_has_no_environment() -> None:
    with pytest.raises(mchezo.UnknownGame):
        Episode("chess", 1, {})
    assert set(registry.names()) == {"katarenga", "kiwara", "kitara"}


DIGESTS = """
import hashlib, random, mchezo
from mchezo.envs.episode import observe
for name in mchezo.games():
    for seed in range(2):
        generator = random.Random(seed)
        position = mchezo.game(name).start(seed=seed)
        for _ in range(50):
            if position.to_move is None:
                break
            seen = observe(position.game.encoding, position.states, position.setups, position.to_move)
            print(name, hashlib.sha256(seen.tobytes()).hexdigest())
            position.play(generator.choice(position.legal_moves))
"""


def test_interpreted_observations_are_the_compiled_ones() -> None:
    observed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", DIGESTS],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for environment in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert observed[0] == observed[1]
    assert observed[0].count("\n") > 200
