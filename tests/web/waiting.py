"""Waiting in browser tests: for what a page shows, never for a number of seconds."""

import time
from collections.abc import Iterator
from itertools import count

from playwright.sync_api import Page

WAIT = 600_000  # milliseconds: ends a test that hangs; nothing takes as long, however busy the machine is


def attempts(page: Page) -> Iterator[int]:
    """Yield 0, 1, 2, ... with a short pause after each; fail where a test hangs."""
    end = time.monotonic() + WAIT / 1000
    for number in count():
        yield number
        assert time.monotonic() < end, "it does not happen"
        page.wait_for_timeout(15)
