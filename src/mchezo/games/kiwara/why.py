"""Why one line of play is better than another in Kiwara: territories, animals, cards and threats."""

from collections.abc import Iterator
from typing import Any

from mchezo.core import arrays
from mchezo.core.effects import Value
from mchezo.core.reasons import Reason, feature_values, gaps
from mchezo.core.structs import Structs
from mchezo.games.kiwara.components import ANIMALS, CARDS, LETTERS, TERRITORIES
from mchezo.games.kiwara.evaluate import COUNT, FEATURES, territory_values, weights
from mchezo.games.kiwara.view import territory_of

LEAST_POINTS = 2  # of a territory, to be mentioned
DANGER = {"danger": "zebras-near-lion|gazelles-near-lion|gazelles-chased"}


def why(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the advantages of the better line."""
    learned = weights(setups[0])
    sign = 1 if seat == 0 else -1
    there, here = arrays.zeros(len(TERRITORIES)), arrays.zeros(len(TERRITORIES))
    territory_values(best, setups, learned, there)
    territory_values(played, setups, learned, here)
    for number, letter in enumerate(TERRITORIES):
        spaces = int(setups[0].territories[number])
        change = territory_change(territory_of(best[0], spaces), territory_of(played[0], spaces), seat)
        if change is not None and change[1] >= LEAST_POINTS:
            key, points = change
            given: dict[str, Value] = {"territory": letter, "points": points, "seat": seat, "other": 1 - seat}
            yield Reason(sign * float(there[number] - here[number]), key, given)
    yield from hands(best, played, setups, seat)
    for side, sign, key in ((seat, 1, "danger-own"), (1 - seat, -1, "danger-other")):
        for _, value, _ in gaps(best, played, setups, side, FEATURES["kiwara"], learned, DANGER):
            yield Reason(sign * value, key, {"seat": seat, "other": 1 - seat})


def territory_change(best: dict[str, Any], played: dict[str, Any], seat: int) -> tuple[str, int] | None:
    """Return the key for what changed in a territory and its points; None if nothing notable did."""
    before, after = best["leader"], played["leader"]
    if after == before:
        points = abs(best["points"] - played["points"])
        if before is None or not points:
            return None
        return ("territory-poorer" if before == seat else "territory-richer"), points
    if before == seat:
        return ("territory-given" if after is not None else "territory-not-won"), max(best["points"], played["points"])
    if after is not None and after != seat:
        return "territory-left", played["points"]
    return None


def hands(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the animals and cards that one line spends and the other keeps."""
    learned = weights(setups[0])
    names = [feature.name for feature in FEATURES["kiwara"]]
    for holder, sign, side in ((seat, 1, "own"), (1 - seat, -1, "other")):
        here, there = (feature_values(states, setups, holder, COUNT) for states in (played, best))
        more = [after - before for after, before in zip(there, here, strict=True)]
        in_hand = [names.index(f"{animal.name}s-in-hand") for animal in ANIMALS]
        as_many = not sum(more[index] for index in in_hand)  # otherwise one line is merely longer
        for index, letter in zip(in_hand if as_many else (), LETTERS, strict=False):
            given: dict[str, Value] = {"animal": letter, "seat": seat, "other": 1 - seat}
            yield Reason(sign * float(learned[index] * more[index]), f"animal-{side}", given)
        for card in CARDS:
            index = names.index(card)
            yield Reason(sign * float(learned[index] * more[index]), f"card-{side}", {"card": card, "other": 1 - seat})
