"""Alpha-beta search with a principal variation search for two-seat games, compiled once per game.

It uses a transposition table, quiescence search, killer moves, the history heuristic and late move reductions. A
selective search also prunes near the leaves; a tactical one prunes by what actions can gain, and by passing. Values
are in thousandths of the log-odds of winning, from seat 0's point of view; a won game is WON minus the plies to it.

A node is one applied action. The search keeps its stack in arrays instead of recursing, so it can pause after any
number of nodes and resume exactly where it was: results never depend on when the clock is checked.
"""

import math
from typing import Annotated, Any, NamedTuple

from mchezo.core import arrays, verbs
from mchezo.core.compiled import compiled, kernel
from mchezo.core.elementary import exp, log
from mchezo.core.features import LARGEST
from mchezo.core.network import ShortRows, correction
from mchezo.core.prefetch import prefetch
from mchezo.core.structs import (
    CHANCE,
    OVER,
    ActionRows,
    Actions,
    Array,
    Int8,
    Int16,
    Int32,
    Longs,
    Numbers,
    Setups,
    Shorts,
    States,
    Structs,
    UInt64,
    Weights,
    bits,
    layout,
    wide,
)

OrderingRows = Annotated[arrays.NDArray[arrays.int64], Array(arrays.int64, 2)]
Table = Annotated[arrays.NDArray[arrays.uint64], Array(arrays.uint64, 2)]

MOST_PLIES = 100
WON = 30_000
MATE_BOUND = WON - MOST_PLIES  # a value of at least this is a proven win
INFINITE = 32_000
QUIESCENCE_DEPTH = 10

# How the current child is searched: not yet, reduced with a null window, with a null window, with the full window.
# A tactical search may pass before it tries the first one.
UNSEARCHED, REDUCED, NULL_WINDOW, FULL_WINDOW, PASSING = 0, 1, 2, 3, 4

# Pruning in nodes with a null window; margins are in thousandths of log-odds a ply. Reverse futility pruning: a value
# that far above the window is good enough. Futility pruning: from that far below it, no quiet move comes back. Late
# move pruning: quiet moves beyond this number, times the square of the plies left, are not searched.
PRUNING_DEPTH, FUTILITY_DEPTH, LATE_DEPTH = 6, 2, 3
PRUNING_MARGIN, FUTILITY_MARGIN, LATE_MOVES = 400, 600, 6
REDUCTION = 40  # plies by which late moves are reduced, in hundredths of the product of the logarithms
# Tactical search, in the same units: a value that far above the window is good enough; from that far below it, no quiet
# action comes back; a seat that stands better than the window passes, and the rest of the search is reduced.
SURE_DEPTH, SURE_MARGIN, HOPELESS_DEPTH, HOPELESS_MARGIN = 5, 500, 3, 500
PASSING_DEPTH, PASSING_REDUCTION, PASSING_SHARE = 2, 2, 4
LOGARITHMS = arrays.array([0] + [round(100 * math.log(number)) for number in range(1, MOST_PLIES + 1)])

# Bound types of a transposition table entry.
LOWER_BOUND, UPPER_BOUND, EXACT = 1, 2, 3
SOLVED = 127  # stored depth of a value that does not depend on the evaluation function

# Move ordering: the hash move, noisy moves, killer moves, then the history heuristic.
HASH_MOVE, NOISY, KILLER, QUIET = 1 << 50, 1 << 48, 1 << 47, 1 << 40
HISTORY = 8192  # size of the history table; actions are hashed modulo this
MOST_HISTORY = 1 << 40
CREDIT, MOST_CREDIT, TACTICAL_HISTORY = 24, 2_000, 16_384  # of a tactical search, whose history scores also fall


class Ply:
    """One level of the stack. Unless noted, windows and values are those of the seat to move here."""

    key: UInt64  # Zobrist key
    window_low: Int32  # the window set by the parent, from seat 0's point of view
    window_high: Int32
    alpha: Int32
    beta: Int32
    original_alpha: Int32
    best: Int32
    depth: Int16
    count: Int16
    noisy: Int16  # how many of the actions are noisy; they come first
    at: Int16  # index of the child being searched
    quota: Int16  # quiet moves from this index on are pruned
    best_action: Int32
    sign: Int8  # 1 for seat 0, -1 for seat 1, 0 for chance
    stage: Int8  # how the child is searched: UNSEARCHED to PASSING
    passed: Int8  # the move before this was to pass
    hash_quiet: Int8  # the hash move is quiet
    heuristic: Int8  # some value below comes from the evaluation function
    best_heuristic: Int8  # the best value does
    killers: Annotated[Actions, arrays.int32, 2]
    chance_sum: Annotated[float, arrays.float64]
    chance_weight: Annotated[float, arrays.float64]


