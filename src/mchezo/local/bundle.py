"""The part of mchezo that runs in the browser: sources, data and WebAssembly modules.

It is what tables, players and analyses need. What needs NumPy (learning, environments, studies) stays out.
"""

from collections.abc import Iterator
from pathlib import Path

from mchezo.build.libraries import is_current
from mchezo.core import library, registry
from mchezo.core.compiled import COMMON, PACKAGE

# Folders of the package, and what each leaves out.
FOLDERS = {
    "core": ("animation.py", "guide.py", "instructions.py", "jit.py"),
    "games": ("terminal.py", "themes.toml", "free_boards.py"),
    "search": ("graph.py", "leaves.py", "planner.py", "selfplay.py", "training.py", "tuning.py", "turnplay.py"),
    "puzzles": (
        "collection.py",
        "lines.py",
        "mining.py",
        "rating.py",
        "sources.py",
        "themes.py",
        "turns.py",
        "words.toml",
    ),
    "explorer": (),
    "local": ("bundle.py", "content.py", "runtime.py", "site.py", "typescript.py", "words.toml"),
    "server/domain": ("pairing.py",),
    "server/projection": ("tournaments.py",),
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
SUFFIXES = (".py", ".toml", ".txt", ".tsv", ".bin")
LEFT_OUT = ("guide", "tournaments")  # folders in folders


def members() -> Iterator[Path]:
    """Yield the files of the package that belong to the archive, relative to it."""
    names = (*registry.names(), COMMON)
    if not all(is_current(library.path(name, library.BROWSER)) for name in names):
        raise FileNotFoundError("the WebAssembly modules are not current: run `python -m mchezo.build`")
    for folder, left_out in FOLDERS.items():
        for path in sorted((PACKAGE / folder).rglob("*")):
            relative = path.relative_to(PACKAGE)
            if path.suffix in SUFFIXES and path.name not in left_out and not set(LEFT_OUT) & set(relative.parts):
                yield relative
    yield from map(Path, FILES)
    for name in names:
        yield library.path(name, library.BROWSER).relative_to(PACKAGE)
