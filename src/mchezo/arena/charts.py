"""Charts for reports, drawn by matplotlib as reproducible SVG. Install it with `pip install 'mchezo[reports]'`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from mchezo.arena.statistics import Rate
from mchezo.core.errors import UserError
from mchezo.core.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORDS = Words("mchezo.arena")

INK, PALE, BLUE, RED = "#333333", "#cccccc", "#4878a8", "#b5524a"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "mchezo",  # element ids are random without it
    "svg.fonttype": "none",  # text stays text
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": PALE,
    "grid.linewidth": 0.5,
}
ERROR_BAR = {"ecolor": INK, "elinewidth": 1.2, "capsize": 3}


def require() -> None:
    """Raise an error that says what to install if matplotlib is missing."""
    if find_spec("matplotlib") is None:
        raise UserError("charts-missing", WORDS)


def panels(count: int, width: float, height: float, title: str = "") -> tuple[Figure, list[Axes]]:
    """Return a figure with `count` panels side by side, each of this size in inches."""
    require()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure((count * width, height), layout="constrained")
        axes = figure.subplots(1, count, squeeze=False)[0]
    if title:
        figure.suptitle(title, fontsize=11)
    return figure, list(axes)


def svg(figure: Figure) -> str:
    """Return the figure as SVG; equal figures give equal bytes."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context(STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def percent_axis(axis: Axes, along: str = "y") -> None:
    """Label an axis of rates in percent, with a grid."""
    from matplotlib.ticker import PercentFormatter

    (axis.yaxis if along == "y" else axis.xaxis).set_major_formatter(PercentFormatter(1.0, decimals=0))
    axis.grid(axis="y" if along == "y" else "x")


def rate_bars(axis: Axes, labels: Sequence[str], rates: Iterable[Rate], colours: str | Sequence[str]) -> None:
    """Draw a bar for each rate, with its interval."""
    values, halves = zip(*rates, strict=True)
    axis.bar(range(len(values)), values, yerr=halves, color=colours, error_kw=ERROR_BAR)
    axis.set_xticks(range(len(values)), labels)
