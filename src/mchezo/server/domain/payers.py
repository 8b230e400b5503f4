"""Payers: whose computing time is used."""

from __future__ import annotations

from typing import NamedTuple


class Payer(NamedTuple):
    """A guest, and the network it comes from: fairness applies between networks first, then between their guests."""

    network: str
    guest: str


LAST = Payer("", "")  # the server itself: its work waits for everybody else's
