"""The tables of a tournament: how one is created, and its result."""

from __future__ import annotations

from collections.abc import Sequence

from mchezo.core import registry
from mchezo.server import messages
from mchezo.server.domain import log as table_log
from mchezo.server.domain.context import Change, Context
from mchezo.server.domain.playing import drop_out, others_in_game, unfinished
from mchezo.server.domain.rated import places, require_rateable
from mchezo.server.domain.seating import start_if_full
from mchezo.server.domain.table import Table, with_pack
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.running import TableResult
from mchezo.server.errors import TableError

NO_CLAIMS = 7 * 24 * 3_600_000  # milliseconds that a player may be away: the clock decides


def tournament_table(
    tournament: str, creation: log.TournamentCreated, entrants: Sequence[log.Entrant], id: str, seed: str, now: int
) -> list[table_log.AnyFact]:
    """Return the facts of a table at which these players play, in the order of the seats."""
    plan, game = creation.plan, registry.find(creation.plan.game)
    options = dict(plan.options)
    if any(option.name == "players" for option in game.setup.options):
        options["players"] = len(entrants)
    start = game.start(seed=seed, chance="manual", **with_pack(game, options, creation.pack))
    if len(start.seats) != len(entrants) or game.setup.rivals(start.options):
        raise TableError("invalid-setup", "seats-count", game=game.title, right=len(start.seats))
    created = table_log.TableCreated(
        at=now,
        game=game.name,
        rules=game.version,
        options=dict(start.options),
        drawn=list(start.drawn),
        asked_options=options,
        seed=seed,
        seats=[occupant(entrant, plan.clock) for entrant in entrants],
        settings=messages.Settings(
            public=True,
            lot=False,
            takeback=False,
            hints=False,
            grace=NO_CLAIMS,
            days=plan.days,
            weekends=plan.weekends and plan.days is not None,
            rated=plan.rated and any(entrant.kind == "person" for entrant in entrants),
        ),
        pack=creation.pack,
        by=f"tournament {tournament}",  # pays for computing time: nobody's own tables have to wait
        tournament=tournament,
    )
    if created.settings.rated:
        require_rateable(created)
    return [created, *start_if_full(Table(id, [created]), now)]


def occupant(entrant: log.Entrant, clock: messages.ClockRules | None) -> table_log.Occupant:
    """Return a player as they sit at a table."""
    return table_log.Occupant(
        entrant.kind,
        entrant.holder,
        entrant.name,
        level=entrant.level,
        rating=entrant.rating if entrant.kind == "computer" else None,
        clock=clock,
        avatar=entrant.avatar,
        account=entrant.account,
    )


def void_result(seats: int) -> TableResult:
    """Return the result of a table that cannot be read any more, or that an operator removed: a draw."""
    return TableResult([0] * seats, [])


def table_result(facts: Sequence[table_log.AnyFact]) -> TableResult | None:
    """Return the result of a table by its log; None if the game is not over."""
    ending = next((fact for fact in reversed(facts) if isinstance(fact, table_log.GameEnded)), None)
    if ending is None:
        return None
    dropped = {fact.seat: fact.reason for fact in facts if isinstance(fact, table_log.PlayerDroppedOut)}
    absent = [seat for seat, reason in dropped.items() if reason != "resignation" and not moved_before(facts, seat)]
    seats = len(ending.scores)
    if len(absent) == seats:  # nobody came: everybody is last
        return TableResult([seats - 1] * seats, sorted(absent))
    return TableResult(places(ending, dropped), sorted(absent))


def moved_before(facts: Sequence[table_log.AnyFact], seat: int) -> bool:
    """Return whether a player moved before they dropped out; afterwards a computer may have."""
    for fact in facts:
        if isinstance(fact, table_log.MovePlayed) and fact.seat == seat:
            return True
        if isinstance(fact, table_log.PlayerDroppedOut) and fact.seat == seat:
            return False
    return False


def no_show(table: Table, since: int, allowed: int, context: Context) -> Change | None:
    """Return what follows if nobody has made the first move in the time for it: whose turn it is loses on time.

    So do the others who were not at the table in all that time. If nobody was, the game is lost for everybody.
    """
    seat = table.to_move
    if seat is None or table.submissions or table.computer_level(seat) is not None:
        return None
    if context.now < max(since, table.creation.at) + allowed:
        return None
    others = others_in_game(table, seat)
    missing = [
        other for other in others if table.seats[other].kind == "person" and context.away.get(other, 0) >= allowed
    ]
    if len(missing) == len(others):
        out = [table_log.PlayerDroppedOut(at=context.now, seat=one, reason="time-out") for one in (seat, *missing)]
        return Change([*out, unfinished(table, context.now)])
    facts: list[table_log.AnyFact] = []
    for one in (seat, *missing):
        facts += drop_out(table.after(facts), one, "time-out", context).facts
    return Change(facts)
