"""Ratings of players: a pure function of results, with the same bits on every platform."""
