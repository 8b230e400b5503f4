"""`mchezo pack`: packs for Kitara."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mchezo.cli import common
from mchezo.cli.common import Terminal, echo, say
from mchezo.core import registry
from mchezo.core.errors import UserError

packs = typer.Typer(help="Packs for Kitara: maps and cards copied from the box.", no_args_is_help=True)


@packs.command()
def new(
    file: Annotated[Path, typer.Argument(help="Output file; must not exist yet.")],
    copy: Annotated[
        bool, typer.Option("--copy", help="Start from the reconstruction instead of an empty pack.")
    ] = False,
) -> None:
    """Write a commented template to fill in from the box, or a copy of the reconstruction to change."""
    if file.exists():
        raise UserError("file-exists", common.WORDS, file=file)
    packs = registry.packs()
    common.write_file(file, packs.write(packs.open(None)) if copy else packs.template())
    echo(say("saved", file=file))


@packs.command()
def check(file: Annotated[Path, typer.Argument(help="Pack file.")]) -> None:
    """Check a pack: print the first error, or a summary of its contents."""
    for line in registry.packs().check(file, Terminal.language):
        echo(line)
