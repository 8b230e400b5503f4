"""The verbs: functions that every game implements, dispatched on the layout of its state.

Generic code (positions, perft, playouts, search) calls the verbs; the registry registers the compiled functions of a
game when it is loaded. Python finds a game's function by the state's dtype, Numba by the type that it has for it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from mchezo.core import arrays
from mchezo.core.compiled import IMPLEMENTATIONS, compiled
from mchezo.core.elementary import exp
from mchezo.core.encoding import Floats
from mchezo.core.features import LARGEST
from mchezo.core.rng import randbelow
from mchezo.core.structs import OVER, Actions, Longs, Numbers, Weights, Words64, wide

F = TypeVar("F", bound=Callable[..., Any])

State = Any
Setup = Any

RULES: dict[str, dict[arrays.dtype[Any], Callable[..., Any]]] = {}
MODULES: dict[arrays.dtype[Any], Path] = {}  # the game's module, by the layout of its state


def verb(stub: F, default: Callable[..., Any] | None = None) -> F:
    """Turn a stub into a function that calls the implementation of the game that the state belongs to.

    Games that register none get `default`.
    """
    rules = RULES[stub.__name__] = {}

    def call(state: State, *rest: Any) -> Any:
        return (rules[state.dtype] if default is None else rules.get(state.dtype, default))(state, *rest)

    # When compiled code calls `call`, Numba asks `typed` for the implementation.
    def typed(*args: Any) -> Callable[..., Any] | None:
        from mchezo.core.jit import record_type

        rule = next((rule for state, rule in rules.items() if record_type(state) == args[0]), default)
        return None if rule is None else (lambda *args: rule(*args))

    call.__name__ = stub.__name__
    call.__doc__ = stub.__doc__
    IMPLEMENTATIONS.append((call, typed))
    return cast(F, call)


def optional(default: Callable[..., Any]) -> Callable[[F], F]:
    """Declare a verb with a default, for games that do not implement it."""
    return lambda stub: verb(stub, compiled(default))


def register(state: arrays.dtype[Any], **rules: Callable[..., Any]) -> None:
    """Register a game's functions by verb, under the layout of its state."""
    for name, rule in rules.items():
        if state in RULES[name]:
            raise TypeError("two games may not share the layout of their states")
        RULES[name][state] = rule


@verb
def to_move(state: State) -> int:
    """Return the seat that decides next, CHANCE, or OVER."""
    raise NotImplementedError


