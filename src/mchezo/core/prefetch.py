"""Asking the processor for memory ahead of time: memory is slow, and a table larger than the caches is always far."""

from typing import Any

from mchezo.core import arrays
from mchezo.core.compiled import instruction


@instruction
def prefetch(table: arrays.NDArray[Any], row: int, column: int) -> None:
    """Announce that a place of a table will be used soon; it need not exist. Interpreted, nothing happens."""


@instruction
def prefetch_struct(structs: arrays.NDArray[Any], index: int) -> None:
    """Announce that a whole struct of an array will be used soon; it need not exist. Interpreted, nothing happens."""
