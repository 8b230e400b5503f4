"""The files in deploy/: their commands exist, and the steps of the systemd units work when they are run by hand."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import click
import httpx
import pytest
import typer.main

from mchezo.cli.app import app
from mchezo.server.storage.store import Store
from tests.server.serving import PATIENCE, eventually, is_healthy

DEPLOY = Path(__file__).parents[2] / "deploy"
COMMAND = typer.main.get_command(app)
PROGRAM = "/opt/mchezo/bin/mchezo"


def values(unit: str, key: str) -> list[str]:
    """Return the values of a key in a unit."""
    lines = (DEPLOY / unit).read_text(encoding="utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


def parse(arguments: list[str]) -> None:
    """Check arguments as the command line does, without running the command."""
    command: click.Command = COMMAND  # type: ignore[assignment]  # Typer's own class is one
    context = click.Context(command)
    while isinstance(command, click.Group):
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found is not None, name
        command, context = found, click.Context(found, parent=context)
    command.make_context(command.name, list(arguments), resilient_parsing=False)


@pytest.mark.parametrize("file", ["mchezo.service", "mchezo-backup.service"])
def test_the_units_run_commands_that_exist(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = values(file, "ExecStart")
    assert commands
    for command in commands:
        words = shlex.split(command)
        if words[0] == "/bin/sh":
            words = shlex.split(words[2].removeprefix("exec "))
        assert words[0] == PROGRAM
        parse(words[1:])


def test_the_containers_run_commands_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCHEZO_DATABASE", "postgresql://mchezo@database/mchezo")
    compose = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    server = re.search(r"command:\n((?: +- .*\n)+)", compose)
    worker = re.search(r"command: \[(.*)\]", compose)
    image = re.search(r"^CMD \[(.*)\]", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert server
    assert worker
    assert image
    parse([line.strip().removeprefix("- ") for line in server[1].splitlines()])
    for listed in (worker, image):
        parse([word.strip().strip('"') for word in listed[1].split(",")])


@pytest.mark.rotating(shares=8)
@pytest.mark.skipif(sys.platform == "win32", reason="systemd is on Linux")
def test_the_steps_of_the_units_work_by_hand(tmp_path: Path) -> None:
    """Run what systemd would: directories, umask, environment, commands; only paths and the port are others."""
    umask = int(values("mchezo.service", "UMask")[0], 8)
    for unit in ("mchezo.service", "mchezo-backup.service"):
        for name in values(unit, "StateDirectory")[0].split():
            (tmp_path / name).mkdir(int(values(unit, "StateDirectoryMode")[0], 8), exist_ok=True)
    environment = {**os.environ, "MCHEZO_HOST": "play.example.org", "MCHEZO_LANGUAGE": "en"}
    for pair in values("mchezo.service", "Environment")[0].split():
        name, _, value = pair.partition("=")
        if name != "XDG_CACHE_HOME":  # the compiled rules of the other tests are used
            environment[name] = value.replace("%S", str(tmp_path))
    here = f"{shlex.quote(sys.executable)} -m mchezo"

    def command(line: str) -> str:
        line = line.replace(PROGRAM, here).replace("%S", str(tmp_path)).replace("%%", "%").replace("$$", "$")
        return re.sub(r"--metrics-port=\d+", "--metrics-port=0", line)

    serve = command(values("mchezo.service", "ExecStart")[0]) + " --port=0"
    with subprocess.Popen(
        ["/bin/sh", "-c", f"exec {serve}"], env=environment, umask=umask, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://localhost:(\d+)/", server.stdout.readline())
            assert found
            address = f"http://127.0.0.1:{found[1]}"
            eventually(lambda: is_healthy(address))
            named = httpx.get(f"{address}/api/me", headers={"Host": "play.example.org"}, timeout=PATIENCE)
            assert named.status_code == 200
            assert "secure" in named.headers["set-cookie"].lower()
            for line in values("mchezo-backup.service", "ExecStart"):
                subprocess.run(["/bin/sh", "-c", command(line)], env=environment, umask=umask, check=True)
        finally:
            server.send_signal(signal.SIGTERM)
        assert server.wait(PATIENCE) == 0
    backups = sorted((tmp_path / "mchezo-backups").iterdir())
    assert len(backups) == 2  # of the day and of the month
    for file in (*backups, tmp_path / "mchezo" / "tables.sqlite"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with sqlite3.connect(backups[0]) as connection:
        assert connection.execute("SELECT count(*) FROM settings WHERE name = 'secret'").fetchone() == (1,)
    restore = [sys.executable, "-m", "mchezo", "restore", str(backups[0]), "--force"]
    subprocess.run(restore, env=environment, umask=umask, check=True)
    Store(str(tmp_path / "mchezo" / "tables.sqlite")).close()
