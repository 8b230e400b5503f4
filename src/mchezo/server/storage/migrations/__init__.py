"""Versions of the database, each with the way from the one before."""
