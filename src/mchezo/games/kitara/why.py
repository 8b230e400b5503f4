"""Why one course of a game is better than another, in the words of Kitara; worths are points."""

from collections.abc import Iterator

from mchezo.core.reasons import Reason, counted, gaps
from mchezo.core.structs import Structs
from mchezo.games.kitara.evaluate import IN_POINTS, weights

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
        if theme == "kingdom" and lost > 0:
            yield Reason(worth, "cards", {"seat": seat, "points": shown(worth), "count": lost})
        elif theme == "points":
            yield Reason(worth, theme, {"seat": seat, "points": abs(number)})
        else:
            yield Reason(worth, theme, {"seat": seat, "points": shown(worth), "count": abs(number)})
    for other in range(int(setups[0].players)):
        if other != seat:
            more = counted(played, setups, other, len(IN_POINTS)) - counted(best, setups, other, len(IN_POINTS))
            worth = float((more * worths).sum())
            yield Reason(worth, "other", {"other": other, "points": shown(worth)})


def shown(points: float) -> float:
    """Points as a person reads them."""
    return round(abs(points), 1)
