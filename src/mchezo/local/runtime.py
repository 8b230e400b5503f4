"""What the browser needs beside our own code: Pyodide, from npm's package, and msgspec's wheel for it, from PyPI."""

import json
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
WHEEL = "msgspec.whl"


def copy_pyodide(package: Path, target: Path) -> None:
    """Copy what a page loads of npm's package `pyodide`."""
    for name in PYODIDE_FILES:
        shutil.copyfile(package / name, target / name)


def fetch_wheel(package: Path, target: Path) -> None:
    """Download the version of msgspec that is installed here, as a wheel for this Pyodide."""
    built = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    major, minor, _ = built["python"].split(".")
    options = {
        "--implementation": "cp",
        "--abi": f"cp{major}{minor}",
        "--python-version": f"{major}.{minor}",
        "--platform": f"pyemscripten_{built['abi_version']}_{built['arch']}",
        "--only-binary": ":all:",
        "--dest": str(target),
    }
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    flat = [part for option in options.items() for part in option]
    subprocess.run([*pip, *flat, f"msgspec=={version('msgspec')}"], check=True)
    (found,) = target.glob("msgspec-*.whl")
    found.replace(target / WHEEL)
