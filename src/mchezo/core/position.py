"""A game in progress: whose turn it is, what may be played, what happened, how it ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mchezo.core import kernels
from mchezo.core.chance import Seed
from mchezo.core.errors import IllegalMove, InvalidMove, UnknownSeat
from mchezo.core.outcome import Outcome
from mchezo.core.record import HIDDEN, Record
from mchezo.core.structs import CHANCE, OVER, Fields, Structs

if TYPE_CHECKING:
    from mchezo.core.game import Game, Start


@dataclass(frozen=True)
class Step:
    """One action made: its text, by whom, the only seat that may see it (None: all), and the state before it."""

    text: str
    by: int
    only: int | None
    before: Structs


class Position:
    """A game from its start to now. `play` goes on, `undo` goes back."""

    def __init__(self, game: Game, start: Start, seed: Seed, *, manual: bool) -> None:
        self.game = game
        self.options = start.options
        self.drawn = start.drawn
        self.seed = seed
        self.manual = manual
        self.dealt = not manual  # every draw so far follows from the seed
        self.source: Record | None = None  # what was replayed to get here
        self.seats = game.seats(start.options)
        self.setups = start.setups
        self.states = start.states
        self.steps: list[Step] = []
        self._play_chance()

    def __repr__(self) -> str:
        return f"<{self.game.title}: {len(self.steps)} moves made, to move: {self.to_move}>"

    @property
    def to_move(self) -> int | None:
        """The seat that decides next, CHANCE if the caller plays chance, None when the game is over."""
        seat = kernels.who(self.states)
        return None if seat == OVER else int(seat)

    @property
    def legal_moves(self) -> list[str]:
        """Everything that may be played now, as text."""
        state, setup = Fields(self.states[0]), Fields(self.setups[0])
        return [self.game.write(action, state, setup) for action in self.choices()[0]]

    @property
    def moves(self) -> list[str]:
        """Everything played so far, chance outcomes among it."""
        return [step.text for step in self.steps]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        if self.to_move is not None:
            return None
        seats = len(self.seats)
        returned, scored = np.zeros(seats), np.zeros(seats)
        reason = self.game.reasons[kernels.result(self.states, self.setups, returned, scored)]
        best = returned.max()
        winners = () if reason in self.game.draws else tuple(i for i in range(seats) if returned[i] == best)
        return Outcome(winners, tuple(float(points) for points in scored), reason)

    def play(self, move: str) -> None:
        """Play one move; a move that is unreadable or against the rules is refused and changes nothing."""
        if not isinstance(move, str):
            raise InvalidMove("move-not-text", move=move)
        seat = self.to_move
        if seat is None:
            raise IllegalMove("game-over", move=move)
        state, setup = self.states[0], self.setups[0]
        action = self.game.parse(move, state, setup)
        if action not in self.choices()[0]:
            raise self.game.explain(action, state, setup)
        self._make(action, seat)
        self._play_chance()

    def follow(self, ahead: Position) -> None:
        """Make the next step of a copy that was played on from here."""
        at = len(self.steps)
        self.steps.append(ahead.steps[at])
        self.states = ahead.steps[at + 1].before if at + 1 < len(ahead.steps) else ahead.states

    def undo(self) -> None:
        """Take back the last move, with the chance outcomes that followed it."""
        while self.steps:
            step = self.steps.pop()
            self.states = step.before
            if self.manual or step.by != CHANCE:
                return
        self._play_chance()
        raise IllegalMove("nothing-to-undo")

    def go_on(self) -> None:
        """Let chance play itself from here on, though it did not so far."""
        self.manual = False
        self._play_chance()

    def copy(self) -> Position:
        """A second game from here that goes its own way."""
        twin = object.__new__(Position)
        twin.__dict__ |= self.__dict__
        twin.steps = self.steps.copy()
        return twin

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What this seat may see, ready for JSON; None is a spectator."""
        self._check_seat(seat)
        outcome = self.outcome
        return {
            "game": self.game.name,
            "seat": seat,
            "to_move": self.to_move,
            **self.game.view(self.states[0], self.setups[0], seat),
            "outcome": None if outcome is None else asdict(outcome),
        }

    def svg(self, seat: int | None = None) -> str:
        """A picture of what this seat sees."""
        return self.game.picture(self.view(seat))

    def seen_moves(self, seat: int | None = None) -> list[str]:
        """Everything played so far, with HIDDEN for what this seat may not see yet; None is a spectator."""
        self._check_seat(seat)
        if self.outcome is not None:
            return self.moves
        return [step.text if step.only in (None, seat) else HIDDEN for step in self.steps]

    def record(self) -> Record:
        """The whole game so far, hidden things included; the seed is told only when the game is over."""
        return Record.of(self)

    def public_record(self) -> Record:
        """The game so far as a spectator may see it; while things are hidden in it, it cannot be replayed."""
        return replace(self.record(), moves=tuple(self.seen_moves()))

    @property
    def key(self) -> int:
        """A 64-bit number that tells positions apart."""
        return int(kernels.key(self.states)) & (1 << 64) - 1

    @property
    def arrays(self) -> tuple[Structs, Structs, int, int]:
        """What compiled code needs of this position: state, set-up, most choices, number of seats."""
        return self.states, self.setups, self.game.most_choices, len(self.seats)

    def choices(self) -> tuple[list[int], list[int]]:
        """Everything that can happen next, as numbers, and at a chance node how often."""
        actions = np.empty(self.game.most_choices, np.int32)
        weights = np.empty(self.game.most_choices, np.int32)
        count = kernels.list_choices(self.states, self.setups, actions, weights)
        return actions[:count].tolist(), weights[:count].tolist()

    @property
    def draws(self) -> int:
        """How many outcomes chance has decided."""
        return sum(step.by == CHANCE for step in self.steps)

    def _check_seat(self, seat: object) -> None:
        """Refuse whoever does not sit here: there is no other door to what seats may see."""
        if seat is not None and (type(seat) is not int or not 0 <= seat < len(self.seats)):
            raise UnknownSeat("unknown-seat", game=self.game.title, last=len(self.seats) - 1, given=seat)

    def _make(self, action: int, by: int) -> None:
        text = self.game.write(action, self.states[0], self.setups[0])
        secret = self.game.secret
        only = secret(action, self.states[0], self.setups[0]) if secret else None
        self.steps.append(Step(text, by, only, self.states))
        self.states = self.states.copy()
        kernels.make(self.states, self.setups, action)

    def _play_chance(self) -> None:
        """Let chance decide, from the seed, until a seat is to move."""
        while not self.manual and self.to_move == CHANCE:
            actions, weights = self.choices()
            self._make(actions[self.seed.outcome(self.draws, weights)], CHANCE)


def perft(position: Position, depth: int) -> int:
    """How many sequences of exactly so many moves there are from here; chance outcomes count as moves."""
    if depth < 0:
        raise ValueError("depth is 0 or more")
    states = np.repeat(position.states, depth + 1)
    actions = np.empty((max(depth, 1), position.game.most_choices), np.int32)
    weights = np.empty(position.game.most_choices, np.int32)
    return int(kernels.perft(states, position.setups, actions, weights, depth))
