"""Pairing: the kinds of games to choose from, the groups that play together, and their seats.

Pure functions: random numbers for ties are passed in, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple, cast

from mchezo.core import registry
from mchezo.core.errors import InvalidSetup
from mchezo.ratings.glicko import POINT, Rating
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.context import Context, Identity, clean_name
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.rated import speed_of
from mchezo.server.errors import TableError
from mchezo.server.messages import ClockRules

CLOCKS = {
    "blitz": ClockRules(5 * 60_000, 3_000),
    "rapid": ClockRules(15 * 60_000, 10_000),
    "unlimited": None,
    "correspondence": None,
}
DAYS: messages.Days = 3  # for every turn of a correspondence game after a challenge
WINDOW = 200  # points by which ratings may surely differ at first
WIDER = 20  # points more for every second
ANYBODY = 30_000  # milliseconds after which it does not matter
RECENT = 20  # games that count for fair seats
BALANCED = "balanced"  # a board that favours nobody, where a game has such boards


class Kind(NamedTuple):
    """A kind of game that can be paired."""

    game: str
    options: Mapping[str, Any]
    players: int
    highest_level: int  # of computers with which a game can be rated; 0: none


@cache
def kinds() -> dict[str, Kind]:
    """Return all kinds of games, by the names that the pools of ratings have."""
    found = {}
    for game in map(registry.find, registry.names()):
        rated = game.rated
        if rated is None:
            continue
        asked = [{}, *({name: value} for name, values in rated.choices.items() for value in values)]
        for kind, level in rated.kinds.items():
            options = game.setup.fair(next(one for one in asked if rated.kind(one) == kind))
            if BALANCED in rated.choices.get("board", ()):
                options = balanced(game.name, options)
            players = len(game.start(seed=1, **options).seats)
            found[kind] = Kind(game.name, options, players, level)
    return found


def balanced(game: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with a board that favours nobody, if the game has such boards."""
    found = {**options, "board": BALANCED}
    try:
        registry.find(game).start(seed=1, **found)
    except InvalidSetup:
        return dict(options)
    return found


def kind_named(name: str) -> Kind:
    """Return a kind of game, or refuse one that cannot be paired."""
    found = kinds().get(name)
    if found is None:
        raise TableError("bad-request", "unknown-kind", kind=name)
    return found


def pool_name(kind: str, speed: str) -> str:
    """Return the pool whose ratings count."""
    return f"{kind} {speed_of(CLOCKS[speed])}"


def occupant(who: Identity, name: str | None = None) -> log.Occupant:
    """Return a person or a bot as they will sit at a table; an account keeps its name."""
    kind = "bot" if who.bot else "person"
    name = clean_name(who.shown_name if name is None or who.has_account else name)
    return log.Occupant(kind, who.guest, name, avatar=who.avatar, account=who.has_account)  # type: ignore[arg-type]  # one of two


# Who with whom


class Seeker(NamedTuple):
    """A player waiting for opponents."""

    guest: str
    since: int
    rating: Rating
    spread: int | None = None  # points by which the ratings may differ at most


def accept_each_other(one: Seeker, other: Seeker, now: int) -> bool:
    """Return whether two ratings are close enough for both, after the time that they have waited.

    What they may wish for is a limit to the difference. Without being asked, they wait a little for somebody close;
    ratings that are not sure differ by less than it seems.
    """
    points = abs(one.rating.rating - other.rating.rating) / POINT
    if any(seeker.spread is not None and points > seeker.spread for seeker in (one, other)):
        return False
    unsure = (one.rating.deviation + other.rating.deviation) / POINT
    waited = max(now - one.since, now - other.since)  # the longer of the two decides
    return waited >= ANYBODY or points - unsure <= WINDOW + WIDER * waited / 1000


def match(
    waiting: Sequence[Seeker], players: int, now: int, apart: Collection[frozenset[str]] = ()
) -> list[tuple[Seeker, ...]]:
    """Return the groups that play: those who have waited longest first, each with the closest ratings.

    `apart` are pairs of guests one of whom has blocked the other.
    """
    left = sorted(waiting, key=lambda seeker: (seeker.since, seeker.guest))
    groups = []
    blocked: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in map(tuple, apart):
        blocked[one].add(other)
        blocked[other].add(one)

    def fits(seeker: Seeker, group: Sequence[Seeker]) -> bool:
        enemies = blocked.get(seeker.guest, ())
        return all(other.guest not in enemies and accept_each_other(seeker, other, now) for other in group)

    while left:
        group = [left.pop(0)]
        rating = group[0].rating.rating
        for seeker in sorted(left, key=lambda one: (abs(one.rating.rating - rating), one.since, one.guest)):
            if len(group) < players and fits(seeker, group):
                group.append(seeker)
        if len(group) == players:
            groups.append(tuple(group))
            left = [seeker for seeker in left if seeker not in group]
    return groups


def may_play(one: Seeker, other: Seeker, apart: Collection[frozenset[str]]) -> bool:
    """Return whether a seeker may accept another's seek: both limits hold, and neither has blocked the other."""
    points = abs(one.rating.rating - other.rating.rating) / POINT
    near = all(seeker.spread is None or points <= seeker.spread for seeker in (one, other))
    return near and frozenset((one.guest, other.guest)) not in apart


# Who gets which seat


def fair_order(had: Sequence[Sequence[int]], draw: Callable[[int], int]) -> list[int]:
    """Return the order in which players take the seats 0, 1, ...: everybody the seat they had least often.

    `had` has each player's seats of the last games, newest first. Of two orders that are equally fair, the one that
    changes more seats of the last game is better; a draw decides the rest.
    """

    def cost(order: Sequence[int]) -> tuple[int, int]:
        often = sum(list(had[player][:RECENT]).count(seat) for seat, player in enumerate(order))
        again = sum(list(had[player][:1]) == [seat] for seat, player in enumerate(order))
        return often, again

    orders = sorted(permutations(range(len(had))))
    best = min(map(cost, orders))
    fair = [order for order in orders if cost(order) == best]
    return list(fair[draw(len(fair))])


def paired_table(
    kind: str,
    speed: str,
    rated: bool,
    players: Sequence[log.Occupant],
    context: Context,
    table: str,
    days: int = DAYS,
) -> list[log.AnyFact]:
    """Return the facts of a table at which these players sit, in this order; `days` are those of correspondence."""
    found = kind_named(kind)
    request = messages.CreateTable(
        found.game,
        [messages.SeatPlan("open") for _ in players],
        options=dict(found.options),
        clock=CLOCKS[speed],
        days=cast(messages.Days, days) if speed == "correspondence" else None,
        public=True,
        takeback=not rated,
        hints=False,
        abandoned="claim" if len(players) == 2 else "computer",
        rated=rated,
    )
    return create_table(request, found.options, None, lambda *_: ("", None), context, table, players)
