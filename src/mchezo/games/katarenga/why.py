"""Why one line of play is better than another, in terms of Katarenga and its variants."""

from collections.abc import Iterator

from mchezo.core.reasons import Reason, gaps
from mchezo.core.structs import Structs
from mchezo.games.katarenga.evaluate import FEATURES, weights
from mchezo.games.katarenga.structs import VARIANTS

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
        "race": "(needs|needs-last|away)-.*",
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


def why(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the advantages of the better line: more for the seat, or less for its opponent."""
    kind = VARIANTS[setups[0].variant]
    given = FEATURES[kind], weights(setups[0]), THEMES[kind]
    for own, other in zip(
        gaps(best, played, setups, seat, *given), gaps(best, played, setups, 1 - seat, *given), strict=True
    ):
        if own.theme == "pawns":  # an exchange costs both sides, so only the difference counts
            net = own.number - other.number
            if net > 0:
                yield Reason(own.value - other.value, "pawn" if net == 1 else "pawns", {"seat": seat, "count": net})
            continue
        yield Reason(own.value, f"{own.theme}-own", {"seat": seat, "count": abs(own.number)})
        yield Reason(-other.value, f"{other.theme}-other", {"other": 1 - seat, "count": abs(other.number)})
