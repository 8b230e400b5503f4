"""`mchezo site`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli.common import ERR, echo, say


def site(out: Annotated[Path, typer.Argument(help="Folder to write: new, empty, or with an older site.")]) -> None:
    """Write the browser app as a folder that any static host serves, for games without a server.

    Example: `mchezo site games`, then `python -m http.server --directory games`
    """
    from mchezo.local.site import write

    with ERR.status(say("writing-site")):
        size = write(out)
    echo(say("site-written", folder=out, megabytes=f"{size / 1e6:.1f}"))
