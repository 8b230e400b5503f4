"""Alpha-beta for games of two seats, compiled once for each game.

Values are for seat 0, in thousandths of the log-odds of winning; a won game is WON less the number of plies to it. A
node is one action made. The search keeps its stack in arrays, so that it can be left after any number of nodes and
taken up again exactly where it was: nothing depends on when the clock is looked at.
"""

import math
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.structs import (
    CHANCE,
    OVER,
    Actions,
    Int8,
    Int16,
    Int32,
    Numbers,
    Structs,
    UInt64,
    Weights,
    Words64,
    bits,
    layout,
    wide,
)

Orders = npt.NDArray[np.int64]

MOST_PLIES = 100
WON = 30_000
SURE = WON - MOST_PLIES  # from here on a value is a won game
INFINITE = 32_000
LONGEST_QUIESCENCE = 10

# How a child is looked at: not yet, with a null window and less depth, with a null window, with the whole window.
FRESH, REDUCED, NULL, WHOLE = 0, 1, 2, 3

# What a stored value means.
AT_LEAST, AT_MOST, EXACT = 1, 2, 3
SOLVED = 127  # the depth of a value that rests on no judgement

# How moves are ordered: the stored one, what cannot wait, killers, then by what cut before.
STORED, URGENT, KILLER = 1 << 50, 1 << 48, 1 << 47
HISTORY = 8192  # actions are counted by their number modulo this
MOST_HISTORY = 1 << 40


class Ply:
    """One level of the stack. Windows and values are those of the seat to move here."""

    key: UInt64
    floor: Int32  # the window as the parent set it, for seat 0
    ceiling: Int32
    low: Int32
    high: Int32
    lowest: Int32  # the low that the node began with
    best: Int32
    depth: Int16
    count: Int16
    urgent: Int16  # how many of the actions cannot wait
    at: Int16  # the child that is looked at
    best_action: Int32
    sign: Int8  # 1 for seat 0, -1 for seat 1, 0 for chance
    look: Int8
    judged: Int8  # some value below rests on judgement
    best_judged: Int8
    killers: Annotated[Actions, np.int32, 2]
    chance_sum: Annotated[float, np.float64]
    chance_weight: Annotated[float, np.float64]


class Search:
    """Where a search is."""

    nodes: Annotated[int, np.int64]
    ply: Int16
    returning: Int8  # a value has just been found for the ply
    judged: Int8
    restricted: Int8  # at the root only some of the actions are looked at
    ordered: Int8  # promising actions come first
    value: Int32


PLY = layout(Ply)
SEARCH = layout(Search)


class Stack(NamedTuple):
    """The arrays of one search, most of them with a place for each ply."""

    searches: Structs
    plies: Structs
    states: Structs
    setups: Structs
    actions: Structs
    orders: Structs
    odds: Structs
    lines: Structs
    lengths: Actions
    history: Structs


@compiled
def begin(stack: Stack, depth: int, low: int, high: int, restricted: bool) -> None:
    """Prepare one iteration."""
    search, root = stack.searches[0], stack.plies[0]
    search.restricted = restricted
    search.ply = 0
    search.returning = 0
    root.depth = depth
    root.floor = low
    root.ceiling = high


@compiled
def run(stack: Stack, roots: Actions, table: Structs, weights: Numbers, limit: int) -> bool:
    """Go on until the iteration is finished (True) or so many nodes have been made in all (False)."""
    searches, plies, states, setups, actions, orders, odds, lines, lengths, history = stack
    search = searches[0]
    setup = setups[0]
    ply = wide(search.ply)
    while True:
        if search.returning:
            if ply == 0:
                search.ply = 0
                return True
            ply -= 1
            take(search, plies[ply], actions[ply], odds[ply], lines, lengths, history, ply)
        else:
            if search.nodes >= limit:
                search.ply = ply
                return False
            search.nodes += 1
            search.returning = not enter(
                search, plies[ply], states[ply], setup, roots, actions[ply], orders[ply], odds[ply], table, history,
                weights, ply,
            )  # fmt: skip
            lengths[ply] = 0
            if search.returning:
                continue
        if ask_next(search, plies, states, setup, actions[ply], orders[ply], ply):
            ply += 1
            search.returning = 0
        else:
            close(search, plies[ply], table, ply)
            search.returning = 1


