"""The state of a table as a fold over its event log. Knows no network, no database and no clock."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from mchezo.core import registry
from mchezo.core.game import Game
from mchezo.core.history import History
from mchezo.core.outcome import Outcome
from mchezo.core.position import Position, Step
from mchezo.core.structs import CHANCE, Structs
from mchezo.server.domain import log
from mchezo.server.domain.clock import MAX_GAME_CREDIT, GameClock, credit
from mchezo.server.domain.days_clock import DaysClock, Vacation, days_clock


class Transition(NamedTuple):
    """A move or a chance outcome, and the state after it."""

    step: Step
    after: Structs

    @property
    def visible_to(self) -> int | None:
        """The only seat that may see it; None: everybody."""
        return self.step.only

    @property
    def before(self) -> Structs:
        """The state before it."""
        return self.step.before


class Submission(NamedTuple):
    """Moves that a player sent together: where they begin in the log and in the game."""

    seat: int
    number: int
    moves_before: int


class Handled(NamedTuple):
    """A command that was carried out: the number of its first fact, and its digest."""

    number: int
    digest: str | None


@dataclass
class Question:
    """Something a player asked for; `agreed` are the seats that want it."""

    seat: int
    agreed: set[int]


class Table:
    """A table from its first fact to its last. `apply` goes forward; going back means replaying a shorter log."""

    def __init__(self, id: str, facts: Iterable[log.AnyFact] = ()) -> None:
        self.id = id
        self.log: History[log.AnyFact] = History()
        self.number = -1  # of the last fact
        self.last_at = 0  # when it happened
        self.status: Literal["open", "running", "over"] = "open"
        self.creation: log.TableCreated  # the first fact
        self.game: Game
        self.transitions: History[Transition | None] = History()  # by the number of their fact
        self.commands: dict[tuple[str, str], int] = {}  # guest, idempotency key -> number; an index that copies share
        self.seats: list[log.Occupant] = []
        self.held: dict[str, list[int]] = {}  # guest -> seats
        self.dropped_out: dict[int, log.OutReason] = {}
        self.position: Position | None = None
        self.start_number: int | None = None  # the number of the fact that started the game
        self.decision: int | None = None  # the number of the fact that opened the current decision
        self.to_move: int | None = None  # the seat that decides; None before the start and after the end
        self.submissions: History[Submission] = History()
        self.questions: dict[log.QuestionKind, Question] = {}
        self.declined: dict[tuple[int, log.QuestionKind], int] = {}  # asker and question -> moves made at that point
        self.touched: str | None = None
        self.ending: log.GameEnded | None = None
        self.next_table: str | None = None
        self.clock: GameClock | None = None
        self.delay = 0  # the latency of the player who moved last
        self.credited: dict[int, int] = {}  # seat -> latency credited so far
        self.cache: dict[Hashable, Any] = {}  # derived from the current state; dropped with every fact
        self.fragments: dict[Hashable, Any] = {}  # derived from the table and its seats; dropped when those change
        self.ahead = 0  # moves that the position already has, but not yet the log
        for fact in facts:
            self.apply(fact)

    @property
    def turn_number(self) -> int | None:
        """The number of the fact since which the seat to move has been waited for, however much it has decided."""
        seat = self.to_move
        for number in range(self.number, -1, -1) if seat is not None else ():
            fact = self.log[number]
            if isinstance(fact, log.GameStarted | log.MovesTakenBack):
                return number
            if isinstance(fact, log.MovePlayed) and fact.seat != seat:
                return number
        return None

    @property
    def moves_made(self) -> int:
        """How many moves have been made and not taken back, chance included."""
        return len(self.position.steps) - self.ahead if self.position else 0

    @property
    def legal(self) -> list[str]:
        """The legal moves, restricted to those of a touched pawn."""
        if self.position is None or self.to_move is None:
            return []
        if "legal" not in self.cache:
            legal = self.position.legal_moves
            self.cache["legal"] = self.game.touch(self.touched, legal) if self.touched and self.game.touch else legal
        found: list[str] = self.cache["legal"]
        return found

    def computer_level(self, seat: int) -> int | None:
        """Return the level of the computer that plays a seat; None where a person or a bot does."""
        occupant = self.seats[seat]
        if seat in self.dropped_out:
            return self.creation.settings.stand_in
        return occupant.level if occupant.kind == "computer" else None

    @property
    def has_computers(self) -> bool:
        """Whether a computer plays a seat."""
        return bool(self.dropped_out) or "computer" in [occupant.kind for occupant in self.seats]

    @property
    def waits_for_computer(self) -> bool:
        """Whether a computer is to move."""
        return self.to_move is not None and self.computer_level(self.to_move) is not None

    def latency_credit(self, seat: int, delay: int) -> int:
        """Return how much of a latency is credited to a seat: at most half a second a move, and a budget a game."""
        return min(credit(delay), max(0, MAX_GAME_CREDIT - self.credited.get(seat, 0)))

    def seats_of(self, guest: str | None) -> list[int]:
        """Return the seats that a guest holds."""
        return [] if guest is None else self.held.get(guest, [])

    def handled(self, guest: str, id: str) -> Handled | None:
        """Return the command of a guest with this idempotency key, if it was carried out."""
        number = self.commands.get((guest, id))
        if number is None or number > self.number:
            return None
        fact = self.log[number]  # another command's, if ours was not stored: the index is shared
        return Handled(number, fact.digest) if fact.id == id and fact.by == guest else None

    def seats_to_agree(self, asker: int) -> set[int]:
        """Return the seats whose players must agree to this seat's question: the other people in the game."""
        holder = self.seats[asker].holder
        return {
            seat
            for seat, occupant in enumerate(self.seats)
            if occupant.kind in ("person", "bot")
            and (seat not in self.dropped_out or self.ending)
            and occupant.holder != holder
        }

    def last_submission(self, seat: int) -> Submission | None:
        """Return the moves that a seat sent last."""
        for submission in reversed(self.submissions):
            if submission.seat == seat:
                return submission
        return None

    def moves_after_takeback(self, seat: int) -> int | None:
        """Return how many moves would be left if the seat's last submission were taken back; None if it cannot be.

        What chance has revealed since then cannot be hidden again.
        """
        submission = self.last_submission(seat)
        return None if submission is None or self.drawn_since(submission.moves_before) else submission.moves_before

    def drawn_since(self, moves_made: int) -> bool:
        """Return whether chance has decided anything since this many moves had been made."""
        assert self.position is not None
        return CHANCE in [step.by for step in self.position.steps[moves_made:]]

    def after(self, facts: Iterable[log.AnyFact], position: Position | None = None) -> Table:
        """Return the table with more facts; `position`, if given, has their moves already played, and is taken over."""
        following = self.copy(position)
        for fact in facts:
            following.apply(fact)
        return following

    def copy(self, position: Position | None = None) -> Table:
        """Return an independent copy, on which facts can be applied before they are stored.

        It shares all that facts replace instead of changing it. `position` is ours with further moves played.
        """
        twin = object.__new__(Table)
        twin.__dict__ = self.__dict__.copy()
        twin.log, twin.transitions, twin.submissions = self.log.copy(), self.transitions.copy(), self.submissions.copy()
        if self.questions:
            twin.questions = {what: Question(old.seat, set(old.agreed)) for what, old in self.questions.items()}
        else:
            twin.questions = {}
        if position is not None:
            twin.position, twin.ahead = position, len(position.steps) - self.moves_made
        elif self.position is not None:
            twin.position = self.position.copy()
        return twin

    def apply(self, fact: log.AnyFact) -> None:
        """Append a fact to the log and update the state."""
        self.number = number = self.number + 1
        self.last_at = fact.at
        self.log.append(fact)
        self.cache = {}
        transition: Transition | None = None
        if fact.id is not None and fact.by is not None and self.handled(fact.by, fact.id) is None:
            self.commands[fact.by, fact.id] = number
        match fact:
            case log.MovePlayed():
                if fact.first:
                    self._submit(fact, number)
                transition = self._play(number, fact.move)
                self._switch_clock(fact.at, fact.delay)
            case log.ChanceResolved():
                transition = self._play(number, fact.move)
                self._switch_clock(fact.at, self.delay)
            case log.TableCreated():
                self.creation, self.game = fact, registry.find(fact.game)
                self._seat(list(fact.seats))
                self._set_clock()
            case log.SeatTaken():
                self._seat([*self.seats[: fact.seat], fact.occupant, *self.seats[fact.seat + 1 :]])
                self._set_clock()
            case log.SeatLeft():
                clock = self.seats[fact.seat].clock
                emptied = log.Occupant("open", key=fact.key, clock=clock)
                self._seat([*self.seats[: fact.seat], emptied, *self.seats[fact.seat + 1 :]])
            case log.GameStarted():
                self._seat([self.seats[old] for old in fact.order])
                self.clock = self.clock.reseat(fact.order) if self.clock else None
                self.start_number, self.status = number, "running"
                self.position = first_position(self.creation)
                self.decision = number
                self._switch_clock(fact.at, 0)
            case log.PawnTouched():
                self.touched = fact.place
            case log.QuestionAsked():
                self.questions[fact.what] = Question(fact.seat, {fact.seat})
            case log.QuestionAnswered():
                self._answer(fact)
            case log.MovesTakenBack():
                assert self.position is not None
                while self.moves_made > fact.moves_made:
                    self.position.undo()
                while self.submissions and self.submissions[-1].moves_before >= fact.moves_made:
                    self.submissions.pop()
                self.questions.clear()
                self.decision, self.touched = number, None
                self.clock = self.clock.stop(fact.at).switch(self.position.to_move, fact.at) if self.clock else None
            case log.PlayerDroppedOut():
                self.dropped_out = {**self.dropped_out, fact.seat: fact.reason}
                self.questions.clear()
                # The computer that takes over plays without a clock.
                self.clock = self.clock.without(fact.seat) if self.clock else None
            case log.ClockPaused():
                self.clock = self.clock.skip(fact.milliseconds) if self.clock else None
            case log.VacationSet():
                if isinstance(self.clock, DaysClock):
                    vacation = Vacation(fact.vacation, fact.since, fact.until)
                    self.clock = self.clock.with_vacation(fact.seat, vacation)
            case log.GameEnded():
                self.ending, self.status = fact, "over"
                self.decision, self.touched = None, None
                self.questions.clear()
                self.clock = self.clock.stop(fact.at) if self.clock else None
            case log.NextTableCreated():
                self.next_table = fact.table
        self.transitions.append(transition)
        if not self.ahead:
            self.to_move = self.position.to_move if self.position is not None and self.status == "running" else None

    def _seat(self, seats: list[log.Occupant]) -> None:
        """Seat players; all collections are replaced, never changed."""
        self.seats, self.held, self.fragments = seats, {}, {}
        for seat, occupant in enumerate(seats):
            if occupant.holder is not None:
                self.held.setdefault(occupant.holder, []).append(seat)

    def _submit(self, fact: log.MovePlayed, number: int) -> None:
        """Note that a player sent moves."""
        if fact.delay:
            self.credited = {**self.credited, fact.seat: self.credited.get(fact.seat, 0) + credit(fact.delay)}
        self.submissions.append(Submission(fact.seat, number, self.moves_made))
        if self.questions:
            self.questions.pop("takeback", None)
            draw = self.questions.get("draw")
            if draw and draw.seat != fact.seat:
                del self.questions["draw"]

    def _play(self, number: int, move: str) -> Transition:
        position = self.position
        assert position is not None
        if not self.ahead:
            position.play(move)
            self.ahead = 1
        step = position.steps[-self.ahead]
        self.ahead -= 1
        self.decision, self.touched = number, None
        return Transition(step, position.steps[-self.ahead].before if self.ahead else position.states)

    def _switch_clock(self, at: int, delay: int) -> None:
        """Start the clock of the next seat to decide, once chance is resolved.

        No clock runs before the first move, except in correspondence, where nobody else could end the game.
        """
        self.delay = delay
        if self.clock and self.position and (self.submissions or isinstance(self.clock, DaysClock)):
            seat = self.position.steps[-self.ahead].by if self.ahead else self.position.to_move
            if seat != CHANCE:
                self.clock = self.clock.switch(seat, at, delay)

    def _answer(self, fact: log.QuestionAnswered) -> None:
        question = self.questions.get(fact.what)
        if question is None:
            return
        if fact.yes:
            question.agreed.add(fact.seat)
            return
        if fact.seat != question.seat:
            self.declined = {**self.declined, (question.seat, fact.what): self.moves_made}
        del self.questions[fact.what]

    def _set_clock(self) -> None:
        settings = self.creation.settings
        if settings.days is not None:
            people = (occupant.kind not in ("computer", "rival") for occupant in self.seats)
            self.clock = days_clock(people, settings.days, settings.weekends)
            return
        rules = [occupant.clock for occupant in self.seats]
        if any(rules):
            left = tuple(rule.milliseconds if rule else None for rule in rules)
            self.clock = GameClock(left, tuple(rule.increment if rule else 0 for rule in rules))


