"""Deterministic simulation of the server: one process, one seeded scheduler, simulated time, network, disk and threads.

`python -m tests.simulation --seed 7` runs one seed; the same seed always does exactly the same.
"""
