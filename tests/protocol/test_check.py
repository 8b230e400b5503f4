"""The conformance test: our engine and the example pass it, and engines that break the protocol are told how."""

from __future__ import annotations

from pathlib import Path

import pytest

from mchezo.protocol.check import REQUIREMENTS, Checked, Trial, attempt, check
from tests.cli.running import run
from tests.protocol.talking import EXAMPLE, OURS, PATIENCE, example, program

GOOD = """{
    "protocol": "id name Test\\ngame * 0\\nneeds legal\\nprotocolok 1",
    "isready": "readyok",
}"""


def failures(results: list[Checked]) -> dict[str, str]:
    return {checked.key: str(checked.failure) for checked in results if checked.failure is not None}


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("game", ["katarenga", "kiwara", "kitara"])
def test_our_engine_conforms(game: str) -> None:
    results = list(check(OURS, [game], PATIENCE))
    assert failures(results) == {}
    assert {*REQUIREMENTS, "check-introduction", "check-game"} == {checked.key for checked in results}


def test_the_example_is_short_and_conforms() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 60
    results = list(check(example(), patience=PATIENCE))
    assert failures(results) == {}
    assert {checked.values["game"] for checked in results if checked.values} == {"katarenga", "kiwara", "kitara"}


@pytest.mark.parametrize(
    ("change", "key", "reason"),
    [
        (("id name Test\\n", ""), "check-introduction", "it sent no id name"),
        (("game * 0\\n", ""), "check-introduction", "it sent no game"),
        (("game * 0", "option x y"), "check-introduction", "cannot be read: option x y"),
        (("protocolok 1", "protocolok 7"), "check-introduction", "cannot be read: protocolok 7"),
        (("game * 0", "game chess 1"), "check-introduction", "does not play"),
        (('"readyok"', '"EXIT"'), "check-ready", "ended unexpectedly"),
        (('"readyok"', '"hm\\nreadyok"'), "check-ready", "unexpected line: hm"),
        (("", ""), "check-errors", "did not answer this line with an error: bogus"),
        (("\\nprotocolok", "\\noption hash number 1 1 4\\nprotocolok"), "check-options", "setoption hash 5"),
        (("}", '"go": "bestmove e2-e4"}'), "check-no-position", "unexpected line: bestmove e2-e4"),
        (("}", '"go": "bestmove e2-e4"}'), "check-stop", "unexpected line: bestmove e2-e4"),
        (("}", '"stop": "bestmove e2-e4"}'), "check-stop", "sent e2-e4"),
        (("}", '"stop": "bestmove none"}'), "check-stop", "gave no move"),
        (("}", '"go": "info depth x", "stop": "bestmove a"}'), "check-stop", "info is wrong"),
        (("}", '"stop": "bestmove a"}'), "check-busy", "did not answer this line with an error: position"),
    ],
)
def test_what_an_engine_does_wrong_is_named(tmp_path: Path, change: tuple[str, str], key: str, reason: str) -> None:
    command = program(tmp_path, GOOD.replace(*change) if change[0] else GOOD)
    if key in REQUIREMENTS:
        failure = attempt(REQUIREMENTS[key], Trial(command, PATIENCE, "kiwara"))
    else:
        *_, last = check(command, ["kiwara"], PATIENCE)
        failure = last.failure
    assert reason in str(failure)


def test_an_engine_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    (checked,) = check(program(tmp_path, "{}"), patience=0.3)
    assert "sent no protocolok within" in str(checked.failure)
    (missing,) = check(str(tmp_path / "nothing"))
    assert "does not start" in str(missing.failure)


def test_the_command_line_prints_what_was_checked_in_the_language_of_the_user(tmp_path: Path) -> None:
    shown = run("engine-check", example(), "--game", "kiwara", language="de")
    assert shown.returncode == 0, shown.stderr
    assert "✓ Sie stellt sich vor" in shown.stdout
    assert "Die Engine spricht das Protokoll." in shown.stdout
    broken = run("engine-check", program(tmp_path, "{'protocol': 'protocolok 1'}"), language="nl")
    assert broken.returncode == 1
    assert "✗ Hij stelt zich voor: hij stuurde geen id name" in broken.stdout
