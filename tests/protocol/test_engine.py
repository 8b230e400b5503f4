"""Our engine: what it answers to every command, and that it thinks as our players do."""

from __future__ import annotations

import io
import random
import threading

import pytest

import mchezo
from mchezo.core.record import HIDDEN
from mchezo.core.seen import play_seen
from mchezo.protocol.client import Question
from mchezo.protocol.engine import limits, read_lines
from mchezo.protocol.lines import LONGEST_LINE, Go, Info, write_options
from tests.cli.running import run_process
from tests.games.kitara.positions import attacks
from tests.protocol.talking import Talk

BOARD = "board=b0d3a0c3"


def told(talk: Talk, position: mchezo.Position) -> list[str]:
    """Tell the engine a game and its position; return its errors."""
    asked = Question.of(position)
    return talk.say(
        " ".join(["newgame", asked.game, *write_options(asked.options)]),
        " ".join(["position", "seat", str(asked.seat), "moves", *asked.moves]),
    )


def test_it_introduces_itself() -> None:
    lines = Talk().say("protocol 1")
    assert lines[0] == f"id name mchezo {mchezo.__version__}"
    assert lines[-1] == "protocolok 1"
    assert {f"game {name} {mchezo.game(name).version}" for name in mchezo.games()} <= set(lines)
    assert "option level number 8 1 8" in lines
    assert Talk().say("protocol 2")[-1] == "protocolok 1", "it answers with the version it speaks"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("dance", "unknown-command"),
        ("protocol", "arguments"),
        ("protocol one", "arguments"),
        ("setoption level 9", "option-number"),
        ("setoption level", "arguments"),
        ("setoption colour red", "unknown-option"),
        ("newgame", "arguments"),
        ("newgame chess", "unknown-game"),
        ("newgame katarenga board", "arguments"),
        ("newgame katarenga board=x", "invalid-setup"),
        ("newgame katarenga colour=red", "invalid-setup"),
        ("newgame kitara pack=/etc/passwd", "invalid-setup"),
        ("position seat 0 moves", "no-game"),
    ],
)
def test_what_it_refuses_it_refuses_with_a_code(line: str, code: str) -> None:
    (answer,) = Talk().say(line)
    assert answer.split()[:2] == ["error", code]
    assert len(answer.split()) > 2, "a sentence follows"


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ("position", "arguments"),
        ("position seat 2 moves", "unknown-seat"),
        ("position seat zero moves", "arguments"),
        ("position seat 0 moves c1-c1-c1", "invalid-move"),
        ("position seat 0 moves a1-a8", "illegal-move"),
        ("position seat 0 moves =?", "illegal-move"),
    ],
)
def test_after_a_position_it_refused_there_is_none(position: str, code: str) -> None:
    talk = Talk()
    assert talk.say(f"newgame katarenga {BOARD}", "position seat 0 moves") == []
    (answer,) = talk.say(position)
    assert answer.split()[:2] == ["error", code]
    refused, none = talk.say("go nodes 10")
    assert refused.startswith("error no-position")
    assert none == "bestmove none"


def test_every_go_has_one_answer_even_where_there_is_no_move() -> None:
    talk = Talk()
    assert talk.say("go")[-1] == "bestmove none"
    talk.say(f"newgame katarenga {BOARD}", "position seat 1 moves")
    for line, code in (("go", "not-to-move"), ("go nodes x", "arguments"), ("go clock 5", "not-to-move")):
        refused, none = talk.say(line)
        assert refused.split()[:2] == ["error", code]
        assert none == "bestmove none"
    talk.say("position seat 0 moves")
    refused, none = talk.say("go clock 5")
    assert refused.split()[:2] == ["error", "arguments"], "one time for each seat"


