"""Voronoi cells: the territories of maps that specify only the points where pawns stand."""

from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]


def voronoi_paths(size: Point, points: Sequence[Point]) -> list[str]:
    """Return the cell of each point as an SVG path."""
    return [path(cell(size, point, points)) for point in points]


def cell(size: Point, point: Point, points: Sequence[Point]) -> list[Point]:
    """Return the corners of the area nearer to this point than to any other."""
    width, height = size
    corners: list[Point] = [(0, 0), (width, 0), (width, height), (0, height)]
    for other in points:
        if other != point:
            corners = nearer(corners, point, other)
    return corners


def nearer(corners: list[Point], point: Point, other: Point) -> list[Point]:
    """Return the part of a polygon that is nearer to a point than to another."""
    kept = []
    for corner, following in pairwise([*corners, corners[0]]):
        here, there = (lead(at, point, other) for at in (corner, following))
        if here >= 0:
            kept.append(corner)
        if here * there < 0:
            share = here / (here - there)
            (x, y), (to_x, to_y) = corner, following
            kept.append((x + share * (to_x - x), y + share * (to_y - y)))
    return kept


def lead(at: Point, point: Point, other: Point) -> float:
    """Return the difference of the squared distances, positive where the first point is nearer."""
    return (at[0] - other[0]) ** 2 + (at[1] - other[1]) ** 2 - (at[0] - point[0]) ** 2 - (at[1] - point[1]) ** 2


def path(corners: list[Point]) -> str:
    """Return a polygon as an SVG path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"
