"""A table as a value: what follows from its log. Knows no network, no database and no time of its own."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from mchezo.core import registry
from mchezo.core.game import Game
from mchezo.core.outcome import Outcome
from mchezo.core.position import Position
from mchezo.core.structs import CHANCE, Structs
from mchezo.server import facts as log
from mchezo.server.clock import Clock


class Deed(NamedTuple):
    """What belongs to a decision or a chance outcome of the log: who alone may see it, and the states around it."""

    only: int | None
    before: Structs
    after: Structs
    setups: Structs


class Message(NamedTuple):
    """One message of decisions: where it begins in the log and in the game."""

    seat: int
    number: int
    made: int


@dataclass
class Question:
    """Something a player asked for; `agreed` are the seats that want it."""

    seat: int
    agreed: set[int]


class Table:
    """A table from its first fact to its last. `add` goes on; there is no way back but a shorter log."""

    def __init__(self, id: str, facts: Iterable[log.Facts] = ()) -> None:
        self.id = id
        self.log: list[log.Facts] = []
        self.made: log.Made  # the first fact
        self.game: Game
        self.deeds: dict[int, Deed] = {}  # by the number of their fact
        self.done: dict[tuple[str, str], tuple[int, str | None]] = {}  # who, command id -> number, digest
        self.seats: list[log.Sitter] = []
        self.outs: dict[int, log.OutReason] = {}
        self.position: Position | None = None
        self.began: int | None = None  # the number of the fact
        self.decision: int | None = None  # the number of the fact that opened the present decision
        self.messages: list[Message] = []
        self.questions: dict[log.What, Question] = {}
        self.declined: dict[tuple[int, log.What], int] = {}  # who asked in vain -> moves made then
        self.touched: str | None = None
        self.finished: log.Finished | None = None
        self.continued: str | None = None
        self.clock: Clock | None = None
        self.delay = 0  # of the connection of who decided last
        self.known: dict[Hashable, Any] = {}  # what was found out about the present position
        self.ahead: Position | None = None  # the position with the moves of the facts to come
        for fact in facts:
            self.add(fact)

    @property
    def number(self) -> int:
        """The number of the last fact."""
        return len(self.log) - 1

    @property
    def status(self) -> str:
        """Open, running or over."""
        return "over" if self.finished else "open" if self.began is None else "running"

    @property
    def to_move(self) -> int | None:
        """The seat that decides; None before the start and after the end."""
        if self.position is None or self.finished or self.began is None:
            return None
        if "to_move" not in self.known:
            self.known["to_move"] = self.position.to_move
        seat: int | None = self.known["to_move"]
        return seat

    @property
    def moves_made(self) -> int:
        """How many moves stand, chance among them."""
        return len(self.position.steps) if self.position else 0

    @property
    def legal(self) -> list[str]:
        """Everything that may be played now; a touched pawn leaves less."""
        if self.position is None or self.to_move is None:
            return []
        if "legal" not in self.known:
            legal = self.position.legal_moves
            self.known["legal"] = self.game.touch(self.touched, legal) if self.touched and self.game.touch else legal
        found: list[str] = self.known["legal"]
        return found

    def view(self, seat: int | None) -> dict[str, Any]:
        """What this seat may see; where nothing is secret, all see the same."""
        assert self.position is not None
        key = "view" if self.game.secret is None else ("view", seat)
        if key not in self.known:
            self.known[key] = self.position.view(seat)
        return {**self.known[key], "seat": seat}

    @property
    def last_at(self) -> int:
        """When the last fact happened."""
        return self.log[-1].at

    def plays_itself(self, seat: int) -> int | None:
        """The level of the computer that plays a seat; None where a person or bot does."""
        sitter = self.seats[seat]
        if seat in self.outs:
            return self.made.settings.stand_in
        return sitter.level if sitter.kind == "computer" else None

    @property
    def waits_for_computer(self) -> bool:
        """Whether a computer is to move."""
        return self.to_move is not None and self.plays_itself(self.to_move) is not None

    def held_by(self, guest: str | None) -> list[int]:
        """The seats of a guest."""
        return [seat for seat, sitter in enumerate(self.seats) if guest is not None and sitter.holder == guest]

    def voices(self, but: int) -> set[int]:
        """The seats whose players have to agree to what this seat's player asks for: the other people in the game."""
        asker = self.seats[but].holder
        return {
            seat
            for seat, sitter in enumerate(self.seats)
            if sitter.kind in ("person", "bot") and (seat not in self.outs or self.finished) and sitter.holder != asker
        }

    def can_go_back(self, seat: int) -> int | None:
        """How many moves would stand if the seat's last message were taken back; None if that cannot be.

        What chance has revealed since cannot be made unseen.
        """
        for message in reversed(self.messages):
            if message.seat == seat:
                assert self.position is not None
                revealed = any(step.by == CHANCE for step in self.position.steps[message.made :])
                return None if revealed else message.made
        return None

    def after(self, facts: Iterable[log.Facts], position: Position | None = None) -> Table:
        """The table as it is with more facts; whoever has played their moves already gives the position."""
        following = self.copy()
        following.ahead = position
        for fact in facts:
            following.add(fact)
        following.ahead = None
        return following

    def copy(self) -> Table:
        """A second table from here that goes its own way: what is not stored yet happens there."""
        twin = object.__new__(Table)
        twin.__dict__ |= self.__dict__
        for name in ("log", "deeds", "done", "seats", "outs", "messages", "declined"):
            setattr(twin, name, getattr(self, name).copy())
        twin.questions = {what: Question(old.seat, set(old.agreed)) for what, old in self.questions.items()}
        twin.position = None if self.position is None else self.position.copy()
        return twin

    def add(self, fact: log.Facts) -> None:
        """Let one more thing happen."""
        number = len(self.log)
        self.log.append(fact)
        self.known = {}
        if fact.id is not None and fact.by is not None:
            self.done.setdefault((fact.by, fact.id), (number, fact.digest))
        match fact:
            case log.Made():
                self.made, self.game = fact, registry.find(fact.game)
                self.seats = list(fact.seats)
                self._wind_clock()
            case log.Sat():
                self.seats[fact.seat] = fact.sitter
                self._wind_clock()
            case log.Stood():
                clock = self.seats[fact.seat].clock
                self.seats[fact.seat] = log.Sitter("open", key=fact.key, clock=clock)
            case log.Began():
                self.seats = [self.seats[old] for old in fact.order]
                self.clock = self.clock.reseat(fact.order) if self.clock else None
                self.began = number
                self.position = first_position(self.made)
                self.decision = number
            case log.Decided():
                if fact.first:
                    self.messages.append(Message(fact.seat, number, self.moves_made))
                    self.questions.pop("takeback", None)
                    asked = self.questions.get("draw")
                    if asked and asked.seat != fact.seat:
                        del self.questions["draw"]
                self._play(number, fact.move)
                self._press(fact.at, fact.delay)
            case log.Chanced():
                self._play(number, fact.move)
                self._press(fact.at, self.delay)
            case log.TouchedPawn():
                self.touched = fact.place
            case log.Wanted():
                self.questions[fact.what] = Question(fact.seat, {fact.seat})
            case log.Replied():
                self._reply(fact)
            case log.WentBack():
                assert self.position is not None
                while self.moves_made > fact.made:
                    self.position.undo()
                while self.messages and self.messages[-1].made >= fact.made:
                    self.messages.pop()
                self.questions.clear()
                self.decision, self.touched = number, None
                self.clock = self.clock.stop(fact.at).go(self.to_move, fact.at) if self.clock else None
            case log.FellOut():
                self.outs[fact.seat] = fact.reason
                self.questions.clear()
                if self.clock:
                    # The computer that plays on is not bound by the clock.
                    left = tuple(None if seat == fact.seat else left for seat, left in enumerate(self.clock.left))
                    self.clock = Clock(left, self.clock.increment, self.clock.running, self.clock.since)
            case log.Paused():
                self.clock = self.clock.skip(fact.milliseconds) if self.clock else None
            case log.Finished():
                self.finished = fact
                self.decision, self.touched = None, None
                self.questions.clear()
                self.clock = self.clock.stop(fact.at) if self.clock else None
            case log.Continued():
                self.continued = fact.table

    def _play(self, number: int, move: str) -> None:
        assert self.position is not None
        before = self.position.states
        if self.ahead is None:
            self.position.play(move)
        else:
            self.position.follow(self.ahead)
        step = self.position.steps[-1]
        self.deeds[number] = Deed(step.only, before, self.position.states, self.position.setups)
        self.decision, self.touched = number, None

    def _press(self, at: int, delay: int) -> None:
        """The clocks after a decision and all that chance adds to it; they start with the first decision."""
        self.delay = delay
        if self.clock and self.position and self.messages:
            seat = self.position.to_move
            if seat != CHANCE:
                self.clock = self.clock.go(seat, at, delay)

    def _reply(self, fact: log.Replied) -> None:
        question = self.questions.get(fact.what)
        if question is None:
            return
        if fact.yes:
            question.agreed.add(fact.seat)
            return
        if fact.seat != question.seat:
            self.declined[question.seat, fact.what] = self.moves_made
        del self.questions[fact.what]

    def _wind_clock(self) -> None:
        rules = [sitter.clock for sitter in self.seats]
        if any(rules):
            left = tuple(rule.milliseconds if rule else None for rule in rules)
            self.clock = Clock(left, tuple(rule.increment if rule else 0 for rule in rules))


def first_position(made: log.Made) -> Position:
    """The start of the game; chance is played from the log, fact by fact."""
    if made.pack is not None:
        from mchezo.games.kitara.pack import find

        find(made.pack)  # from its text: now it is in use
    position = registry.find(made.game).start(seed=made.seed, chance="manual", **made.options)
    position.drawn = tuple(made.drawn)
    for move in made.moves:
        position.play(move)
    position.dealt = not made.moves  # else not all draws follow from the seed
    return position


def rank(table: Table, outcome: Outcome) -> list[int]:
    """Who wins at the table: whoever does on the board, but of more than two nobody for whom a computer played on."""
    if len(table.seats) == 2:
        return list(outcome.winners)
    winners = [seat for seat in outcome.winners if seat not in table.outs]
    if winners or not outcome.winners:
        return winners
    staying = [seat for seat in range(len(table.seats)) if seat not in table.outs]
    best = max(outcome.scores[seat] for seat in staying)
    return [seat for seat in staying if outcome.scores[seat] == best]
