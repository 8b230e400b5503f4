"""Positions of any game: undo, copies, and a public face that needs no compiler to be imported."""

import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import mchezo
from tests.envs.kinds import every_kind


@pytest.mark.parametrize("name", mchezo.games())
def test_undo_leads_back_move_by_move_and_forward_again_to_the_same_game(name: str) -> None:
    generator = random.Random(name)
    position = mchezo.game(name).start(seed=11)
    seen: list[tuple[dict[str, object], list[str], int]] = []
    while position.outcome is None and len(seen) < 80:
        seen.append((position.view(0), position.legal_moves, len(position.moves)))
        position.play(generator.choice(position.legal_moves))
    played = position.moves
    for view, moves, _ in reversed(seen):
        position.undo()
        assert position.view(0) == view
        assert position.legal_moves == moves
    with pytest.raises(mchezo.IllegalMove) as refused:
        position.undo()
    assert refused.value.key == "nothing-to-undo"
    for _, _, made in seen:
        position.play(played[made])
    assert position.moves == played


@pytest.mark.parametrize("name", mchezo.games())
def test_a_seat_sees_what_a_spectator_sees_and_what_is_its_own(name: str) -> None:
    generator, game = random.Random(name), mchezo.game(name)
    for players in game.players:
        options: dict[str, Any] = {"players": players} if len(game.players) > 1 else {}
        position = game.start(seed=5, **options)
        while position.outcome is None and len(position.moves) < 150:
            shared, state, setup = position.view(None), position.states[0], position.setups[0]
            for seat in range(len(position.seats)):
                assert position.view(seat) == {**shared, **game.view.own(state, setup, seat), "seat": seat}
            position.play(generator.choice(position.legal_moves))


@pytest.mark.parametrize("name", mchezo.games())
def test_a_copy_goes_its_own_way(name: str) -> None:
    position = mchezo.game(name).start(seed=1)
    before = position.view(0)
    twin = position.copy()
    twin.play(twin.legal_moves[-1])
    assert position.view(0) == before
    assert position.moves != twin.moves


@pytest.mark.parametrize("name", mchezo.games())
def test_the_same_seed_and_moves_give_the_same_game(name: str) -> None:
    texts = []
    for _ in range(2):
        generator = random.Random(5)
        position = mchezo.game(name).start(seed=5)
        while position.outcome is None:
            position.play(generator.choice(position.legal_moves))
        texts.append(str(position.record()))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", mchezo.games())
def test_perft_counts_what_can_be_played(name: str) -> None:
    position = mchezo.game(name).start(seed=2, chance="manual")

    def count(depth: int) -> int:
        if depth == 0:
            return 1
        leaves = 0
        for move in position.legal_moves:
            position.play(move)
            leaves += count(depth - 1)
            position.undo()
        return leaves

    for depth in range(3):
        assert mchezo.perft(position, depth) == count(depth)


def test_there_is_no_other_game() -> None:
    with pytest.raises(mchezo.UnknownGame, match="There is no game called chess"):
        mchezo.game("chess")


def test_neither_the_import_nor_the_help_loads_the_compiler() -> None:
    program = "import sys, mchezo, mchezo.cli.app; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_what_is_hidden_from_a_seat_is_hidden_in_its_moves_and_in_the_public_record() -> None:
    generator = random.Random(1)
    hidden = 0
    for seed in range(6):
        position = mchezo.game("kitara").start(seed=seed, players=3)
        while position.outcome is None:
            position.play(generator.choice(position.legal_moves))
            if position.outcome is None:
                secret = [step.only for step in position.steps if step.only is not None]
                assert position.seen_moves().count("=?") == len(secret)
                assert position.seen_moves(0).count("=?") == sum(seat != 0 for seat in secret)
                assert list(position.public_record().moves) == position.seen_moves()
                hidden = max(hidden, len(secret))
        assert position.seen_moves() == position.moves
    assert hidden > 0


@pytest.mark.parametrize("name", mchezo.games())
def test_only_seats_and_spectators_may_look(name: str) -> None:
    position = mchezo.game(name).start(seed=1)
    for seat in (-1, len(position.seats), True, "0", 0.0):
        with pytest.raises(mchezo.UnknownSeat):
            position.view(seat)  # type: ignore[arg-type]  # what is refused here
        with pytest.raises(mchezo.UnknownSeat):
            position.svg(seat)  # type: ignore[arg-type]  # what is refused here


@pytest.mark.parametrize("name", mchezo.games())
def test_what_is_no_text_is_no_move_and_what_is_no_option_is_refused(name: str) -> None:
    position = mchezo.game(name).start(seed=1)
    for move in (5, None, b"a1", ["a1"]):
        with pytest.raises(mchezo.InvalidMove):
            position.play(move)  # type: ignore[arg-type]  # what is refused here
    for option in mchezo.game(name).setup.options:
        for value in ([], {}, 3.5, object(), b"x", -1):
            with pytest.raises(mchezo.InvalidSetup):
                mchezo.game(name).start(**{option.name: value})  # type: ignore[arg-type]  # what is refused here


@pytest.mark.parametrize("name", mchezo.games())
def test_positions_and_refusals_travel_to_other_processes(name: str) -> None:
    position = mchezo.game(name).start(seed=3)
    position.play(position.legal_moves[0])
    twin = pickle.loads(pickle.dumps(position))
    assert twin.view(0) == position.view(0)
    assert twin.game is position.game
    with pytest.raises(mchezo.UserError) as refused:
        position.play("nonsense")
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is type(refused.value)
    assert str(again) == str(refused.value)
    with pytest.raises(mchezo.InvalidRecord) as broken:
        mchezo.Record.parse("[Game")
    assert str(pickle.loads(pickle.dumps(broken.value))) == str(broken.value)


@every_kind
def test_moves_are_written_together_as_one_by_one(name: str, options: dict[str, Any]) -> None:
    generator = random.Random(name)
    position = mchezo.game(name).start(seed=5, **options)
    for _ in range(60):
        if position.outcome is not None:
            break
        state, setup = position.states[0], position.setups[0]
        actions = position.choices()[0]
        assert position.legal_moves == [position.game.notation.write(action, state, setup) for action in actions]
        assert [position.game.notation.parse(move, state, setup) for move in position.legal_moves] == actions
        position.play(generator.choice(position.legal_moves))


@pytest.mark.parametrize("name", mchezo.games())
def test_a_list_of_legal_moves_belongs_to_the_caller(name: str) -> None:
    position = mchezo.game(name).start(seed=5)
    moves = position.legal_moves
    position.legal_moves.clear()
    position.choices()[0].clear()
    assert position.legal_moves == moves
    position.play(moves[-1])
    position.undo()
    assert position.legal_moves == moves


@pytest.mark.parametrize("name", mchezo.games())
def test_games_in_several_threads_do_not_mix(name: str) -> None:
    def play(seed: int) -> list[str]:
        position, generator = mchezo.game(name).start(seed=seed), random.Random(seed)
        while position.outcome is None and len(position.moves) < 120:
            position.play(generator.choice(position.legal_moves))
        return position.moves

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(play, range(12)))
    assert together == list(map(play, range(12)))


@pytest.mark.parametrize("name", mchezo.games())
def test_a_position_may_be_given_another_state(name: str) -> None:
    position = mchezo.game(name).start(seed=5)
    ahead = position.copy()
    for _ in range(3):
        ahead.play(ahead.legal_moves[-1])
    seen = position.legal_moves
    position.states, before = ahead.states, position.states
    assert (position.legal_moves, position.to_move) == (ahead.legal_moves, ahead.to_move)
    position.states = before
    assert position.legal_moves == seen
