"""Encodings for learners: what a seat observes, the space of actions, and the length of games."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Annotated, Any

from mchezo.core import arrays
from mchezo.core.structs import Array, Structs

Floats = Annotated[arrays.NDArray[arrays.float32], Array(arrays.float32)]


@dataclass(frozen=True)
class Block:
    """A named range of an observation or of the actions."""

    name: str
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """The number of its elements."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Encoding:
    """Observations and actions of one game: each is a sequence of blocks. Observed values are from 0 to 1."""

    version: int  # bumped when rules, observations or actions change
    observation: tuple[Block, ...]
    actions: tuple[Block, ...]
    chance: range  # the actions that only CHANCE takes
    longest: Callable[[Structs], tuple[int, int]]  # set-up -> most decisions, and most chance outcomes, in a game
    observe: Callable[[Any, Any, int, Floats], None]  # the verb

    @cached_property
    def size(self) -> int:
        """The length of an observation."""
        return sum(block.size for block in self.observation)

    @cached_property
    def action_count(self) -> int:
        """The number of actions."""
        return sum(block.size for block in self.actions)

    def split(self, observation: Floats) -> Iterator[tuple[str, Floats]]:
        """Yield the blocks of an observation by name, each in its shape, as views of its memory."""
        for block, first in zip(self.observation, starts(self.observation), strict=True):
            yield block.name, observation[first : first + block.size].reshape(block.shape)


def starts(blocks: tuple[Block, ...]) -> tuple[int, ...]:
    """Return the offset of each block."""
    return tuple(accumulate((block.size for block in blocks[:-1]), initial=0))