@pytest.mark.parametrize("game", mchezo.games())
@pytest.mark.parametrize("level", [2, 8])
def test_it_plays_what_our_player_plays(game: str, level: int) -> None:
    position = mchezo.game(game).start(seed=3)
    for number in range(12):
        talk = Talk()
        assert told(talk, position) == []
        assert talk.say(f"setoption level {level}") == []
        talk.go(f"nodes 700 seed {number}")
        *infos, best = talk.until_move()
        thought = mchezo.player(game, level).think(position, nodes=700, seed=number)
        moves = best.split()[1:]
        if len(position.legal_moves) > 1:
            assert moves == list(thought.moves[: thought.turn])
            last = Info.read(infos[-1].split()[1:])
            assert sum(last.chances) == pytest.approx(1, abs=0.001)
            assert last.nodes >= 1
        for move in moves:
            position.play(move)


def test_it_thinks_the_same_without_what_is_hidden_from_its_seat() -> None:
    talk, asked = Talk(), 0
    for seed in range(4):
        rng = random.Random(seed)
        position = mchezo.game("kitara").start(players=2, seed=seed)
        while position.outcome is None:
            seat, legal = position.to_move, position.choices()[0]
            assert seat is not None
            if HIDDEN in position.seen_moves(seat) and len(legal) > 1 and asked < 12:
                assert told(talk, position) == []
                talk.go("nodes 400 seed 9")
                thought = mchezo.player("kitara").think(position, nodes=400, seed=9)
                assert talk.until_move()[-1].split()[1:] == list(thought.moves[: thought.turn])
                asked += 1
            action = rng.choice(attacks(position.states[0], legal) or legal)
            position.play(position.game.notation.write(action, position.states[0], position.setups[0]))
    assert asked > 5


def test_a_longer_game_needs_only_the_new_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    def play(position: mchezo.Position, move: str, seat: int) -> None:
        played.append(move)
        play_seen(position, move, seat)

    monkeypatch.setattr("mchezo.protocol.engine.play_seen", play)
    talk = Talk()
    position = mchezo.game("kiwara").start(seed=1)
    seen: list[list[str]] = []
    for _ in range(6):
        position.play(position.legal_moves[0])
        seen.append(position.moves)
    talk.say("newgame kiwara", *(" ".join(["position seat 0 moves", *moves]) for moves in seen))
    assert played == seen[-1]
    talk.say(" ".join(["position seat 0 moves", *seen[1]]))  # after a takeback
    assert played == seen[-1] + seen[1]
    assert talk.engine.position is not None
    assert talk.engine.position.moves == seen[1]


def test_it_thinks_until_it_is_stopped_and_refuses_other_work_meanwhile() -> None:
    talk = Talk()
    talk.say(f"newgame katarenga {BOARD}", "position seat 0 moves", "setoption multipv 3")
    talk.go("infinite")
    depths: set[int] = set()
    while len(depths) < 3:
        info = Info.read(talk.lines.get(timeout=600).split()[1:])
        depths.add(info.depth)
        assert info.rank <= 3
    for line in ("position seat 0 moves", "go", "newgame kiwara", "setoption level 1"):
        talk.engine.obey(line.split())
    talk.engine.obey(["isready"])
    talk.engine.obey(["stop"])
    lines = talk.until_move()
    assert sum(line.startswith("error busy") for line in lines) == 4
    assert "readyok" in lines
    last = [Info.read(line.split()[1:]) for line in lines if line.startswith("info")][-3:]
    assert [info.rank for info in last] == [1, 2, 3]
    assert len({info.pv[0] for info in last}) == 3
    assert last[0].chances[0] >= last[1].chances[0] >= last[2].chances[0]
    assert lines[-1].split()[1] == last[0].pv[0]
    assert talk.say("stop", "isready") == ["readyok"]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", mchezo.games())
