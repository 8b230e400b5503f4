"""What a player of Kitara need look at: of all the parts of a group that can cross a border only the useful ones."""

from mchezo.core import verbs
from mchezo.core.compiled import compiled
from mchezo.core.structs import Actions, wide
from mchezo.games.kitara.choices import least_group, legal
from mchezo.games.kitara.structs import ANIMAL, CHOOSE_PAWNS, HERO, PAWNS, STATE, WARRIOR, Setup, State


@compiled
def sensible(state: State, setup: Setup, out: Actions) -> int:
    """All legal actions, but of the parts of a group only the smallest, with one pawn to spare, and the largest.

    Whoever leaves pawns behind leaves one, or a warrior to feed a card and a master-animal to hold a ruin: what is in
    between is the smaller move done twice, or guards nothing.
    """
    count = legal(state, setup, out)
    if state.step != CHOOSE_PAWNS:
        return count
    standing = state.pawns[state.crossing[0]]
    most = least_group(state) + 1
    kept = 0
    for index in range(count):
        group = wide(out[index]) - PAWNS
        warriors, animals, heroes = group // 24, group // 4 % 6, group % 4
        left = wide(standing[WARRIOR]) - warriors, wide(standing[ANIMAL]) - animals, wide(standing[HERO]) - heroes
        if warriors + animals + heroes <= most or sum(left) <= 1 or left == (1, 1, 0):
            out[kept] = out[index]
            kept += 1
    return kept


verbs.enter(STATE, sensible=sensible)
