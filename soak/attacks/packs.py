"""Packs of one's own."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from .running import Target


def other_packs(target: Target) -> Iterator[str]:
    """Yield valid packs, each with other numbers of tokens than the shipped one."""
    pack = (target.server.src / "mchezo/games/kitara/packs/reconstruction.toml").read_text()
    tokens = re.search(r"\[tokens\][^\[]*", pack)
    assert tokens is not None
    for first, second in itertools.product(range(1, 18), range(1, 18)):
        counts = f"[tokens]\n2 = {first}\n3 = {second}\n4 = {38 - first - second}\n5 = 1\n\n"
        yield pack.replace(tokens.group(), counts)
