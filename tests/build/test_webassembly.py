"""Kernels in WebAssembly, in Node.js, do the same as natively, byte for byte: whatever goes in, whatever comes out."""

from pathlib import Path

import pytest

import mchezo
from tests.build.modules import in_node, needs_libraries, record, require_modules
from tests.rotation import CURRENT, examples

pytestmark = needs_libraries


@pytest.fixture(autouse=True, scope="module")
def _modules() -> None:
    require_modules()


@pytest.mark.rotating(shares=3)
@pytest.mark.parametrize("game", mchezo.games())
def test_all_kernels_do_the_same(game: str, tmp_path: Path) -> None:
    calls = record(game, tmp_path / "trace.json")
    assert in_node(game, tmp_path / "trace.json") == str(calls)


@pytest.mark.parametrize("game", mchezo.games())
def test_random_games_are_the_same_to_the_last_byte(game: str, tmp_path: Path) -> None:
    calls = record(game, tmp_path / "trace.json", str(examples(1_000_000, shares=24)), str(CURRENT.number))
    assert calls > 150
    assert in_node(game, tmp_path / "trace.json") == str(calls)


def test_one_wrong_bit_is_found(tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    record("kiwara", trace, "100", "1")
    text = trace.read_text(encoding="utf-8")
    before, sums, after = text.rpartition('"sums": [[')
    number, _, rest = after.partition(", ")
    found, _, rest = rest.partition("]")
    trace.write_text(f"{before}{sums}{number}, {int(found) ^ 1}]{rest}", encoding="utf-8")
    with pytest.raises(AssertionError, match=f"left other bytes in buffer {number}"):
        in_node("kiwara", trace)


def test_a_kernel_that_needs_more_memory_than_there_is_fails_and_writes_nothing_elsewhere(tmp_path: Path) -> None:
    record("kiwara", tmp_path / "trace.json")
    said = in_node("kiwara", tmp_path / "trace.json", "exhaust")
    assert said == "Error: core_kernels_perft failed in compiled code"
