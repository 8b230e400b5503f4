"""The command line as a person runs it."""

import subprocess
import sys

BOARD = "board=" + "B" * 64


def run(*arguments: str, text: str = "", language: str = "en") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mchezo", "--language", language, *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)
