"""`mchezo picture`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mchezo.cli import common
from mchezo.cli.commands.parameters import At, GameName, Options, SeedText
from mchezo.cli.common import ERR, echo, say

if TYPE_CHECKING:
    from mchezo.core.position import Position


def picture(
    name: GameName,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Output file: .svg, .png, or .gif for a whole record; prints SVG by default."),
    ] = None,
    record: Annotated[Path | None, typer.Option("--record", help="Draw a position of this record.")] = None,
    at: At = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Draw what this seat sees.")] = None,
    option: Options = None,
    seed: SeedText = None,
) -> None:
    """Draw the start of a game or a position of a record, or animate a whole record.

    Examples: `mchezo picture kiwara --out start.svg` · `mchezo picture kitara --record game.txt --at 12 --out 12.png` ·
    `mchezo picture katarenga --record game.txt --out game.gif`
    """
    game = common.prepare(name)
    if record is not None:
        position = common.recorded(record, at, name)
    else:
        position = game.start(seed=common.seed_of(seed), **common.read_options(game, option or []))
    if out is None:
        sys.stdout.write(position.svg(seat))
    else:
        common.write_file(out, drawn(position, seat, out.suffix.lower()))
        echo(say("saved", file=out))


def drawn(position: Position, seat: int | None, kind: str) -> str | bytes:
    """Return a picture of the position or, as a GIF, an animation of the game up to it."""
    from mchezo.server.compute import drawing
    from mchezo.server.compute.pictures import frames

    if kind == ".png":
        return drawing.png(position.svg(seat), 1000)
    if kind == ".gif":
        with ERR.status(say("drawing")):
            return drawing.gif([draw() for draw in frames(position, seat)], position.game.pictures.gif_width)
    return position.svg(seat)
