"""TOML of unknown origin: a linear scan refuses what would be expensive, then tomllib parses it.

tomllib needs quadratic time and memory in the parts of a dotted key, and recurses into arrays and inline tables. It
handles every other character a constant number of times. With parts and nesting bounded it is therefore linear, and no
child process with limits of its own is needed. The scan finds strings and comments where tomllib does; where the two
could disagree, tomllib reports a syntax error at that place.
"""

import re
import tomllib
from dataclasses import dataclass
from typing import Any, Literal

TOKEN = re.compile(
    r"""
      (?P<comment> \#[^\n]*+ )
    | (?P<string>
          \"{3} (?: [^"\\]++ | \\. | "(?!"") )*+ \"{3,5}
        | '{3} (?: [^']++ | '(?!'') )*+ '{3,5}
        | "(?!"") (?: [^"\\\n]++ | \\[^\n] )*+ "
        | '(?!'') [^'\n]*+ '
      )
    | (?P<unterminated> ["'] )
    | (?P<word> [A-Za-z0-9_+-]++ )
    | (?P<sign> [.=,\[\]{}\n] )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Bounds:
    """What a document may have at most."""

    parts: int = 4  # of a dotted key
    depth: int = 6  # of arrays and inline tables within each other
    word: int = 64  # characters of a bare key or of a number
    items: int = 8_000  # tables, keys, and elements of arrays


class BeyondBounds(ValueError):
    """A document that is not parsed because it exceeds a bound; `line` is where."""

    def __init__(self, bound: Literal["parts", "depth", "word", "items"], most: int, line: int) -> None:
        super().__init__(f"more than {most} {bound} (at line {line})")
        self.bound = bound
        self.most = most
        self.line = line


def loads(text: str, bounds: Bounds) -> dict[str, Any]:
    """Parse a document; raise BeyondBounds, or ValueError for what is not TOML."""
    check(text, bounds)
    return tomllib.loads(text)


def check(text: str, bounds: Bounds) -> None:
    """Raise BeyondBounds for a document that exceeds a bound."""
    depth, parts, items = 0, 1, 0

    def beyond(bound: Literal["parts", "depth", "word", "items"], position: int) -> BeyondBounds:
        return BeyondBounds(bound, getattr(bounds, bound), text.count("\n", 0, position) + 1)

    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "word":
            if token.end() - token.start() > bounds.word:
                raise beyond("word", token.start())
        elif kind == "sign":
            sign = token[0]
            if sign == ".":
                parts += 1
                if parts > bounds.parts:
                    raise beyond("parts", token.start())
                continue
            parts = 1
            if sign in "[{":
                depth += 1
                if depth > bounds.depth:
                    raise beyond("depth", token.start())
            elif sign in "]}":
                depth -= 1
            if sign in "[{=,":
                items += 1
                if items > bounds.items:
                    raise beyond("items", token.start())
        elif kind == "unterminated":
            return  # a syntax error at the latest here
