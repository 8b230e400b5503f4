"""Calls of kernels as they happen natively, with every byte that goes in and a checksum of every byte that comes out.

`python -m tests.build.trace GAME FILE [ACTIONS SEED]` plays, searches and learns a little of everything, or plays that
many random actions in a batch, writes the calls to a file and prints how often each kernel was called.
tests/build/replay.ts repeats them in WebAssembly.
"""

import base64
import ctypes
import json
import random
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mchezo
from mchezo.arena import opponents
from mchezo.core import compiled, kernels, library, registry
from mchezo.core.network import NONE
from mchezo.core.position import Position
from mchezo.core.rng import new_rng
from mchezo.core.signature import flat, signature
from mchezo.envs import kernels as env_kernels
from mchezo.envs.batch import Batch
from mchezo.games.katarenga.structs import VARIANTS
from mchezo.search import leaves, selfplay, turnplay
from mchezo.search.alphabeta import extend_pv
from mchezo.search.budget import Budget
from mchezo.search.deepening import AlphaBetaSearch, deepen, root_actions
from mchezo.search.montecarlo import MonteCarlo

# Kernels that a library has because all games are compiled alike, but that nothing calls for this game.
PLANNER = {"search_planner_plan", "search_planner_play_games", "search_turnplay_turns_of", "arena_heuristics_lead_of"}
ALPHA_BETA = {
    "search_alphabeta_begin",
    "search_alphabeta_run",
    "search_alphabeta_extend_pv",
    "search_selfplay_play_game",
    "search_leaves_sample_game",
}
UNUSED = {"katarenga": PLANNER, "kiwara": PLANNER, "kitara": ALPHA_BETA, compiled.COMMON: set[str]()}
PLAYED = 1_000_000  # random actions
# One of each kind of rules.
STARTS: dict[str, list[dict[str, Any]]] = {
    "katarenga": [{"variant": variant} for variant in VARIANTS],
    "kiwara": [{}, {"reinforcement": "pile"}],
    "kitara": [{"players": 2}, {"players": 4, "deck": "red"}],
}


NATIVE = library.Library.function  # not that of another recorder


