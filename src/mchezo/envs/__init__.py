"""Environments for research: PettingZoo, OpenSpiel, Gymnasium, and a vectorized one in NumPy arrays.

Each module needs only its own library; `pip install 'mchezo[envs]'` installs all of them. See docs/research.md.
"""
