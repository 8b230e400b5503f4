"""Batches: many games at once, each the very game that a position would play."""

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from mchezo.core import kernels
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE, Words64
from mchezo.envs import kernels as env_kernels
from mchezo.envs.batch import Batch
from mchezo.envs.episode import observe
from tests.envs.kinds import every_kind, same


def follow(position: Position, rng: Words64) -> None:
    """Apply chance outcomes with the generator of a batch's game."""
    setups, most = position.setups, position.game.rules.most_choices
    actions, weights = np.zeros(most, np.int32), np.zeros(most, np.int32)
    while position.to_move == CHANCE:
        count = kernels.list_choices(position.states, setups, actions, weights)
        action = int(actions[kernels.weighted(weights, count, rng)])
        position.play(position.game.notation.write(action, position.states[0], setups[0]))


@pytest.mark.rotating(shares=3)
@every_kind
def test_a_batch_plays_as_positions_do(name: str, options: dict[str, Any]) -> None:
    batch = Batch(name, 4, seed=11, **options)
    positions = [batch.position(game) for game in range(4)]
    ends = 0
    for _ in range(330):
        for game, position in enumerate(positions):
            assert same(batch.states[game : game + 1], position.states)
            assert batch.to_move[game] == position.to_move
            choices = batch.choices[game, : batch.counts[game]].tolist()
            texts = [position.game.notation.write(action, position.states[0], position.setups[0]) for action in choices]
            assert texts == position.legal_moves
        actions = batch.sample()
        rng = batch.rng.copy()
        rewards, ended = batch.step(actions)
        for game, position in enumerate(positions):
            text = position.game.notation.write(int(actions[game]), position.states[0], position.setups[0])
            position.play(text)
            follow(position, rng[game : game + 1])
            assert ended[game] == (position.to_move is None)
            if ended[game]:
                ends += 1
                assert position.outcome is not None
                assert (rewards[game] == rewards[game].max()).nonzero()[0].tolist() == list(
                    position.outcome.winners or range(batch.seats)
                )
                positions[game] = batch.position(game)
            else:
                assert not rewards[game].any()
    assert ends >= 4 or options.get("variant") == "congress"


@pytest.mark.rotating(shares=3)
@every_kind
def test_masks_observations_and_looks_ahead_are_those_of_the_positions(name: str, options: dict[str, Any]) -> None:
    batch = Batch(name, 3, seed=12, **options)
    for step in range(120):
        if step % 10 == 0:
            masks, seen, ahead = batch.masks(), batch.observe(), batch.look_ahead()
            rows = itertools.count()
            for game in range(3):
                position, seat = batch.position(game), int(batch.to_move[game])
                choices = batch.choices[game, : batch.counts[game]]
                assert np.flatnonzero(masks[game]).tolist() == sorted(choices.tolist())
                assert (seen[game] == observe(batch.encoding, position.states, position.setups, seat)).all()
                for action in choices.tolist():
                    after = position.copy()
                    after.play(position.game.notation.write(action, position.states[0], position.setups[0]))
                    expected = observe(batch.encoding, after.states, after.setups, seat)
                    assert (ahead[next(rows)] == expected).all()
            assert next(rows) == len(ahead)
        batch.step(batch.sample())


def play(batch: Batch, steps: int) -> list[bytes]:
    """Return everything a batch shows in a number of random steps."""
    seen = []
    for _ in range(steps):
        rewards, ended = batch.step(batch.sample())
        seen += [array.tobytes() for array in (rewards, ended, batch.to_move, batch.choices)]
        seen += [batch.observe().tobytes(), batch.masks().tobytes(), batch.look_ahead().tobytes()]
    return seen


@pytest.mark.parametrize("name", ["katarenga", "kitara"])
def test_the_number_of_threads_changes_nothing(name: str) -> None:
    alone = play(Batch(name, 7, seed=3), 40)
    assert play(Batch(name, 7, seed=3, threads=2), 40) == alone
    assert play(Batch(name, 7, seed=3, threads=9), 40) == alone
    assert play(Batch(name, 7, seed=4), 40) != alone


