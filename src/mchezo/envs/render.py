"""Rendering for environments: text for a terminal, and an image rasterized from SVG."""

import io

import numpy as np
import numpy.typing as npt
from rich.console import Console

from mchezo.core.position import Position

MODES = ("human", "ansi", "rgb_array")
WIDTH = 120  # of the text, in characters
PIXELS = 400  # width of the image


def text(position: Position) -> str:
    """Return the public view of the board in ANSI colours."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=WIDTH, highlight=False)
    with console.capture() as printed:
        console.print(position.game.pictures.terminal(position.view(), "en"))
    return printed.get()


def image(position: Position) -> npt.NDArray[np.uint8]:
    """Return the public view as an RGB image: height, width, channels."""
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=position.svg(), width=PIXELS, background="#ffffff")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.uint8)


def render(position: Position, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return what an environment's `render` returns; mode `human` prints the text and returns None."""
    if mode == "rgb_array":
        return image(position)
    if mode == "ansi":
        return text(position)
    if mode == "human":
        print(text(position))
    return None
