"""Start options: how each is written in records and on the command line, and checks that games share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mchezo.core.errors import InvalidSetup
from mchezo.core.structs import Structs


@dataclass(frozen=True)
class Start:
    """A checked set-up and the first state, with every option written out; `drawn` names those the seed decided."""

    setups: Structs
    states: Structs
    options: Mapping[str, Any]
    drawn: tuple[str, ...] = ()
    keeps: object = None  # what the set-up only refers to; it lives as long as the position


@dataclass(frozen=True)
class Option:
    """A start option; the sentence that explains it is the game's word `option-NAME`."""

    name: str
    default: Any
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    drawn: Any = None  # the value that asks for one to be drawn from the seed
    read_record: Callable[[str], Any] | None = None  # a stricter parser for untrusted records; None: `read`
    values: tuple[Any, ...] | None = None  # all possible values; None: too many to list


def one_of(option: str, given: object, allowed: tuple[str, ...]) -> str:
    """Return the given word, or raise an error that lists the allowed ones."""
    if isinstance(given, str) and given in allowed:
        return given
    raise InvalidSetup("not-one-of", option=option, given=given, allowed=", ".join(allowed))


def yes_no(option: str, given: object) -> bool:
    """Return the given truth value, or raise an error."""
    if isinstance(given, bool):
        return given
    raise InvalidSetup("not-yes-no", option=option, given=given)


def read_yes_no(text: str) -> object:
    """Read a truth value from a record; anything else is returned as it is, for `yes_no` to refuse."""
    return {"true": True, "false": False}.get(text, text)


def write_yes_no(value: bool) -> str:
    """Write a truth value for a record."""
    return "true" if value else "false"
