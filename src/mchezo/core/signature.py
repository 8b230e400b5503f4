"""The parameters of a kernel, read from its annotations: what crosses the border between Python and compiled code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, get_args, get_origin, get_type_hints

from mchezo.core import arrays
from mchezo.core.structs import SETUP, STATE, Array, layout


@dataclass(frozen=True)
class Record:
    """A struct of its own, as NumPy gives for an element of an array."""

    item: arrays.dtype[Any]


Scalar = type[int] | type[bool] | type[float]
Leaf = Array | Record | Scalar
Parameter = Leaf | tuple[type, tuple["Parameter", ...]]  # the latter: a named tuple and its fields


@dataclass(frozen=True)
class Signature:
    """The parameters of a kernel and what it returns: a scalar, arrays.uint64 or None."""

    parameters: tuple[Parameter, ...]
    returned: Any

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """The parameters, with the fields of named tuples in their places."""
        return tuple(flatten(self.parameters))

    @property
    def has_tuples(self) -> bool:
        """Whether a parameter is a named tuple."""
        return any(isinstance(parameter, tuple) for parameter in self.parameters)

    def place_of_state(self) -> int | None:
        """Return which leaf tells the game: the first array of states, or the first struct; None if none does."""
        for place, leaf in enumerate(self.leaves):
            if isinstance(leaf, Record) or (isinstance(leaf, Array) and leaf.item == STATE):
                return place
        return None


def flatten(parameters: tuple[Parameter, ...]) -> Iterator[Leaf]:
    """Yield parameters with the fields of named tuples in their places."""
    for parameter in parameters:
        if isinstance(parameter, tuple):
            yield from flatten(parameter[1])
        else:
            yield parameter


def flat(values: tuple[Any, ...]) -> Iterator[Any]:
    """Yield arguments in the same way."""
    for value in values:
        if isinstance(value, tuple):
            yield from flat(value)
        else:
            yield value


@cache
def signature(function: Callable[..., Any]) -> Signature:
    """Read the annotations of a function."""
    hints = get_type_hints(function, include_extras=True)
    returned = hints.pop("return")
    if metadata := get_args(returned):
        returned = metadata[1]
    return Signature(tuple(map(parameter_of, hints.values())), None if returned is type(None) else returned)


def parameter_of(hint: Any) -> Parameter:
    """Return the parameter that an annotation describes."""
    if hint in (int, bool, float):
        return hint  # type: ignore[no-any-return]  # one of the three
    for part in get_args(hint)[1:]:
        if isinstance(part, Array):
            return part
    if isinstance(hint, type) and issubclass(hint, tuple):
        fields = get_type_hints(hint, include_extras=True)
        return hint, tuple(map(parameter_of, fields.values()))
    if isinstance(hint, type) and get_origin(hint) is None:
        return Record(layout(hint))
    raise TypeError(f"a kernel has no parameters of the type {hint}")


__all__ = ["SETUP", "STATE", "Array", "Leaf", "Parameter", "Record", "Signature", "flat", "signature"]
