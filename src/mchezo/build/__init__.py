"""Builds the libraries: the kernels of each game as one optimised program, for every target."""
