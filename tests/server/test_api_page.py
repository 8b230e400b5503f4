"""The bot in docs/api.md works as printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import PATIENCE, Client, eventually

pytestmark = pytest.mark.rotating(shares=4)

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_documented_bot_plays_a_game_in_thirty_lines(ada: Client, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(program.splitlines()) <= 30
    file = tmp_path / "bot.py"
    file.write_text(program, encoding="utf-8")
    table = ada.make("kiwara")["id"]
    bot = subprocess.Popen([sys.executable, str(file), f"http://{ada.address}", table], env={**os.environ})
    try:
        for _ in range(400):
            seen = eventually(lambda: next((t for t in [ada.look(table)] if t["legal"] or t["status"] == "over"), None))
            if seen["status"] == "over":
                break
            ada.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
        assert seen["status"] == "over"
        assert bot.wait(PATIENCE) == 0
    finally:
        if bot.poll() is None:
            bot.kill()
