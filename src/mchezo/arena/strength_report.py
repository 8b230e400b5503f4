"""Matches and ratings on paper: Markdown tables, and a chart of ratings with error bars as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from mchezo.arena.paper import BLUE, PALE, bar, error_bar, label, line, picture, table
from mchezo.arena.ratings import Rating
from mchezo.arena.tournament import Meeting

MEETING_HEADS = ("first", "second", "games", "+ = -", "score (95 %)")  # won, drawn or shared, lost
RATING_HEADS = ("player", "rating", "± (95 %)", "games", "points")


def meeting_rows(meetings: Sequence[Meeting]) -> list[list[str]]:
    """A row for each meeting, under MEETING_HEADS; where a claim was tested, its verdict comes last."""
    rows = []
    for meeting in meetings:
        score = meeting.score
        drawn = score.games - score.wins - score.losses
        row = [meeting.first, meeting.second, str(score.games), f"{score.wins} {drawn} {score.losses}"]
        rows.append([*row, str(score), *([meeting.verdict.value] if meeting.verdict else [])])
    return rows


def meeting_table(meetings: Sequence[Meeting]) -> str:
    """What everybody scored against whom, in Markdown."""
    tested = any(meeting.verdict for meeting in meetings)
    return table([*MEETING_HEADS, *(["claim"] if tested else [])], meeting_rows(meetings))


def rating_rows(ratings: Sequence[Rating]) -> list[list[str]]:
    """A row for each player, under RATING_HEADS."""
    return [
        [one.name, f"{one.rating:.0f}", f"{one.half:.0f}" if one.half else "", str(one.games), f"{one.points:.1f}"]
        for one in ratings
    ]


def rating_table(ratings: Sequence[Rating]) -> str:
    """Ratings in Markdown."""
    return table(RATING_HEADS, rating_rows(ratings))


def rating_picture(title: str, ratings: Sequence[Rating]) -> str:
    """A bar for each player, weakest first, with its error bar."""
    left, base, top, room = 60, 260, 40, 70
    lowest = min(0, *(floor((one.rating - one.half) / 200) for one in ratings)) * 200
    highest = max(1, *(ceil((one.rating + one.half) / 200) for one in ratings)) * 200
    scale = (base - top) / (highest - lowest)
    wide = left + room * len(ratings) + 10
    parts = [label(wide / 2, 20, title, 13)]
    for rating in range(lowest, highest + 1, 200):
        y = base - (rating - lowest) * scale
        parts += [
            line(left, y, wide - 5, y, PALE, 'stroke-width="0.5"'),
            label(left - 6, y + 4, str(rating), 10, "end"),
        ]
    zero = base + lowest * scale
    for number, one in enumerate(sorted(ratings, key=lambda one: one.rating)):
        x = left + 8 + number * room
        above = one.rating * scale
        parts.append(bar(x, zero - min(above, 0), room - 16, abs(above), BLUE))
        parts += (
            []
            if not one.half
            else error_bar(
                x + room / 2 - 8, zero - (one.rating - one.half) * scale, zero - (one.rating + one.half) * scale
            )
        )
        parts += [
            label(x + room / 2 - 8, base + 16, one.name, 10),
            label(x + room / 2 - 8, base + 30, f"{one.rating:.0f}", 10),
        ]
    return picture(wide, base + 40, parts)