class SearchState:
    """Where a search is, so that it can be resumed."""

    nodes: Annotated[int, arrays.int64]
    ply: Int16
    returning: Int8  # the node at this ply has just received its value
    heuristic: Int8  # that value depends on the evaluation function
    restricted: Int8  # only some of the root actions are searched
    ordered: Int8  # moves are ordered
    selective: Int8  # nodes near the leaves are pruned by their evaluation, and late moves are reduced more
    tactical: Int8  # nodes are evaluated, ordered and pruned by what actions can gain
    value: Int32  # from seat 0's point of view


PLY = layout(Ply)
SEARCH_STATE = layout(SearchState)


class Stack(NamedTuple):
    """The arrays of one search, most of them with one row per ply."""

    searches: Annotated[Structs, Array(SEARCH_STATE)]
    plies: Annotated[Structs, Array(PLY)]
    states: States
    setups: Setups
    actions: ActionRows
    ordering: OrderingRows  # move ordering scores
    odds: ActionRows  # weights of chance outcomes
    pv: ActionRows  # triangular table of principal variations
    pv_lengths: Actions
    history: OrderingRows
    inputs: Actions  # of the network
    hidden: Shorts  # sums of its first layer
    tables: Longs  # of a tactical search; the last number is scratch space

    @property
    def dtype(self) -> Any:
        """The layout of the states, by which kernels find the game."""
        return self.states.dtype


@kernel
def begin(stack: Stack, depth: int, low: int, high: int, restricted: bool) -> None:
    """Prepare one iteration of iterative deepening."""
    search, root = stack.searches[0], stack.plies[0]
    search.restricted = restricted
    search.ply = 0
    search.returning = 0
    root.depth = depth
    root.window_low = low
    root.window_high = high


@kernel
def run(stack: Stack, roots: Actions, table: Table, weights: Numbers, network: ShortRows, limit: int) -> bool:
    """Search until the iteration is finished (True) or `limit` nodes have been visited in total (False)."""
    searches, plies, states, setups, actions, ordering, odds, pv, pv_lengths, history, inputs, hidden, tables = stack
    search = searches[0]
    setup = setups[0]
    ply = wide(search.ply)
    while True:
        if search.returning:
            if ply == 0:
                search.ply = 0
                return True
            ply -= 1
            back_up(search, plies[ply], actions[ply], ordering[ply], odds[ply], pv, pv_lengths, history, ply)
        else:
            if search.nodes >= limit:
                search.ply = ply
                return False
            search.nodes += 1
            search.returning = not open_node(
                search, plies[ply], states[ply], setup, roots, actions[ply], ordering[ply], odds[ply], table, history,
                weights, network, inputs, hidden, tables, ply,
            )  # fmt: skip
            pv_lengths[ply] = 0
            if search.returning:
                continue
        if next_child(search, plies, states, setup, actions[ply], ordering[ply], table, ply):
            ply += 1
            search.returning = 0
        else:
            close_node(search, plies[ply], table, ply)
            search.returning = 1


