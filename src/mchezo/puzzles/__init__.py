"""Puzzles: positions with one best continuation, found in games, checked by search and rated by the levels."""
