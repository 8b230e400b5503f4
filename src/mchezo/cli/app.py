"""The command line: all commands, in the order in which help lists them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mchezo import __version__
from mchezo.cli.commands import (
    backups,
    contests,
    datasets,
    engines,
    explorer,
    measuring,
    pictures,
    playing,
    puzzles,
    records,
    serving,
    sites,
)
from mchezo.cli.commands.admin import admin
from mchezo.cli.commands.balance import balances
from mchezo.cli.commands.packs import packs
from mchezo.cli.commands.ratings import ratings
from mchezo.cli.common import ERR, REFUSED, Terminal, echo
from mchezo.core.errors import UserError

app = typer.Typer(
    help="Play, analyse and study board games; `mchezo games` lists them.",
    epilog="Exit codes: 0 success, 1 error (such as a broken record or an unknown option), 2 usage error.",
    invoke_without_command=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(asked: bool) -> None:
    """Print the version and exit."""
    if asked:
        from mchezo.core.compiled import describe

        echo(f"mchezo {__version__}, rules {describe()}")
        raise typer.Exit


@app.callback()
def start(
    context: typer.Context,
    language: Annotated[
        str | None,
        typer.Option(
            "--language", "-l", envvar="MCHEZO_LANGUAGE", help="en, de, fr or nl; defaults to the system language."
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=print_version, help="Print the version and exit."),
    ] = False,
) -> None:
    """Read the global options; without a command, start the server."""
    Terminal.choose_language(language)
    if context.invoked_subcommand is None:
        serving.serve()


for command in (
    serving.serve,
    serving.worker,
    sites.site,
    playing.games,
    playing.rules,
    playing.play,
    puzzles.puzzle,
    records.show,
    records.verify,
    records.analyse,
    measuring.perft,
    measuring.bench,
    pictures.picture,
    contests.match,
    engines.engine,
    engines.engine_check,
    engines.bot,
    contests.ladder,
    contests.tournament,
    measuring.tune,
    measuring.train,
    explorer.explore,
    datasets.dataset,
    puzzles.puzzles,
    puzzles.puzzles_audit,
    backups.backup,
    backups.restore,
):
    app.command()(command)
for group, name in (
    (balances, "balance"),
    (packs, "pack"),
    (records.records, "records"),
    (ratings, "ratings"),
    (admin, "admin"),
):
    app.add_typer(group, name=name)


def main() -> None:
    """Run a command; errors are printed in one sentence, without a traceback."""
    try:
        app()
    except UserError as error:
        ERR.print(error.say(Terminal.language), style="red", markup=False)
        sys.exit(REFUSED)
    except KeyboardInterrupt:
        ERR.print()
        sys.exit(130)