@compiled
def open_node(
    search: SearchState,
    node: Ply,
    state: Any,
    setup: Any,
    roots: Actions,
    actions: Actions,
    ordering: Longs,
    odds: Weights,
    table: Table,
    history: OrderingRows,
    weights: Numbers,
    network: ShortRows,
    inputs: Actions,
    hidden: Shorts,
    tables: Longs,
    ply: int,
) -> bool:
    """Expand a node and order its actions; return False if its value is already known."""
    seat = verbs.to_move(state)
    search.heuristic = 0
    if seat == OVER:
        search.value = final_value(state, setup, ply)
        return False
    search.heuristic = 1
    node.at = 0
    node.heuristic = 0
    node.best_heuristic = 1
    node.stage = UNSEARCHED
    if seat == CHANCE:
        if node.depth <= 0 or ply == MOST_PLIES - 1:
            search.value = static_value(state, setup, weights, network, inputs, hidden)
            return False
        node.sign = 0
        node.count = verbs.chance(state, setup, actions, odds)
        node.chance_sum = 0.0
        node.chance_weight = 0.0
        return True

    node.sign = 1 - 2 * seat
    node.alpha = node.window_low if seat == 0 else -node.window_high
    node.beta = node.window_high if seat == 0 else -node.window_low
    node.key = verbs.key(state)
    stored = probe(table, bits(node.key))
    if ply and stored and stored_depth(stored) >= node.depth:
        value = stored_value(stored, ply)
        bound = stored_bound(stored)
        if (
            bound == EXACT
            or (bound == LOWER_BOUND and value >= node.beta)
            or (bound == UPPER_BOUND and value <= node.alpha)
        ):
            search.value = node.sign * value
            search.heuristic = stored_depth(stored) != SOLVED
            return False
    if ply == MOST_PLIES - 1:
        search.value = static_value(state, setup, weights, network, inputs, hidden)
        return False

    node.best = -INFINITE
    node.best_action = -1
    node.original_alpha = node.alpha
    if search.tactical and node.depth <= 0:
        return open_leaf(search, node, state, setup, actions, ordering, tables, stored)
    if node.depth > 0:
        if ply:
            count = verbs.legal(state, setup, actions)
        else:
            count = len(roots)
            actions[:count] = roots
        noisy = verbs.noisy(state, setup, actions, count)
    else:
        noisy = wide(0)
        if node.depth > -QUIESCENCE_DEPTH:
            noisy = verbs.noisy_only(state, setup, actions)
        if noisy == 0:
            search.value = static_value(state, setup, weights, network, inputs, hidden)
            return False
        count = abs(noisy)
        # Stand pat, but only where a quiet action exists: a half-finished turn has to be completed.
        if noisy > 0:
            node.heuristic = 1
            node.best = node.sign * static_value(state, setup, weights, network, inputs, hidden)
            if node.best >= node.beta:
                search.value = node.sign * node.best
                return False
            node.alpha = max(node.alpha, node.best)
        noisy = count
    node.count = count
    node.noisy = noisy
    node.quota = count
    near_leaves = wide(0) < node.depth <= PRUNING_DEPTH and ply and noisy < count
    if search.selective and near_leaves and node.beta - node.alpha == 1:
        static = static_value(state, setup, weights, network, inputs, hidden)
        if prune(search, node, count, static):
            return False
    hash_move = stored_action(stored) if stored else -1
    if search.tactical:
        return open_tactically(search, node, state, setup, actions, ordering, tables, history, hash_move, ply)
    for index in range(count):
        action = wide(actions[index])
        if not search.ordered:
            ordering[index] = KILLER + count - index  # in the order generated, none reduced
        elif action == hash_move:
            ordering[index] = HASH_MOVE
        elif index < noisy:
            ordering[index] = NOISY + history[seat, action % HISTORY]
        elif action == node.killers[0] or action == node.killers[1]:
            ordering[index] = KILLER
        else:
            ordering[index] = history[seat, action % HISTORY]
    return True


@compiled
def open_leaf(
    search: SearchState,
    node: Ply,
    state: Any,
    setup: Any,
    actions: Actions,
    ordering: Longs,
    tables: Longs,
    stored: int,
) -> bool:
    """Tactical search: evaluate a leaf and list what may be better than to stand pat; return whether there is any."""
    value = tables[len(tables) - 1 :]
    count = verbs.look(state, setup, tables, wide(node.alpha), wide(node.beta), actions, ordering, value)
    static = wide(value[0])
    search.value = node.sign * static
    if count == 0 or node.depth <= -QUIESCENCE_DEPTH:
        return False
    node.heuristic = 1
    node.best = static
    node.alpha = max(wide(node.alpha), static)
    node.count = count
    node.noisy = count
    node.quota = count
    node.hash_quiet = 0
    hash_move = stored_action(stored) if stored else -1
    for index in range(count):
        ordering[index] = HASH_MOVE if actions[index] == hash_move else NOISY + ordering[index]
    return True


