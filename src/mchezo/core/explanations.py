"""Explaining illegal actions: every game lists its families of actions, each with a function that names the rule."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Explanation = tuple[str, dict[str, object]]  # a key of the game's words.toml and the values of its gaps


class Family(NamedTuple):
    """Actions of one kind: the first action number, the phases they belong to, and why one of them is illegal."""

    first: int
    phases: tuple[int, ...]
    why_not: Callable[[int, Any, Any], Explanation | None]  # action - first, state, setup


def explanation_of(
    action: int,
    state: Any,
    setup: Any,
    families: Sequence[Family],
    out_of_phase: Callable[[Family, Any], Explanation | None],
) -> Explanation:
    """Return why an action is illegal, first by its phase, then by itself; families have rising action numbers."""
    family: Family = next(family for family in reversed(families) if family.first <= action)
    found = out_of_phase(family, state) or family.why_not(action - family.first, state, setup)
    assert found is not None, f"action {action} is legal"
    return found
