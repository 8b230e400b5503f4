"""SVG to PNG and GIF, for a process of its own: drawing holds the interpreter lock for long. It imports no more."""

from __future__ import annotations

import io
from collections.abc import Sequence

BACKGROUND = "#ffffff"
SECONDS_A_FRAME, SECONDS_AT_END = 0.9, 4.0


def png(svg: str, width: int) -> bytes:
    """A picture."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, background=BACKGROUND))


def gif(svgs: Sequence[str], width: int) -> bytes:
    """Pictures one after the other, the last one longer, again and again."""
    from PIL import Image

    frames = [Image.open(io.BytesIO(png(svg, width))).convert("RGB") for svg in svgs]
    # One palette for all: what does not move does not flicker, and is stored once.
    palette = frames[len(frames) // 2].quantize(256, dither=Image.Dither.NONE)
    reduced = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    lengths = [round(1000 * SECONDS_A_FRAME)] * (len(reduced) - 1) + [round(1000 * SECONDS_AT_END)]
    out = io.BytesIO()
    reduced[0].save(out, "GIF", save_all=True, append_images=reduced[1:], duration=lengths, loop=0, optimize=False)
    return out.getvalue()
