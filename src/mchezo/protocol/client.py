"""Any engine as a player: its process, what it said about itself, and its answers."""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Unpack

from mchezo.core.errors import UserError
from mchezo.core.position import Position
from mchezo.protocol.lines import (
    ANY_GAME,
    LONGEST_LINE,
    NO_MOVE,
    VERSION,
    WORDS,
    EngineOption,
    Go,
    Info,
    ProtocolError,
    read_whole,
    write_options,
    write_value,
)
from mchezo.search.thought import SearchOptions, Stop, Thought

PATIENCE = 60.0  # seconds in which an engine must answer, beyond the time that it was given
COMPILING = 600.0  # the same for the first `isready` of a game: some engines compile or load large files
POLL = 0.01  # seconds between two checks of `stop`
NEEDS = ("legal", "view")


class EngineError(UserError):
    """An engine does not start, does not answer, or breaks the protocol."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, WORDS, **values)


@dataclass
class Introduction:
    """What an engine says about itself."""

    name: str = ""
    author: str = ""
    games: dict[str, int] = field(default_factory=dict)  # name -> version of its rules; 0: it relies on `legal`
    options: dict[str, EngineOption] = field(default_factory=dict)
    needs: set[str] = field(default_factory=set)

    def read(self, words: Sequence[str]) -> None:
        """Read a line of the introduction; unknown ones are skipped."""
        match words:
            case ["id", "name", *name]:
                self.name = " ".join(name)
            case ["id", "author", *author]:
                self.author = " ".join(author)
            case ["game", name, version]:
                self.games[name] = read_whole(version)
            case ["option", *rest]:
                option = EngineOption.read(rest)
                self.options[option.name] = option
            case ["needs", *needs]:
                self.needs |= {need for need in needs if need in NEEDS}

    def plays(self, game: str) -> bool:
        """Return whether the engine plays a game."""
        return game in self.games or ANY_GAME in self.games

    def rules_of(self, game: str) -> int:
        """Return the version of the rules by which the engine plays a game."""
        return self.games.get(game, self.games.get(ANY_GAME, 0))


@dataclass(frozen=True)
class Question:
    """A decision that an engine is asked for: the game, and what the deciding seat has seen of it."""

    game: str
    options: Mapping[str, str]  # as in a record
    seat: int
    moves: Sequence[str]
    legal: Sequence[str] = ()
    view: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position) -> Question:
        """Return the decision of the seat to move."""
        seat = position.to_move
        assert seat is not None
        return cls(
            position.game.name,
            position.written_options,
            seat,
            position.seen_moves(seat),
            position.legal_moves,
            position.view(seat),
        )


class EngineProcess:
    """An engine's process: lines to it, and lines from it."""

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        self.name = command
        self.patience = patience
        try:
            # A group of its own: Ctrl-C is for us, and we stop the engine.
            self.process = subprocess.Popen(
                split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise EngineError("engine-start", command=command, reason=error) from error
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline(LONGEST_LINE):
            self.lines.put(line.decode(errors="replace").rstrip("\r\n"))
        self.lines.put(None)

    def send(self, line: str) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
        except (OSError, ValueError) as error:  # ValueError: its input is closed
            raise EngineError("engine-ended", name=self.name) from error

    def receive(self, timeout: float) -> list[str] | None:
        """Return the words of the next line; None if none comes in time."""
        try:
            line = self.lines.get(timeout=timeout)
        except queue.Empty:
            return None
        if line is None:
            self.lines.put(None)
            raise EngineError("engine-ended", name=self.name)
        return line.split()

    def until(self, last: str, patience: float | None = None) -> Iterator[list[str]]:
        """Yield lines up to the one that begins with a word; raise an error if it does not come in time."""
        patience = self.patience if patience is None else patience
        end = time.monotonic() + patience
        while True:
            words = self.receive(max(0.0, end - time.monotonic()))
            if words is None:
                raise EngineError("engine-silent", name=self.name, awaited=last, seconds=round(patience))
            if words:
                yield words
                if words[0] == last:
                    return

    def introduce(self) -> Introduction:
        """Begin the conversation and return what the engine says about itself."""
        self.send(f"protocol {VERSION}")
        found = Introduction()
        for words in self.until("protocolok"):
            try:
                found.read(words)
            except ProtocolError as error:
                raise EngineError("engine-line", name=self.name, line=" ".join(words)) from error
            if words[0] == "error":
                raise EngineError("engine-refused", name=self.name, reason=" ".join(words[2:]))
        if words != ["protocolok", str(VERSION)]:
            raise EngineError("engine-line", name=self.name, line=" ".join(words))
        self.name = found.name or self.name
        return found

    def settle(self, patience: float | None = None) -> list[list[str]]:
        """Wait until the engine has done everything so far; return the lines it sent, `readyok` excluded."""
        self.send("isready")
        return list(self.until("readyok", patience))[:-1]

    def close(self) -> None:
        """End the engine: first ask, then wait, then kill."""
        with suppress(EngineError):  # it has ended
            self.send("quit")
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):  # something unsent, which nobody reads
            self.process.stdin.close()
        try:
            self.process.wait(self.patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        self.process.stdout.close()


class EngineGames:
    """An engine's process that plays one game after another."""

    def __init__(self, command: str, options: Mapping[str, str] | None = None, patience: float = PATIENCE) -> None:
        self.process = EngineProcess(command, patience)
        self.playing: tuple[str, dict[str, str]] | None = None
        try:
            self.introduction = self.process.introduce()
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name that the engine gave itself."""
        return self.process.name

    def set_option(self, name: str, value: str) -> None:
        """Change an option of the engine."""
        known = self.introduction.options
        if name not in known:
            allowed = ", ".join(known) or "-"
            raise EngineError("engine-option", name=self.name, option=name, allowed=allowed)
        self.process.send(f"setoption {name} {write_value(known[name].check(value))}")
        self.require_no_error(self.process.settle())

    def require_game(self, game: str, rules: int | None = None) -> None:
        """Refuse a game that the engine does not play, or plays by other rules than ours."""
        if not self.introduction.plays(game):
            raise EngineError("engine-game", name=self.name, game=game)
        given = self.introduction.rules_of(game)
        if given and rules is not None and given != rules:
            raise EngineError("engine-rules", name=self.name, game=game, given=given, right=rules)

    def ask(self, question: Question, go: Go, stop: Stop | None = None) -> tuple[list[str], list[Info]]:
        """Return the engine's decisions, and the last it said about each line of play."""
        self.begin(question)
        self.process.send(str(go))
        end = None if go.movetime is None else time.monotonic() + go.movetime / 1000 + self.process.patience
        infos: dict[int, Info] = {}
        stopped = False
        while True:
            words = self.process.receive(POLL if stop is not None and not stopped else self.process.patience)
            if words is None and not stopped and stop is not None and stop():
                self.process.send("stop")
                stopped, end = True, time.monotonic() + self.process.patience
            elif words is None and end is not None and time.monotonic() >= end:
                raise EngineError(
                    "engine-silent", name=self.name, awaited="bestmove", seconds=round(self.process.patience)
                )
            elif words and words[0] == "info":
                info = self.read_info(words)
                infos[info.rank] = info
            elif words and words[0] == "error":
                self.require_no_error([words])
            elif words and words[0] == "bestmove":
                if words[1:] in ([], [NO_MOVE]):
                    raise EngineError("engine-no-move", name=self.name)
                return words[1:], [infos[rank] for rank in sorted(infos)]

    def begin(self, question: Question) -> None:
        """Tell the engine the game, if it is a new one, and the position."""
        game = question.game, dict(question.options)
        if self.playing != game:
            self.process.send(" ".join(["newgame", question.game, *write_options(question.options)]))
            self.require_no_error(self.process.settle(max(COMPILING, self.process.patience)))
            self.playing = game
        self.process.send(" ".join(["position", "seat", str(question.seat), "moves", *question.moves]))
        if "legal" in self.introduction.needs:
            self.process.send(" ".join(["legal", *question.legal]))
        if "view" in self.introduction.needs:
            self.process.send(f"view {json.dumps(question.view, separators=(',', ':'))}")

    def read_info(self, words: Sequence[str]) -> Info:
        """Read what the engine thinks."""
        try:
            return Info.read(words[1:])
        except ProtocolError as error:
            raise EngineError("engine-line", name=self.name, line=" ".join(words)) from error

    def require_no_error(self, lines: Sequence[Sequence[str]]) -> None:
        """Raise the first error among the engine's lines."""
        for words in lines:
            if words and words[0] == "error":
                raise EngineError("engine-refused", name=self.name, reason=" ".join(words[2:] or words))

    def close(self) -> None:
        """End the engine."""
        self.process.close()


class EnginePlayer:
    """An engine as a player of matches."""

    def __init__(self, name: str, command: str) -> None:
        self.name = name
        self.games = EngineGames(command)

    def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
        """Ask the engine; what it answers must be legal."""
        self.games.require_game(position.game.name, position.game.version)
        seconds = options.get("seconds")
        go = Go(
            nodes=options.get("nodes"),
            movetime=None if seconds is None else max(1, round(1000 * seconds)),
            seed=options.get("seed"),
        )
        moves, infos = self.games.ask(Question.of(position), go, options.get("stop"))
        check_moves(self.games.name, position, moves)
        best = next((info for info in infos if info.rank == 1), Info())
        seats = len(position.seats)
        chances = best.chances if len(best.chances) == seats else (1 / seats,) * seats
        points = best.points if len(best.points) == seats else ()
        return Thought(tuple(moves), len(moves), chances, points, best.depth, best.nodes, best.solved)

    def close(self) -> None:
        """End the engine."""
        self.games.close()


def check_moves(name: str, position: Position, moves: Sequence[str]) -> None:
    """Refuse decisions that are illegal, or that chance or another seat has to make."""
    ahead, seat = position.copy(), position.to_move
    ahead.manual = True
    for move in moves:
        try:
            if ahead.to_move != seat:
                raise EngineError("engine-beyond", name=name, move=move)
            ahead.play(move)
        except EngineError:
            raise
        except UserError as error:
            raise EngineError("engine-illegal", name=name, move=move, reason=error) from error


def split(command: str) -> list[str]:
    """Split a command into the program and its arguments, as a shell does."""
    words = shlex.split(command, posix=os.name == "posix")
    if not words:
        raise EngineError("engine-empty")
    return words
