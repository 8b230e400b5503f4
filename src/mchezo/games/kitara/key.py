"""The key of a position of Kitara."""

from mchezo.core.compiled import compiled
from mchezo.core.structs import Bytes, bits, wide
from mchezo.core.zobrist import mix
from mchezo.games.kitara.structs import ANIMAL, FREE, HERO, SEATS, SPACES, WARRIOR, State

FIRST = bits(0x9E3779B97F4A7C15)


@compiled
def key(state: State) -> int:
    """Return the key of everything that affects the rest of the game; the order of cards in kingdoms does not."""
    word = mix(FIRST, (wide(state.phase) << 16) + (wide(state.seat) << 8) + wide(state.round_number))
    word = mix(word, (wide(state.last_round) << 16) + (wide(state.moves_left) << 8) + wide(state.capacity))
    for space in range(SPACES):
        if state.owner[space] != FREE:
            pawns = state.pawns[space]
            word = mix(word, (space << 20) + (wide(state.owner[space]) << 16) + pack_kinds(pawns))
    word = mix(word, (pack_kinds(state.pending) << 16) + pack_kinds(state.fleeing))
    crossing = ((wide(state.crossing[0]) + 1) << 16) + ((wide(state.crossing[1]) + 1) << 8)
    word = mix(word, crossing + state.retreating + 1)
    for place in range(wide(state.row_count)):
        word = mix(word, wide(state.row[place]) + 1)
    word = mix(word, state.unseen)
    for seat in range(SEATS):
        held = bits(0)
        for place in range(wide(state.kingdom_count[seat])):
            held |= bits(1) << bits(state.kingdoms[seat, place])
        word = mix(word, held)
        word = mix(word, (wide(state.points[seat]) << 32) + pack_values(state.kept[seat]))
    return mix(word, (pack_values(state.bag) << 32) + pack_values(state.drawn))


@compiled
def pack_kinds(pawns: Bytes) -> int:
    """Return the counts of warriors, master-animals and heroes as one number below 2**16."""
    return (wide(pawns[WARRIOR]) << 8) + (wide(pawns[ANIMAL]) << 4) + wide(pawns[HERO])


@compiled
def pack_values(tokens: Bytes) -> int:
    """Return the counts of tokens of each value as one number below 2**24."""
    return (wide(tokens[0]) << 18) + (wide(tokens[1]) << 12) + (wide(tokens[2]) << 6) + wide(tokens[3])