@compiled
def enter(
    search: Search,
    node: Ply,
    state: Any,
    setup: Any,
    roots: Actions,
    actions: Actions,
    orders: Orders,
    odds: Weights,
    table: Words64,
    history: Orders,
    weights: Numbers,
    ply: int,
) -> bool:
    """Open a node and order its actions; False if its value is known at once."""
    seat = verbs.to_move(state)
    search.judged = 0
    if seat == OVER:
        search.value = final(state, setup, ply)
        return False
    search.judged = 1
    node.at = 0
    node.judged = 0
    node.best_judged = 1
    node.look = FRESH
    if seat == CHANCE:
        if node.depth <= 0 or ply == MOST_PLIES - 1:
            search.value = verbs.evaluate(state, setup, weights)
            return False
        node.sign = 0
        node.count = verbs.chance(state, setup, actions, odds)
        node.chance_sum = 0.0
        node.chance_weight = 0.0
        return True

    node.sign = 1 - 2 * seat
    node.low = node.floor if seat == 0 else -node.ceiling
    node.high = node.ceiling if seat == 0 else -node.floor
    node.key = verbs.key(state)
    stored = find(table, bits(node.key))
    if ply and stored and stored_depth(stored) >= node.depth:
        value = stored_value(stored, ply)
        bound = stored_bound(stored)
        if bound == EXACT or (bound == AT_LEAST and value >= node.high) or (bound == AT_MOST and value <= node.low):
            search.value = node.sign * value
            search.judged = stored_depth(stored) != SOLVED
            return False
    if ply == MOST_PLIES - 1:
        search.value = verbs.evaluate(state, setup, weights)
        return False

    node.best = -INFINITE
    node.best_action = -1
    node.lowest = node.low
    if ply:
        count = verbs.legal(state, setup, actions)
    else:
        count = len(roots)
        actions[:count] = roots
    urgent = verbs.noisy(state, setup, actions, count)
    if node.depth <= 0:
        if urgent == 0 or node.depth <= -LONGEST_QUIESCENCE:
            search.value = verbs.evaluate(state, setup, weights)
            return False
        # Whoever has a quiet action may leave it at that; what was begun, like a turn half made, has to be ended.
        if urgent < count:
            count = urgent
            node.judged = 1
            node.best = node.sign * verbs.evaluate(state, setup, weights)
            if node.best >= node.high:
                search.value = node.sign * node.best
                return False
            node.low = max(node.low, node.best)
    node.count = count
    node.urgent = urgent
    best_stored = stored_action(stored) if stored else -1
    for index in range(count):
        action = wide(actions[index])
        if not search.ordered:
            orders[index] = KILLER + count - index  # as they come, and none with less depth
        elif action == best_stored:
            orders[index] = STORED
        elif index < urgent:
            orders[index] = URGENT + history[seat, action % HISTORY]
        elif action == node.killers[0] or action == node.killers[1]:
            orders[index] = KILLER
        else:
            orders[index] = history[seat, action % HISTORY]
    return True


@compiled
def final(state: Any, setup: Any, ply: int) -> int:
    """The value of a finished game: the sooner won and the later lost, the better."""
    result = np.zeros(2)
    verbs.returns(state, setup, result)
    if result[0] > result[1]:
        return WON - ply
    if result[0] < result[1]:
        return ply - WON
    return 0


@compiled
def ask_next(
    search: Search, plies: Structs, states: Structs, setup: Any, actions: Actions, orders: Orders, ply: int
) -> bool:
    """Prepare the next child of a node, or the same one again with a wider window; False if none is left."""
    node = plies[ply]
    child = plies[ply + 1]
    at = wide(node.at)
    if at == node.count:
        return False
    if node.sign == 0:
        child.floor = -INFINITE
        child.ceiling = INFINITE
        child.depth = node.depth - 1
    else:
        if node.best >= node.high:
            return False
        if node.look == FRESH:
            bring_best(actions, orders, at, wide(node.count))
            node.look = first_look(node, orders, at)
        null = node.look != WHOLE
        low, high = wide(node.low), wide(node.high)
        if null:
            high = low + 1
        child.floor = low if node.sign == 1 else -high
        child.ceiling = high if node.sign == 1 else -low
        child.depth = node.depth - 1
        if node.look == REDUCED:
            child.depth -= 1 + (at >= 12)
    states[ply + 1] = states[ply]
    verbs.apply(states[ply + 1], setup, wide(actions[at]))
    return True


@compiled
def bring_best(actions: Actions, orders: Orders, at: int, count: int) -> None:
    """Bring the most promising of the actions left to the front."""
    best = at
    for index in range(at + 1, count):
        if orders[index] > orders[best]:
            best = index
    action, order = actions[best], orders[best]
    # What is left keeps its order, so that the same search always runs the same way.
    actions[best], orders[best] = actions[at], orders[at]
    actions[at], orders[at] = action, order


@compiled
def first_look(node: Ply, orders: Orders, at: int) -> int:
    """The first child is looked at with the whole window, late quiet ones with less depth."""
    if at == 0:
        return WHOLE
    if node.depth >= 3 and at >= 4 and orders[at] < KILLER:
        return REDUCED
    return NULL


