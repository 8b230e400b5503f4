"""What parsing costs, measured without a clock: calls of functions, and the peak of allocated memory."""

from __future__ import annotations

import contextlib
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

from mchezo.core.errors import UserError


def calls_of(run: Callable[[], object]) -> int:
    """Return how many functions are called, those in C included."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        with contextlib.suppress(UserError, ValueError):
            run()
    finally:
        sys.setprofile(None)
    return count


def peak_of(run: Callable[[], object]) -> int:
    """Return the peak of memory in bytes."""
    tracemalloc.start()
    try:
        with contextlib.suppress(UserError, ValueError):
            run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def assert_linear(parse: Callable[[str], object], text_of: Callable[[int], str], small: int) -> None:
    """Assert that eight times the input costs at most ten times as much, apart from a constant."""

    def parse_size(size: int) -> None:
        parse(text_of(size))

    parse_size(1)  # what is only done once
    for cost, constant in ((calls_of, 2_000), (peak_of, 200_000)):
        little, much = (cost(partial(parse_size, size)) for size in (small, 8 * small))
        assert much <= 10 * little + constant, (cost.__name__, little, much)
