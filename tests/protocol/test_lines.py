"""Lines of the engine protocol are read as they were written, and what cannot be read is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mchezo
from mchezo.core.seen import start_written
from mchezo.protocol.lines import (
    EngineOption,
    Go,
    Info,
    ProtocolError,
    read_options,
    read_value,
    write_options,
    write_value,
)

MILLISECONDS = st.integers(0, 10**9)
TIMES = st.none() | st.lists(st.none() | MILLISECONDS, min_size=1, max_size=4).map(tuple)
GOES = st.builds(
    Go,
    nodes=st.none() | st.integers(0, 10**12),
    movetime=st.none() | MILLISECONDS,
    clock=TIMES,
    increment=TIMES,
    seed=st.none() | st.integers(0, 2**48),
    infinite=st.booleans(),
)


@given(GOES)
def test_go_is_read_as_it_was_written(go: Go) -> None:
    assert Go.read(str(go).split()[1:]) == go


@given(st.text())
def test_values_have_no_spaces_and_come_back(text: str) -> None:
    written = write_value(text.encode("utf-8", "replace").decode())
    assert len(written.split()) == bool(written)
    assert read_value(written) == text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    "line", ["nodes", "nodes -1", "nodes x", "clock 1,,2", "speed 3", "nodes 1 nodes 2", "seed 1.5"]
)
def test_a_go_that_cannot_be_read_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError, match="cannot be read"):
        Go.read(line.split())


def test_an_info_is_read_as_it_was_written_and_later_fields_are_skipped() -> None:
    info = Info(2, 7, 1000, 12, (0.25, 0.75), (3.0, 4.5), True, ("d1-d4", "c8-c5"))
    assert Info.read(str(info).split()[1:]) == info
    assert Info.read(["depth", "3", "temperature", "20", "nodes", "5", "pv", "a", "b"]) == Info(
        depth=3, nodes=5, pv=("a", "b")
    )
    assert Info.read(["depth", "3", "text", "pv", "is", "what", "I", "say"]) == Info(depth=3)
    for wrong in ("depth", "depth many", "chances 0.5;0.5", "points a,b"):
        with pytest.raises(ProtocolError):
            Info.read(wrong.split())


@pytest.mark.parametrize(
    ("option", "right", "wrong"),
    [
        (EngineOption("hash", "16", 1, 64), ["1", "64"], ["0", "65", "x", "1.5", ""]),
        (EngineOption("style", "calm", values=("calm", "wild")), ["calm", "wild"], ["mad", ""]),
        (EngineOption("book", "my file.txt"), ["", "any thing"], []),
    ],
)
def test_options_check_their_values(option: EngineOption, right: list[str], wrong: list[str]) -> None:
    assert EngineOption.read(str(option).split()[1:]) == option
    for value in right:
        assert option.check(value) == value
    for value in wrong:
        with pytest.raises(ProtocolError):
            option.check(value)


@pytest.mark.parametrize("line", ["hash", "hash spin 1", "hash number 1", "style choice calm wild", "book text a b"])
def test_an_option_that_cannot_be_read_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError):
        EngineOption.read(line.split())


@pytest.mark.parametrize("game", mchezo.games())
def test_start_options_of_every_game_come_back(game: str) -> None:
    position = mchezo.game(game).start(seed=5)
    words = write_options(position.written_options)
    assert start_written(position.game, read_options(words)).written_options == position.written_options
    with pytest.raises(ProtocolError):
        read_options(["board"])


def test_a_position_with_spaces_is_one_word() -> None:
    options = {"board": "B" * 64, "position": "8/8/8/8/8/1b6/8/w1b4w b - -"}
    words = write_options(options)
    assert len(" ".join(words).split()) == 2
    assert read_options(words) == options