@compiled
def take(
    search: Search,
    node: Ply,
    actions: Actions,
    odds: Weights,
    lines: Structs,
    lengths: Actions,
    history: Orders,
    ply: int,
) -> None:
    """Take the value of a child into its parent, or have it looked at again."""
    at = wide(node.at)
    if node.sign == 0:
        weight = float(odds[at])
        node.chance_sum += weight * chance_of(wide(search.value))
        node.chance_weight += weight
        node.judged |= search.judged
        node.at = at + 1
        return
    value = wide(node.sign) * wide(search.value)
    if node.look == REDUCED and value > node.low:
        node.look = NULL
        return
    if node.look == NULL and node.low < value < node.high and node.high - node.low > 1:
        node.look = WHOLE
        return
    node.judged |= search.judged
    node.look = FRESH
    node.at = at + 1
    action = wide(actions[at])
    if value > node.best:
        node.best = value
        node.best_action = action
        node.best_judged = search.judged
    if value > node.low:
        node.low = value
        length = wide(lengths[ply + 1])
        lines[ply, 0] = action
        lines[ply, 1 : length + 1] = lines[ply + 1, :length]
        lengths[ply] = length + 1
    if value >= node.high and at >= node.urgent:
        if node.killers[0] != action:
            node.killers[1] = node.killers[0]
            node.killers[0] = action
        seat = (1 - wide(node.sign)) >> 1
        depth = max(wide(node.depth), 1)
        counted = min(history[seat, action % HISTORY] + depth * depth, MOST_HISTORY)
        history[seat, action % HISTORY] = counted


@compiled
def close(search: Search, node: Ply, table: Words64, ply: int) -> None:
    """All that had to be looked at was: the node has its value."""
    search.judged = node.judged
    if node.sign == 0:
        search.value = value_of(node.chance_sum / node.chance_weight)
        return
    best = wide(node.best)
    if best >= SURE and not node.best_judged:
        search.judged = 0  # one sure way to win is enough
    search.value = node.sign * best
    if ply == 0 and search.restricted:
        return
    bound = AT_LEAST if best >= node.high else (EXACT if best > node.lowest else AT_MOST)
    depth = wide(max(node.depth, 0)) if search.judged else SOLVED
    store(table, bits(node.key), best, bound, depth, wide(node.best_action), ply)


# Log-odds and chances


@compiled
def chance_of(value: int) -> float:
    """The chance of winning that a value stands for."""
    return 1.0 / (1.0 + math.exp(-value / 1000.0))


@compiled
def value_of(chance: float) -> int:
    """The value that stands for a chance of winning; a mean of sure wins stays sure."""
    if chance >= 1.0 - 1e-12:
        return SURE
    if chance <= 1e-12:
        return -SURE
    return wide(round(1000.0 * math.log(chance / (1.0 - chance))))


# The table of positions: two places for a key, the first for the deepest, the second for the newest. The first word is
# key ^ second word, so that two threads that write at once leave nothing that either would believe.


@compiled
def find(table: Words64, key: int) -> int:
    """What is stored for a position, 0 for nothing."""
    place = (key & bits(table.shape[0] - 1)) & ~bits(1)
    for slot in (place, place | bits(1)):
        if table[slot, 0] ^ table[slot, 1] == key:
            return wide(table[slot, 1])
    return 0


@compiled
def store(table: Words64, key: int, value: int, bound: int, depth: int, action: int, ply: int) -> None:
    """Store the value of a position, by its distance from here."""
    if value >= SURE:
        value += ply
    elif value <= -SURE:
        value -= ply
    entry = bits(value + 32768) | bits(depth) << bits(16) | bits(bound) << bits(24) | bits(action + 1) << bits(26)
    place = (key & bits(table.shape[0] - 1)) & ~bits(1)
    held = table[place, 1]
    if held and table[place, 0] ^ held != key and stored_depth(wide(held)) > depth:
        place |= bits(1)
    table[place, 0] = key ^ entry
    table[place, 1] = entry


@compiled
def stored_value(entry: int, ply: int) -> int:
    """The value of an entry, seen from this ply."""
    value = (entry & 0xFFFF) - 32768
    if value >= SURE:
        return value - ply
    return value + ply if value <= -SURE else value


@compiled
def stored_depth(entry: int) -> int:
    """How deep a stored value was looked for."""
    return entry >> 16 & 0xFF


@compiled
def stored_bound(entry: int) -> int:
    """What a stored value means."""
    return entry >> 24 & 3


@compiled
def stored_action(entry: int) -> int:
    """The best action stored, -1 for none."""
    return (entry >> 26) - 1


@compiled
def finish_turn(states: Structs, setups: Structs, table: Words64, actions: Actions, line: Actions) -> int:
    """Go on from a position by the stored actions while the same seat decides; return how many are written."""
    state = states[0]
    seat = verbs.to_move(state)
    made = 0
    while made < len(line) and seat >= 0 and verbs.to_move(state) == seat:
        stored = find(table, bits(verbs.key(state)))
        action = stored_action(stored) if stored else -1
        found = False
        for index in range(verbs.legal(state, setups[0], actions)):
            found |= actions[index] == action
        if not found:
            break
        line[made] = action
        made += 1
        verbs.apply(state, setups[0], action)
    return made