class Recorder:
    """Records the calls of all libraries from now on."""

    def __init__(self) -> None:
        self.buffers: list[tuple[int, int]] = []  # address and size
        self.sums: list[int] = []  # of the bytes that a replay has in a buffer
        self.kept: list[Any] = []  # so that no address is used again
        self.numbers: dict[int, int] = {}  # of buffers, by their addresses
        self.steps: list[dict[str, Any]] = []

        def function(loaded: library.Library, kernel: Callable[..., Any]) -> Callable[..., Any]:
            run = NATIVE(loaded, kernel)
            name = Path(loaded.code._name).name.split("-")[0]
            return lambda *args: self.record(name, kernel, run, args)

        library.Library.function = function  # type: ignore[assignment, method-assign]  # watched

    def record(self, name: str, kernel: Callable[..., Any], run: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Run a kernel."""
        values = [self.encode(value) for value in flat(args)]
        used = dict.fromkeys(value["a"][0] for value in values if "a" in value)
        for number in used:
            if self.sum_of(number) != self.sums[number]:
                content = base64.b64encode(ctypes.string_at(*self.buffers[number])).decode()
                self.steps.append({"write": number, "bytes": content})
        began = time.thread_time()
        result = run(*args)
        seconds = time.thread_time() - began
        for number in used:
            self.sums[number] = self.sum_of(number)
        encoded = {"n": 0} if signature(kernel).returned is None else self.encode(result)
        step = {"call": library.symbol(kernel), "library": name, "args": values, "result": encoded}
        sums = [(number, self.sums[number]) for number in used]
        self.steps.append({**step, "sums": sums, "seconds": seconds})
        return result

    def encode(self, value: Any) -> dict[str, Any]:
        """Return an argument or a result as JSON has it."""
        if isinstance(value, bool | np.bool_):
            return {"b": int(value)}
        if isinstance(value, int | np.integer):
            return {"i": str(value)}
        if isinstance(value, float):
            return {"f": repr(float(value))}
        if isinstance(value, np.ndarray):
            owner = value
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            number = self.buffer(owner, owner.ctypes.data, owner.nbytes)
            return {"a": [number, value.ctypes.data - owner.ctypes.data, *value.shape]}
        # A struct, part of an array or by itself.
        address = ctypes.c_size_t.from_address(id(value) + library.RECORD_DATA).value
        for number, (begin, size) in enumerate(self.buffers):
            if begin <= address < begin + size:
                return {"a": [number, address - begin]}
        return {"a": [self.buffer(value, address, value.nbytes), 0]}

    def buffer(self, owner: Any, address: int, size: int) -> int:
        """Return the number of a buffer, which is zero in a replay until it is written."""
        if address not in self.numbers or self.buffers[self.numbers[address]][1] < size:
            self.numbers[address] = len(self.buffers)
            self.buffers.append((address, size))
            self.sums.append(zlib.crc32(bytes(size)))
            self.kept.append(owner)
        return self.numbers[address]

    def sum_of(self, number: int) -> int:
        """Return the checksum of a buffer as it is."""
        address, size = self.buffers[number]
        return zlib.crc32((ctypes.c_char * size).from_address(address))

    def write(self, file: Path) -> None:
        """Write the trace."""
        sizes = [size for _, size in self.buffers]
        file.write_text(json.dumps({"buffers": sizes, "steps": self.steps}), encoding="utf-8")

    def counts(self) -> dict[str, Counter[str]]:
        """Return how often each kernel was called, by library."""
        found: dict[str, Counter[str]] = {}
        for step in self.steps:
            if "call" in step:
                found.setdefault(step["library"], Counter())[step["call"]] += 1
        return found


def everything(name: str) -> None:
    """Call all kernels of a game, as users of the package do."""
    game = registry.find(name)
    for options in STARTS[name]:
        position = game.start(seed=2, **options)
        examine(position)
        random_moves(position, 5)
        examine(position)
        think(position)
        random_moves(position, 400)
        result = np.zeros(len(position.seats))
        kernels.result(position.states, position.setups, result, result.copy())
    for training in game.evaluation.training.values():
        weights = np.array([feature.weight for feature in training.features], np.float64)
        play = turnplay if training.whole_turns else selfplay
        play.practise(game, training, weights, 60, 1, 1)
        if not training.whole_turns:
            leaves.practise(game, training, NONE, 60, 1, 1)
        if name == "katarenga":
            break  # its kinds have the same kernels
    if name == "katarenga":
        from mchezo.studies import katarenga

        board = next(katarenga.boards(1))
        katarenga.play(katarenga.start(board, 0, "printed"), 1, 20, new_rng(1))
    if name == "kitara":
        from mchezo.studies import kitara

        match = kitara.Matchup("blue", 3)
        kitara.run_batch(match.start("reconstruction"), match, 1, 4, 1, 0)
    batch(name, 16, 200, seed=1)


def examine(position: Position) -> None:
    """Ask everything about a position."""
    game, states, setups = position.game, position.states, position.setups
    state, setup = states[0], setups[0]
    _, _, most, seats = position.arrays
    mchezo.perft(position, 2)
    scratch = np.repeat(states, 2)
    actions, weights = np.zeros(most, np.int32), np.zeros(most, np.int32)
    kernels.playouts(scratch, setups, actions, weights, new_rng(3), 3_000)
    position.view(0)
    assert position.key >= 0
    learned = game.evaluation.weights(setup)
    for seat in range(seats):
        kernels.determinize(scratch, setups, seat, new_rng(seat + 1))
        kernels.count_features(states, setups, seat, np.zeros(len(learned)))
    count = kernels.list_choices(states, setups, actions, weights)
    if game.name == "katarenga":
        from mchezo.games.katarenga import bitboards
        from mchezo.games.katarenga.legal import moves

        moves(state, setup, actions.copy())
        bitboards.open_squares(state, setup, 0)
    elif game.name == "kiwara":
        from mchezo.games.kiwara.components import TERRITORIES
        from mchezo.games.kiwara.evaluate import territory_values
        from mchezo.games.kiwara.rules import both_points

        both_points(state, setup)
        territory_values(states, setups, learned, np.zeros(len(TERRITORIES)))
    else:
        from mchezo.games.kitara.legal import legal
        from mchezo.games.kitara.rules import forecasts

        legal(state, setup, actions.copy())
        forecasts(state, setup)
    # Verbs that are kernels, too.
    evaluation = game.evaluation
    evaluation.features(state, setup, 0, np.zeros(len(learned)))
    if evaluation.evaluate and evaluation.noisy:
        evaluation.evaluate(state, setup, learned)
        evaluation.noisy(state, setup, actions.copy(), count)
    if evaluation.noisy_only:
        evaluation.noisy_only(state, setup, actions.copy())
    if evaluation.candidates:
        evaluation.candidates(state, setup, actions.copy())


def random_moves(position: Position, most: int) -> None:
    """Play random moves until the game is over."""
    generator = random.Random(1)
    for _ in range(most):
        if position.outcome is None:
            position.play(generator.choice(position.legal_moves))


def think(position: Position) -> None:
    """Search with every engine and every opponent of the game."""
    tree = MonteCarlo().think(position, nodes=2_000)
    assert tree.depth
    players: list[Any] = []
    if len(position.seats) > 1:
        players += [opponents.Greedy(), opponents.FlatMonteCarlo(rollouts=20)]
    if len(position.seats) == 2:
        players.append(opponents.PlainAlphaBeta(depth=2))
    if position.game.evaluation.points is not None:
        players.append(opponents.Planner(tries=10))
    for player in players:
        player.think(position, seed=1)
    if position.game.evaluation.evaluate:
        table, rest = np.zeros((1 << 12, 2), np.uint64), np.zeros(10, np.int32)
        for network in (False, True):
            search = AlphaBetaSearch(position, table, network=network, selective=network, tactical=network)
            deepen(search, root_actions(position, None), 1, 99, Budget(2_000, None, None), 1)
        extend_pv(position.states.copy(), position.setups, table, search.stack.actions[0].copy(), rest)


def batch(name: str, games: int, actions: int, seed: int) -> None:
    """Play random actions in a batch, with observations and masks."""
    made = Batch(name, games, seed=seed, set_ups=2)
    out = np.empty((games, made.encoding.size), np.float32)
    masks = np.empty((games, made.encoding.action_count), np.bool_)
    for step in range(-(-actions // games)):
        made.step(made.sample())
        if step % 16 == 0:
            made.observe(out)
            made.masks(masks)
            env_kernels.stream_masks(made.choices, made.counts, masks)  # as large batches do
    if games < 100:
        made.look_ahead()


def playouts(name: str, seed: int) -> None:
    """Play a million random actions. A generator draws among all legal ones, so its state depends on every list."""
    position = registry.find(name).start(seed=seed, chance="manual")
    states, generator = np.repeat(position.states, 2), new_rng(seed)
    actions, weights = (np.zeros(position.game.rules.most_choices, np.int32) for _ in range(2))
    done = 0
    while done < PLAYED:
        done += kernels.playouts(states, position.setups, actions, weights, generator, PLAYED // 100)


if __name__ == "__main__":
    game, file, *options = sys.argv[1:]
    recorder = Recorder()
    if options:
        batch(game, 512, int(options[0]), seed=int(options[1]))
        playouts(game, seed=int(options[1]))
    else:
        everything(game)
    recorder.write(Path(file))
    print(json.dumps(recorder.counts()))
