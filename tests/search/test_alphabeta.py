"""Alpha-beta: exact where it says so, the same whenever it is run, quick to stop."""

import os
import random
import subprocess
import sys
from importlib.util import find_spec
from itertools import count
from typing import Any

import numpy as np
import pytest

import mchezo
from mchezo.core.structs import CHANCE, bits
from mchezo.search import budget, deepening
from mchezo.search.alphabeta import chance_of, probe, store, stored_action, stored_depth, value_of
from mchezo.search.deepening import CACHE_LINE, AlphaBeta, AlphaBetaSearch, new_table
from mchezo.search.signature import kinds, nodes_to_depth

# Every kind of game that alpha-beta plays, by name and options.
KINDS: list[tuple[str, dict[str, Any]]] = [
    ("katarenga", {}),
    ("katarenga", {"variant": "congress"}),
    ("katarenga", {"variant": "quebec"}),
    ("katarenga", {"variant": "isolation"}),
    ("kiwara", {}),
    ("kiwara", {"reinforcement": "pile", "handicap": (1, 2), "board": "free"}),
]


def after_random_moves(name: str, seed: int, moves: int, **options: Any) -> mchezo.Position:
    """Return a game after some random moves, or at its end if that comes first."""
    position = mchezo.game(name).start(seed=seed, **options)
    chosen = random.Random(seed)
    for _ in range(moves):
        if position.outcome is None:
            position.play(chosen.choice(position.legal_moves))
    return position


def near_the_end(seed: int, spaces: int, **options: Any) -> mchezo.Position:
    """Return a random game of Kiwara at the first placing with this few empty spaces."""
    chosen = random.Random(seed)
    while True:
        position = mchezo.game("kiwara").start(seed=chosen.randrange(1000), **options)
        while position.outcome is None:
            seen = position.view()
            if seen["decision"] == "place" and 30 - len(seen["animals"]) <= spaces:
                return position
            position.play(chosen.choice(position.legal_moves))


def result_of_best_play(position: mchezo.Position) -> float:
    """Return seat 0's chance of winning with best play, by exhaustive search."""
    if position.outcome is not None:
        return float(0 in position.outcome.winners)
    results = []
    for move in position.legal_moves:
        position.play(move)
        results.append(result_of_best_play(position))
        position.undo()
    if position.to_move == CHANCE:
        return sum(results) / len(results)
    return max(results) if position.to_move == 0 else min(results)


@pytest.mark.parametrize("seed", range(12))
def test_endgames_of_kiwara_are_solved_as_by_looking_at_everything(seed: int) -> None:
    position = near_the_end(seed, spaces=2)
    thought = AlphaBeta().think(position, nodes=2_000_000)
    assert thought.solved
    assert thought.chances[0] == result_of_best_play(position)


@pytest.mark.parametrize("seed", range(4))
def test_cards_from_the_pile_count_by_their_probability(seed: int) -> None:
    position = near_the_end(seed, spaces=1, reinforcement="pile", handicap=(0, 2))
    position.manual = True
    thought = AlphaBeta().think(position, nodes=2_000_000)
    assert thought.solved
    assert thought.chances[0] == pytest.approx(result_of_best_play(position), abs=1e-3)


def test_a_won_race_to_the_camps_is_found_and_called_solved() -> None:
    # White enters the second camp at once.
    position = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h -")
    thought = AlphaBeta().think(position, nodes=20_000)
    assert thought.moves == ("a8-a9",)
    assert thought.solved
    assert thought.chances == (1.0, 0.0)


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_whole_games_are_played_with_legal_moves(name: str, options: dict[str, Any]) -> None:
    position = mchezo.game(name).start(seed=5, **options)
    for _ in range(400):
        if position.outcome is not None:
            break
        thought = AlphaBeta().think(position, nodes=300)
        assert 1 <= thought.turn <= len(thought.moves)
        assert sum(thought.chances) == pytest.approx(1.0)
        for move in thought.moves[: thought.turn]:
            assert position.to_move in (0, 1)
            position.play(move)
    assert position.outcome is not None


@pytest.mark.parametrize(("name", "options"), KINDS)
def test_the_line_can_be_played(name: str, options: dict[str, Any]) -> None:
    for seed in range(4):
        position = after_random_moves(name, seed, 6 + seed, **options)
        if position.outcome is not None:
            continue
        seat = position.to_move
        thought = AlphaBeta().think(position, nodes=3_000)
        position.manual = True
        for number, move in enumerate(thought.moves):
            assert (position.to_move == seat) or number >= thought.turn
            position.play(move)


