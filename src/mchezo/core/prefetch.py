"""The processor's caches: asking for memory ahead of time, and writing what would only fill them past them."""

from typing import Any

from mchezo.core import arrays
from mchezo.core.compiled import instruction


@instruction
def prefetch(table: arrays.NDArray[Any], row: int, column: int) -> None:
    """Announce that a place of a table will be used soon; it need not exist. Interpreted, nothing happens."""


@instruction
def prefetch_struct(structs: arrays.NDArray[Any], index: int) -> None:
    """Announce that a whole struct of an array will be used soon; it need not exist. Interpreted, nothing happens."""


@instruction
def stream(row: arrays.NDArray[Any], out: arrays.NDArray[Any]) -> None:
    """Copy a row to memory past the caches, where much is written that nobody reads soon; `settle_streams` ends it."""
    out[:] = row


@instruction
def settle_streams() -> None:
    """Wait until other threads see what was streamed. Interpreted, they always do."""
