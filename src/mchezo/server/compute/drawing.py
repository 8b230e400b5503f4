"""SVG to PNG and GIF, for a separate process: drawing holds the interpreter lock for long. Imports little."""

from __future__ import annotations

import io
from collections.abc import Sequence

BACKGROUND = "#ffffff"
SECONDS_PER_FRAME, SECONDS_AT_END = 0.9, 4.0


def png(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, background=BACKGROUND))


def gif(svgs: Sequence[str], width: int) -> bytes:
    """Return SVGs as an animation that loops, the last frame shown longer."""
    return animation([png(svg, width) for svg in svgs])


def animation(pngs: Sequence[bytes]) -> bytes:
    """Return PNGs as an animation that loops, the last frame shown longer."""
    from PIL import Image

    frames = [Image.open(io.BytesIO(drawn)).convert("RGB") for drawn in pngs]
    # One palette for all frames: unchanged parts do not flicker, and are stored once.
    palette = frames[len(frames) // 2].quantize(256, dither=Image.Dither.NONE)
    reduced = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [round(1000 * SECONDS_PER_FRAME)] * (len(reduced) - 1) + [round(1000 * SECONDS_AT_END)]
    out = io.BytesIO()
    reduced[0].save(out, "GIF", save_all=True, append_images=reduced[1:], duration=durations, loop=0, optimize=False)
    return out.getvalue()
