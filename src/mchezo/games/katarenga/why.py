"""Why one course of a game is better than another, in the words of Katarenga, Congress, Quebec and Isolation."""

from collections.abc import Iterator

from mchezo.core.reasons import Reason, gaps
from mchezo.core.structs import Structs
from mchezo.games.katarenga.evaluate import FEATURES, weights
from mchezo.games.katarenga.structs import (
    VARIANTS,
)

COLOUR = "(red|green|blue|yellow)"
GATHERING = {
    "together": "group-.*|groups-.*|joining-.*|spread",
    "pawns": r"pawns-\d",
    "danger": "(loose|exchange)-.*",
    "freedom": "mobility",
    "squares": COLOUR,
}
# Features by what they speak of.
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
}


def why(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """What the better course has over the other: more for the seat, or less for the other side."""
    kind = VARIANTS[setups[0].variant]
    given = FEATURES[kind], weights(setups[0]), THEMES[kind]
    for own, other in zip(
        gaps(best, played, setups, seat, *given), gaps(best, played, setups, 1 - seat, *given), strict=True
    ):
        if own.theme == "pawns":  # an exchange costs both sides: what counts is the difference
            net = own.number - other.number
            if net > 0:
                yield Reason(own.worth - other.worth, "pawn" if net == 1 else "pawns", {"seat": seat, "count": net})
            continue
        yield Reason(own.worth, f"{own.theme}-own", {"seat": seat, "count": abs(own.number)})
        yield Reason(-other.worth, f"{other.theme}-other", {"other": 1 - seat, "count": abs(other.number)})
