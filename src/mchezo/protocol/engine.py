"""Our players as an engine: reads commands, answers with lines, and thinks in a thread of its own."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO

import mchezo
from mchezo.core import registry
from mchezo.core.errors import IllegalMove, InvalidMove, InvalidSetup, UnknownGame, UnknownSeat, UserError
from mchezo.core.position import Position
from mchezo.core.seen import play_seen, start_written
from mchezo.protocol.lines import (
    LONGEST_LINE,
    NO_MOVE,
    VERSION,
    EngineOption,
    Go,
    Info,
    ProtocolError,
    read_options,
    read_value,
    read_whole,
)
from mchezo.search import players
from mchezo.search.thought import Thought

MEGABYTE = 1 << 20
OPTIONS = (
    EngineOption("level", "8", 1, players.LEVELS),
    EngineOption("threads", "1", 1, 256),
    EngineOption("hash", "32", 1, 16_384),  # megabytes
    EngineOption("multipv", "1", 1, 256),
)
CODES = {  # of errors that the rules raise
    UnknownGame: "unknown-game",
    InvalidSetup: "invalid-setup",
    InvalidMove: "invalid-move",
    IllegalMove: "illegal-move",
    UnknownSeat: "unknown-seat",
}
MOVES_LEFT = 25  # among which the time that is left is divided
LARGEST_SHARE = 0.2  # of the time that is left, for one decision
RESERVE = 0.05  # seconds for sending the move


class Search:
    """A running search; `stop` ends it."""

    def __init__(self, go: Go) -> None:
        self.go = go
        self.stop = threading.Event()
        self.began = time.perf_counter()
        self.thread: threading.Thread | None = None


class Engine:
    """One engine: `obey` carries out a line; answers are passed to `write`, also from the thread that thinks."""

    def __init__(self, write: Callable[[str], None], language: str = "en") -> None:
        self.write = write
        self.language = language
        self.options = {option.name: option.default for option in OPTIONS}
        self.start: Position | None = None  # the first position of the game
        self.position: Position | None = None
        self.seen: tuple[int, list[str]] = (0, [])  # the seat, and the moves as it saw them
        self.search: Search | None = None
        self.commands: dict[str, Callable[[Sequence[str]], None]] = {
            "protocol": self.introduce,
            "isready": self.be_ready,
            "setoption": self.set_option,
            "newgame": self.new_game,
            "position": self.set_position,
            "legal": lambda words: None,  # it has rules of its own
            "view": lambda words: None,
            "go": self.go,
            "stop": self.stop,
        }

    def run(self, lines: Iterable[bytes | None]) -> None:
        """Carry out lines until `quit` or the end of the input; None is a line that was too long."""
        for line in lines:
            if line is None:
                self.refuse(ProtocolError("too-long", most=LONGEST_LINE))
                continue
            words = line.decode(errors="replace").split()
            if words == ["quit"]:
                break
            if words:
                self.obey(words)
        self.close()

    def obey(self, words: Sequence[str]) -> None:
        """Carry out one command; answer `error` if anything goes wrong."""
        name, *rest = words
        try:
            if name not in self.commands:
                raise ProtocolError("unknown-command", given=name)
            if self.search is not None and name in ("setoption", "newgame", "position", "go"):
                raise ProtocolError("busy", given=name)
            self.commands[name](rest)
        except UserError as error:
            self.refuse(error)
        except Exception as error:  # an engine that ends loses the game
            self.refuse(ProtocolError("internal", reason=repr(error)))

    def close(self) -> None:
        """Stop thinking."""
        search = self.search
        if search is not None:
            search.stop.set()
            assert search.thread is not None
            search.thread.join()

    def refuse(self, error: UserError) -> None:
        """Say what was wrong with a line."""
        code = error.key if isinstance(error, ProtocolError) else CODES.get(type(error), "refused")
        self.write(f"error {code} {' '.join(error.say(self.language).split())}")

    # Commands

    def introduce(self, words: Sequence[str]) -> None:
        """Say who we are and what we can do."""
        if len(words) != 1 or read_whole(words[0]) < VERSION:
            raise ProtocolError("arguments", given=" ".join(words))
        self.write(f"id name mchezo {mchezo.__version__}")
        self.write("id author the mchezo project")
        for name in registry.names():
            self.write(f"game {name} {registry.find(name).version}")
        for option in OPTIONS:
            self.write(str(option))
        self.write(f"protocolok {VERSION}")

    def be_ready(self, words: Sequence[str]) -> None:
        """Answer once everything before is done."""
        self.write("readyok")

    def set_option(self, words: Sequence[str]) -> None:
        """Change an option."""
        if len(words) != 2:
            raise ProtocolError("arguments", given=" ".join(words))
        self.choose_option(words[0], read_value(words[1]))

    def choose_option(self, name: str, value: str) -> None:
        """Give an option a value that it can have."""
        known = {option.name: option for option in OPTIONS}
        if name not in known:
            raise ProtocolError("unknown-option", given=name, allowed=", ".join(known))
        self.options[name] = known[name].check(value)

    def new_game(self, words: Sequence[str]) -> None:
        """Set up a game; compile what has to be compiled."""
        self.start = self.position = None
        if not words:
            raise ProtocolError("arguments", given="newgame")
        game = registry.find(words[0])
        self.start = start_written(game, read_options(words[1:]))
        players.warm_up(game.name)

    def set_position(self, words: Sequence[str]) -> None:
        """Play the moves as the seat saw them; those of the last position are not played again."""
        known, self.position = self.position, None
        if self.start is None:
            raise ProtocolError("no-game")
        match words:
            case ["seat", number, "moves", *moves]:
                seat = read_whole(number)
            case _:
                raise ProtocolError("arguments", given=" ".join(words[:2]))
        if seat >= len(self.start.seats):
            raise UnknownSeat("unknown-seat", game=self.start.game.title, last=len(self.start.seats) - 1, given=seat)
        seat_before, before = self.seen
        if known is None or seat != seat_before or moves[: len(before)] != before:
            known, before = self.start.copy(), []
        for move in moves[len(before) :]:
            play_seen(known, move, seat)
        self.position, self.seen = known, (seat, moves)

    def go(self, words: Sequence[str]) -> None:
        """Begin to think; every `go` is answered by one `bestmove`."""
        try:
            go = Go.read(words)
            position = self.position
            if position is None:
                raise ProtocolError("no-position")
            seat = self.seen[0]
            if position.to_move != seat:
                raise ProtocolError("not-to-move", seat=seat)
            if go.clock is not None and len(go.clock) != len(position.seats):
                raise ProtocolError("arguments", given="clock")
            if go.increment is not None and len(go.increment) != len(position.seats):
                raise ProtocolError("arguments", given="increment")
        except UserError as error:
            self.refuse(error)
            self.write(f"bestmove {NO_MOVE}")
            return
        search = self.search = Search(go)
        search.thread = threading.Thread(target=self.think, args=(search, position.copy()), daemon=True)
        search.thread.start()

    def stop(self, words: Sequence[str]) -> None:
        """End the search, if there is one."""
        search = self.search
        if search is not None:
            search.stop.set()

    # Thinking

    def think(self, search: Search, position: Position) -> None:
        """Search a position and say the best move."""
        moves: Sequence[str] = [NO_MOVE]
        try:
            moves = self.decide(search, position)
        except UserError as error:
            self.refuse(error)
        except Exception as error:  # the same as in `obey`
            self.refuse(ProtocolError("internal", reason=repr(error)))
        if search.go.infinite:
            search.stop.wait()
        self.search = None  # before the answer, to which the next command may come at once
        self.write(" ".join(["bestmove", *moves]))

    def decide(self, search: Search, position: Position) -> Sequence[str]:
        """Return the seat's decisions until chance or another seat decides."""
        seat, go = position.to_move, search.go
        assert seat is not None
        legal = position.legal_moves
        if len(legal) == 1 and not go.infinite:
            return legal
        lines = int(self.options["multipv"])
        player = mchezo.player(
            position.game,
            int(self.options["level"]),
            threads=int(self.options["threads"]),
            memory=int(self.options["hash"]) * MEGABYTE,
        )
        seed = random.getrandbits(31) if go.seed is None else go.seed
        nodes, seconds = limits(go, seat, player.nodes)

        def report(thoughts: list[Thought]) -> None:
            took = round(1000 * (time.perf_counter() - search.began))
            for rank, thought in enumerate(thoughts[:lines], start=1):
                self.write(str(Info.of(thought, rank, took)))

        candidates = player.facts.candidates
        thoughts = player.engine.best(
            position,
            max(lines, candidates),
            nodes=nodes,
            seconds=seconds,
            seed=seed,
            stop=search.stop.is_set,
            report=report,
        )
        report(thoughts)
        chosen = players.choose_softly(thoughts[:candidates], seat, player.facts.softness, random.Random(seed))
        return chosen.moves[: chosen.turn]


def limits(go: Go, seat: int, default: int) -> tuple[int | None, float | None]:
    """Return the nodes and seconds of a search; on the clock a level spends no more than its own nodes."""
    if go.infinite:
        return None, None
    seconds = None if go.movetime is None else go.movetime / 1000
    left = None if go.clock is None else go.clock[seat]
    if left is not None:
        added = (go.increment[seat] or 0) if go.increment is not None else 0
        fair = (left / MOVES_LEFT + 0.8 * added) / 1000
        share = max(0.001, min(fair, LARGEST_SHARE * left / 1000) - RESERVE)
        seconds = share if seconds is None else min(seconds, share)
    if go.nodes is None and (left is not None or seconds is None):
        return default, seconds
    return go.nodes, seconds


def read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a stream; None for one that is too long, which is skipped."""
    while line := source.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
        yield None


def serve(options: Iterable[tuple[str, str]] = (), language: str = "en") -> None:
    """Be an engine on standard input and output until the input ends."""
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            try:
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()
            except BrokenPipeError:
                # Nobody reads the answers any more, and the input will end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    engine = Engine(write, language)
    for name, value in options:
        engine.choose_option(name, value)
    engine.run(read_lines(sys.stdin.buffer))
