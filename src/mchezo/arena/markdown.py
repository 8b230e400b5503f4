"""Markdown tables for reports."""

from __future__ import annotations

from collections.abc import Sequence

from mchezo.arena.statistics import Rate


def percent(rate: Rate) -> str:
    """Format a rate with its interval: `33.4 ± 0.9`."""
    return f"{100 * rate[0]:.1f} ± {100 * rate[1]:.1f}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with every column but the first right-aligned."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
