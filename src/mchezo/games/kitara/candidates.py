"""Candidate actions for computer players of Kitara: only the useful groups out of all that can cross a border."""

from mchezo.core.compiled import kernel
from mchezo.core.structs import Actions, wide
from mchezo.games.kitara.legal import least_group, legal
from mchezo.games.kitara.structs import ANIMAL, CHOOSING_PAWNS, HERO, PAWNS, WARRIOR, Setup, State, group_of


@kernel
def candidates(state: State, setup: Setup, out: Actions) -> int:
    """Write the legal actions, but only groups of the smallest size, one pawn more, or almost all pawns.

    It can be useful to leave one pawn behind, or a warrior to feed a card and a master-animal to hold a ruin. Groups in
    between amount to the smaller move made twice, or leave pawns that guard nothing.
    """
    count = legal(state, setup, out)
    if state.phase != CHOOSING_PAWNS:
        return count
    standing = state.pawns[state.crossing[0]]
    most = least_group(state) + 1
    kept = 0
    for index in range(count):
        warriors, animals, heroes = group_of(wide(out[index]) - PAWNS)
        left = wide(standing[WARRIOR]) - warriors, wide(standing[ANIMAL]) - animals, wide(standing[HERO]) - heroes
        if warriors + animals + heroes <= most or sum(left) <= 1 or left == (1, 1, 0):
            out[kept] = out[index]
            kept += 1
    return kept
