"""Guests whose cookies and tokens are revoked, who are blocked or renamed; and what a guest asks about themselves."""

from __future__ import annotations

from dataclasses import replace

from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError
from mchezo.server.identifiers import public_id
from mchezo.server.storage.people import GuestState


class Guests:
    """The restrictions of guests, in memory; the few that have any."""

    def __init__(self, states: dict[str, GuestState]) -> None:
        self.states = states

    def admit(self, who: Identity) -> Identity:
        """Return who calls, with the name that an operator gave them; refuse blocked guests and revoked cookies."""
        if not self.states:
            return who
        for guest in (who.guest, who.owner):
            state = self.states.get(public_id(guest)) if guest else None
            if state is None:
                continue
            if state.blocked:
                raise TableError("bad-token", "blocked")
            if who.issued < state.valid_from or who.device in state.signed_out:
                raise TableError("bad-token", "revoked")
            if state.name is not None and guest == who.guest:
                who = replace(who, name=state.name)
        return who

    def is_admitted(self, who: Identity | None) -> bool:
        """Return whether a connection may stay open."""
        try:
            return who is None or self.admit(who) is not None
        except TableError:
            return False

    def is_restricted(self, guest: str) -> bool:
        """Return whether an operator blocked or renamed a guest."""
        state = self.states.get(public_id(guest)) if self.states else None
        return state is not None and (state.blocked or state.name is not None)

    def has_fixed_name(self, who: Identity) -> bool:
        """Return whether an operator chose the guest's name."""
        state = self.states.get(public_id(who.guest))
        return state is not None and state.name is not None
