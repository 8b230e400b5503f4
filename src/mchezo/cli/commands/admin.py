"""`mchezo admin`: what an operator does to a server's database, while servers run or not."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table

from mchezo.cli.commands.backups import DatabaseOption, chosen_database
from mchezo.cli.common import OUT, echo, say
from mchezo.ratings.fair_play import LEAST_DECISIONS, LEAST_GAMES

if TYPE_CHECKING:
    from mchezo.server.storage.administration import Administration

admin = typer.Typer(
    help="Operate a server: tables, guests, retention, integrity. Running servers apply changes within a second.",
    epilog="Exit codes: 0 success, 1 error, or problems that `check` found, 2 usage error.",
    no_args_is_help=True,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
GuestId = Annotated[str, typer.Argument(metavar="GUEST", help="Public id; see `mchezo admin guests`.")]
Limit = Annotated[int, typer.Option("--limit", min=1, help="How many to list at most.")]


@contextmanager
def opened(database: str | None) -> Iterator[Administration]:
    """Open the database, and close it at the end."""
    from mchezo.server.storage.administration import Administration

    administration = Administration(chosen_database(database))
    try:
        yield administration
    finally:
        administration.close()


def confirm(question: str, yes: bool) -> None:
    """Ask for confirmation, unless it was given; end the command without it."""
    if not yes and not typer.confirm(question):
        raise typer.Exit(1)


def moment(milliseconds: int) -> str:
    """Return a time as text."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(milliseconds / 1000)) if milliseconds else "-"


