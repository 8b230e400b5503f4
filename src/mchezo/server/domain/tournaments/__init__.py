"""Tournaments: an event log each, and pure functions from it to standings and the next pairing."""
