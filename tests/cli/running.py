"""Running the command line: in this process, which is quick, or in a process of its own, as a person does."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from mchezo.cli.app import main

BOARD = "board=" + "B" * 64


def run(*arguments: str, text: str = "", language: str = "en") -> subprocess.CompletedProcess[str]:
    """Run a command in this process with `text` as its standard input."""
    command = ["mchezo", "--language", language, *arguments]
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with (
        mock.patch.object(sys, "argv", command),
        mock.patch.object(sys, "stdin", io.StringIO(text)),
        mock.patch.object(sys, "excepthook", sys.excepthook),  # Typer installs its own
        mock.patch.dict("os.environ", COLUMNS="80"),  # the width where there is no terminal
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return subprocess.CompletedProcess(command, code, *(read(stream) for stream in (out, err)))


def read(stream: io.TextIOWrapper) -> str:
    """Return what was written to a stream."""
    stream.seek(0)
    return stream.read()


def run_process(*arguments: str, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a new process."""
    command = [sys.executable, "-m", "mchezo", *arguments]
    env = {**os.environ, **environment}
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=env)