@verb
def legal(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions of the seat to move; return their number."""
    raise NotImplementedError


@verb
def apply(state: State, setup: Setup, action: int) -> None:
    """Change the state by one legal action of a seat or of CHANCE."""
    raise NotImplementedError


@verb
def ending(state: State) -> int:
    """Return how the game ended, as an index of the game's reasons; 0 while it goes on."""
    raise NotImplementedError


@verb
def returns(state: State, setup: Setup, out: Numbers) -> None:
    """Write the result of a finished game for every seat: 1 won, -1 lost, values between them shared or drawn."""
    raise NotImplementedError


@verb
def key(state: State) -> int:
    """Return a 64-bit key of the position."""
    raise NotImplementedError


@verb
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what a seat sees as numbers from 0 to 1, in the blocks of the game's encoding."""
    raise NotImplementedError


@verb
def features(state: State, setup: Setup, seat: int, out: Numbers) -> None:
    """Write the features by which a position is evaluated for a seat."""
    raise NotImplementedError


def win_points(state: State, setup: Setup, out: Numbers) -> None:
    """Write a point for a win, half a point for a draw."""
    out[:] = 0.0
    if to_move(state) == OVER:
        returns(state, setup, out)
        for seat in range(len(out)):
            out[seat] = (1.0 + out[seat]) / 2.0


@optional(win_points)
def scores(state: State, setup: Setup, out: Numbers) -> None:
    """Write the points of every seat. Default: a point for a win, half a point for a draw."""
    raise NotImplementedError


@optional(lambda state, setup, actions, weights: 0)
def chance(state: State, setup: Setup, actions: Actions, weights: Weights) -> int:
    """Write the outcomes of a chance node and their weights; return their number. Default: no chance nodes."""
    raise NotImplementedError


def listed_and_drawn(state: State, setup: Setup, actions: Actions, rng: Words64) -> int:
    """Write the legal actions; return a random one."""
    return wide(actions[randbelow(rng, legal(state, setup, actions))])


@optional(listed_and_drawn)
def draw_legal(state: State, setup: Setup, actions: Actions, rng: Words64) -> int:
    """Return the legal action at a random index of the list that `legal` writes; `actions` is scratch space."""
    raise NotImplementedError


@optional(lambda state, setup, key, action: key)
def key_after(state: State, setup: Setup, key: int, action: int) -> int:
    """Return the key that a position will probably have after an action. Default: the present one."""
    raise NotImplementedError


@optional(lambda state, setup: None)
def announce(state: State, setup: Setup) -> None:
    """Prefetch what `legal` will probably read after the next action. Default: nothing."""
    raise NotImplementedError


@optional(lambda state, setup, seat, rng: None)
def determinize(state: State, setup: Setup, seat: int, rng: Words64) -> None:
    """Redraw what a seat cannot see, consistent with all it has seen. Default: nothing is hidden."""
    raise NotImplementedError


@optional(lambda state: to_move(state))
def turn_of(state: State) -> int:
    """Return the seat whose turn it is, even while another seat answers within it. Default: the seat to move."""
    raise NotImplementedError


def weighted_difference(state: State, setup: Setup, weights: Numbers) -> int:
    """Return the weighted features of seat 0 minus those of seat 1."""
    own, other = arrays.zeros(len(weights)), arrays.zeros(len(weights))
    features(state, setup, 0, own)
    features(state, setup, 1, other)
    total = 0.0
    for index in range(len(weights)):
        total += weights[index] * (own[index] - other[index])
    return wide(max(-LARGEST, min(LARGEST, total)))


@optional(weighted_difference)
def evaluate(state: State, setup: Setup, weights: Numbers) -> int:
    """Evaluate an unfinished game of two seats for seat 0, in thousandths of log-odds. Default: weighted features."""
    raise NotImplementedError


@optional(lambda state, setup, out: 0)
def inputs(state: State, setup: Setup, out: Actions) -> int:
    """Write the network's inputs for the seat whose turn it is; return their number. Default: there is no network."""
    raise NotImplementedError


@optional(lambda state, setup: 0)
def stage(state: State, setup: Setup) -> int:
    """Return which of the network's outputs is used now. Default: the first."""
    raise NotImplementedError


@optional(lambda state, setup, actions, count: 0)
def noisy(state: State, setup: Setup, actions: Actions, count: int) -> int:
    """Move the legal actions for quiescence search to the front; return their number. Default: none."""
    raise NotImplementedError


def noisy_of_all(state: State, setup: Setup, out: Actions) -> int:
    """Write all legal actions, noisy ones first; return their number as `noisy_only` does."""
    count = legal(state, setup, out)
    first = noisy(state, setup, out, count)
    return first if first < count else -count


@optional(noisy_of_all)
def noisy_only(state: State, setup: Setup, out: Actions) -> int:
    """Write only the actions that `noisy` finds; return their number, negative if there are no others. Default: all."""
    raise NotImplementedError


@optional(lambda state, setup, tables: 0)
def assess(state: State, setup: Setup, tables: Longs) -> int:
    """Return the value of a position for the seat to move, in a tactical search. Default: there is none."""
    raise NotImplementedError


@optional(lambda state, setup, tables, low, high, actions, gains, value: 0)
def look(
    state: State, setup: Setup, tables: Longs, low: int, high: int, actions: Actions, gains: Longs, value: Longs
) -> int:
    """Write what `assess` returns, and unless it reaches `high`, the noisy actions that may lift it above `low`.

    `gains` are the most that they gain by themselves. Return their number. Default: there is no tactical search.
    """
    raise NotImplementedError


@optional(lambda state, setup, actions, count, noisy, out: None)
def gains(state: State, setup: Setup, actions: Actions, count: int, noisy: int, out: Longs) -> None:
    """Write the most that each of the first `noisy` actions gains by itself, and scores of the others.

    The scores are added to history scores. Default: there is no tactical search.
    """
    raise NotImplementedError


@optional(lambda state, setup: False)
def may_pass(state: State, setup: Setup) -> bool:
    """Return whether a tactical search may try what happens if the seat to move passes. Default: no."""
    raise NotImplementedError


@optional(lambda state, setup: None)
def pass_turn(state: State, setup: Setup) -> None:
    """Let the other seat decide, though the rules do not allow it."""
    raise NotImplementedError


@optional(lambda state, setup, out: legal(state, setup, out))
def candidates(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions that a search considers, at least one; return their number. Default: all."""
    raise NotImplementedError


def estimate_two(state: State, setup: Setup, weights: Numbers, points: Numbers, chances: Numbers) -> None:
    """Write the points of two seats now, and the chances that `evaluate` gives them."""
    scores(state, setup, points)
    chances[0] = 1.0 / (1.0 + exp(-evaluate(state, setup, weights) / 1000.0))
    chances[1] = 1.0 - chances[0]


@optional(estimate_two)
def estimate(state: State, setup: Setup, weights: Numbers, points: Numbers, chances: Numbers) -> None:
    """Write each seat's expected points and chance of winning an unfinished game. Default: by `evaluate`."""
    raise NotImplementedError


@optional(lambda state, setup, seat: 0.0)
def measure(state: State, setup: Setup, seat: int) -> float:
    """Return what a seat has by a plain count, for the reference opponents of the arena. Default: nothing."""
    raise NotImplementedError


@optional(lambda state, setup: 1.0)
def lead_unit(state: State, setup: Setup) -> float:
    """Return the lead in points that counts as one unit of log-odds now. Default: one point."""
    raise NotImplementedError
