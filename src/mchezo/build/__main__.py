"""`python -m mchezo.build [TARGET...]`: build the libraries of all games, for this machine and browsers or as named."""

import sys
from importlib.util import find_spec

from mchezo.build.libraries import build
from mchezo.core.library import BROWSER, TARGET

if __name__ == "__main__":
    if missing := [name for name in ("numba", "llvmlite", "ziglang") if find_spec(name) is None]:
        sys.exit(f"The build needs {', '.join(missing)}. Install it first: pip install 'mchezo[build]'")
    from mchezo.build.targets import TARGETS

    # A platform that is not among the targets has no libraries: Numba compiles there.
    names = sys.argv[1:] or [name for name in (TARGET, BROWSER) if name in TARGETS]
    if unknown := set(names) - {*TARGETS, "all"}:
        sys.exit(f"unknown target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)} and all")
    build(list(TARGETS) if "all" in names else names)
