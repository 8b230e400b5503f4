"""The lines of the engine protocol, read and written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

from mchezo.core.errors import UserError
from mchezo.core.words import Words
from mchezo.search.thought import Thought

WORDS = Words("mchezo.protocol")
VERSION = 1
ANY_GAME = "*"  # the name under which an engine without rules plays every game
NO_MOVE = "none"
LONGEST_LINE = 1_000_000  # bytes
WHOLE = re.compile("[0-9]{1,15}")
PLAIN = "!$&'()*+,-./:;<=>?@[]^_`{|}~"  # written as they are in values


class ProtocolError(UserError):
    """A line that is refused; its key is the code after `error`."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, WORDS, **values)


def write_value(text: str) -> str:
    """Write a value without spaces: percent-encoded as in addresses of web pages."""
    return quote(text, safe=PLAIN)


def read_value(text: str) -> str:
    """Read a percent-encoded value."""
    return unquote(text, errors="replace")


def write_options(options: Mapping[str, str]) -> list[str]:
    """Write start options as words."""
    return [f"{name}={write_value(value)}" for name, value in options.items()]


def read_options(words: Iterable[str]) -> dict[str, str]:
    """Read start options."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name in found:
            raise ProtocolError("arguments", given=word)
        found[name] = read_value(value)
    return found


def read_whole(text: str) -> int:
    """Read a number without sign and fraction."""
    if not WHOLE.fullmatch(text):
        raise ProtocolError("arguments", given=text)
    return int(text)


def read_times(text: str) -> tuple[int | None, ...]:
    """Read the times of all seats in milliseconds: `60000,-`, where `-` is a seat without a clock."""
    return tuple(None if part == "-" else read_whole(part) for part in text.split(","))


def write_times(times: Iterable[int | None]) -> str:
    """Write the times of all seats."""
    return ",".join("-" if time is None else str(time) for time in times)


@dataclass(frozen=True)
class EngineOption:
    """An option of an engine: a number within bounds, one of some words, or any text."""

    name: str
    default: str
    least: int | None = None  # of a number
    most: int | None = None
    values: tuple[str, ...] = ()  # of a choice

    def __str__(self) -> str:
        if self.least is not None:
            return f"option {self.name} number {self.default} {self.least} {self.most}"
        if self.values:
            return f"option {self.name} choice {self.default} {' '.join(self.values)}"
        return f"option {self.name} text {write_value(self.default)}"

    @classmethod
    def read(cls, words: Sequence[str]) -> EngineOption:
        """Read the words after `option`."""
        match words:
            case [name, "number", default, least, most]:
                return cls(name, default, read_whole(least), read_whole(most))
            case [name, "choice", default, *values] if default in values:
                return cls(name, default, values=tuple(values))
            case [name, "text", *default] if len(default) < 2:
                return cls(name, read_value("".join(default)))
        raise ProtocolError("arguments", given=" ".join(words))

    def check(self, value: str) -> str:
        """Return a value that the option can have."""
        if self.least is not None and self.most is not None:
            if not WHOLE.fullmatch(value) or not self.least <= int(value) <= self.most:
                raise ProtocolError("option-number", name=self.name, given=value, least=self.least, most=self.most)
        elif self.values and value not in self.values:
            raise ProtocolError("option-choice", name=self.name, given=value, allowed=", ".join(self.values))
        return value


@dataclass(frozen=True)
class Go:
    """What the engine may spend on a decision. Without any limit it decides for itself."""

    nodes: int | None = None
    movetime: int | None = None  # milliseconds
    clock: tuple[int | None, ...] | None = None  # milliseconds left, by seat
    increment: tuple[int | None, ...] | None = None  # milliseconds added after each turn, by seat
    seed: int | None = None
    infinite: bool = False  # until `stop`

    def __str__(self) -> str:
        words = ["go"]
        for name, write in GO_WRITERS.items():
            if (value := getattr(self, name)) is not None:
                words += [name, write(value)]
        return " ".join([*words, "infinite"] if self.infinite else words)

    @classmethod
    def read(cls, words: Sequence[str]) -> Go:
        """Read the words after `go`."""
        found: dict[str, Any] = {}
        rest = list(words)
        while rest:
            name = rest.pop(0)
            if name in found or (name != "infinite" and (name not in GO_READERS or not rest)):
                raise ProtocolError("arguments", given=name)
            found[name] = name == "infinite" or GO_READERS[name](rest.pop(0))
        return cls(**found)


GO_READERS: Mapping[str, Callable[[str], Any]] = {
    "nodes": read_whole,
    "movetime": read_whole,
    "clock": read_times,
    "increment": read_times,
    "seed": read_whole,
}
GO_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "nodes": str,
    "movetime": str,
    "clock": write_times,
    "increment": write_times,
    "seed": str,
}


@dataclass(frozen=True)
class Info:
    """What the engine thinks at the moment of one line of play; what it does not say is empty."""

    rank: int = 1  # 1: the best line
    depth: int = 0
    nodes: int = 0
    time: int = 0  # milliseconds
    chances: tuple[float, ...] = ()  # of winning, by seat
    points: tuple[float, ...] = ()  # expected at the end, by seat
    solved: bool = False
    pv: tuple[str, ...] = ()

    @classmethod
    def of(cls, thought: Thought, rank: int, milliseconds: int) -> Info:
        """Return a thought as the engine says it."""
        pv = thought.moves
        return cls(
            rank, thought.depth, thought.nodes, milliseconds, thought.chances, thought.points, thought.solved, pv
        )

    def __str__(self) -> str:
        words = [f"info multipv {self.rank} depth {self.depth} nodes {self.nodes} time {self.time}"]
        if self.chances:
            words.append("chances " + ",".join(f"{chance:.4f}" for chance in self.chances))
        if self.points:
            words.append("points " + ",".join(f"{points:.1f}" for points in self.points))
        if self.solved:
            words.append("solved true")
        return " ".join([*words, "pv", *self.pv] if self.pv else words)

    @classmethod
    def read(cls, words: Sequence[str]) -> Info:
        """Read the words after `info`; fields of later versions are skipped."""
        found: dict[str, Any] = {}
        rest = list(words)
        while rest:
            name = rest.pop(0)
            if name == "text":
                break
            if name == "pv":
                found["pv"] = tuple(rest)
                break
            if not rest:
                raise ProtocolError("arguments", given=name)
            value = rest.pop(0)
            if name in ("depth", "nodes", "time"):
                found[name] = read_whole(value)
            elif name == "multipv":
                found["rank"] = read_whole(value)
            elif name in ("chances", "points"):
                found[name] = read_numbers(value)
            elif name == "solved":
                found["solved"] = value == "true"
        return cls(**found)


def read_numbers(text: str) -> tuple[float, ...]:
    """Read numbers with commas between them."""
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?(,-?[0-9]{1,9}(\.[0-9]{1,9})?){0,7}", text):
        raise ProtocolError("arguments", given=text)
    return tuple(map(float, text.split(",")))
