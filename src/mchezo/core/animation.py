"""Merge the pictures of a game into one animated SVG that stores every element once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from mchezo.core.position import Position

SVG = "http://www.w3.org/2000/svg"
MOST_FRAMES = 200
SECONDS_AT_END = 4.0

ElementTree.register_namespace("", SVG)


@dataclass
class Element:
    """A top-level element of the pictures, and the frames that show it."""

    text: str
    frames: list[int]


def frames(position: Position, seat: int | None) -> list[str]:
    """Draw the start, every turn's end and the last position, as this seat saw them at the time.

    A long game is thinned out to about `MOST_FRAMES` pictures.
    """
    game = position.copy()
    game.source = None  # turn numbers in a record's text are optional, so count the turns here
    ends = [*game.record().turns, len(game.steps)]
    pictures = []
    for moves in thin_out(ends, MOST_FRAMES):
        pictures.append(game.earlier(moves).svg(seat))
    return pictures


def thin_out(ends: Sequence[int], most: int) -> list[int]:
    """Return every n-th of these ends of turns, so that about `most` are left, and the last one."""
    every = -(-len(ends) // most)
    return sorted({*ends[::every], ends[-1]})


def animate(pictures: Sequence[str], seconds: float) -> str:
    """Return one SVG that shows the pictures in a loop, the last one longest.

    The animation is SMIL, which browsers also play inside `<img>`. Other programs show the last picture.
    """
    roots = [ElementTree.fromstring(picture) for picture in pictures]
    definitions: dict[str, None] = {}  # an ordered set
    merged: list[Element] = []
    for number, root in enumerate(roots):
        drawn = []
        for child in root:
            match child.tag.removeprefix(f"{{{SVG}}}"):
                case "defs":
                    definitions |= dict.fromkeys(map(write, child))
                case "title" | "desc":
                    pass
                case _:
                    drawn.append(write(child))
        merged = merge(merged, drawn, number)
    last = roots[-1]
    named = [write(child) for child in last if child.tag in (f"{{{SVG}}}title", f"{{{SVG}}}desc")]
    opening = " ".join(f'{name}="{value}"' for name, value in last.attrib.items())
    body = show(merged, timeline(len(roots), seconds))
    return "\n".join(
        [f'<svg xmlns="{SVG}" {opening}>', *named, f"<defs>{''.join(definitions)}</defs>", *body, "</svg>\n"]
    )


def write(element: ElementTree.Element) -> str:
    """Return an element as text, without the namespace that its root declares."""
    element.tail = None
    return ElementTree.tostring(element, encoding="unicode").replace(f' xmlns="{SVG}"', "")


def merge(merged: list[Element], drawn: Sequence[str], number: int) -> list[Element]:
    """Add a frame's elements. Every frame stays a subsequence of the result, so nothing changes its z-order."""
    result: list[Element] = []
    matcher = SequenceMatcher(None, [element.text for element in merged], drawn, autojunk=False)
    for kind, first, end, start, stop in matcher.get_opcodes():
        for element in merged[first:end]:
            if kind == "equal":
                element.frames.append(number)
            result.append(element)
        if kind != "equal":
            result += [Element(text, [number]) for text in drawn[start:stop]]
    return result


def timeline(count: int, seconds: float) -> list[float]:
    """Return when each frame begins and, as the last item, when the loop ends."""
    return [index * seconds for index in range(count)] + [(count - 1) * seconds + SECONDS_AT_END]


def show(merged: Sequence[Element], times: Sequence[float]) -> Iterator[str]:
    """Yield the elements, neighbours with the same frames in one group that appears and disappears."""
    count = len(times) - 1
    for shown, elements in groupby(merged, key=lambda element: element.frames):
        texts = "\n".join(element.text for element in elements)
        if len(shown) == count:
            yield texts
            continue
        visible = ["inline" if frame in set(shown) else "none" for frame in range(count)]
        changes = [frame for frame in range(count) if frame == 0 or visible[frame] != visible[frame - 1]]
        values = ";".join(visible[frame] for frame in changes)
        moments = ";".join(f"{times[frame] / times[-1]:.5f}".rstrip("0").rstrip(".") for frame in changes)
        yield (
            f'<g display="{visible[-1]}"><animate attributeName="display" calcMode="discrete" values="{values}" '
            f'keyTimes="{moments}" dur="{times[-1]:g}s" repeatCount="indefinite"/>\n{texts}</g>'
        )
