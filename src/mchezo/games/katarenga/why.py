"""Why one line of play is better than another, in terms of Katarenga and its variants."""

from collections.abc import Iterator, Mapping, Sequence

from mchezo.core.features import Feature
from mchezo.core.reasons import Line, Reason, gaps
from mchezo.core.structs import Numbers, Structs
from mchezo.games.katarenga.evaluate import FEATURES, weights
from mchezo.games.katarenga.structs import CHOOSING_BASELINE, VARIANTS, first_camp

Given = tuple[Sequence[Feature], Numbers, Mapping[str, str]]  # features, weights, patterns by theme
SIDE = 1e4  # the only reason there is
SOON = 4  # turns: what happens later is not what the move is about

COLOUR = "(red|green|blue|yellow)"
GATHERING = {
    "together": "group-.*|groups-.*|joining-.*|spread",
    "pawns": r"pawns-\d",
    "danger": "(loose|exchange)-.*",
    "freedom": "mobility",
    "squares": COLOUR,
}
CHANGING_PLACES = {"goal": "filled|away|unfilled", "freedom": "mobility"}
# Patterns of feature names by theme.
THEMES = {
    "katarenga": {
        "pawns": r"pawns-\d",
        "race": "(needs|needs-last)-.*",
        "entry": "(landings|entries)-.*",
        "danger": "(loose|exchange)-.*",
        "freedom": "mobility",
        "guard": "guarded",
        "squares": rf"{COLOUR}-\d",
    },
    "congress": GATHERING,
    "quebec": GATHERING,
    "isolation": {"room": r"to-move-\d+|own|open"},
    "isolation-alone": {"room": "open"},
    "troika": {"lines": "threats|win-now"},
    "battle-stations": {"pawns": "pawns", "danger": "loose|defended", "targets": "targets-.*"},
    "cornered": {"room": "answers"},
    "quartermaster": {"room": "answers"},
    "central-park": {"pawns": "pawns", "goal": "parked|away", "danger": "loose", "freedom": "mobility"},
    "colorado": {"goal": "home|away", "danger": "loose", "freedom": "mobility"},
    "north-west-passage": CHANGING_PLACES,
    "greengage": CHANGING_PLACES,
    "chameleon": CHANGING_PLACES,
}


def why(better: Line, worse: Line, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the advantages of the better line: what it wins, and what the first move leaves on the board."""
    if is_choice_of_side(better):
        yield Reason(SIDE, "side", {"seat": seat, "other": 1 - seat})
        return
    kind = VARIANTS[setups[0].variant]
    given: Given = FEATURES[kind], weights(setups[0]), THEMES[kind]
    yield from captures(better, worse, setups, seat, given)
    if kind == "katarenga":
        yield from camps(better, worse, setups, seat, given)
    sides = (gaps(better.turns[0], worse.turns[0], setups, side, *given) for side in (seat, 1 - seat))
    for own, other in zip(*sides, strict=True):
        # Moves to go are counted, so fewer are better: a seat is only said to stay behind if it is.
        if own.theme != "pawns" and (own.theme != "race" or own.number < 0):
            yield Reason(own.value, f"{own.theme}-own", {"seat": seat, "count": abs(own.number)})
        if other.theme not in ("pawns", "race"):
            yield Reason(-other.value, f"{other.theme}-other", {"other": 1 - seat, "count": abs(other.number)})


def is_choice_of_side(line: Line) -> bool:
    """Return whether the decision is about the board, before anything moves."""
    return bool(line.before[0].phase == CHOOSING_BASELINE)


def captures(better: Line, worse: Line, setups: Structs, seat: int, given: Given) -> Iterator[Reason]:
    """Yield the pawns that one line loses, or the other one wins; exchanges cancel out."""

    def lead(states: Structs) -> int:
        return int(states[0].pawns[seat]) - int(states[0].pawns[1 - seat])

    count = lead(better.end) - lead(worse.end)
    if count <= 0 or "pawns" not in given[2]:
        return
    pawns = {"pawns": given[2]["pawns"]}
    (own,) = gaps(better.end, worse.end, setups, seat, *given[:2], pawns)
    (other,) = gaps(better.end, worse.end, setups, 1 - seat, *given[:2], pawns)
    lost = min(count, lead(worse.before) - lead(worse.end))
    key, number = ("pawn", lost) if lost > 0 else ("won-pawn", count)
    yield Reason(
        own.value - other.value,
        key if number == 1 else f"{key}s",
        {"seat": seat, "other": 1 - seat, "count": number},
    )


def camps(better: Line, worse: Line, setups: Structs, seat: int, given: Given) -> Iterator[Reason]:
    """Yield the camps that a side enters in one line and not, within as many turns, in the other: at once, or soon."""
    for turns in {1, min(SOON, len(better.turns), len(worse.turns))}:
        ends = better.turns[turns - 1], worse.turns[turns - 1]
        for side, key, sign in ((seat, "camp-own", 1), (1 - seat, "camp-other", -1)):
            there, here = (in_camps(states, side) for states in ends)
            (gap,) = gaps(*ends, setups, side, *given[:2], {"race": given[2]["race"]})
            if sign * (there - here) > 0:
                yield Reason(sign * gap.value, key, {"seat": seat, "other": 1 - seat})


def in_camps(states: Structs, seat: int) -> int:
    """Return how many enemy camps a seat has entered."""
    first = first_camp(seat)
    return sum(bool(states[0].cells[camp]) for camp in (first, first + 1))
