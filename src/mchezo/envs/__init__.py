"""The games as environments for research: PettingZoo, OpenSpiel, Gymnasium, and batches in NumPy arrays.

Each module needs only its own library; `pip install 'mchezo[envs]'` gets them all. See docs/research.md.
"""
