"""Observations and actions of Kiwara as numbers, from the point of view of a seat. See docs/research.md."""

from mchezo.core.bitsets import bit_index
from mchezo.core.compiled import compiled
from mchezo.core.encoding import Block, Encoding, Floats, starts
from mchezo.core.structs import OVER, Structs, wide
from mchezo.games.kiwara.components import ANIMALS, CARDS, OKAPI_POINTS
from mchezo.games.kiwara.rules import points, to_move
from mchezo.games.kiwara.structs import (
    ACTIONS,
    DRAW,
    GAME_OVER,
    GIRAFFE_DRAWS,
    KINDS,
    NOBODY,
    NOWHERE,
    POSITIONS,
    SPACES,
    TERRITORIES,
    Setup,
    State,
    totem_line,
)

BOARD = (5, 6)
HYENA_PHASES = 5
MOST_TOKENS = max(animal.count for animal in ANIMALS)
MOST_POINTS = 2 * sum(animal.count * animal.value for animal in ANIMALS) + OKAPI_POINTS

OBSERVATION = (
    Block("own_animals", (KINDS, *BOARD), "1 where the seat has a gazelle, zebra, crocodile, elephant, lion; rows 1-5"),
    Block("other_animals", (KINDS, *BOARD), "the same for the opponent"),
    Block("hidden", BOARD, "1 where an animal lies on its hidden side"),
    Block("territories", (TERRITORIES, *BOARD), "1 on the spaces of territory A, B, C, D, E, F"),
    Block("line", BOARD, "1 on the spaces that the totem faces"),
    Block("boa", BOARD, "the only space allowed in this turn"),
    Block("porcupine", BOARD, "the space forbidden in this turn"),
    Block("placed", BOARD, "where the animal placed last in this turn stands"),
    Block("crocodile", BOARD, "the crocodile that may swap"),
    Block("left", BOARD, "where it has been in this chain of swaps"),
    Block("moved", BOARD, "where the animal that the Hyena moved first stands"),
    Block("totem", (POSITIONS,), "the totem's position, none before it is set"),
    Block("own_hand", (KINDS,), "tokens of each kind in hand, of 6"),
    Block("other_hand", (KINDS,), "the same for the opponent"),
    Block("resting", (KINDS,), "tokens that came home in this turn to whose turn it is, of 6"),
    Block("own_cards", (len(CARDS),), "cards face up before the seat: " + ", ".join(CARDS)),
    Block("other_cards", (len(CARDS),), "the same for the opponent"),
    Block("used_cards", (len(CARDS),), "used and discarded"),
    Block("drawn_cards", (len(CARDS),), "drawn by the Giraffe, to choose from"),
    Block("pile", (len(CARDS),), "cards that can still be drawn"),
    Block("draws", (1,), "cards still to be drawn now, of 3"),
    Block("reinforced", (2,), "who got the card for the first full territory: the seat, the opponent"),
    Block("points", (2,), f"if the game were scored now, own and other, of {MOST_POINTS}"),
    Block("hyena", (HYENA_PHASES,), "not used, first move, second move, first placing, second placing"),
    Block("warthog", (1,), "nothing is placed in this turn"),
    Block("announced", (1,), "Boa, Porcupine or Warthog was used since the totem moved"),
    Block(
        "decision", (GAME_OVER,), "set the totem, place, swap, move with the Hyena again, totem, after it, keep, draw"
    ),
    Block("to_move", (3,), "the seat itself, the opponent, chance; none once the game is over"),
    Block("turn", (2,), "whose turn it is: the seat's, the opponent's"),
    Block("seat", (2,), "first (sets the totem), second"),
    Block("options", (3,), "reinforcement from the pile, Rhinoceros beside the animal placed, Hyena places"),
)
(
    OWN_ANIMALS,
    OTHER_ANIMALS,
    HIDDEN,
    TERRITORY,
    LINE,
    BOA,
    PORCUPINE,
    PLACED,
    CROCODILE,
    VISITED,
    MOVED,
    TOTEM,
    OWN_HAND,
    OTHER_HAND,
    RESTING,
    OWN_CARDS,
    OTHER_CARDS,
    USED,
    DRAWN,
    PILE,
    DRAWS,
    REINFORCED,
    SCORED,
    HYENA,
    WARTHOG,
    ANNOUNCED,
    DECISION,
    TO_MOVE,
    TURN,
    SEAT,
    OPTIONS,
) = starts(OBSERVATION)

