"""A game in progress: the seat to move, the legal moves, the history and the outcome."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mchezo.core import arrays, kernels
from mchezo.core.chance import Seed
from mchezo.core.errors import IllegalMove, InvalidMove, UnknownSeat
from mchezo.core.history import History
from mchezo.core.kernels import DECIDERS
from mchezo.core.outcome import Outcome
from mchezo.core.record import HIDDEN, Record
from mchezo.core.structs import CHANCE, OVER, Actions, Structs, Weights, plain

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.options import Start


class Step(NamedTuple):
    """One action played: its text, who played it, the only seat that may see it (None: all), and the state before."""

    text: str
    by: int
    only: int | None
    before: Structs
    action: int


class Choices:
    """Who decides in a state, and the choices: legal actions, or chance outcomes and their weights."""

    __slots__ = ("_fields", "actions", "seat", "states", "texts", "weights")

    def __init__(self, states: Structs, found: int, actions: Actions, weights: Weights) -> None:
        count, decider = divmod(int(found), DECIDERS)  # interpreted, it is a number of NumPy
        self.states = states
        self.seat = decider + OVER  # or CHANCE, or OVER
        self.actions: list[int] = actions[:count].tolist()
        self.weights: list[int] = weights[:count].tolist() if self.seat == CHANCE else []
        self.texts: list[str] | None = None  # once somebody asks for them
        self._fields: Any = None

    @property
    def fields(self) -> Any:
        """The state as plain numbers, made once."""
        if self._fields is None:
            self._fields = plain(self.states)
        return self._fields


# Arrays for the choices, by their size, for compiled code to write to. Threads take them from here and put them back.
SCRATCH: defaultdict[int, list[tuple[Actions, Weights]]] = defaultdict(list)


def scratch(spare: list[tuple[Actions, Weights]], most: int) -> tuple[Actions, Weights]:
    """Return arrays that nobody else uses."""
    try:
        return spare.pop()
    except IndexError:
        return arrays.empty(most, arrays.int32), arrays.empty(most, arrays.int32)


class Position:
    """A game from its start to now. `play` adds a move, `undo` takes it back."""

    def __init__(self, game: Game, start: Start, seed: Seed, *, manual: bool) -> None:
        self.game = game
        self.options = start.options
        self.drawn = start.drawn
        self.keeps = start.keeps
        self.seed = seed
        self.manual = manual
        self.from_seed = not manual  # every draw so far follows from the seed
        self.source: Record | None = None  # the record that was replayed
        self.seats = game.setup.seats(start.options)
        self.setups = start.setups
        self.setup_fields = plain(start.setups)
        self.states = start.states
        self.steps: History[Step] = History()
        self.draws = 0  # chance outcomes so far
        self._choices: Choices | None = None
        self._before: Choices | None = None  # the choices before the last step, if they were looked at
        self._play_chance()

    def __repr__(self) -> str:
        return f"<{self.game.title}: {len(self.steps)} moves made, to move: {self.to_move}>"

    @property
    def to_move(self) -> int | None:
        """The seat to move, CHANCE if the caller plays chance, None when the game is over."""
        seat = self._look().seat
        return None if seat == OVER else seat

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves, as text."""
        choices = self._look()
        if choices.texts is None:
            notation = self.game.notation
            if (known := notation.texts) is not None:
                choices.texts = [known[action] for action in choices.actions]
            else:
                choices.texts = notation.write_each(choices.actions, choices.fields, self.setup_fields)
        return choices.texts.copy()

    @property
    def moves(self) -> list[str]:
        """The moves so far, including chance outcomes."""
        return [step.text for step in self.steps]

    @property
    def written_options(self) -> dict[str, str]:
        """The start options that differ from the game's defaults, as records have them."""
        return {
            option.name: option.write(self.options[option.name])
            for option in self.game.setup.options
            if self.options[option.name] != option.default
        }

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.to_move is not None:
            return None
        seats = len(self.seats)
        returned, scored = arrays.zeros(seats), arrays.zeros(seats)
        reason = self.game.rules.reasons[kernels.result(self.states, self.setups, returned, scored)]
        best = returned.max()
        drawn = seats == 1 or reason in self.game.rules.draws  # who plays alone has points and nobody to beat
        winners = () if drawn else tuple(i for i in range(seats) if returned[i] == best)
        return Outcome(winners, tuple(float(points) for points in scored), reason)

    @property
    def scores(self) -> tuple[float, ...]:
        """The points of each seat, as if the game ended here."""
        returned, scored = arrays.zeros(len(self.seats)), arrays.zeros(len(self.seats))
        kernels.result(self.states, self.setups, returned, scored)
        return tuple(scored.tolist())

    @property
    def each_move_is_a_turn(self) -> bool:
        """Whether nobody else ever has a turn, and the game does not count turns of its own."""
        return len(self.seats) == 1 and self.game.rules.turn_of is None

    def play(self, move: str) -> None:
        """Play one move; one that is unreadable or illegal raises an error and changes nothing."""
        if not isinstance(move, str):
            raise InvalidMove("move-not-text", move=move)
        choices = self._look()
        if choices.seat == OVER:
            raise IllegalMove("game-over", move=move)
        texts = choices.texts
        if texts is not None and move in texts:
            choices = self._apply(choices.actions[texts.index(move)], choices.seat, move)
        else:
            notation, state, setup = self.game.notation, choices.fields, self.setup_fields
            action = notation.parse(move, state, setup)
            if action not in choices.actions:
                raise notation.explain(action, self.states[0], self.setups[0])
            choices = self._apply(action, choices.seat, notation.write(action, state, setup))
        if choices.seat == CHANCE:
            self._play_chance()

    @property
    def fields(self) -> Any:
        """The current state as plain numbers, made once."""
        return self._look().fields

    def fields_of(self, states: Structs) -> Any:
        """Return a state as plain numbers: those of the current state and of the one before are made once."""
        for choices in (self._choices, self._before):
            if choices is not None and choices.states is states:
                return choices.fields
        return plain(states)

    def copy_step(self, ahead: Position) -> None:
        """Take the next step from a copy of this position that is ahead of it."""
        at = len(self.steps)
        step = ahead.steps[at]
        self.steps.append(step)
        self.draws += step.by == CHANCE
        if at + 1 < len(ahead.steps):
            self.states = ahead.steps[at + 1].before
        else:
            self.states, self._choices = ahead.states, ahead._choices

    def undo(self) -> None:
        """Take back the last move, with the chance outcomes that followed it."""
        while self.steps:
            step = self.steps.pop()
            self.states = step.before
            self.draws -= step.by == CHANCE
            if self.manual or step.by != CHANCE:
                return
        self._play_chance()
        raise IllegalMove("nothing-to-undo")

    def draw_from_seed(self) -> None:
        """Let the seed decide chance from here on."""
        self.manual = False
        self._play_chance()

    def copy(self) -> Position:
        """Return an independent copy of the game."""
        twin = object.__new__(Position)
        twin.__dict__ = self.__dict__.copy()
        twin.steps = self.steps.copy()
        return twin

    def earlier(self, moves_made: int) -> Position:
        """Return an independent copy of the game as it was after its first moves."""
        twin = self.copy()
        if moves_made < len(self.steps):
            twin.steps, twin.states = History(self.steps[:moves_made]), self.steps[moves_made].before
            twin.draws = sum(step.by == CHANCE for step in twin.steps)
        return twin

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Return what a seat may see, ready for JSON; None is a spectator."""
        self._check_seat(seat)
        outcome = self.outcome
        return {
            "game": self.game.name,
            "seat": seat,
            "to_move": self.to_move,
            **self.game.view.of(self._look().fields, self.setup_fields, seat),
            "outcome": None if outcome is None else asdict(outcome),
        }

    def svg(self, seat: int | None = None) -> str:
        """Draw what a seat sees as SVG."""
        return self.game.pictures.svg(self.view(seat))

    def _repr_svg_(self) -> str:
        """Show the board in notebooks as a spectator sees it, so hidden things stay hidden."""
        return self.svg()

    def seen_moves(self, seat: int | None = None) -> list[str]:
        """Return the moves so far, with HIDDEN for what a seat may not see yet; None is a spectator."""
        self._check_seat(seat)
        if self.outcome is not None:
            return self.moves
        return [step.text if step.only in (None, seat) else HIDDEN for step in self.steps]

    def record(self) -> Record:
        """Return the record of the game so far, hidden things included; it has the seed once the game is over."""
        return Record.of(self)

    def public_record(self) -> Record:
        """Return the record as a spectator may see it; while moves are hidden in it, it cannot be replayed."""
        return replace(self.record(), moves=tuple(self.seen_moves()))

    @property
    def key(self) -> int:
        """The 64-bit key of the position."""
        return int(kernels.key(self.states)) & (1 << 64) - 1

    @property
    def arrays(self) -> tuple[Structs, Structs, int, int]:
        """What compiled code needs: state, set-up, upper bound of the choices, number of seats."""
        return self.states, self.setups, self.game.rules.most_choices, len(self.seats)

    def choices(self) -> tuple[list[int], list[int]]:
        """Return the legal actions and no weights, or at a chance node the outcomes and their weights."""
        choices = self._look()
        return choices.actions.copy(), choices.weights.copy()

    def _check_seat(self, seat: object) -> None:
        """Raise an error if there is no such seat. Everything that depends on a seat's view passes here."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < len(self.seats)):
            raise UnknownSeat("unknown-seat", game=self.game.title, last=len(self.seats) - 1, given=seat)

    def _look(self) -> Choices:
        """Return the choices in the current state, found once for each state: a state never changes, `play` copies."""
        choices = self._choices
        if choices is None or choices.states is not self.states:
            most = self.game.rules.most_choices
            actions, weights = written = scratch(spare := SCRATCH[most], most)
            found = kernels.look(self.states, self.setups, actions, weights)
            self._choices = choices = Choices(self.states, found, actions, weights)
            spare.append(written)
        return choices

    def _apply(self, action: int, by: int, text: str) -> Choices:
        """Add an action to the history; return the choices after it."""
        rules, secret, before = self.game.rules, self.game.notation.secret, self.states
        only = secret(action, self._look().fields, self.setup_fields) if secret else None
        self.steps.append(tuple.__new__(Step, (text, by, only, before, action)))  # faster than by the class
        self.draws += by == CHANCE
        # Of all ways to make an array of structs this is the fastest, by far.
        layout, most = rules.state, rules.most_choices
        after = arrays.ndarray(1, layout, bytearray(layout.itemsize))
        actions, weights = written = scratch(spare := SCRATCH[most], most)
        found = kernels.advance(before, after, self.setups, action, actions, weights)
        self.states, self._before = after, self._choices
        self._choices = choices = Choices(after, found, actions, weights)
        spare.append(written)
        return choices

    def _play_chance(self) -> None:
        """Draw chance outcomes from the seed until a seat is to move."""
        if self.manual:
            return
        while (choices := self._look()).seat == CHANCE:
            action = choices.actions[self.seed.outcome(self.draws, choices.weights)]
            self._apply(action, CHANCE, self.game.notation.write(action, choices.fields, self.setup_fields))


def perft(position: Position, depth: int) -> int:
    """Count the sequences of exactly `depth` moves; chance outcomes count as moves."""
    if depth < 0:
        raise ValueError("depth is 0 or more")
    states = arrays.repeat(position.states, depth + 1)
    actions = arrays.empty((max(depth, 1), position.game.rules.most_choices), arrays.int32)
    weights = arrays.empty(position.game.rules.most_choices, arrays.int32)
    return int(kernels.perft(states, position.setups, actions, weights, depth))
