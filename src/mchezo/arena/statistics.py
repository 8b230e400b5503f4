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
