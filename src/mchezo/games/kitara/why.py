"""Why one line of play is better than another in Kitara, in points."""

from collections.abc import Iterator

from mchezo.core.reasons import Line, Reason, feature_values, gaps
from mchezo.core.structs import Structs
from mchezo.games.kitara.evaluate import IN_POINTS, weights

LEAST = 1.5  # points that deserve a sentence, unless they are scored at once
# Patterns of feature names by theme.
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


def why(better: Line, worse: Line, setups: Structs, seat: int) -> Iterator[Reason]:
    """Yield the advantages of the better line at the end of the turn: more for the seat, or less for another one."""
    learned, best, played = weights(setups[0]), better.turns[0], worse.turns[0]
    lost = int(best[0].kingdom_count[seat]) - int(played[0].kingdom_count[seat])
    for theme, value, number in gaps(best, played, setups, seat, IN_POINTS, learned, THEMES):
        if theme == "points" and number > 0:
            yield Reason(value, "point" if number == 1 else theme, {"seat": seat, "points": number})
        elif value >= LEAST:
            key = theme if theme != "kingdom" or lost <= 0 else "card" if lost == 1 else "cards"
            count = lost if key == "cards" else abs(number)
            yield Reason(value, key, {"seat": seat, "points": round(value), "count": count})
    for other in range(int(setups[0].players)):
        if other != seat:
            here, there = (feature_values(states, setups, other, len(IN_POINTS)) for states in (best, played))
            value = sum(
                (after - before) * weight for after, before, weight in zip(there, here, learned.tolist(), strict=True)
            )
            if value >= LEAST:
                yield Reason(value, "other", {"other": other, "points": round(value)})