def test_a_search_ends_with_its_slice_after_stop(game: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from mchezo.search import budget

    stopped = threading.Event()
    slices = 0
    exhausted = budget.Budget.exhausted

    def count(self: budget.Budget, visited: int) -> bool:
        nonlocal slices
        after = stopped.is_set() and self.stop == stop
        ended = exhausted(self, visited)
        slices += after and not ended
        return ended

    talk = Talk()
    assert told(talk, mchezo.game(game).start(seed=2)) == []
    talk.say(f"setoption threads {threads}", "setoption hash 1")
    talk.go("infinite")
    assert talk.engine.search is not None
    stop = talk.engine.search.stop.is_set
    talk.lines.get(timeout=600)
    monkeypatch.setattr(budget.Budget, "exhausted", count)
    talk.engine.obey(["stop"])
    stopped.set()
    talk.until_move()
    assert slices == 0


def test_it_says_an_only_move_without_thinking() -> None:
    position = mchezo.game("kitara").start(seed=1)
    while len(position.legal_moves) > 1:
        position.play(position.legal_moves[0])
    talk = Talk()
    assert told(talk, position) == []
    talk.go("nodes 5000")
    assert talk.until_move() == [f"bestmove {position.legal_moves[0]}"]


def test_time_is_divided_among_the_moves_to_come() -> None:
    assert limits(Go(), 0, 500) == (500, None), "its own budget"
    assert limits(Go(nodes=7), 0, 500) == (7, None)
    assert limits(Go(movetime=1500), 0, 500) == (None, 1.5)
    assert limits(Go(infinite=True), 0, 500) == (None, None)
    nodes, seconds = limits(Go(clock=(60_000, None), increment=(1_000, 0)), 0, 500)
    assert nodes == 500
    assert seconds == pytest.approx(60 / 25 + 0.8 - 0.05)
    assert limits(Go(clock=(60_000, None)), 1, 500) == (500, None), "this seat has no clock"
    for left in (0, 1, 50, 300, 1_000):
        _, seconds = limits(Go(clock=(left, left), increment=(10_000, 10_000)), 0, 500)
        assert seconds is not None
        assert seconds <= max(0.001, left / 1000 * 0.2)
    assert limits(Go(movetime=10, clock=(60_000, 1)), 0, 500)[1] == pytest.approx(0.01)


def test_lines_may_be_long_but_not_endless() -> None:
    stream = io.BytesIO(b"isready\n" + b"x" * (LONGEST_LINE + 5) + b"\nisready\r\n" + b"\xff\xfe\nlast")
    lines = list(read_lines(stream))
    assert lines == [b"isready\n", None, b"isready\r\n", b"\xff\xfe\n", b"last"]
    talk = Talk()
    talk.engine.run(lines)
    answers = talk.say()
    assert [line.split()[:2] for line in answers] == [
        ["readyok"],
        ["error", "too-long"],
        ["readyok"],
        ["error", "unknown-command"],
        ["error", "unknown-command"],
    ]


def test_a_bug_in_it_is_an_answer_and_not_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: object) -> None:
        raise RuntimeError("nobody expected this")

    talk = Talk()
    talk.say(f"newgame katarenga {BOARD}", "position seat 0 moves")
    monkeypatch.setattr("mchezo.protocol.engine.limits", fail)
    talk.go("nodes 5")
    lines = talk.until_move()
    assert "nobody expected this" in lines[0]
    assert lines[-1] == "bestmove none"
    monkeypatch.setattr("mchezo.protocol.engine.start_written", fail)
    assert "nobody expected this" in talk.say("newgame kiwara")[0]
    assert talk.say("isready") == ["readyok"]


def test_as_a_program_it_reads_and_writes_lines_and_ends_with_its_input() -> None:
    done = run_process(
        "engine", "-o", "level=3", text=f"protocol 1\nnewgame katarenga {BOARD}\nposition seat 0 moves\ngo seed 1\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("bestmove ")
    refused = run_process("--language", "en", "engine", "-o", "level=12")
    assert refused.returncode == 1
    assert "level is a whole number from 1 to 8, not 12." in refused.stderr
