"""Why one course of a game is better than another, in the words of Kiwara: territories, animals, cards, dangers."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mchezo.core.deeds import Value
from mchezo.core.reasons import Reason, counted, gaps
from mchezo.core.structs import Structs
from mchezo.games.kiwara.components import ANIMALS, CARDS, LETTERS, TERRITORIES
from mchezo.games.kiwara.evaluate import COUNT, FEATURES, territory_worths, weights
from mchezo.games.kiwara.view import territory_of

LEAST_POINTS = 2  # of a territory, to be spoken of
DANGER = {"danger": "zebras-near-lion|gazelles-near-lion|gazelles-chased"}


def why(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """What the better course has over the other."""
    worths = weights(setups[0])
    sign = 1 if seat == 0 else -1
    there, here = np.zeros(len(TERRITORIES)), np.zeros(len(TERRITORIES))
    territory_worths(best, setups, worths, there)
    territory_worths(played, setups, worths, here)
    for number, letter in enumerate(TERRITORIES):
        spaces = int(setups[0].territories[number])
        told = territory(territory_of(best[0], spaces), territory_of(played[0], spaces), seat)
        if told is not None and told[1] >= LEAST_POINTS:
            key, points = told
            given: dict[str, Value] = {"territory": letter, "points": points, "seat": seat, "other": 1 - seat}
            yield Reason(sign * float(there[number] - here[number]), key, given)
    yield from hands(best, played, setups, seat)
    for who, toward, key in ((seat, 1, "danger-own"), (1 - seat, -1, "danger-other")):
        for _, worth, _ in gaps(best, played, setups, who, FEATURES["kiwara"], worths, DANGER):
            yield Reason(toward * worth, key, {"seat": seat, "other": 1 - seat})


def territory(best: dict[str, Any], played: dict[str, Any], seat: int) -> tuple[str, int] | None:
    """What has become of a territory, and the points of it; None if nothing that can be told."""
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
    """Animals and cards that one course spends and the other keeps."""
    worths = weights(setups[0])
    names = [feature.name for feature in FEATURES["kiwara"]]
    for who, toward, side in ((seat, 1, "own"), (1 - seat, -1, "other")):
        more = counted(best, setups, who, COUNT) - counted(played, setups, who, COUNT)
        in_hand = [names.index(f"{animal.name}s-in-hand") for animal in ANIMALS]
        as_many = not more[in_hand].sum()  # else one course has only gone on for longer
        for index, letter in zip(in_hand if as_many else (), LETTERS, strict=False):
            given: dict[str, Value] = {"animal": letter, "seat": seat, "other": 1 - seat}
            yield Reason(toward * float(worths[index] * more[index]), f"animal-{side}", given)
        for card in CARDS:
            index = names.index(card)
            yield Reason(toward * float(worths[index] * more[index]), f"card-{side}", {"card": card, "other": 1 - seat})
