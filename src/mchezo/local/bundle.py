"""The part of mchezo that runs in the browser, as one archive for Pyodide: sources, data and WebAssembly modules.

The archive holds what tables, players and analyses need. What needs NumPy (learning, environments, studies) stays out.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path

from mchezo.build.libraries import is_current
from mchezo.core import library, registry
from mchezo.core.compiled import COMMON, PACKAGE

# Folders of the package, and what each leaves out.
FOLDERS = {
    "core": ("jit.py", "instructions.py", "guide.py"),
    "games": ("terminal.py", "free_boards.py"),
    "search": ("selfplay.py", "turnplay.py", "tuning.py", "planner.py"),
    "local": ("bundle.py", "site.py", "typescript.py"),
    "server/domain": (),
    "server/projection": (),
    "server/messages": (),
}
FILES = (
    "__init__.py",
    "server/__init__.py",
    "server/errors.py",
    "server/identifiers.py",
    "server/transport/__init__.py",
    "server/transport/packs.py",
    "server/transport/setups.py",
    "server/transport/untrusted.py",
    "server/words.toml",
)
SUFFIXES = (".py", ".toml", ".txt", ".tsv")
LEFT_OUT = ("guide",)  # folders in folders
WHEN = (1980, 1, 1, 0, 0, 0)  # the same sources give the same bytes


def members() -> Iterator[Path]:
    """Yield the files of the package that belong to the archive, relative to it."""
    for folder, left_out in FOLDERS.items():
        for path in sorted((PACKAGE / folder).rglob("*")):
            relative = path.relative_to(PACKAGE)
            if path.suffix in SUFFIXES and path.name not in left_out and not set(LEFT_OUT) & set(relative.parts):
                yield relative
    yield from map(Path, FILES)
    for name in (*registry.names(), COMMON):
        yield library.path(name, library.BROWSER).relative_to(PACKAGE)


def write(target: Path) -> None:
    """Write the archive."""
    if not all(is_current(library.path(name, library.BROWSER)) for name in (*registry.names(), COMMON)):
        raise FileNotFoundError("the WebAssembly modules are not current: run `python -m mchezo.build`")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for member in members():
            entry = zipfile.ZipInfo(f"mchezo/{member.as_posix()}", WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, (PACKAGE / member).read_bytes())
