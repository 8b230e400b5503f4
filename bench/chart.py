"""The bar chart of the benchmarks, on a logarithmic scale."""

from collections.abc import Sequence

from mchezo.arena import charts

OURS, THEIRS = "#2a9d6f", "#8a93a6"


def bars(title: str, rows: Sequence[tuple[str, float, bool]]) -> str:
    """Return the chart of rows (name, value, whether it is ours) as SVG, largest first."""
    rows = sorted(rows, key=lambda row: row[1])
    figure, (axis,) = charts.panels(1, 9.5, 0.8 + 0.24 * len(rows))
    drawn = axis.barh(
        [name for name, _, _ in rows],
        [value for _, value, _ in rows],
        color=[OURS if ours else THEIRS for _, _, ours in rows],
    )
    axis.bar_label(drawn, [f"{value:,.0f}" for _, value, _ in rows], padding=3)
    axis.set_xscale("log")
    axis.margins(x=0.12, y=0.01)
    axis.grid(axis="x")
    axis.set_title(title)
    return charts.svg(figure)
