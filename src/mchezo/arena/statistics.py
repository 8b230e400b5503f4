"""Means with 95 % confidence intervals."""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

Z95 = 1.96

Rate = tuple[float, float]  # a mean and half the width of its 95 % interval


def interval(values: npt.NDArray[np.float64]) -> Rate:
    """Return the mean and half the width of its 95 % interval."""
    return float(values.mean()), Z95 * float(values.std()) / sqrt(len(values))


def wilson(mean: float, trials: float) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share of that many trials."""
    centre = (mean + Z95**2 / (2 * trials)) / (1 + Z95**2 / trials)
    half = Z95 / (1 + Z95**2 / trials) * sqrt(mean * (1 - mean) / trials + Z95**2 / (4 * trials**2))
    return max(0.0, centre - half), min(1.0, centre + half)
