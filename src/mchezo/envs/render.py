"""Pictures of a game for environments: text for a terminal, and an image made from our SVG."""

import io
from importlib import import_module

import numpy as np
import numpy.typing as npt
from rich.console import Console

from mchezo.core import registry
from mchezo.core.position import Position

MODES = ("human", "ansi", "rgb_array")
WIDTH = 120  # of the text, in characters
PIXELS = 400  # breadth of the image


def text(position: Position) -> str:
    """The board as everybody sees it, with colours for a terminal."""
    terminal = import_module(f"{registry.MODULES[position.game.name]}.terminal")
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=WIDTH, highlight=False)
    with console.capture() as printed:
        console.print(terminal.board(position.view(), "en"))
    return printed.get()


def image(position: Position) -> npt.NDArray[np.uint8]:
    """The picture as everybody sees it: height, breadth, and red, green, blue."""
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=position.svg(), width=PIXELS, background="#ffffff")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.uint8)


def render(position: Position, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """What an environment's `render` returns; `human` prints the text and returns nothing."""
    if mode == "rgb_array":
        return image(position)
    if mode == "ansi":
        return text(position)
    if mode == "human":
        print(text(position))
    return None
