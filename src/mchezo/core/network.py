"""Small quantised networks that correct the linear evaluation of a position.

A network sees a position as a set of numbered inputs, from the point of view of the seat whose turn it is. Every input
has a row of HIDDEN weights; their sum, clipped to 0 and 1 and squared, is weighed by the output row of the stage that
the game is in. All arithmetic is on integers, so that every platform computes the same.

In memory and in its file a network is rows of HIDDEN little-endian int16: the bias, a row per input, an output row per
stage, and a last row with the bias of each stage. `mchezo train` learns it (`search/training.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from mchezo.core import arrays
from mchezo.core.compiled import compiled, instruction
from mchezo.core.structs import Actions, Array, Shorts, wide

ShortRows = Annotated[arrays.NDArray[arrays.int16], Array(arrays.int16, 2)]

HIDDEN = 32  # units
STAGES = 8
MOST_INPUTS = 128  # of one position
UNIT = 181  # one, in the first layer; its square still fits into 15 bits
OUTPUT_UNIT = 256  # one unit of log-odds, in the output rows
LARGEST_OUTPUT = 2047  # with HIDDEN units, sums fit into 31 bits
THOUSANDTHS = 1000

NONE: ShortRows = arrays.zeros((0, HIDDEN), arrays.int16)  # leaves the evaluation as it is


@dataclass(frozen=True)
class GameNetwork:
    """The network of a game: the kind of game it is learned from, its file, and for which set-ups it is used."""

    kind: str
    file: Path
    inputs: int
    of: Callable[[Any], ShortRows]  # set-up -> network; NONE where it is not for this kind of game


def rows_for(inputs: int) -> int:
    """Return the number of rows of a network with this many inputs."""
    return 1 + inputs + STAGES + 1


@cache
def load(package: str, file: str, inputs: int) -> ShortRows:
    """Read a network from a file of a package; NONE if there is no such file."""
    found = files(package) / file
    if not found.is_file():
        return NONE
    content = bytearray(found.read_bytes())
    if len(content) != 2 * HIDDEN * rows_for(inputs):
        raise ValueError(f"{file} was learned for other inputs: run `mchezo train` again")
    return arrays.ndarray((rows_for(inputs), HIDDEN), arrays.int16, content)


@instruction
def sum_rows(network: ShortRows, inputs: Actions, count: int, hidden: Shorts) -> None:
    """Write the sum of the bias and the rows of these inputs."""
    for unit in range(HIDDEN):
        total = int(network[0, unit])
        for index in range(count):
            total += int(network[1 + int(inputs[index]), unit])
        hidden[unit] = total


@compiled
def correction(network: ShortRows, inputs: Actions, count: int, stage: int, hidden: Shorts) -> int:
    """Return the output for these inputs, in thousandths of log-odds; `hidden` is scratch space."""
    sum_rows(network, inputs, count, hidden)
    row = network.shape[0] - 1 - STAGES + stage
    total = wide(0)
    for unit in range(HIDDEN):
        active = min(max(wide(hidden[unit]), 0), UNIT)
        total += active * active * wide(network[row, unit])
    return total * THOUSANDTHS // (UNIT * UNIT * OUTPUT_UNIT) + wide(network[network.shape[0] - 1, stage])
