"""Why one line of play is better than another in Kiwara: territories, animals and cards.

What the first turn leaves on the board is compared, what the reply makes of it and, where both lines end the game, the
final score. A reason says which: `when` is missing, "next" or "end".
"""

from collections.abc import Iterator
from typing import Any

from mchezo.core import arrays
from mchezo.core.effects import Value
from mchezo.core.reasons import Line, Reason, feature_values
from mchezo.core.structs import Structs
from mchezo.games.kiwara.components import ANIMALS, CARDS, LETTERS, TERRITORIES
from mchezo.games.kiwara.evaluate import COUNT, FEATURES, POINT_WEIGHT, SHARPNESS, territory_values, weights
from mchezo.games.kiwara.structs import empty
from mchezo.games.kiwara.view import territory_of

LEAST_POINTS = 4  # more or less in a territory whose leader is the same
FEATURE_NAMES = [feature.name for feature in FEATURES["kiwara"]]


def why(better: Line, worse: Line, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the advantages of the better line."""
    if better.over and worse.over:
        for reason in territories(better.end, worse.end, better.before, setups, seat):
            yield reason._replace(arguments={**reason.arguments, "when": "end"})
        return
    yield from hand(better, worse, setups, seat)
    now = list(territories(better.turns[0], worse.turns[0], better.before, setups, seat))
    if len(better.turns) == 1 or len(worse.turns) == 1:
        yield from now
        return
    replies = better.turns[1], worse.turns[1]
    yield from frightened(better, worse, seat)
    yield from gained_cards(*replies, setups, seat)
    # What can be seen at once is told, if it lasts beyond the reply.
    seen = {reason.arguments["territory"]: reason for reason in now if reason.value > 0}
    for reason in territories(*replies, better.before, setups, seat):
        already = seen.get(reason.arguments["territory"])
        yield already or reason._replace(arguments={**reason.arguments, "when": "next"})


def territories(best: Structs, played: Structs, before: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the territories that are better for a seat in one position than in another."""
    learned = weights(setups[0])
    sign = 1 if seat == 0 else -1
    there, here = arrays.zeros(len(TERRITORIES)), arrays.zeros(len(TERRITORIES))
    territory_values(best, setups, learned, there)
    territory_values(played, setups, learned, here)
    for number, letter in enumerate(TERRITORIES):
        spaces = int(setups[0].territories[number])
        old, wanted, got = (territory_of(states[0], spaces) for states in (before, best, played))
        change = territory_change(old["leader"], wanted, got, seat)
        if change is not None:
            key, points = change
            given: dict[str, Value] = {"territory": letter, "points": points, "seat": seat, "other": 1 - seat}
            yield Reason(sign * float(there[number] - here[number]), key, given)


def territory_change(
    before: int | None, best: dict[str, Any], played: dict[str, Any], seat: int
) -> tuple[str, int] | None:
    """Return the key for what is worse in a territory, and the points it is about; None if nothing is."""
    wanted, got = best["leader"], played["leader"]
    other = 1 - seat
    if wanted == got:
        more = best["points"] - played["points"]
        if wanted == seat and more >= LEAST_POINTS:
            return "territory-poorer", more
        return ("territory-richer", -more) if wanted == other and -more >= LEAST_POINTS else None
    if got == other:
        return ("territory-kept" if before == other else "territory-taken"), played["points"]
    if wanted == seat:
        return ("territory-lost" if before == seat else "territory-missed"), best["points"]
    return None


def hand(better: Line, worse: Line, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the animal that the first turn spends although another one would do, and the cards it spends or misses."""
    learned, best, played = weights(setups[0]), better.turns[0], worse.turns[0]
    held = feature_values(better.before, setups, seat, COUNT)
    more = more_of(best, played, setups, seat)
    animals = {animal.letter: FEATURE_NAMES.index(f"{animal.name}s-in-hand") for animal in ANIMALS}
    spent = [letter for letter in LETTERS if more[animals[letter]] > 0]
    kept = [letter for letter in LETTERS if more[animals[letter]] < 0]
    if len(spent) == len(kept) == 1:
        value = sum(float(learned[animals[letter]] * more[animals[letter]]) for letter in (*spent, *kept))
        yield Reason(value, "animal-own", {"animal": spent[0], "seat": seat, "other": 1 - seat})
    for card in CARDS:
        index = FEATURE_NAMES.index(card)
        if more[index] > 0:
            key = "card-own" if held[index] else "card-missed"
            yield Reason(float(learned[index] * more[index]), key, {"card": card, "seat": seat, "other": 1 - seat})


def gained_cards(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the cards that the other side gets with its reply to one turn but not to the other."""
    learned = weights(setups[0])
    more = more_of(played, best, setups, 1 - seat)
    for card in CARDS:
        index = FEATURE_NAMES.index(card)
        if more[index] > 0:
            yield Reason(float(learned[index] * more[index]), "card-other", {"card": card, "other": 1 - seat})


def more_of(one: Structs, another: Structs, setups: Structs, seat: int) -> list[float]:
    """Return by how much the features of a seat are larger in one position than in another."""
    first, second = (feature_values(states, setups, seat, COUNT) for states in (one, another))
    return [more - less for more, less in zip(first, second, strict=True)]


def frightened(better: Line, worse: Line, seat: int) -> Iterator[Reason]:
    """Yield the animals that the reply to one turn hides, or sends home, and the reply to the other does not."""
    lost = [points_out_of_sight(line.turns[0], line.turns[1], seat) for line in (better, worse)]
    points = lost[1] - lost[0]
    if points > 0:
        free = int(empty(worse.turns[1][0])).bit_count()
        yield Reason(points * POINT_WEIGHT * float(SHARPNESS[free]), "danger-own", {"seat": seat, "other": 1 - seat})


def points_out_of_sight(before: Structs, after: Structs, seat: int) -> int:
    """Return the points of a seat's animals that were seen on the board before and are not any more."""

    def count(states: Structs, number: int) -> int:
        seen = int(states[0].own[seat]) & ~int(states[0].hidden)
        return (seen & int(states[0].kinds[number])).bit_count()

    return sum(
        animal.value * max(0, count(before, number) - count(after, number)) for number, animal in enumerate(ANIMALS)
    )
