"""Why one course of a game is better than another, in the words of Kitara; worths are points."""

from collections.abc import Iterator

from mchezo.core.reasons import Reason, counted, gaps
from mchezo.core.structs import Structs
from mchezo.games.kitara.evaluate import IN_POINTS, weights

LEAST = 1.5  # points that are worth a sentence, unless they are scored at once
# Features by what they speak of.
THEMES = {
    "points": "points",
    "kingdom": "cards|prosperity|draft|moves",
    "unfed": "unfed",
    "reserve": "reserve|later-reserve|shaken-savannas",
    "ruins": "ruins|shaken-ruins|idle|way",
    "warriors": "warriors|later-warriors",
    "animals": "animals|later-animals",
    "heroes": "heroes|later-heroes|raid|later-raid",
    "spaces": "spaces|later-spaces|prey|stack",
}


def why(best: Structs, played: Structs, setups: Structs, seat: int) -> Iterator[Reason]:
    """What the better course has over the other: more for the seat, or less for somebody else."""
    worths = weights(setups[0])
    lost = int(best[0].kingdom_count[seat]) - int(played[0].kingdom_count[seat])
    for theme, worth, number in gaps(best, played, setups, seat, IN_POINTS, worths, THEMES):
        if theme == "points" and number > 0:
            yield Reason(worth, "point" if number == 1 else theme, {"seat": seat, "points": number})
        elif worth >= LEAST:
            key = "cards" if theme == "kingdom" and lost > 0 else theme
            count = lost if key == "cards" else abs(number)
            yield Reason(worth, key, {"seat": seat, "points": round(worth), "count": count})
    for other in range(int(setups[0].players)):
        if other != seat:
            more = counted(played, setups, other, len(IN_POINTS)) - counted(best, setups, other, len(IN_POINTS))
            worth = float((more * worths).sum())
            if worth >= LEAST:
                yield Reason(worth, "other", {"other": other, "points": round(worth)})
