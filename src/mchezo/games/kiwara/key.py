"""The Zobrist key of a position of Kiwara."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import wide
from mchezo.core.zobrist import xor_members, zobrist_words
from mchezo.games.kiwara.structs import FOR_REINFORCEMENT, KINDS, State

# The parts of the state, each with a word for every bit.
TURN, CARDS, RESTING, OWN = range(4)  # OWN + seat
KIND = OWN + 2  # + animal
HIDDEN, BOA, PORCUPINE, PLACED, MOVED, CROCODILE, VISITED = range(KIND + KINDS, KIND + KINDS + 7)
MOST_BITS = 36
WORDS = zobrist_words((VISITED + 1) * MOST_BITS).reshape(VISITED + 1, MOST_BITS)


@compiled
def key(state: State) -> int:
    """Return the key of everything but hands and pile, which follow from the rest."""
    turn = (wide(state.totem) + 1) | wide(state.seat) << 5 | wide(state.phase) << 6 | wide(state.resume) << 10
    # A reinforcement resumes no phase, so it takes one of the bits of `resume`.
    turn |= wide(state.draw_cause == FOR_REINFORCEMENT) << 11
    turn |= wide(state.draws) << 14 | wide(state.hyena) << 16 | wide(state.warthog) << 19
    turn |= wide(state.announced) << 20 | wide(state.filled) << 21 | (wide(state.reinforced) + 1) << 22
    cards = wide(state.cards[0]) | wide(state.cards[1]) << 10 | wide(state.used) << 20
    resting = wide(state.drawn)
    for animal in range(KINDS):
        resting |= wide(state.resting[animal]) << (10 + 3 * animal)

    word = xor_members(turn, WORDS[TURN]) ^ xor_members(cards, WORDS[CARDS]) ^ xor_members(resting, WORDS[RESTING])
    for seat in range(2):
        word ^= xor_members(wide(state.own[seat]), WORDS[OWN + seat])
    for animal in range(KINDS):
        word ^= xor_members(wide(state.kinds[animal]), WORDS[KIND + animal])
    word ^= xor_members(wide(state.hidden), WORDS[HIDDEN])
    word ^= xor_members(wide(state.boa), WORDS[BOA]) ^ xor_members(wide(state.porcupine), WORDS[PORCUPINE])
    word ^= xor_members(wide(state.placed), WORDS[PLACED]) ^ xor_members(wide(state.moved), WORDS[MOVED])
    word ^= xor_members(wide(state.crocodile), WORDS[CROCODILE]) ^ xor_members(wide(state.visited), WORDS[VISITED])
    return word
