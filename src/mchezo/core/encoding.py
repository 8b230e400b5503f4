"""How a game is put into numbers for learners: what a seat observes, which actions there are, how long a game is."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import accumulate
from typing import cast

import numpy as np
import numpy.typing as npt

from mchezo.core import registry
from mchezo.core.structs import Structs

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Block:
    """A named stretch of numbers: part of an observation, or actions of one kind."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Encoding:
    """The numbers of one game. An observation is its blocks end to end, all values from 0 to 1; so are the actions."""

    version: int  # bumped when rules, observations or actions change
    observation: tuple[Block, ...]
    actions: tuple[Block, ...]
    chance: range  # the actions that only CHANCE takes
    longest: Callable[[Structs], tuple[int, int]]  # set-up -> most decisions, and most chance outcomes, in a game

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return sum(block.size for block in self.observation)

    @property
    def action_count(self) -> int:
        """How many actions there are."""
        return sum(block.size for block in self.actions)

    def split(self, observation: Floats) -> Iterator[tuple[str, Floats]]:
        """The blocks of an observation by name, each in its shape; they share the observation's memory."""
        for block, first in zip(self.observation, starts(self.observation), strict=True):
            yield block.name, observation[first : first + block.size].reshape(block.shape)


def starts(blocks: tuple[Block, ...]) -> tuple[int, ...]:
    """Where each block begins."""
    return tuple(accumulate((block.size for block in blocks[:-1]), initial=0))


def encoding_of(name: str) -> Encoding:
    """The encoding of the game of that name."""
    registry.find(name)  # refuses a name that no game has
    return cast(Encoding, import_module(f"{registry.MODULES[name]}.observe").ENCODING)