ACTION_BLOCKS = (
    Block("place", (KINDS, SPACES), "an animal on a space of the totem's line: `Gc3`"),
    Block("baboon", (KINDS, SPACES), "an animal in a neighbouring line: `baboon:Gc3`"),
    Block("hyena", (SPACES, SPACES), "one of its own animals from a space to a space: `hyena:c3-c5`"),
    Block("swap", (SPACES,), "the crocodile with the gazelle on a space: `~d3`"),
    Block("vulture", (SPACES,), "send a hidden animal home: `vulture:c3`"),
    Block("rhinoceros", (SPACES,), "send a visible animal home: `rhinoceros:c3`"),
    Block("boa", (SPACES,), "the opponent must place there: `boa:c3`"),
    Block("porcupine", (SPACES,), "the opponent may not place there: `porcupine:c3`"),
    Block("set_totem", (POSITIONS,), "the first player's only first decision: `T0`"),
    Block("move_totem", (POSITIONS,), "steps clockwise: `+2`"),
    Block("wildebeest", (POSITIONS,), "steps backwards: `-2`"),
    Block("keep", (len(CARDS),), "one of the Giraffe's three cards: `keep:boa`"),
    Block("draw", (len(CARDS),), "chance draws a card: `=boa`"),
    Block("others", (4,), "`hyena` (announces two placements), `warthog`, `giraffe`, `.` (stop)"),
)


@compiled
def observe(state: State, setup: Setup, seat: int, out: Floats) -> None:
    """Write what the seat sees. Spaces are numbered as in actions, for either seat."""
    out[:] = 0.0
    seat = wide(seat)
    other = 1 - seat
    for kind in range(KINDS):
        standing = wide(state.kinds[kind])
        mark(out, OWN_ANIMALS + kind * SPACES, standing & wide(state.own[seat]))
        mark(out, OTHER_ANIMALS + kind * SPACES, standing & wide(state.own[other]))
        out[OWN_HAND + kind] = state.hands[seat, kind] / MOST_TOKENS
        out[OTHER_HAND + kind] = state.hands[other, kind] / MOST_TOKENS
        out[RESTING + kind] = state.resting[kind] / MOST_TOKENS
    mark(out, HIDDEN, wide(state.hidden))
    for space in range(SPACES):
        out[TERRITORY + wide(setup.territory_of[space]) * SPACES + space] = 1.0
    if state.totem != NOWHERE:
        mark(out, LINE, totem_line(state, setup))
        out[TOTEM + wide(state.totem)] = 1.0
    mark(out, BOA, wide(state.boa))
    mark(out, PORCUPINE, wide(state.porcupine))
    mark(out, PLACED, wide(state.placed))
    mark(out, CROCODILE, wide(state.crocodile))
    mark(out, VISITED, wide(state.visited))
    mark(out, MOVED, wide(state.moved))
    mark(out, OWN_CARDS, wide(state.cards[seat]))
    mark(out, OTHER_CARDS, wide(state.cards[other]))
    mark(out, USED, wide(state.used))
    mark(out, DRAWN, wide(state.drawn))
    mark(out, PILE, wide(state.pile))
    out[DRAWS] = state.draws / GIRAFFE_DRAWS
    if state.reinforced != NOBODY:
        out[REINFORCED + (wide(state.reinforced) != seat)] = 1.0
    out[SCORED] = points(state, setup, seat) / MOST_POINTS
    out[SCORED + 1] = points(state, setup, other) / MOST_POINTS
    out[HYENA + wide(state.hyena)] = 1.0
    out[WARTHOG] = state.warthog != 0
    out[ANNOUNCED] = state.announced != 0
    mover = to_move(state)
    if mover != OVER:
        out[DECISION + wide(state.phase)] = 1.0
        out[TO_MOVE + (2 if mover < 0 else wide(mover != seat))] = 1.0
        out[TURN + (wide(state.seat) != seat)] = 1.0
    out[SEAT + seat] = 1.0
    out[OPTIONS] = setup.hidden_pile != 0
    out[OPTIONS + 1] = setup.rhinoceros_neighbour != 0
    out[OPTIONS + 2] = setup.hyena_places != 0


@compiled
def mark(out: Floats, first: int, members: int) -> None:
    """Write a 1 for each member of a set of spaces or cards."""
    while members:
        single = members & -members
        out[first + bit_index(single)] = 1.0
        members ^= single


def longest(setups: Structs) -> tuple[int, int]:
    """Return the most decisions and chance outcomes of a game.

    Lions arrive at most five times (two, one that returned home, two Hyena moves) and send four gazelles home each;
    cards send home two more animals: 52 placements fill the board. Each of these turns, and one under the Warthog, has
    a totem move and an end; crocodiles arrive at most seven times and swap with at most twelve gazelles; each of the
    ten cards is used once.
    """
    return 300, len(CARDS)


ENCODING = Encoding(
    version=1,
    observation=OBSERVATION,
    actions=ACTION_BLOCKS,
    chance=range(DRAW, DRAW + len(CARDS)),
    longest=longest,
    observe=observe,
)
assert ENCODING.action_count == ACTIONS
