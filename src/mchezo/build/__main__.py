"""`python -m mchezo.build [TARGET...]`: build the libraries of all games for this machine, or for the targets named."""

import sys
from importlib.util import find_spec

from mchezo.build.libraries import build
from mchezo.build.targets import TARGETS
from mchezo.core.library import TARGET

if __name__ == "__main__":
    if find_spec("ziglang") is None:
        sys.exit("The libraries are linked by Zig. Install it first: pip install ziglang")
    names = sys.argv[1:] or [TARGET]
    if unknown := set(names) - {*TARGETS, "all"}:
        sys.exit(f"unknown target {', '.join(unknown)}; there are {', '.join(TARGETS)} and all")
    build(list(TARGETS) if "all" in names else names)
