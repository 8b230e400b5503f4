"""Data files that stand beside the code of a package."""

import tomllib
from importlib.resources import files
from typing import Any


def read_toml(package: str, file: str) -> dict[str, Any]:
    """Read a TOML file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))
