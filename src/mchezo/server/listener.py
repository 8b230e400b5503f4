"""Hints from other processes on the same PostgreSQL: which tables have gone on. A hint may be lost; nothing else is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import psycopg
import sqlalchemy as sa

from mchezo.server.store import CHANNEL, CUT_OFF, Hint, read_hint

LOG = logging.getLogger("mchezo.server")
AGAIN_AFTER = 0.5  # seconds
LOOK_UP = 1.0  # how often a quiet listener sees whether it is to stop


class Listener:
    """A thread that listens; after every cut it comes back and says so, for hints may have been missed."""

    def __init__(self, url: sa.URL, heard: Callable[[list[Hint]], None], back: Callable[[], None]) -> None:
        self.url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.heard = heard
        self.back = back
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run, name="listener", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop listening."""
        self.stopping.set()
        self.thread.join()

    def run(self) -> None:
        """The thread."""
        while not self.stopping.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True, **CUT_OFF) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.back()
                    while not self.stopping.is_set():
                        for notice in connection.notifies(timeout=LOOK_UP):
                            self.heard([read_hint(text) for text in notice.payload.split()])
            except psycopg.Error as error:
                LOG.warning("the listener was cut", extra={"reason": str(error)})
                self.stopping.wait(AGAIN_AFTER)
