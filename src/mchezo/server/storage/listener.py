"""The listening end of notifications."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import sqlalchemy as sa

from mchezo.server.messages import Chatted, Said
from mchezo.server.storage.database import CONNECT_ARGS
from mchezo.server.storage.notifications import CHANNEL, PHRASES, Notification, decode_said, parse_payload

LOG = logging.getLogger("mchezo.server")
RECONNECT_AFTER = 0.5  # seconds
CHECK_EVERY = 0.1  # how often an idle listener checks whether it is to stop


class Listener:
    """A thread that listens; it reports every (re)connection, since notifications may have been missed before it."""

    def __init__(
        self,
        url: sa.URL,
        on_notify: Callable[[list[Notification]], None],
        on_connect: Callable[[], None],
        on_said: Callable[[str, Said | Chatted], None] | None = None,
    ) -> None:
        self.url = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.on_notify = on_notify
        self.on_connect = on_connect
        self.on_said = on_said
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run, name="listener", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop listening."""
        self.stopping.set()
        self.thread.join()

    def run(self) -> None:
        """Listen until stopped, reconnecting after every lost connection."""
        import psycopg  # only for databases of PostgreSQL

        while not self.stopping.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True, **CONNECT_ARGS) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    if self.on_said is not None:
                        connection.execute(f"LISTEN {PHRASES}")
                    self.on_connect()
                    while not self.stopping.is_set():
                        for notify in connection.notifies(timeout=CHECK_EVERY):
                            if notify.channel == CHANNEL:
                                self.on_notify(parse_payload(notify.payload))
                            elif self.on_said is not None:
                                self.on_said(*decode_said(notify.payload))
            except psycopg.Error as error:
                LOG.warning("the listener lost its connection", extra={"reason": str(error)})
                self.stopping.wait(RECONNECT_AFTER)
