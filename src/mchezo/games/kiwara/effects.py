"""What an action of Kiwara did, a preview of its consequences, and where the points came from."""

from collections.abc import Iterator, Mapping
from typing import Any

from mchezo.core.effects import Effect, ScoreLine
from mchezo.core.structs import plain
from mchezo.games.kiwara import legal, rules, structs
from mchezo.games.kiwara.components import LETTERS, OKAPI_POINTS, PATH, SIZES, SPACES, TERRITORIES, neighbours
from mchezo.games.kiwara.notation import invalid, names_of, tokens_of
from mchezo.games.kiwara.view import territory_of


def effects(action: int, before: Any, after: Any, setup: Any, seen: bool) -> Iterator[Effect]:
    """Yield what an action did, in order: the card, the action itself, animals that hid or fled, cards gained."""
    before, after, setup = plain(before), plain(after), plain(setup)
    seat = before.seat
    for card in names_of(int(structs.CARD_OF[action]) & int(before.cards[seat])):
        yield Effect("card-used", {"seat": seat, "card": card})
    moved: dict[int, int] = {}  # target -> start of an animal that moved within the board
    if action < structs.USE_HYENA:
        animal, space = divmod(action - (structs.USE_BABOON if action >= structs.USE_BABOON else 0), structs.SPACES)
        yield Effect("placed", {"seat": seat, "animal": LETTERS[animal], "space": SPACES[space]})
    elif action < structs.SWAP:
        start, target = divmod(int(action - structs.USE_HYENA), structs.SPACES)
        moved[target] = start
        letter = LETTERS[rules.animal_on(before.struct, 1 << start)]
        yield Effect("animal-moved", {"seat": seat, "animal": letter, "from": SPACES[start], "to": SPACES[target]})
    elif action < structs.USE_VULTURE:
        crocodile = SPACES[int(before.crocodile).bit_length() - 1]
        yield Effect("swapped", {"seat": seat, "from": crocodile, "to": SPACES[action - structs.SWAP]})
    elif structs.USE_BOA <= action < structs.SET_TOTEM:
        card = names_of(int(structs.CARD_OF[action]))[0]
        where = SPACES[(action - structs.USE_BOA) % structs.SPACES]
        yield Effect("announced", {"seat": seat, "card": card, "space": where})
    elif action == structs.USE_WARTHOG:
        yield Effect("placing-barred", {"seat": 1 - seat})
    elif structs.SET_TOTEM <= action < structs.MOVE_TOTEM:
        yield Effect("totem-set", {"seat": seat, "to": int(after.totem), "line": PATH[after.totem]})
    elif structs.MOVE_TOTEM <= action < structs.KEEP:
        steps = action - structs.MOVE_TOTEM
        if action >= structs.USE_WILDEBEEST:
            steps = structs.USE_WILDEBEEST - action
        ends = {"from": int(before.totem), "to": int(after.totem)}
        yield Effect("totem-moved", {"seat": seat, **ends, "line": PATH[after.totem], "steps": int(steps)})
    elif structs.KEEP <= action < structs.DRAW:
        yield Effect("card-kept", {"seat": seat, "card": names_of(1 << int(action - structs.KEEP))[0]})
    elif structs.DRAW <= action < structs.ANNOUNCE_HYENA:
        gained = before.draw_cause != structs.FOR_GIRAFFE
        card = names_of(1 << int(action - structs.DRAW))[0]
        yield Effect("card-gained" if gained else "card-drawn", {"seat": seat, "card": card})
    elif action == structs.STOP:
        yield Effect("stopped", {"seat": seat})
    yield from side_effects(before, after, moved)
    if after.reinforced != before.reinforced:
        empty = int(structs.empty(after.struct))
        full = next(
            letter for letter, spaces in zip(TERRITORIES, setup.territories, strict=True) if not int(spaces) & empty
        )
        yield Effect("filled", {"seat": seat, "territory": full})
        if not setup.hidden_pile:
            yield Effect("card-gained", {"seat": seat, "card": "okapi"})