def test_games_of_a_batch_go_their_own_ways() -> None:
    batch = Batch("kitara", 50, seed=5)
    assert len({seen.tobytes() for seen in batch.observe()}) == 50


def test_boards_are_drawn_where_none_is_given() -> None:
    assert len({setup.tobytes() for setup in Batch("katarenga", 1, seed=1).setups}) == 64
    assert len(Batch("katarenga", 1, seed=1, set_ups=3).setups) == 3
    assert len(Batch("katarenga", 1, seed=1, board="A0c1B2d3").setups) == 1
    assert len(Batch("kiwara", 1, seed=1).setups) == 1


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    batch = Batch("kiwara", 4, seed=1)
    before = batch.observe().tobytes()
    actions = batch.sample()
    actions[2] = 0
    with pytest.raises(ValueError, match="action 0 is not legal in game 2; nothing was played"):
        batch.step(actions)
    assert batch.observe().tobytes() == before
    with pytest.raises(ValueError, match="4 games need as many actions"):
        batch.step(actions[:3])


def test_batches_need_none_of_the_libraries() -> None:
    program = "import sys, mchezo.envs.batch; print({'pettingzoo', 'gymnasium', 'pyspiel', 'PIL'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_what_a_batch_cannot_be_made_of_is_refused() -> None:
    for numbers in ({"games": 0}, {"games": 1, "threads": 0}, {"games": 1, "set_ups": 0}):
        with pytest.raises(ValueError, match="at least one"):
            Batch("kiwara", **numbers)
    with pytest.raises(ValueError, match="already over"):
        Batch("katarenga", 1, position="8/8/8/8/8/8/8/ww6 w - -", board="A0c1B2d3")


def test_memory_is_reused_only_when_nobody_holds_it() -> None:
    batch = Batch("kiwara", games=3, seed=1)
    held = [(batch.observe(), batch.masks())]
    kept = [(seen.copy(), mask.copy()) for seen, mask in held]
    for _ in range(6):
        batch.step(batch.sample())
        held.append((batch.observe(), batch.masks()))
        kept.append((held[-1][0].copy(), held[-1][1].copy()))
    part = held[0][1][1:]  # holds the memory as well
    expected = kept[0][1][1:].copy()
    for (seen, mask), (as_seen, as_masked) in zip(held, kept, strict=True):
        assert np.array_equal(seen, as_seen)
        assert np.array_equal(mask, as_masked)
    del held, seen, mask
    for _ in range(6):
        batch.step(batch.sample())
        batch.masks()
    assert np.array_equal(part, expected)
    first = batch.masks().ctypes.data
    assert batch.masks().ctypes.data == first


@pytest.mark.parametrize("actions", [1, 3, 4, 15, 16, 20, 45, 64, 1440])
def test_large_masks_are_written_as_small_ones_are(actions: int) -> None:
    generator = np.random.default_rng(actions)
    games = 20
    choices = np.stack([generator.permutation(actions)[:1] for _ in range(games)]).astype(np.int32)
    counts = generator.integers(0, 2, games).astype(np.int32)
    small = np.ones((games, actions), np.bool_)
    env_kernels.mark_legal(choices, counts, small)
    for offset in range(17):  # wherever rows begin in memory, and nothing beside them is touched
        memory = np.ones(games * actions + 40, np.bool_)
        large = memory[offset : offset + games * actions].reshape(games, actions)
        env_kernels.stream_masks(choices, counts, large)
        assert (large == small).all()
        assert memory[:offset].all()
        assert memory[offset + games * actions :].all()


@pytest.mark.parametrize("name", ["katarenga", "kiwara", "kitara"])
def test_large_batches_have_the_masks_of_small_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(name, 9, seed=5, threads=2)
    for _ in range(30):
        masks = batch.masks().copy()
        with monkeypatch.context() as patch:
            patch.setattr("mchezo.envs.batch.LARGE", 0)
            assert (batch.masks() == masks).all()
        batch.step(batch.sample())