@compiled
def open_tactically(
    search: SearchState,
    node: Ply,
    state: Any,
    setup: Any,
    actions: Actions,
    ordering: Longs,
    tables: Longs,
    history: OrderingRows,
    hash_move: int,
    ply: int,
) -> bool:
    """Tactical search: prune an inner node by its evaluation, or order its actions; return False if it is pruned."""
    count, noisy = wide(node.count), wide(node.noisy)
    if count == 0:
        # Only after passing: a seat that cannot move would have lost.
        search.value = node.sign * verbs.assess(state, setup, tables)
        return False
    node.stage = UNSEARCHED
    if ply and node.beta - node.alpha == 1 and abs(node.beta) < MATE_BOUND:
        static, depth = verbs.assess(state, setup, tables), wide(node.depth)
        if depth <= SURE_DEPTH and static - SURE_MARGIN * depth >= node.beta:
            search.value = node.sign * static
            return False
        if depth <= HOPELESS_DEPTH and static + HOPELESS_MARGIN * depth <= node.alpha:
            node.quota = 0
        if depth >= PASSING_DEPTH and not node.passed and static >= node.beta and verbs.may_pass(state, setup):
            node.stage = PASSING
    verbs.gains(state, setup, actions, count, noisy, ordering)
    seat = (1 - wide(node.sign)) >> 1
    node.hash_quiet = 0
    for index in range(count):
        action = wide(actions[index])
        if action == hash_move:
            ordering[index] = HASH_MOVE
            node.hash_quiet = wide(index >= noisy)
        elif index < noisy:
            ordering[index] += NOISY
        elif action == node.killers[0]:
            ordering[index] = KILLER + 1
        elif action == node.killers[1]:
            ordering[index] = KILLER
        else:
            ordering[index] += QUIET + history[seat, action % HISTORY]
    return True


@compiled
def prune(search: SearchState, node: Ply, count: int, static: int) -> bool:
    """Return whether a node near the leaves has a value by its evaluation alone; if not, limit its quiet moves."""
    depth = wide(node.depth)
    value = wide(node.sign) * static
    if abs(node.beta) < MATE_BOUND and value - PRUNING_MARGIN * depth >= node.beta:
        search.value = static
        return True
    if depth <= LATE_DEPTH:
        node.quota = min(count, LATE_MOVES * depth * depth)
    if depth <= FUTILITY_DEPTH and value + FUTILITY_MARGIN * depth <= node.alpha:
        node.quota = 0
    return False


@compiled
def static_value(state: Any, setup: Any, weights: Numbers, network: ShortRows, inputs: Actions, hidden: Shorts) -> int:
    """Evaluate a position for seat 0: by the weights of its features, corrected by the network if there is one."""
    value = wide(verbs.evaluate(state, setup, weights))
    if len(network):
        count = verbs.inputs(state, setup, inputs)
        gain = correction(network, inputs, count, verbs.stage(state, setup), hidden)
        value += gain if verbs.turn_of(state) == 0 else -gain
        value = max(-LARGEST, min(LARGEST, value))
    return value


@compiled
def final_value(state: Any, setup: Any, ply: int) -> int:
    """Return the value of a finished game; earlier wins and later losses are better."""
    result = arrays.zeros(2)
    verbs.returns(state, setup, result)
    if result[0] > result[1]:
        return WON - ply
    if result[0] < result[1]:
        return ply - WON
    return 0


@compiled
def next_child(
    search: SearchState,
    plies: Structs,
    states: Structs,
    setup: Any,
    actions: Actions,
    ordering: Longs,
    table: Table,
    ply: int,
) -> bool:
    """Set up the next child to search, or a re-search of the current one; return False when none is left."""
    node = plies[ply]
    child = plies[ply + 1]
    at = wide(node.at)
    if at == node.count:
        return False
    if node.sign == 0:
        child.window_low = -INFINITE
        child.window_high = INFINITE
        child.depth = node.depth - 1
    else:
        if node.best >= node.beta:
            return False
        if node.stage == PASSING:
            low = wide(node.beta) - 1
            child.window_low = low if node.sign == 1 else -low - 1
            child.window_high = low + 1 if node.sign == 1 else -low
            child.depth = node.depth - 1 - PASSING_REDUCTION - node.depth // PASSING_SHARE
            child.passed = 1
            states[ply + 1] = states[ply]
            verbs.pass_turn(states[ply + 1], setup)
            return True
        child.passed = 0
        if node.stage == UNSEARCHED:
            pick_next(actions, ordering, at, wide(node.count))
            if at >= node.quota and ordering[at] < KILLER and node.best > -MATE_BOUND:
                node.heuristic = 1
                return False
            node.stage = first_stage(search, node, ordering, at)
        low, high = wide(node.alpha), wide(node.beta)
        if node.stage != FULL_WINDOW:
            high = low + 1
        child.window_low = low if node.sign == 1 else -high
        child.window_high = high if node.sign == 1 else -low
        child.depth = node.depth - 1
        if node.stage == REDUCED:
            child.depth -= reduction(search, wide(node.depth), at)
    action = wide(actions[at])
    if node.sign:
        # Memory is slow: what the table holds for the child arrives while the action is applied.
        prefetch(table, bucket_of(table, verbs.key_after(states[ply], setup, bits(node.key), action)), 0)
    states[ply + 1] = states[ply]
    verbs.apply(states[ply + 1], setup, action)
    return True


