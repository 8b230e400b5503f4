"""The SVG documents of all games: the outer element, and gradients."""

from collections.abc import Iterable, Sequence

FONT = "Georgia,'Times New Roman','DejaVu Serif',serif"


def document(
    size: tuple[int, int],
    title: str,
    description: str,
    definitions: str,
    shapes: Iterable[str],
    *,
    font_size: int | None = None,
) -> str:
    """Return a complete SVG document; title and description are what a screen reader reads out."""
    width, height = size
    lettering = "" if font_size is None else f' font-size="{font_size}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" font-family="{FONT}"{lettering} font-weight="bold" text-anchor="middle">',
        f"<title>{title}</title>",
        f"<desc>{description}</desc>",
        f"<defs>{definitions}</defs>",
        *shapes,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def linear_gradient(name: str, colours: Sequence[str], x2: str, y2: str = "1") -> str:
    """Return a gradient from the upper left to the point x2 y2."""
    return f'<linearGradient id="{name}" x2="{x2}" y2="{y2}">{_stops(colours)}</linearGradient>'


def radial_gradient(name: str, colours: Sequence[str], cx: str, cy: str, r: str) -> str:
    """Return a gradient around a point."""
    return f'<radialGradient id="{name}" cx="{cx}" cy="{cy}" r="{r}">{_stops(colours)}</radialGradient>'


def _stops(colours: Sequence[str]) -> str:
    last = len(colours) - 1
    return "".join(f'<stop offset="{step / last:g}" stop-color="{colour}"/>' for step, colour in enumerate(colours))
