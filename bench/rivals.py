"""Other systems to compare with: random play and perft, driven in the fastest way we know."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from mchezo.cli.measure import chess_perft_speed, chess_random_speed, speed

SPIEL_GAMES = ("breakthrough", "chess", "backgammon")
PGX_GAMES = ("gardner_chess", "chess", "backgammon")
PGX_BATCH = 1024
FAIRY_VARIANTS = ("breakthrough", "chess")


def random_play() -> Iterator[tuple[str, str, str, float | None]]:
    """Yield system, game, driver, and actions per second; None if the system is not installed."""
    if find_spec("pyspiel") is None:
        yield "OpenSpiel", "", "", None
    else:
        for game in SPIEL_GAMES:
            yield "OpenSpiel", game, "in C++", spiel_in_cpp(game)
            yield "OpenSpiel", game, "from Python", spiel_from_python(game)
    for game in PGX_GAMES:
        for cores in (1, 2):
            how = f"batch of {PGX_BATCH}, {cores} core{'s' * (cores > 1)}"
            yield "Pgx", game, how, pgx_speed(game, cores)
    yield "python-chess", "chess", "from Python", chess_random_speed() if find_spec("chess") else None


def perft() -> Iterator[tuple[str, str, str, float | None]]:
    """Yield the same for perft, in leaves per second."""
    for variant in FAIRY_VARIANTS:
        yield "Fairy-Stockfish", variant, "in C++", fairy_perft(variant)
    for variant in FAIRY_VARIANTS:
        yield "Fairy-Stockfish", variant, "from Python (pyffish)", pyffish_perft(variant)
    yield "python-chess", "chess", "from Python", chess_perft_speed() if find_spec("chess") else None


def spiel_in_cpp(name: str) -> float:
    """Return the speed of OpenSpiel's uniformly random bots; the loop is in C++, one call per game."""
    import pyspiel

    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]
    seed = iter(range(1 << 30))

    def play() -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seed))
        return len(state.history())

    return speed(play)


def spiel_from_python(text: str) -> float:
    """Return the speed of the usual Python loop over an OpenSpiel game, one of its own or one of ours."""
    import pyspiel

    game, generator = pyspiel.load_game(text), np.random.default_rng(1)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(actions[np.searchsorted(np.cumsum(odds), generator.random() * sum(odds))]))
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(generator.integers(len(actions)))])
        return len(state.history())

    return speed(play)


def pgx_speed(game: str, cores: int) -> float | None:
    """Return the speed of Pgx on the CPU, in a separate process limited to a number of cores."""
    if find_spec("pgx") is None:
        return None
    command = [sys.executable, str(Path(__file__).with_name("pgx_play.py")), game, str(cores), str(PGX_BATCH)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(run.stdout.split()[-1]) if run.returncode == 0 else None


def fairy_perft(variant: str) -> float | None:
    """Return the speed of Fairy-Stockfish's own perft, at the first depth that takes a second."""
    engine = shutil.which("fairy-stockfish", path=os.environ["PATH"] + ":/usr/games")
    if engine is None:
        return None
    best = 0.0
    for depth in (5, 6, 7):
        orders = f"uci\nsetoption name UCI_Variant value {variant}\nposition startpos\ngo perft {depth}\nquit\n"
        began = time.perf_counter()
        output = subprocess.run([engine], input=orders, capture_output=True, text=True, check=True).stdout
        seconds = time.perf_counter() - began
        found = re.search("Nodes searched: ([0-9]+)", output)
        if found:
            best = max(best, int(found[1]) / seconds)
        if seconds > 1:
            break
    return best


def pyffish_perft(variant: str) -> float | None:
    """Return the speed of perft through Fairy-Stockfish's Python binding, which has none of its own."""
    if find_spec("pyffish") is None:
        return None
    import pyffish

    start: Any = pyffish.start_fen(variant)

    def count(moves: list[str], depth: int) -> int:
        legal = pyffish.legal_moves(variant, start, moves)
        if depth == 1:
            return len(legal)
        return sum(count([*moves, move], depth - 1) for move in legal)

    return speed(lambda: count([], 3))
