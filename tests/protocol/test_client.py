"""Engines as players of matches: the example plays ours, and engines that fail are named."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import mchezo
from mchezo.arena import players
from mchezo.arena.matches import Match, play, play_game
from mchezo.core.errors import UserError
from mchezo.core.record import Record
from mchezo.protocol.client import EngineError, EngineGames, EnginePlayer, Question
from mchezo.protocol.lines import Go
from tests.cli.running import run
from tests.protocol.talking import OURS, example, program

START = mchezo.game("katarenga").start(board="B" * 64)


@pytest.mark.rotating(shares=4)
def test_the_example_plays_a_match_against_our_engine(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    first, second = f"engine:{OURS} -o level=4", f"engine:{example()}"
    arguments = ["--games", "2", "--nodes", "400", "--workers", "1", "--resume", str(file)]
    shown = run("match", "kiwara", first, second, *arguments)
    assert shown.returncode == 0, shown.stderr
    _, *games = map(json.loads, file.read_text().splitlines())
    assert len(games) == 2
    for game in games:
        record = Record.parse(game["record"])
        assert record.tags[f"Player{game['seat']}"] == first
        assert record.replay().outcome == record.outcome
    assert sum(game["share"] for game in games) == 2, "it beats random moves"


def test_three_engines_play_kitara_with_what_their_seats_see() -> None:
    first, second = (players.find(f"engine:{command}", "kitara", nodes=200) for command in (OURS, example()))
    match = Match("kitara", first, second, options={"players": 3}, seed=4)
    record = Record.parse(play_game(match, 0, 0).record)
    assert record.outcome is not None
    assert record.replay().outcome == record.outcome


def test_matches_with_engines_can_be_repeated() -> None:
    first, second = (players.find(name, "katarenga", nodes=200) for name in (f"engine:{example()}", "random"))
    match = Match("katarenga", first, second, options={"variant": "isolation"}, seed=4)
    assert list(play(match, [0], workers=1)) == list(play(match, [0], workers=2))


def test_an_engine_thinks_as_the_player_in_this_process() -> None:
    engine, here = EnginePlayer("ours", OURS), mchezo.player("katarenga")
    try:
        for seed in range(3):
            there = engine.think(START, nodes=3_000, seed=seed)
            thought = here.think(START, nodes=3_000, seed=seed)
            assert there.moves == thought.moves[: thought.turn]
            assert (there.depth, there.nodes) == (thought.depth, thought.nodes)
            assert there.chances == pytest.approx(thought.chances, abs=0.001)
        assert engine.think(START, stop=lambda: True).moves[0] in START.legal_moves, "a stop is passed on"
        assert engine.think(START, seconds=0.01).moves[0] in START.legal_moves
    finally:
        engine.close()
    assert engine.games.process.process.returncode == 0


ANSWERS = {"protocol": "id name Test\ngame katarenga 1\nprotocolok 1", "isready": "readyok"}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"go": "bestmove a1-a5"}, "engine-illegal"),
        ({"go": "bestmove nonsense"}, "engine-illegal"),
        ({"go": "bestmove a1-a2 h1-h2"}, "engine-beyond"),
        ({"go": "bestmove none"}, "engine-no-move"),
        ({"go": "bestmove"}, "engine-no-move"),
        ({"go": "error internal Ouch"}, "engine-refused"),
        ({"go": "info depth deep"}, "engine-line"),
        ({"go": "EXIT"}, "engine-ended"),
        ({"newgame": "error invalid-setup I have no such board"}, "engine-refused"),
        ({"protocol": "game kiwara 1\nprotocolok 1"}, "engine-game"),
        ({"protocol": "game katarenga 99\nprotocolok 1"}, "engine-rules"),
    ],
)
def test_what_an_engine_does_wrong_ends_the_match_with_a_sentence(
    tmp_path: Path, change: dict[str, str], key: str
) -> None:
    player = EnginePlayer("test", program(tmp_path, repr(ANSWERS | change)))
    try:
        with pytest.raises(EngineError) as failed:
            player.think(START, nodes=10, seed=1)
    finally:
        player.close()
    assert failed.value.key == key
    assert failed.value.say("de") != failed.value.say("en")


def test_engines_that_do_not_start_are_refused_in_a_sentence(tmp_path: Path) -> None:
    for player, message in (
        (f"engine:{tmp_path}/nothing", "does not start"),
        ("engine:", "Give the command that starts the engine"),
        ("engine:'", "does not start"),
        (f"engine:{program(tmp_path, repr({'protocol': 'EXIT'}))}", "has ended unexpectedly"),
    ):
        shown = run("match", "katarenga", "random", player, "--games", "2")
        assert shown.returncode == 1
        assert message in " ".join(shown.stderr.split())
        assert "Traceback" not in shown.stderr


def test_options_are_set_and_checked_before_they_are_sent() -> None:
    engine = EngineGames(example(), {"greedy": "true"})
    try:
        moves, infos = engine.ask(Question.of(START), Go(seed=5))
        assert moves[0] in START.legal_moves
        assert infos == []
        for name, value in (("greedy", "very"), ("level", "3")):
            with pytest.raises(UserError):
                engine.set_option(name, value)
    finally:
        engine.close()


def test_an_engine_that_does_not_end_is_ended() -> None:
    stubborn = "import sys, time\nprint('protocolok 1', flush=True)\nwhile True: time.sleep(1)"
    engine = EngineGames(shlex.join([sys.executable, "-c", stubborn]))
    engine.process.patience = 0.2
    engine.close()
    assert engine.process.process.returncode not in (None, 0)
