"""One game for environments: actions are numbers, and chance plays itself from the seed."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mchezo.core import kernels, registry
from mchezo.core.encoding import Encoding, Floats
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.core.structs import CHANCE, OVER, Actions, Structs
from mchezo.envs import kernels as env_kernels

Mask = npt.NDArray[np.int8]
ONLY = np.zeros(1, np.int32)  # index of the only set-up
SEATS = np.arange(4, dtype=np.int8)


def observe(encoding: Encoding, states: Structs, setups: Structs, seat: int) -> Floats:
    """Return the observation of a seat, in the blocks of the game's encoding."""
    out: Floats = np.empty(encoding.size, np.float32)
    env_kernels.observe(states, ONLY, setups, SEATS[seat : seat + 1], out.reshape(1, -1))
    return out


class Episode:
    """A game from start to end; seed and actions determine it as in `mchezo.game(name).start`."""

    def __init__(self, name: str, seed: int, options: dict[str, Any]) -> None:
        self.game = registry.find(name)
        self.encoding = self.game.encoding
        self.seed = seed
        self.options = options
        self.actions: list[int] = []  # of the seats
        self.position = self.game.start(seed=seed, chance="manual", **options)  # without a history of moves
        self.seats = self.position.seats
        self._choices = np.zeros(self.game.rules.most_choices, np.int32)
        self._weights = np.zeros(self.game.rules.most_choices, np.int32)
        self._outcomes = 0  # chance outcomes so far
        self._settle(kernels.look(self.position.states, self.position.setups, self._choices, self._weights))
        if self.to_move is None:
            raise ValueError("these options give a game that is already over")

    def _settle(self, found: int) -> None:
        """Apply chance outcomes until a seat is to move; `found` is a survey of the position."""
        while found % kernels.DECIDERS == CHANCE - OVER:
            weights = self._weights[: found // kernels.DECIDERS].tolist()
            outcome = self.position.seed.outcome(self._outcomes, weights)
            self._outcomes += 1
            found = self._apply(int(self._choices[outcome]))
        self._count, decider = divmod(int(found), kernels.DECIDERS)
        self.to_move = None if decider == 0 else decider + OVER

    def _apply(self, action: int) -> int:
        """Apply an action to a new state and survey it: a position does not expect that its state changes."""
        position, layout = self.position, self.game.rules.state
        before, position.states = position.states, np.ndarray(1, layout, bytearray(layout.itemsize))
        return kernels.advance(before, position.states, position.setups, action, self._choices, self._weights)

    @property
    def legal(self) -> Actions:
        """The legal actions of the seat to move; empty once the game is over."""
        return self._choices[: self._count].copy()

    def mask(self, seat: int) -> Mask:
        """Return 1 for each legal action of the seat, 0 for all others."""
        mask = np.zeros(self.encoding.action_count, np.int8)
        if seat == self.to_move:
            mask[self._choices[: self._count]] = 1
        return mask

    def observe(self, seat: int) -> Floats:
        """Return the observation of a seat."""
        return observe(self.encoding, self.position.states, self.position.setups, seat)

    def is_legal(self, action: int) -> bool:
        """Return whether the seat to move may take an action."""
        return action in self._choices[: self._count].tolist()

    def play(self, action: int) -> None:
        """Apply a legal action and the chance outcomes that follow."""
        if not self.is_legal(action):
            raise ValueError(f"action {action} is not legal here")
        self.play_legal(int(action))

    def play_legal(self, action: int) -> None:
        """Do the same with an action that is known to be legal."""
        self.actions.append(action)
        self._settle(self._apply(action))

    @property
    def results(self) -> list[float]:
        """The returns of all seats, from -1 to 1; all 0 until the game is over."""
        returned, scored = np.zeros(len(self.seats)), np.zeros(len(self.seats))
        if self.to_move is None:
            kernels.result(self.position.states, self.position.setups, returned, scored)
        return [float(result) for result in returned]

    def replay(self) -> Position:
        """Return the game so far as a position with its moves."""
        position = self.game.start(seed=self.seed, **self.options)
        for action in self.actions:
            position.play(self.game.notation.write(action, position.states[0], position.setups[0]))
        return position

    def record(self) -> Record:
        """Return the game so far as a record."""
        return self.replay().record()
