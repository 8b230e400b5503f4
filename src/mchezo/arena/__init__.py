"""Matches between players: reference opponents, ratings, sequential tests and reports."""
