"""`mchezo engine-check`: the conformance test of the engine protocol, one line a requirement."""

from __future__ import annotations

from collections.abc import Sequence

from mchezo.cli.common import Terminal, echo, say
from mchezo.protocol.check import check
from mchezo.protocol.lines import WORDS


def run(command: str, games: Sequence[str], patience: float) -> bool:
    """Check an engine and print what was found; return whether it meets every requirement."""
    failures = 0
    for checked in check(command, games, patience):
        requirement = WORDS.say(checked.key, Terminal.language, **checked.values)
        if checked.failure is None:
            echo(f"✓ {requirement}", "green")
        else:
            failures += 1
            echo(f"✗ {requirement}: {checked.failure.say(Terminal.language)}", "red")
    echo(say("engine-fails", failures=failures) if failures else say("engine-conforms"), "bold")
    return not failures
