"""The verbs every game answers, dispatched on the type of its state struct.

Generic code (positions, perft, playouts, search) calls these functions; each game enters its own compiled rules with
`enter`. Called from Python a verb finds the rule by the state's dtype, called from compiled code by its Numba type.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.extending import overload

from mchezo.core.encoding import Floats
from mchezo.core.structs import Actions, Numbers, Weights, Words64

F = TypeVar("F", bound=Callable[..., Any])

State = Any
Setup = Any

RULES: dict[str, dict[Any, Callable[..., Any]]] = {}


def verb(stub: F) -> F:
    """Make the stub a function that runs the rule of whichever game the state belongs to."""
    rules = RULES[stub.__name__] = {}

    def call(state: State, *rest: Any) -> Any:
        return rules[state.dtype](state, *rest)

    def typed(*args: Any) -> Callable[..., Any] | None:
        rule = rules.get(args[0])
        return None if rule is None else (lambda *args: rule(*args))

    call.__name__ = stub.__name__
    call.__doc__ = stub.__doc__
    overload(call, strict=False)(typed)
    return cast(F, call)


def enter(state: np.dtype[Any], **rules: Callable[..., Any]) -> None:
    """Enter a game's rules for these verbs under the layout of its state; in the end it answers every verb."""
    layout = numba.from_dtype(state)
    for name, rule in rules.items():
        if state in RULES[name] or layout in RULES[name]:
            raise TypeError("two games may not share the layout of their states")
        RULES[name][state] = RULES[name][layout] = rule


@verb
def to_move(state: State) -> int:
    """The seat that decides next, CHANCE, or OVER."""
    raise NotImplementedError


@verb
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return how many."""
    raise NotImplementedError


@verb
def apply(state: State, setup: Setup, action: int) -> None:
    """Change the state by one legal action of a seat or of CHANCE."""
    raise NotImplementedError


@verb
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Write what may happen at a chance node and how often; return how many outcomes."""
    raise NotImplementedError


@verb
def ending(state: State) -> int:
    """How the game ended, as a number of the game's list of reasons; 0 while it goes on."""
    raise NotImplementedError


@verb
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """Write the result of a finished game for every seat: 1 won, -1 lost, between them shared or drawn."""
    raise NotImplementedError


@verb
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """Write the points of every seat."""
    raise NotImplementedError


@verb
def key(state: State) -> int:
    """A 64-bit number that tells positions apart."""
    raise NotImplementedError


@verb
def hide(state: State, setup: Setup, seat: int, dice: Words64) -> None:
    """Redraw what this seat cannot see, in keeping with all it has seen."""
    raise NotImplementedError


@verb
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what this seat sees as numbers from 0 to 1, in the blocks of the game's encoding."""
    raise NotImplementedError


@verb
def turn_of(state: State) -> int:
    """The seat whose turn it is, also while another answers in the middle of it."""
    raise NotImplementedError


@verb
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """Write the quantities, in the words of the game, by which a position is judged for a seat."""
    raise NotImplementedError


@verb
def evaluate(state: State, setup: Setup, weights: Numbers) -> int:
    """What a game of two seats that goes on is worth to seat 0, in thousandths of the log-odds of winning it."""
    raise NotImplementedError


@verb
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """Move to the front the legal actions to be looked at before a position is judged; return how many."""
    raise NotImplementedError
