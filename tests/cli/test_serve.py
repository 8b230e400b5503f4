"""`mchezo serve` from the outside: it prints its address, answers, and stops on a signal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.serving import PATIENCE, eventually

pytestmark = pytest.mark.rotating(shares=4)


def test_help_loads_neither_the_compiler_nor_the_server() -> None:
    program = (
        "import sys; from typer.testing import CliRunner; from mchezo.cli.app import app;"
        "assert CliRunner().invoke(app, ['serve', '--help']).exit_code == 0;"
        "print([name for name in ('numba', 'litestar', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_it_says_where_it_is_answers_and_stops(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    command = [
        sys.executable,
        "-m",
        "mchezo",
        "-l",
        "de",
        "serve",
        "--port",
        "0",
        "--no-browser",
        "--database",
        database,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", line)
        assert found, line
        assert "läuft unter" in line
        assert httpx.get(f"http://127.0.0.1:{found[1]}/healthz", timeout=PATIENCE).json()["database"] == "sqlite"
        second = subprocess.run(command, capture_output=True, text=True)
        assert second.returncode == 1
        assert "benutzt" in second.stderr
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) in (0, 130)


def test_it_opens_the_browser_and_writes_its_logs_as_data(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser.py"
    browser.write_text(f"import sys, pathlib; pathlib.Path({str(opened)!r}).write_text(sys.argv[1])", encoding="utf-8")
    command = [sys.executable, "-m", "mchezo", "serve", "--port", "0", "--database", str(tmp_path / "tables.sqlite")]
    env = {**os.environ, "BROWSER": f"{sys.executable} {browser} %s"}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        found = re.search(r"http://localhost:\d+/", server.stdout.readline())
        assert found
        lines: list[dict[str, Any]] = []
        while "game ready" not in (lines[-1]["message"] if lines else ""):
            lines.append(json.loads(server.stderr.readline()))
        assert eventually(lambda: opened.exists() and opened.read_text(encoding="utf-8")) == found[0]
        server.send_signal(signal.SIGTERM)
        lines += [json.loads(line) for line in server.stderr]
        assert server.wait(PATIENCE) == 0
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)


def test_a_taken_port_is_refused_in_words(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "mchezo", "-l", "en", "serve", "--port", port, "--no-browser"]
        done = subprocess.run([*command, "--database", str(tmp_path / "x")], capture_output=True, text=True)
    assert done.returncode == 1
    assert f"Port {port} cannot be used" in done.stderr
