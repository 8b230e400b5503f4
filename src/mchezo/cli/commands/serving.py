"""`mchezo serve` and `mchezo worker`."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Annotated

import typer

from mchezo.cli.commands.backups import DatabaseOption, chosen_database
from mchezo.cli.common import echo, say


def serve(
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for any free one.")] = 8064,
    database: DatabaseOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    threads: Annotated[
        int | None,
        typer.Option("--threads", min=0, help="Computer players that think in parallel; 0 leaves them to workers."),
    ] = None,
    processes: Annotated[
        int,
        typer.Option(
            "--processes", min=1, help="Server processes that share the port; more than one needs PostgreSQL."
        ),
    ] = 1,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="Host name of the server, besides localhost; can be repeated."),
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="The server is behind an https proxy.")] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            "--trusted-proxy",
            help="Address or network of a proxy whose X-Forwarded-For, -Proto and -Host are trusted; can be repeated.",
        ),
    ] = None,
    passkey_domain: Annotated[
        str | None,
        typer.Option(
            "--passkey-domain",
            help="Domain to which passkeys belong, such as example.org; by default the host name in the address.",
        ),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics-port", min=0, max=65535, help="Port for Prometheus metrics; off by default."),
    ] = None,
    metrics_host: Annotated[
        str, typer.Option("--metrics-host", help="Address on which --metrics-port listens.")
    ] = "127.0.0.1",
    metrics_token: Annotated[
        str | None,
        typer.Option(
            "--metrics-token",
            envvar="MCHEZO_METRICS_TOKEN",
            help="Bearer token required for /metrics on the server's own port.",
        ),
    ] = None,
    notices: Annotated[
        bool,
        typer.Option(
            help="Notify people of their turns in correspondence games; turn it off for a copy of a database."
        ),
    ] = True,
    smtp: Annotated[
        str | None,
        typer.Option(
            "--smtp",
            envvar="MCHEZO_SMTP",
            help="Mail server for notices of turns: smtp://user:password@host:587 or smtps://host; off by default.",
        ),
    ] = None,
    mail_from: Annotated[
        str | None,
        typer.Option("--mail-from", envvar="MCHEZO_MAIL_FROM", help="Address from which e-mail is sent."),
    ] = None,
    contact: Annotated[
        str | None,
        typer.Option(
            "--contact", envvar="MCHEZO_CONTACT", help="Contact address for push services: mailto:... or https://..."
        ),
    ] = None,
    vapid_key: Annotated[
        str | None,
        typer.Option(
            "--vapid-key",
            envvar="MCHEZO_VAPID_KEY",
            help="Private key for Web Push, 32 bytes in base64url; by default one is generated and stored.",
        ),
    ] = None,
    private_endpoints: Annotated[
        bool,
        typer.Option(
            "--private-endpoints",
            help="Allow notices to addresses in private networks, and over http: for home networks only.",
        ),
    ] = False,
    max_connections: Annotated[
        int | None, typer.Option("--max-connections", min=1, help="Open connections in total; 16000 by default.")
    ] = None,
    max_connections_per_network: Annotated[
        int | None,
        typer.Option(
            "--max-connections-per-network",
            min=1,
            help="Open connections from one network (IPv4 /24, IPv6 /56); 1000 by default.",
        ),
    ] = None,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "info",
) -> None:
    """Start the server and open the browser; the default without a command.

    Examples: `mchezo serve` · `mchezo serve --host 0.0.0.0 --no-browser` · `mchezo serve --database postgresql://localhost/mchezo`
    """
    gc.disable()  # modules are not garbage, and looking for some takes a tenth of the start
    from mchezo.server import run
    from mchezo.server.runtime.config import THREADS, Config
    from mchezo.server.runtime.connections import ConnectionLimits
    from mchezo.server.sending.mail import read_smtp

    gc.enable()
    run.set_up_logs(log_level)
    connections = ConnectionLimits()
    config = Config(
        chosen_database(database),
        hosts=tuple(allow_host or ()),
        secure=https,
        passkey_domain=passkey_domain,
        proxies=tuple(trusted_proxy or ()),
        metrics_token=metrics_token,
        metrics_port=metrics_port,
        metrics_host=metrics_host,
        notices=notices,
        smtp=None if smtp is None else read_smtp(smtp, mail_from or ""),
        vapid_key=vapid_key,
        contact=contact,
        private_endpoints=private_endpoints,
        threads=THREADS if threads is None else threads,
        connections=replace(
            connections,
            total=max_connections or connections.total,
            per_network=max_connections_per_network or connections.per_network,
        ),
    )
    if processes == 1:
        run.serve(config, host, port, started=say_addresses, open_browser=browser)
        return
    from mchezo.server.processes import serve_in_processes

    serve_in_processes(config, host, port, processes, log_level=log_level, started=say_addresses)


def say_addresses(here: str, *elsewhere: str) -> None:
    """Print where the server is, for this machine and for others."""
    echo(say("serving", address=here))
    for address in elsewhere:
        echo(say("serving-network", address=address))


def worker(
    database: Annotated[str, typer.Option("--database", envvar="MCHEZO_DATABASE", help="postgresql://...")],
    threads: Annotated[int, typer.Option("--threads", min=1, help="Computer players that think in parallel.")] = 1,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "info",
) -> None:
    """Run computer players for servers that share a PostgreSQL database."""
    from mchezo.server import run

    run.set_up_logs(log_level)
    run.work(database, threads)
