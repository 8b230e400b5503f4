"""TOML of unknown origin: what is expensive is refused before it is parsed, and everything else costs linear time."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mchezo.core import bounded_toml
from mchezo.core.bounded_toml import BeyondBounds, Bounds
from tests.core.costs import assert_linear, peak_of
from tests.rotation import examples

BOUNDS = Bounds()
MEGABYTE = 1_000_000


def loads(text: str) -> dict[str, Any]:
    return bounded_toml.loads(text, BOUNDS)


@pytest.mark.parametrize(
    ("text", "bound", "line"),
    [
        ("a\n=" + "1", None, 0),
        ("a" + ".a" * 6_000 + " = 1", "parts", 1),
        ("\n\na" + " \t. a" * 6_000 + " = 1", "parts", 3),
        ('"a"' + '."."' * 6_000 + " = 1", "parts", 1),
        ("'a'" + ".'\"'" * 6_000 + " = 1", "parts", 1),
        ("[a" + ".a" * 6_000 + "]", "parts", 1),
        ("x = {a" + ".a" * 6_000 + " = 1}", "parts", 1),
        ('x = """\n"""\na' + ".a" * 6_000 + " = 1", "parts", 3),
        ('x = """"quoted"""""\na' + ".a" * 6_000 + " = 1", "parts", 2),
        ("x = '''it's'''''\na" + ".a" * 6_000 + " = 1", "parts", 2),
        ('x = "\\\\"\na' + ".a" * 6_000 + " = 1", "parts", 2),
        ("x = '\\'\na" + ".a" * 6_000 + " = 1", "parts", 2),
        ("# it's\na" + ".a" * 6_000 + " = 1", "parts", 2),
        ("a = " + "[" * 6_000, "depth", 1),
        ("a = " + "{a = " * 6_000, "depth", 1),
        ("a = " + "1" * 6_000, "word", 1),
        ("a = 0x" + "f" * 6_000, "word", 1),
        ("a" * 6_000 + " = 1", "word", 1),
        ("a = [" + "1," * 9_000 + "]", "items", 1),
        ("[a.b.c.d]\n" * 9_000, "items", 8_001),
    ],
)
def test_what_would_be_expensive_is_refused_before_it_is_parsed(text: str, bound: str | None, line: int) -> None:
    with mock.patch.object(tomllib, "loads", side_effect=tomllib.TOMLDecodeError) as parsed:
        if bound is None:
            with pytest.raises(tomllib.TOMLDecodeError):
                loads(text)
            return
        with pytest.raises(BeyondBounds) as error:
            loads(text)
    assert (error.value.bound, error.value.line) == (bound, line)
    assert not parsed.called


def test_dots_and_brackets_in_strings_and_comments_are_not_counted() -> None:
    dots, brackets = "." * 6_000, "[" * 6_000
    text = f"# {dots}{brackets}\na = \"{dots}{brackets}\\\"\"\nb = '{dots}{brackets}'\nc = '''{dots}\n{brackets}'''\n"
    assert len(loads(text)["a"]) == 12_001


# The attack: one key with many dots. Without the scan 6,000 dots take 144 MB, and 74,000 take 13 GB.
@pytest.mark.parametrize("attack", ["a{} = 1", "[a{}]", "x = {{a{} = 1}}", '"a"{} = 1'])
def test_a_key_of_thousands_of_dots_takes_no_memory(attack: str) -> None:
    text = attack.format(".a" * 6_000)
    assert peak_of(lambda: loads(text)) < MEGABYTE


# Documents of one kind in any size, without the bound on items, which would end them early.
SHAPES: dict[str, Callable[[int], str]] = {
    "keys": lambda size: "".join(f"k{number} = 1\n" for number in range(size)),
    "tables": lambda size: "".join(f"[a.b.c.t{number}]\nx = 1\n" for number in range(size)),
    "arrays of tables": lambda size: "[[maps.2.spaces]]\nat = [1.5, 2.5]\n" * size,
    "dotted keys": lambda size: "".join(f"a.b.c.k{number} = {{x.y = 1}}\n" for number in range(size)),
    "elements": lambda size: "a = [" + "[1.5, 2], " * size + "]",
    "inline tables": lambda size: "a = [" + "{x = 1, y = [2]}, " * size + "]",
    "escapes": lambda size: 'a = "' + "\\t\\u00e9" * size + '"',
    "long strings": lambda size: 'a = """' + 'x"y""z\\\n   ' * size + '"""',
    "comments": lambda size: "# comment \"'''\n" * size,
    "blank": lambda size: " \t\n" * size,
    "numbers": lambda size: "a = [" + "0.1234567890123456789e-300, 0xffffffffffff, 1979-05-27, " * size + "]",
    "unterminated": lambda size: "a = '''" + "''" * size,
    "escaped quotes without end": lambda size: 'a = "' + '\\"' * size,
    "quotes": lambda size: '"""' * size,
    "quotes in keys": lambda size: "''." * size,
}


@pytest.mark.parametrize("shape", list(SHAPES))
def test_parsing_takes_linear_work_and_memory(shape: str) -> None:
    bounds = Bounds(items=10**9)

    def parse(text: str) -> object:
        try:
            return bounded_toml.loads(text, bounds)
        except ValueError:
            return None

    assert_linear(parse, SHAPES[shape], 300)


PIECES = st.sampled_from(
    [
        *("a", ".", " . ", "=", " = ", "[", "]", "[[", "]]", "{", "}", ",", "\n", "\r\n", "\\", '\\"', "\\\\", "#"),
        *('"', '""', '"""', "'", "''", "'''", "1", "1.5", "true", '"a"', "'a'", "a.a"),
        *("a = 1\n", "[a]\n", 'a = """', "a = '''"),
    ]
)


@given(pieces=st.lists(PIECES, max_size=60))
@settings(max_examples=examples(8_000, shares=8))
def test_the_parser_never_meets_a_key_or_a_nesting_that_the_scan_has_missed(pieces: list[str]) -> None:
    text = "".join(pieces)
    bounds = Bounds(parts=2, depth=2)
    try:
        bounded_toml.check(text, bounds)
    except BeyondBounds:
        return
    parser: Any = tomllib._parser  # type: ignore[attr-defined]  # private
    parse_key, parse_value, depth = parser.parse_key, parser.parse_value, 0

    def watch_key(*given: Any) -> Any:
        found = parse_key(*given)
        assert len(found[1]) <= bounds.parts, text
        return found

    def watch_value(src: str, pos: int, *given: Any) -> Any:
        nonlocal depth
        depth += src[pos : pos + 1] in ("[", "{")
        assert depth <= bounds.depth, text
        found = parse_value(src, pos, *given)
        depth -= src[pos : pos + 1] in ("[", "{")
        return found

    with (
        mock.patch.object(parser, "parse_key", watch_key),
        mock.patch.object(parser, "parse_value", watch_value),
        contextlib.suppress(tomllib.TOMLDecodeError),
    ):
        tomllib.loads(text)
