"""The service worker of the browser app: its script, with the list of everything that it keeps."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

SCRIPT = "service-worker.js"  # built by Vite
COMPRESSED = (".br", ".gz")


def service_worker(app: Path, python: Path) -> bytes:
    """Return the script for an app, and for Python for the browser, if it was built."""
    found = [path for path in sorted(app.rglob("*")) if kept(path) and not path.is_relative_to(python)]
    paths = {path.relative_to(app).as_posix(): path for path in found}
    files = {"" if name == "index.html" else name: integrity(path.read_bytes()) for name, path in paths.items()}
    index = python / "index.json"
    kept_of_python = {}
    if index.is_file():
        listed = json.loads(index.read_bytes())
        kept_of_python = {f"local/{listed['version']}/{name}": content for name, content in listed["hashes"].items()}
        kept_of_python["local/index.json"] = integrity(index.read_bytes())
    version = {
        "app": f"mchezo-app-{digest(files)}",
        "python": f"mchezo-python-{digest(kept_of_python)}",
        "files": files,
        "pythonFiles": kept_of_python,
    }
    return b"const VERSION = %s;\n%s" % (json.dumps(version).encode(), (app / SCRIPT).read_bytes())


def kept(path: Path) -> bool:
    """Return whether a file belongs to the app."""
    return path.is_file() and path.suffix not in COMPRESSED and path.name != SCRIPT and not path.name.startswith(".")


def integrity(data: bytes) -> str:
    """Return the hash of a file as browsers write it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()


def digest(files: dict[str, str]) -> str:
    """Return a short hash of a list of files."""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]
