"""How a server is run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from mchezo.server.runtime.connections import ConnectionLimits
from mchezo.server.runtime.limits import Limits
from mchezo.server.sending.mail import Smtp

THREADS = max(1, (os.cpu_count() or 2) - 1)  # that think for computers


@dataclass(frozen=True)
class Config:
    """The settings of a server process."""

    database: str
    hosts: tuple[str, ...] = ()  # names by which it is reached, besides localhost and plain addresses
    addresses: tuple[str, ...] = ()  # by which other machines reach it: http://192.168.1.5:8064
    secure: bool = False  # reached by https only
    passkey_domain: str | None = None  # to which passkeys belong; by default the name in the address
    proxies: tuple[str, ...] = ()  # addresses and networks whose forwarding headers are believed
    metrics_token: str | None = None  # with which the public port shows the metrics
    metrics_port: int | None = None  # on which they are shown to everybody
    metrics_host: str = "127.0.0.1"
    notices: bool = True  # whether people are notified of their turns: not by a copy of the database
    smtp: Smtp | None = None  # the mail server; None: there is no e-mail
    vapid_key: str | None = None  # the private key for Web Push; by default one is made and stored
    contact: str | None = None  # the operator, for push services: mailto:... or https://...
    private_endpoints: bool = False  # whether notices may be sent to addresses in private networks, and by http
    threads: int = THREADS
    limits: Limits = field(default_factory=Limits)
    connections: ConnectionLimits = field(default_factory=ConnectionLimits)