@pytest.mark.parametrize("name", ["katarenga", "kiwara"])
def test_slices_do_not_change_what_is_thought(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = after_random_moves(name, 4, 8)
    whole = AlphaBeta().think(position, nodes=20_000)
    monkeypatch.setattr(budget, "FIRST_SLICE", 1)
    monkeypatch.setattr(budget, "SLICE_SECONDS", 0.0)
    assert AlphaBeta().think(position, nodes=20_000) == whole
    assert whole.nodes == 20_000


@pytest.mark.parametrize("name", ["katarenga", "kiwara"])
def test_stop_is_heeded_with_a_legal_move(name: str) -> None:
    position = after_random_moves(name, 3, 4)
    asked = count(1)
    thought = AlphaBeta().think(position, stop=lambda: next(asked) > 3)
    assert thought.moves[0] in position.legal_moves
    assert next(asked) <= 20


@pytest.mark.parametrize("name", ["katarenga", "kiwara"])
@pytest.mark.parametrize("seed", range(3))
def test_depth_1_is_finished_however_soon_a_search_is_stopped(name: str, seed: int) -> None:
    position = after_random_moves(name, seed, 6)
    whole = AlphaBeta(depth=1).think(position)
    stopped = AlphaBeta().think(position, stop=lambda: True)
    assert stopped.depth == 1
    assert (stopped.moves, stopped.nodes) == (whole.moves, whole.nodes)
    late = AlphaBeta().think(position, seconds=0.0)
    assert (late.moves, late.nodes) == (whole.moves, whole.nodes)


def test_every_bucket_of_a_table_lies_in_one_cache_line() -> None:
    for entries in (2, 1 << 12, 1 << 16):
        table = new_table(entries)
        assert table.shape == (entries, 2)
        assert table.flags.c_contiguous
        assert table.ctypes.data % CACHE_LINE == 0
        assert not table.any()


def test_two_threads_search_one_position_with_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[AlphaBetaSearch] = []

    class Watched(AlphaBetaSearch):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            searches.append(self)

    monkeypatch.setattr(deepening, "AlphaBetaSearch", Watched)
    position = after_random_moves("katarenga", 2, 6)
    # The search goes on until both threads have visited nodes, however busy the machine is.
    thought = AlphaBeta(threads=2).think(position, stop=lambda: all(search.nodes > 100 for search in searches))
    assert len(searches) == 2
    assert searches[0].table is searches[1].table
    assert searches[0].stack.plies is not searches[1].stack.plies
    assert thought.nodes == searches[0].nodes
    assert thought.moves[0] in position.legal_moves


@pytest.mark.parametrize("seed", range(4))
def test_two_threads_solve_endgames_as_one_does(seed: int) -> None:
    position = near_the_end(seed, spaces=2)
    alone, together = (AlphaBeta(threads=threads).think(position, nodes=2_000_000) for threads in (1, 2))
    assert alone.solved
    assert together.solved
    assert together.chances == alone.chances


@pytest.mark.parametrize("name", ["katarenga", "kiwara"])
def test_the_best_moves_are_different_and_in_order(name: str) -> None:
    position = after_random_moves(name, 6, 9)
    seat = position.to_move
    assert seat is not None
    thoughts = AlphaBeta(depth=3).best(position, 5, nodes=200_000)
    chances = [thought.chances[seat] for thought in thoughts]
    assert chances == sorted(chances, reverse=True)
    assert len({thought.moves[0] for thought in thoughts}) == min(5, len(position.legal_moves))


def test_more_moves_than_there_are_cannot_be_the_best() -> None:
    position = near_the_end(1, spaces=1)
    assert len(AlphaBeta().best(position, 1000, nodes=100_000)) == len(position.legal_moves)


def test_nobody_thinks_when_the_game_is_over() -> None:
    position = mchezo.game("kiwara").start(seed=1)
    while position.outcome is None:
        position.play(position.legal_moves[0])
    with pytest.raises(ValueError, match="nobody is to move"):
        AlphaBeta().think(position, nodes=100)


def test_the_table_gives_back_what_was_stored() -> None:
    table = np.zeros((1 << 4, 2), np.uint64)
    key = bits(0x9E3779B97F4A7C15)
    assert probe(table, key) == 0
    store(table, key, -29_990, 3, 17, 4321, 5)
    entry = probe(table, key)
    assert (stored_action(entry), stored_depth(entry)) == (4321, 17)
    # A deeper entry stays when another position maps to the same bucket.
    other = key ^ bits(1 << 40)
    store(table, other, 12, 1, 3, 7, 0)
    assert stored_action(probe(table, key)) == 4321
    assert stored_action(probe(table, other)) == 7


@pytest.mark.parametrize("value", [-19_999, -3_000, -1, 0, 1, 2_500, 19_999])
def test_chances_and_log_odds_go_back_and_forth(value: int) -> None:
    assert value_of(chance_of(value)) == pytest.approx(value, abs=3 if abs(value) > 15_000 else 0.5)


def thoughts_of_a_new_process(chosen: list[str], **environment: str) -> str:
    """Return the thoughts on the signature's positions of a process with this environment."""
    program = (
        "from mchezo.search.deepening import AlphaBeta\n"
        "from mchezo.search.signature import positions\n"
        "import sys\n"
        "for kind in sys.argv[1:]:\n"
        "    for position in positions(kind):\n"
        "        print(kind, AlphaBeta().best(position, 2, nodes=150))\n"
        "        print(kind, AlphaBeta(network=True, selective=True).best(position, 2, nodes=150))\n"
        "        print(kind, AlphaBeta(tactical=True).best(position, 2, nodes=150))\n"
    )
    command = [sys.executable, "-c", program, *chosen]
    run = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert all(f"{kind} [Thought" in run.stdout for kind in chosen)
    return run.stdout


@pytest.mark.rotating(shares=3)
@pytest.mark.parametrize("kind", kinds())
def test_interpreted_the_same_is_thought(kind: str) -> None:
    assert thoughts_of_a_new_process([kind], NUMBA_DISABLE_JIT="1") == thoughts_of_a_new_process([kind])


# Compiled without optimisation, which takes most of the time. One process thinks about all kinds of a game: they run
# the same code.
@pytest.mark.skipif(not find_spec("numba"), reason="Numba is not installed")
@pytest.mark.rotating(shares=24, first=4)
@pytest.mark.parametrize("game", sorted(set(kinds().values())))
def test_compiled_by_numba_with_bounds_checked_the_same_is_thought(game: str) -> None:
    chosen = [kind for kind, name in kinds().items() if name == game]
    checked = thoughts_of_a_new_process(chosen, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0")
    assert checked == thoughts_of_a_new_process(chosen)


# The nodes needed to search fixed positions to a fixed depth: a change without functional effect keeps them.
SIGNATURE = {
    "katarenga": 47_071,
    "congress": 46_158,
    "quebec": 150_730,
    "isolation": 823,
    "kiwara": 10_102,
    "kiwara with the pile": 11_538,
}


def test_the_bench_signature_is_known() -> None:
    assert {name: nodes_to_depth(name) for name in kinds()} == SIGNATURE


# The same for games with a network, with it and with a selective search. A new network changes them.
NETWORK_SIGNATURE = {"kiwara": (10_561, 7_692), "kiwara with the pile": (14_924, 9_515)}


@pytest.mark.parametrize("name", NETWORK_SIGNATURE)
def test_the_signature_with_a_network_is_known(name: str) -> None:
    found = (nodes_to_depth(name, network=True, selective=selective) for selective in (False, True))
    assert tuple(found) == NETWORK_SIGNATURE[name]


def test_the_signature_of_a_tactical_search_is_known() -> None:
    assert nodes_to_depth("katarenga", tactical=True) == 22_481


@pytest.mark.parametrize("name", ["congress", "quebec", "isolation", "kiwara"])
def test_games_that_tell_no_gains_are_searched_as_before(name: str) -> None:
    assert nodes_to_depth(name, tactical=True) == SIGNATURE[name]


@pytest.mark.parametrize("name", ["katarenga", "kiwara"])
def test_table_and_ordering_save_nodes(name: str) -> None:
    least = nodes_to_depth(name)
    assert least < nodes_to_depth(name, remember=False)
    assert 2 * least < nodes_to_depth(name, order=False)