def first_position(creation: log.TableCreated) -> Position:
    """Return the start of the game; chance is played from the log, fact by fact."""
    game = registry.find(creation.game)
    former = None if creation.rules == game.version else game.former(creation.rules, creation.options)
    options = with_pack(game, former or creation.options, creation.pack)
    position = game.start(seed=creation.seed, chance="manual", **options)
    position.drawn = tuple(creation.drawn)
    for move in creation.moves:
        position.play(move)
    position.from_seed = not creation.moves  # else not all draws follow from the seed
    return position


def with_pack(game: Game, options: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    """Return options with the pack itself in place of its id, so that no start opens a file that a client named."""
    packs = game.packs
    if packs is None or packs.option not in options:
        return dict(options)
    return {**options, packs.option: packs.known(options[packs.option], text)}


def table_winners(table: Table, outcome: Outcome) -> list[int]:
    """Return who wins at the table: the winners on the board, but of three or more nobody who dropped out."""
    if len(table.seats) == 2:
        return list(outcome.winners)
    winners = [seat for seat in outcome.winners if seat not in table.dropped_out]
    if winners or not outcome.winners:
        return winners
    staying = [seat for seat in range(len(table.seats)) if seat not in table.dropped_out]
    best = max(outcome.scores[seat] for seat in staying)
    return [seat for seat in staying if outcome.scores[seat] == best]
