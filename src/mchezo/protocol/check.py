"""The conformance test: what any engine that speaks the protocol must do.

`check` yields one result a requirement. Each requirement has a process of its own, so one failure does not hide
another. Engines without rules (`needs legal`) need not notice impossible positions.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.protocol.client import (
    PATIENCE,
    EngineError,
    EngineGames,
    EngineProcess,
    Introduction,
    Question,
    check_moves,
)
from mchezo.protocol.lines import NO_MOVE, Go, Info, ProtocolError, write_options

NODES = 300  # for each decision of a whole game


@dataclass(frozen=True)
class Checked:
    """A requirement, and why the engine does not meet it; None: it does."""

    key: str
    failure: UserError | None
    values: dict[str, str] = field(default_factory=dict)


class Failed(EngineError):
    """An engine does not do what it must."""


def check(command: str, games: Sequence[str] = (), patience: float = PATIENCE) -> Iterator[Checked]:
    """Check an engine with these games, or all that it plays; nothing more is checked if it cannot introduce itself."""
    try:
        known = introduction_of(command, patience)
    except UserError as error:
        yield Checked("check-introduction", error)
        return
    yield Checked("check-introduction", None)
    played = [name for name in registry.names() if known.plays(name) and name in (games or registry.names())]
    if not played:
        yield Checked("check-introduction", Failed("engine-game", name=known.name, game=", ".join(games) or "-"))
        return
    for key, requirement in REQUIREMENTS.items():
        if key != "check-refused-position" or not known.needs:
            yield Checked(key, attempt(requirement, Trial(command, patience, played[0])))
    for name in played:
        for options in [{}, *map(dict, registry.find(name).computers.conformance)]:
            values = {"game": name, "variant": ", ".join(f"{key} {value}" for key, value in options.items()) or "-"}
            yield Checked("check-game", attempt(play_alone, Trial(command, patience, name, options)), values)


@dataclass(frozen=True)
class Trial:
    """What a requirement is checked with."""

    command: str
    patience: float
    game: str
    options: dict[str, Any] = field(default_factory=dict)

    def position(self) -> Position:
        """Return a start with more than one legal move."""
        position = registry.find(self.game).start(seed=1, **self.options)
        while len(position.legal_moves) == 1:
            position.play(position.legal_moves[0])
        return position


Requirement = Callable[[EngineGames, Trial], None]


def attempt(requirement: Requirement, trial: Trial) -> UserError | None:
    """Check a requirement with a new process; return why it is not met."""
    try:
        engine = EngineGames(trial.command, patience=trial.patience)
        try:
            requirement(engine, trial)
        finally:
            engine.close()
    except UserError as error:
        return error
    return None


def introduction_of(command: str, patience: float) -> Introduction:
    """Start an engine and return what it says about itself."""
    process = EngineProcess(command, patience)
    try:
        found = process.introduce()
        if not found.name:
            raise Failed("failed-nothing", line="id name")
        if not found.games:
            raise Failed("failed-nothing", line="game")
        return found
    finally:
        process.close()


# The requirements


def is_ready(engine: EngineGames, trial: Trial) -> None:
    """Three questions get three answers, and nothing else."""
    for _ in range(3):
        expect_nothing(engine.process.settle())


def survives_errors(engine: EngineGames, trial: Trial) -> None:
    """Every line that cannot be read is answered by an error; blank lines by nothing."""
    for line in (
        "bogus",
        "setoption",
        "go bogus",
        "go nodes",
        "go nodes -1",
        "newgame",
        "\x00\x07 \u2603",
        "x" * 70_000,
    ):
        engine.process.send(line)
        answers = engine.process.settle()
        if not any(words[0] == "error" and len(words) > 1 for words in answers):
            raise Failed("failed-no-error", line=line[:40])
        expect_nothing([words for words in answers if words[0] != "error" and words != ["bestmove", NO_MOVE]])
    engine.process.send("\n  \n")
    expect_nothing(engine.process.settle())


def keeps_options(engine: EngineGames, trial: Trial) -> None:
    """Options accept the values that they claim to have, and refuse others."""
    for option in engine.introduction.options.values():
        allowed = [option.default, *option.values]
        if option.least is not None and option.most is not None:
            refused = [str(option.most + 1), "-1", "many"]
            allowed.append(str(option.least))
        else:
            refused = ["not-one-of-them"] if option.values else []
        for value in allowed:
            engine.set_option(option.name, value)
        for value in refused:
            expect_error(engine.process, f"setoption {option.name} {value}")
    expect_error(engine.process, "setoption no-such-option 1")


def needs_position(engine: EngineGames, trial: Trial) -> None:
    """Neither before the game nor before its first position is there a move."""
    expect_no_move(engine.process, "go nodes 10")
    engine.process.send(" ".join(["newgame", trial.game, *write_options(trial.position().written_options)]))
    engine.require_no_error(engine.process.settle())
    expect_no_move(engine.process, "go nodes 10")


def refuses_positions(engine: EngineGames, trial: Trial) -> None:
    """A position that cannot be is refused, and no older one is played instead."""
    question = Question.of(trial.position())
    seats = len(trial.position().seats)
    engine.begin(question)
    engine.require_no_error(engine.process.settle())
    good = " ".join(["position", "seat", str(question.seat), "moves", *question.moves])
    for line in (
        "position",
        "position seat 0",
        f"position seat {seats} moves",
        f"{good} no-such-move",
        f"{good} =?",
        f"{good} {question.legal[0]} {question.legal[0]} {question.legal[0]}",
    ):
        expect_error(engine.process, line)
        expect_no_move(engine.process, "go nodes 10")
    expect_error(engine.process, "newgame no-such-game")
    expect_no_move(engine.process, "go nodes 10")
    expect_error(engine.process, f"newgame {trial.game} no-such-option=1")


def stops(engine: EngineGames, trial: Trial) -> None:
    """It thinks until it is stopped, and can be asked for another move then."""
    position = trial.position()
    for _ in range(3):
        engine.begin(Question.of(position))
        engine.process.send("go infinite")
        expect_infos(engine.process.settle(), position)
        engine.process.send("stop")
        move_of(engine.process, position)
        engine.process.send("stop")  # one too many changes nothing
        expect_nothing(engine.process.settle())


def is_busy(engine: EngineGames, trial: Trial) -> None:
    """Another position in the middle of a search is refused; the search goes on."""
    position = trial.position()
    question = Question.of(position)
    engine.begin(question)
    engine.process.send("go infinite")
    for line in (" ".join(["position", "seat", str(question.seat), "moves", *question.moves]), "go nodes 10"):
        engine.process.send(line)
        answers = [words for words in engine.process.settle() if words[0] != "info"]
        if not answers or answers[0][0] != "error":
            raise Failed("failed-no-error", line=line[:40])
        expect_nothing(answers[1:])
    engine.process.send("stop")
    move_of(engine.process, position)


def keeps_limits(engine: EngineGames, trial: Trial) -> None:
    """Every kind of limit ends the search by itself."""
    position = trial.position()
    seats = len(position.seats)
    for go in (
        Go(nodes=1),
        Go(movetime=1),
        Go(movetime=50, seed=7),
        Go(clock=(1_000,) * seats, increment=(10,) * seats),
        Go(clock=(None,) * seats, nodes=10),
        Go(clock=(1,) * seats),
    ):
        engine.begin(Question.of(position))
        engine.process.send(str(go))
        move_of(engine.process, position)


def play_alone(engine: EngineGames, trial: Trial) -> None:
    """Play a whole game, every seat with what it has seen."""
    position = registry.find(trial.game).start(seed=2, **trial.options)
    # Beginnings at random: games of good players need not show captures, swaps and retreats.
    chance = random.Random(3)
    for _ in range(12):
        if position.outcome is None:
            position.play(chance.choice(position.legal_moves))
    while position.outcome is None:
        engine.begin(Question.of(position))
        engine.process.send(str(Go(nodes=NODES, seed=len(position.steps))))
        for move in move_of(engine.process, position):
            position.play(move)


def ends_with_input(engine: EngineGames, trial: Trial) -> None:
    """It ends when its input does."""
    begin_thinking(engine, trial)
    assert engine.process.process.stdin is not None
    engine.process.process.stdin.close()
    expect_exit(engine.process)


def quits(engine: EngineGames, trial: Trial) -> None:
    """It ends on `quit`."""
    begin_thinking(engine, trial)
    engine.process.send("quit")
    expect_exit(engine.process)


REQUIREMENTS: dict[str, Requirement] = {
    "check-ready": is_ready,
    "check-errors": survives_errors,
    "check-options": keeps_options,
    "check-no-position": needs_position,
    "check-refused-position": refuses_positions,
    "check-stop": stops,
    "check-busy": is_busy,
    "check-limits": keeps_limits,
    "check-end-of-input": ends_with_input,
    "check-quit": quits,
}


# Expectations


def expect_nothing(lines: Sequence[Sequence[str]]) -> None:
    """Refuse lines that should not have been sent."""
    if lines:
        raise Failed("failed-unexpected", line=" ".join(lines[0]))


def expect_error(process: EngineProcess, line: str) -> None:
    """Send a line that the engine must refuse."""
    process.send(line)
    if not any(words[0] == "error" for words in process.settle()):
        raise Failed("failed-no-error", line=line[:200])


def expect_no_move(process: EngineProcess, line: str) -> None:
    """Send a `go` to which there is no move."""
    process.send(line)
    *_, last = process.until("bestmove")
    if last != ["bestmove", NO_MOVE]:
        raise Failed("failed-unexpected", line=" ".join(last))


def move_of(process: EngineProcess, position: Position) -> list[str]:
    """Return the decisions that the engine sends; check them and what it says before."""
    *before, last = process.until("bestmove")
    expect_infos(before, position)
    if last[1:] in ([], [NO_MOVE]):
        raise Failed("engine-no-move", name=process.name)
    check_moves(process.name, position, last[1:])
    return last[1:]


def expect_infos(lines: Sequence[Sequence[str]], position: Position) -> None:
    """Refuse lines that are not right `info`."""
    for words in lines:
        if words[0] != "info":
            raise Failed("failed-unexpected", line=" ".join(words))
        check_info(words, position)


def check_info(words: Sequence[str], position: Position) -> None:
    """Check that an `info` can be read, speaks of all seats, and begins with a legal move."""
    line, seats = " ".join(words), len(position.seats)
    try:
        info = Info.read(words[1:])
    except ProtocolError as error:
        raise Failed("failed-info", what=error, line=line) from error
    sums = abs(sum(info.chances) - 1) < 0.01 and all(0 <= chance <= 1 for chance in info.chances)
    if info.chances and (len(info.chances) != seats or not sums):
        raise Failed("failed-info", what="chances", line=line)
    if info.points and len(info.points) != seats:
        raise Failed("failed-info", what="points", line=line)
    if info.pv and info.pv[0] not in position.legal_moves:
        raise Failed("failed-info", what="pv", line=line)


def begin_thinking(engine: EngineGames, trial: Trial) -> None:
    """Let the engine think without an end."""
    engine.begin(Question.of(trial.position()))
    engine.process.send("go infinite")
    engine.process.settle()


def expect_exit(process: EngineProcess) -> None:
    """Wait for the end of the process."""
    try:
        code = process.process.wait(process.patience)
    except subprocess.TimeoutExpired:
        raise Failed("failed-exit", code="-") from None
    if code != 0:
        raise Failed("failed-exit", code=code)