def print_rows(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(say(f"admin-{heading}"), no_wrap=heading in ("id", "guest", "table"))
    for row in rows:
        table.add_row(*map(str, row))
    OUT.print(table, markup=False)


def print_json(value: Any) -> None:
    """Print JSON, one value."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n")


# Tables


@admin.command()
def tables(
    database: DatabaseOption = None,
    game: Annotated[str | None, typer.Option("--game", help="Only this game.")] = None,
    status: Annotated[
        Literal["open", "running", "over"] | None, typer.Option("--status", help="open, running or over.")
    ] = None,
    guest: Annotated[str | None, typer.Option("--guest", metavar="ID", help="Only tables of this guest.")] = None,
    idle: Annotated[float, typer.Option("--idle", metavar="DAYS", min=0, help="Unchanged for this many days.")] = 0,
    broken: Annotated[bool, typer.Option("--broken", help="Only tables that were set aside.")] = False,
    limit: Limit = 100,
    as_json: AsJson = False,
) -> None:
    """List tables, last changed first.

    Examples: `mchezo admin tables --status open --idle 30` · `mchezo admin tables --broken --json`
    """
    with opened(database) as administration:
        if broken:
            problems = administration.broken(limit)
            if as_json:
                print_json([found._asdict() for found in problems])
            else:
                rows = [(one.table, one.game, moment(one.at), one.kind, one.reason) for one in problems]
                print_rows(("table", "game", "at", "kind", "detail"), rows)
            return
        found = administration.tables(game, status, guest, idle, limit)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    lines = [
        (
            one.id,
            one.game,
            one.status,
            moment(one.changed),
            one.moves,
            " · ".join(f"{name} {id}" if id else name for name, id in one.players),
        )
        for one in found
    ]
    print_rows(("table", "game", "status", "changed", "moves", "players"), lines)


@admin.command()
def close(
    table: Annotated[list[str], typer.Argument(metavar="TABLE...", help="Ids of tables.")],
    database: DatabaseOption = None,
    yes: Yes = False,
) -> None:
    """Close tables: one that never started is removed, a running game ends without a result."""
    confirm(say("admin-close-confirm", tables=len(table)), yes)
    with opened(database) as administration:
        for id in table:
            echo(say(f"admin-{administration.close_table(id)}", table=id))


@admin.command()
def release(
    table: Annotated[list[str], typer.Argument(metavar="TABLE...", help="Ids of tables.")],
    database: DatabaseOption = None,
) -> None:
    """Resume tables that were set aside and can be read again, for example after an upgrade or a repair."""
    with opened(database) as administration:
        for id in table:
            administration.release(id)
            echo(say("admin-released", table=id))


# Guests


@admin.command()
def guests(
    database: DatabaseOption = None,
    name: Annotated[str | None, typer.Option("--name", help="Only names that contain this text.")] = None,
    limit: Limit = 100,
    as_json: AsJson = False,
) -> None:
    """List the guests who have or had a seat, and those with restrictions."""
    with opened(database) as administration:
        found = administration.guests(name, limit)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    rows = [
        (
            one.id,
            " · ".join(one.names) or "-",
            one.tables,
            moment(one.last),
            " ".join(say(f"admin-{word}") for word in ("blocked", "revoked") if getattr(one, word)),
        )
        for one in found
    ]
    print_rows(("guest", "names", "tables", "last", "restrictions"), rows)


@admin.command()
def rename(
    guest: GuestId,
    name: Annotated[str | None, typer.Argument(help="New name; without one the guest may choose again.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Give a guest a name that they cannot change, from their next seat on."""
    from mchezo.server.domain.context import clean_name

    with opened(database) as administration:
        administration.set_guest("renamed", guest, name=None if name is None else clean_name(name)[:40])
    echo(say("admin-done", guest=guest))


@admin.command()
def block(guest: GuestId, database: DatabaseOption = None) -> None:
    """Block a guest: refuse everything that they, or a bot with one of their tokens, send."""
    with opened(database) as administration:
        administration.set_guest("blocked", guest, blocked=True)
    echo(say("admin-done", guest=guest))


@admin.command()
def unblock(guest: GuestId, database: DatabaseOption = None) -> None:
    """Unblock a guest."""
    with opened(database) as administration:
        administration.set_guest("unblocked", guest, blocked=False)
    echo(say("admin-done", guest=guest))


@admin.command()
def revoke(guest: GuestId, database: DatabaseOption = None, yes: Yes = False) -> None:
    """Sign a guest out everywhere: their cookies and tokens end, and nobody can play their seats any more."""
    confirm(say("admin-revoke-confirm", guest=guest), yes)
    with opened(database) as administration:
        administration.set_guest("revoked", guest, valid_from=administration.database.now())
    echo(say("admin-done", guest=guest))


@admin.command()
def export(
    guest: GuestId,
    out: Annotated[Path | None, typer.Option("--out", help="Output file; prints by default.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Export the data stored about a guest, as JSON: names, restrictions, tables with their records."""
    from mchezo.server.projection.records import export_record
    from mchezo.server.storage import files

    with opened(database) as administration:
        data = administration.export_guest(guest, export_record)
    if out is None:
        print_json(data)
        return
    with files.replacing(out) as temporary:
        temporary.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
    echo(say("saved", file=out))


@admin.command()
def delete(guest: GuestId, database: DatabaseOption = None, yes: Yes = False) -> None:
    """Delete a guest's data: their games are resigned, their names removed from every table. The games stay."""
    confirm(say("admin-delete-confirm", guest=guest), yes)
    with opened(database) as administration:
        changed = administration.delete_guest(guest)
    echo(say("admin-deleted", guest=guest, tables=changed))


@admin.command()
def reports(
    database: DatabaseOption = None,
    closed: Annotated[bool, typer.Option("--all", help="Include closed reports.")] = False,
    close: Annotated[int | None, typer.Option("--close", metavar="NUMBER", help="Close this report.")] = None,
    limit: Limit = 100,
    as_json: AsJson = False,
) -> None:
    """List the reports of players about others, newest first, or close one.

    Examples: `mchezo admin reports` · `mchezo admin reports --close 3`
    """
    with opened(database) as administration:
        if close is not None:
            known = administration.store.relations.close_report(close)
            echo(say("admin-report-closed" if known else "admin-no-report", number=close))
            return
        found = administration.store.relations.reports(closed=closed, limit=limit)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    rows = [
        (one.number, moment(one.at), f"{one.by_name} {one.by}", f"{one.about_name} {one.about}", one.text)
        for one in found
    ]
    print_rows(("number", "at", "by", "about", "text"), rows)


@admin.command("fair-play")
def fair_play(
    database: DatabaseOption = None,
    everybody: Annotated[bool, typer.Option("--all", help="List all accounts that were compared.")] = False,
    reviewed: Annotated[
        str | None, typer.Option("--reviewed", metavar="GUEST", help="Mark this account as reviewed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the accounts whose moves in rated games nearly all match the engine's, with the numbers and the last games.

    It is a reason to look at the games, not a proof: strong players are listed, too. Nothing happens to an account by
    itself. After `--reviewed` only later games count.

    Examples: `mchezo admin fair-play` · `mchezo admin fair-play --reviewed 0123456789abcdef`
    """
    with opened(database) as administration:
        stored = administration.store.fair_play
        if reviewed is not None:
            known = stored.review(reviewed)
            echo(say("admin-done" if known else "admin-no-guest", guest=reviewed))
            return
        found = [one for one in stored.figures() if everybody or one.compared.flagged]
    if as_json:
        print_json(
            [
                {
                    **one._asdict(),
                    "compared": one.compared._asdict(),
                    "agreement": round(one.compared.agreement, 3),
                    "mean_loss": round(one.compared.mean_loss, 4),
                    "flagged": one.compared.flagged,
                }
                for one in found
            ]
        )
        return
    rows = [
        (
            f"{one.name} {one.guest}",
            one.kind,
            one.compared.games,
            one.compared.decisions,
            f"{100 * one.compared.agreement:.0f} %",
            f"{100 * one.compared.mean_loss:.2f} %",
            " ".join(one.tables),
        )
        for one in found
    ]
    print_rows(("guest", "game", "games", "decisions", "agreement", "loss", "tables"), rows)
    echo(say("admin-fair-play", games=LEAST_GAMES, decisions=LEAST_DECISIONS))


@admin.command()
def tournaments(
    database: DatabaseOption = None,
    end: Annotated[str | None, typer.Option("--end", metavar="ID", help="End this tournament now.")] = None,
    as_json: AsJson = False,
) -> None:
    """List tournaments, last changed first, or end one: its standings stay as they are, its tables play on.

    Examples: `mchezo admin tournaments` · `mchezo admin tournaments --end 8Zx1kqPvC0aB`
    """
    with opened(database) as administration:
        if end is not None:
            administration.store.tournaments.end(end)
            echo(say("admin-tournament-ended", id=end))
            return
        lists = administration.store.tournaments.lists(None)
    found = [one for status in ("running", "open", "over") for one in lists[status]]
    if as_json:
        shown = ("id", "name", "status", "game", "format", "organiser", "players", "round", "created")
        print_json([{name: getattr(one, name) for name in shown} for one in found])
        return
    rows = [(one.id, one.status, one.game, one.format, one.players, one.organiser, one.name) for one in found]
    print_rows(("id", "status", "game", "kind", "players", "by", "names"), rows)


# Retention and integrity


@admin.command()
def prune(
    open_days: Annotated[
        float | None, typer.Option("--open", metavar="DAYS", min=0, help="Remove tables that never started.")
    ] = None,
    finished_days: Annotated[
        float | None,
        typer.Option("--finished", metavar="DAYS", min=0, help="Remove finished games and their packs, for good."),
    ] = None,
    analyses_days: Annotated[
        float | None, typer.Option("--analyses", metavar="DAYS", min=0, help="Remove analyses; they can be repeated.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count only.")] = False,
    database: DatabaseOption = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove tables, games and analyses that have not changed for some days. Statistics are kept.

    Without an option nothing is removed.

    Example: `mchezo admin prune --open 30 --analyses 365 --yes`
    """
    with opened(database) as administration:
        found = administration.prune(open_days, finished_days, analyses_days, dry_run=True)
        if not dry_run and any(found):
            confirm(say("admin-prune-confirm", **found._asdict()), yes)
            found = administration.prune(open_days, finished_days, analyses_days)
    if as_json:
        print_json(found._asdict())
    else:
        echo(say("admin-prunable" if dry_run else "admin-pruned", **found._asdict()))


@admin.command()
def check(
    repair: Annotated[bool, typer.Option("--repair", help="Rewrite rows that disagree with their logs.")] = False,
    database: DatabaseOption = None,
    as_json: AsJson = False,
) -> None:
    """Check every table: its log has no gaps, it replays, and its row agrees. Exit code 1 if there are problems."""
    tables, problems = 0, []
    with opened(database) as administration:
        for found in administration.check():
            tables += 1
            if found is not None and not (repair and found.kind == "row" and administration.repair(found.table)):
                problems.append(found)
    if as_json:
        print_json({"tables": tables, "problems": [one._asdict() for one in problems]})
    else:
        if problems:
            print_rows(("table", "kind", "detail"), problems)
        echo(say("admin-checked", tables=tables, problems=len(problems)), "red" if problems else "green")
    if problems:
        raise typer.Exit(1)


@admin.command("log")
def show_log(database: DatabaseOption = None, limit: Limit = 100, as_json: AsJson = False) -> None:
    """List the changes made by operators, and by guests about themselves, newest first."""
    with opened(database) as administration:
        found = administration.log(limit)
    if as_json:
        print_json([one._asdict() for one in found])
        return
    rows = [(one.number, moment(one.at), one.action, one.guest or "-", one.table or "-") for one in found]
    print_rows(("id", "at", "action", "guest", "table"), rows)