@compiled
def reduction(search: SearchState, depth: int, at: int) -> int:
    """Return by how many plies a late quiet move is reduced."""
    if search.selective:
        return max(1, REDUCTION * wide(LOGARITHMS[depth]) * wide(LOGARITHMS[min(at, MOST_PLIES)]) // 1_000_000)
    return 1 if search.tactical else 1 + wide(at >= 12)


@compiled
def pick_next(actions: Actions, ordering: Longs, at: int, count: int) -> None:
    """Swap the highest-ordered remaining action to index `at`."""
    best = at
    for index in range(at + 1, count):
        if ordering[index] > ordering[best]:
            best = index
    action, order = actions[best], ordering[best]
    actions[best], ordering[best] = actions[at], ordering[at]
    actions[at], ordering[at] = action, order


@compiled
def first_stage(search: SearchState, node: Ply, ordering: Longs, at: int) -> int:
    """Return how to search a child first: full window for the first one, late move reduction for late quiet ones."""
    if at == 0:
        return FULL_WINDOW
    if node.depth >= 3 - wide(search.tactical) and at >= 4 and ordering[at] < KILLER:
        return REDUCED
    return NULL_WINDOW


@compiled
def back_up(
    search: SearchState,
    node: Ply,
    actions: Actions,
    ordering: Longs,
    odds: Weights,
    pv: ActionRows,
    pv_lengths: Actions,
    history: OrderingRows,
    ply: int,
) -> None:
    """Back up a child's value, or request a re-search."""
    at = wide(node.at)
    if node.sign == 0:
        weight = float(odds[at])
        node.chance_sum += weight * chance_of(wide(search.value))
        node.chance_weight += weight
        node.heuristic |= search.heuristic
        node.at = at + 1
        return
    value = wide(node.sign) * wide(search.value)
    if node.stage == PASSING:
        node.stage = UNSEARCHED
        if value >= node.beta:
            node.best = min(value, MATE_BOUND - 1)
            node.best_heuristic = 1
            node.heuristic = 1
            node.at = node.count
        return
    if node.stage == REDUCED and value > node.alpha:
        node.stage = NULL_WINDOW
        return
    if node.stage == NULL_WINDOW and node.alpha < value < node.beta and node.beta - node.alpha > 1:
        node.stage = FULL_WINDOW
        return
    node.heuristic |= search.heuristic
    node.stage = UNSEARCHED
    node.at = at + 1
    action = wide(actions[at])
    if value > node.best:
        node.best = value
        node.best_action = action
        node.best_heuristic = search.heuristic
    if value > node.alpha:
        node.alpha = value
        length = wide(pv_lengths[ply + 1])
        pv[ply, 0] = action
        pv[ply, 1 : length + 1] = pv[ply + 1, :length]
        pv_lengths[ply] = length + 1
    if search.tactical:
        if value >= node.beta and node.depth > 0 and is_quiet(node, ordering, at):
            learn(node, actions, ordering, history, at)
    elif value >= node.beta and at >= node.noisy:
        if node.killers[0] != action:
            node.killers[1] = node.killers[0]
            node.killers[0] = action
        seat = (1 - wide(node.sign)) >> 1
        depth = max(wide(node.depth), 1)
        history[seat, action % HISTORY] = min(history[seat, action % HISTORY] + depth * depth, MOST_HISTORY)


@compiled
def is_quiet(node: Ply, ordering: Longs, at: int) -> bool:
    """Return whether an action of a tactical search is quiet."""
    return ordering[at] < NOISY or (ordering[at] == HASH_MOVE and node.hash_quiet != 0)


@compiled
def learn(node: Ply, actions: Actions, ordering: Longs, history: OrderingRows, at: int) -> None:
    """Tactical search: remember a quiet move that refuted, and hold it against the quiet ones tried before it."""
    action = wide(actions[at])
    if node.killers[0] != action:
        node.killers[1] = node.killers[0]
        node.killers[0] = action
    seat = (1 - wide(node.sign)) >> 1
    credit = min(MOST_CREDIT, CREDIT * wide(node.depth) * wide(node.depth))
    for index in range(at + 1):
        if is_quiet(node, ordering, index):
            place = wide(actions[index]) % HISTORY
            held = wide(history[seat, place])
            history[seat, place] = held + (credit if index == at else -credit) - held * credit // TACTICAL_HISTORY


@compiled
def close_node(search: SearchState, node: Ply, table: Table, ply: int) -> None:
    """Set the value of a fully searched node and store it in the transposition table."""
    search.heuristic = node.heuristic
    if node.sign == 0:
        search.value = value_of(node.chance_sum / node.chance_weight)
        return
    best = wide(node.best)
    if best >= MATE_BOUND and not node.best_heuristic:
        search.heuristic = 0  # one proven win is enough
    search.value = node.sign * best
    if ply == 0 and search.restricted:
        return
    bound = LOWER_BOUND if best >= node.beta else (EXACT if best > node.original_alpha else UPPER_BOUND)
    depth = wide(max(node.depth, 0)) if search.heuristic else SOLVED
    store(table, bits(node.key), best, bound, depth, wide(node.best_action), ply)


# Log-odds and winning chances


@compiled
def chance_of(value: int) -> float:
    """Return the chance of winning for a value in thousandths of log-odds."""
    return 1.0 / (1.0 + exp(-value / 1000.0))


@compiled
def value_of(chance: float) -> int:
    """Return the value for a chance of winning; a mean of proven wins stays a proven win."""
    if chance >= 1.0 - 1e-12:
        return MATE_BOUND
    if chance <= 1e-12:
        return -MATE_BOUND
    return wide(round(1000.0 * log(chance / (1.0 - chance))))


# Transposition table; lockless (key XOR data): an entry torn by two threads writing at once never matches a key. Each
# bucket has two slots, the first depth-preferred, the second always replaced.


@compiled
def bucket_of(table: Table, key: int) -> int:
    """Return the first slot of the bucket for a key."""
    return (key & bits(table.shape[0] - 1)) & ~bits(1)


@compiled
def probe(table: Table, key: int) -> int:
    """Return the entry stored for a key, 0 if there is none."""
    bucket = bucket_of(table, key)
    for slot in (bucket, bucket | bits(1)):
        if table[slot, 0] ^ table[slot, 1] == key:
            return wide(table[slot, 1])
    return 0


@compiled
def store(table: Table, key: int, value: int, bound: int, depth: int, action: int, ply: int) -> None:
    """Store the value of a position; a win or loss is stored by its distance from this position."""
    if value >= MATE_BOUND:
        value += ply
    elif value <= -MATE_BOUND:
        value -= ply
    entry = bits(value + 32768) | bits(depth) << bits(16) | bits(bound) << bits(24) | bits(action + 1) << bits(26)
    slot = bucket_of(table, key)
    held = table[slot, 1]
    if held and table[slot, 0] ^ held != key and stored_depth(wide(held)) > depth:
        slot |= bits(1)
    table[slot, 0] = key ^ entry
    table[slot, 1] = entry


@compiled
def stored_value(entry: int, ply: int) -> int:
    """Return the value of an entry, with wins and losses relative to this ply."""
    value = (entry & 0xFFFF) - 32768
    if value >= MATE_BOUND:
        return value - ply
    return value + ply if value <= -MATE_BOUND else value


@compiled
def stored_depth(entry: int) -> int:
    """Return the depth of an entry."""
    return entry >> 16 & 0xFF


@compiled
def stored_bound(entry: int) -> int:
    """Return the bound type of an entry."""
    return entry >> 24 & 3


@compiled
def stored_action(entry: int) -> int:
    """Return the hash move of an entry, -1 if there is none."""
    return (entry >> 26) - 1


@kernel
def extend_pv(states: States, setups: Setups, table: Table, actions: Actions, pv: Actions) -> int:
    """Follow hash moves from states[0] while the same seat decides; write them and return how many there are."""
    state = states[0]
    seat = verbs.to_move(state)
    made = 0
    while made < len(pv) and seat >= 0 and verbs.to_move(state) == seat:
        stored = probe(table, bits(verbs.key(state)))
        action = stored_action(stored) if stored else -1
        found = False
        for index in range(verbs.legal(state, setups[0], actions)):
            found |= actions[index] == action
        if not found:
            break
        pv[made] = action
        made += 1
        verbs.apply(state, setups[0], action)
    return made