def side_effects(before: Any, after: Any, moved: Mapping[int, int]) -> Iterator[Effect]:
    """Yield the animals that hid and those that went home."""
    old, new = tokens_of(before), tokens_of(after)
    changed = [space for space in range(structs.SPACES) if new[space] is not old[space]]
    for space in changed:
        token, before_move = new[space], old[moved.get(space, space)]
        if token and token.hidden and not (before_move and before_move.hidden):
            yield Effect("hid", {"seat": token.seat, "animal": LETTERS[token.animal], "space": SPACES[space]})
    for space in changed:
        token = old[space]
        if token and new[space] is None and space not in moved.values():
            yield Effect("went-home", {"seat": token.seat, "animal": LETTERS[token.animal], "space": SPACES[space]})


def preview(action: int, before: Any, after: Any, setup: Any) -> dict[str, Any]:
    """Return the score and the territories after an action, and the gazelles that the crocodile could swap with."""
    chased = int(legal.swaps(after, setup)) if after.phase == structs.SWAPPING else 0
    scores, fields = int(rules.both_points(after, setup)), plain(after)
    territories = {
        letter: territory_of(fields, int(spaces)) for letter, spaces in zip(TERRITORIES, setup.territories, strict=True)
    }
    return {
        "scores": [scores & (1 << rules.SCORE_BITS) - 1, scores >> rules.SCORE_BITS],
        "leaders": {letter: territory["leader"] for letter, territory in territories.items()},
        "points": {letter: territory["points"] for letter, territory in territories.items()},
        "next": [space for number, space in enumerate(SPACES) if chased >> number & 1],
    }


def score_lines(state: Any, setup: Any) -> Iterator[ScoreLine]:
    """Yield the points of the territories, then of the Okapi."""
    state = plain(state)
    for letter, spaces in zip(TERRITORIES, setup.territories, strict=True):
        territory = territory_of(state, int(spaces))
        if territory["leader"] is not None:
            yield ScoreLine(territory["leader"], "territory", {"territory": letter}, territory["points"])
    for seat in range(2):
        if int(state.cards[seat]) & int(structs.OKAPI):
            yield ScoreLine(seat, "okapi", {}, OKAPI_POINTS)


def sketch(drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Return the regions that the drawn rivers separate, which of them fit, and the board once all do."""
    rivers = {read_edge(river) for river in drawn.get("rivers") or ()}
    regions: list[set[int]] = []
    for space in range(len(SPACES)):
        if not any(space in region for region in regions):
            regions.append(region_of(space, rivers))
    region_at = {space: number for number, region in enumerate(regions) for space in region}
    loose = [f"{SPACES[first]}-{SPACES[second]}" for first, second in rivers if region_at[first] == region_at[second]]
    fits = [len(region) in SIZES for region in regions]
    complete = all(fits) and len(regions) == len(TERRITORIES) and not loose
    board = None
    if complete:
        letters = "".join(TERRITORIES[region_at[space]] for space in range(len(SPACES)))
        board = "/".join(letters[at : at + 6] for at in range(0, len(letters), 6))
    return {
        "complete": complete,
        "board": board,
        "regions": [
            {"spaces": [SPACES[space] for space in sorted(region)], "fits": fit}
            for region, fit in zip(regions, fits, strict=True)
        ],
        "loose": sorted(loose),
    }


def read_edge(text: str) -> tuple[int, int]:
    """Parse the edge between two neighbouring spaces, `a1-b1`."""
    first, _, second = text.partition("-")
    if first in SPACES and second in SPACES and SPACES.index(second) in neighbours(SPACES.index(first)):
        low, high = sorted((SPACES.index(first), SPACES.index(second)))
        return low, high
    raise invalid("board", "board-edge", given=text)


def region_of(start: int, rivers: set[tuple[int, int]]) -> set[int]:
    """Return the spaces that can be reached without crossing a river."""
    reached, new = {start}, [start]
    for space in new:  # grows during the loop
        for beside in neighbours(space):
            if beside not in reached and (min(space, beside), max(space, beside)) not in rivers:
                reached.add(beside)
                new.append(beside)
    return reached
