"""New tables: as requested, from an uploaded record, or as the continuation of a finished game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import msgspec

from mchezo.core import registry
from mchezo.core.outcome import Outcome
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.context import Change, Context, clean_name
from mchezo.server.domain.rated import require_rateable
from mchezo.server.domain.seating import start_if_full
from mchezo.server.domain.table import Table, with_pack
from mchezo.server.errors import TableError

MAX_RECORD_MOVES = 2_000  # of an uploaded record
MAX_NAME = 40  # characters
UNFINISHED = "unfinished"  # the reason of a record that ends before its game does

RatingOf = Callable[[str, int], tuple[str, int | None]]  # game and level -> name and rating of a computer player


def create_table(
    request: messages.CreateTable,
    game_options: Mapping[str, Any],
    pack: str | None,
    rating_of: RatingOf,
    context: Context,
    table: str,
    paired: Sequence[log.Occupant] | None = None,
) -> list[log.AnyFact]:
    """Return the facts of a new table; `game_options` are the request's options after they were checked.

    `pack` is the text of the pack that the options or the record name, unless it is shipped. `paired` players take the
    seats in this order, whatever the request says about them.
    """
    game = registry.find(request.game)
    check_seats(request)
    options = dict(game_options)
    if any(option.name == "players" for option in game.setup.options):
        options["players"] = len(request.seats)
    continued = None if request.record is None else continued_position(request, game.name, pack)
    seed = context.new.seed()
    if continued is None:
        start = game.start(seed=seed, chance="manual", **with_pack(game, options, pack))
        moves: list[str] = []
    else:
        start = continued
        moves = continued.moves
    rivals = game.setup.rivals(start.options)
    if len(start.seats) != len(request.seats) + rivals:
        raise TableError("invalid-setup", "seats-count", game=game.title, right=len(start.seats) - rivals)
    if request.touch_move and game.touch is None:
        raise TableError("not-possible", "no-touch-move", game=game.title)
    if request.days is not None and (request.clock or any(plan.clock for plan in request.seats)):
        raise TableError("invalid-setup", "days-and-clock")
    if request.days is not None and len(request.seats) == 1:
        raise TableError("invalid-setup", "days-alone")
    if request.series and (game.revenge is None or len(request.seats) != 2):
        raise TableError("not-possible", "no-series", game=game.title)
    planned = [planned_occupant(plan, request, rating_of, context) for plan in request.seats]
    if paired is not None:
        planned = [msgspec.structs.replace(player, clock=request.clock) for player in paired]
    created = log.TableCreated(
        at=context.now,
        game=game.name,
        rules=game.version,
        options=dict(start.options),
        drawn=list(start.drawn) if continued is None else [],
        # A pack is named by its id, now that it is in use.
        asked_options={**options, "pack": start.options["pack"]} if "pack" in options else options,
        seed=seed,
        seats=[*planned, *(log.Occupant("rival") for _ in range(rivals))],
        settings=messages.Settings(
            public=request.public,
            lot=request.lot,
            touch_move=request.touch_move,
            series=request.series,
            swap=(game.revenge is not None and game.revenge.swaps_seats) if request.swap is None else request.swap,
            takeback=request.takeback,
            hints=request.hints,
            abandoned=request.abandoned,
            grace=request.grace,
            stand_in=request.stand_in,
            days=request.days,
            weekends=request.weekends and request.days is not None,
            rated=request.rated,
            paired=paired is not None,
        ),
        pack=pack,
        moves=moves,
        series=log.SeriesSoFar() if request.series else None,
        by=context.who.guest,
    )
    if request.rated:
        if not (context.who.has_account if paired is None else all(player.account for player in paired)):
            raise TableError("not-possible", "rated-account")
        require_rateable(created)
    return [created, *start_if_full(Table(table, [created]), context.now)]


def check_seats(request: messages.CreateTable) -> None:
    """Refuse tables without a person, and levels that are missing or misplaced."""
    if all(plan.kind == "computer" for plan in request.seats):
        raise TableError("invalid-setup", "only-computers")
    if any((plan.kind == "computer") != (plan.level is not None) for plan in request.seats):
        raise TableError("invalid-setup", "level-missing")


def continued_position(request: messages.CreateTable, game: str, pack: str | None) -> Position:
    """Return the position at which the request's record is continued."""
    record = Record.parse(request.record or "")
    if record.game != game:
        raise TableError("invalid-setup", "other-record", game=record.game)
    at = len(record.moves) if request.at is None else request.at
    if at < len(record.moves):
        record = replace(record, moves=record.moves[:at], outcome=None)
    position = replay(record, pack)
    for move in request.then:
        position.play(move)
    if position.outcome is not None:
        raise TableError("invalid-setup", "record-over")
    return position


def planned_occupant(
    plan: messages.SeatPlan, request: messages.CreateTable, rating_of: RatingOf, context: Context
) -> log.Occupant:
    """Return who sits in a seat of a new table."""
    clock = plan.clock or request.clock
    if plan.kind == "computer":
        assert plan.level is not None
        name, rating = rating_of(request.game, plan.level)
        return log.Occupant("computer", name=name, level=plan.level, rating=rating, clock=clock)
    if plan.kind == "open":
        return log.Occupant("open", key=context.new.seat_key(), clock=clock)
    name = clean_name(plan.name or request.name or context.who.shown_name)
    kind: Literal["bot", "person"] = "bot" if context.who.bot else "person"
    avatar = None if plan.name else context.who.avatar  # somebody else at a shared screen
    account = context.who.has_account and not plan.name
    return log.Occupant(kind, context.who.guest, name, clock=clock, avatar=avatar, account=account)


def replay(record: Record, pack: str | None) -> Position:
    """Replay a client's record of limited length, with this text of its pack."""
    if len(record.moves) > MAX_RECORD_MOVES:
        raise TableError("too-large", "record-moves", most=MAX_RECORD_MOVES)
    game = registry.find(record.game)
    # The shipped pack goes by the version of the rules.
    named = {
        name: id
        for name, id in record.options.items()
        if game.packs and name == game.packs.option and id != game.packs.shipped
    }
    return record.replay(**with_pack(game, named, pack))


def create_from_record(record: Record, context: Context, pack: str | None = None) -> list[log.AnyFact]:
    """Return the facts of a finished table at which an uploaded record was played; nobody holds its seats."""
    if not record.moves:
        raise TableError("invalid-setup", "record-empty")
    position = replay(record, pack)
    sides = position.seats
    people = len(sides) - position.game.setup.rivals(position.options)
    outcome = record.outcome or Outcome((), (0.0,) * len(sides), UNFINISHED)
    created = log.TableCreated(
        at=context.now,
        game=record.game,
        rules=record.rules,
        options=dict(position.options),
        drawn=[],
        asked_options={},
        seed=context.new.seed(),
        seats=[
            log.Occupant("person", name=recorded_name(record, side)) if seat < people else log.Occupant("rival")
            for seat, side in enumerate(sides)
        ],
        settings=messages.Settings(lot=False, hints=False, takeback=False),
        pack=pack,
        moves=list(record.moves),
        by=context.who.guest,
    )
    return [
        created,
        log.GameStarted(at=context.now, order=list(range(len(sides)))),
        log.GameEnded(
            at=context.now, winners=list(outcome.winners), scores=list(outcome.scores), reason=outcome.reason
        ),
    ]


def recorded_name(record: Record, side: str) -> str:
    """Return the name of a player in a record's tags, or an empty one."""
    return " ".join(record.tags.get(side.capitalize(), "").split())[:MAX_NAME]


def refuse_if_running(table: Table, record: Record) -> None:
    """Refuse the record of a game that is still being played: nobody gets help with it."""
    position = table.position
    if table.status != "running" or position is None or table.creation.game != record.game:
        return
    moves, seen = record.moves, position.seen_moves()
    same = position.public_record().options == record.options
    if same and len(moves) > 0 and list(moves[: len(seen)]) == seen[: len(moves)]:
        raise TableError("not-possible", "still-played", table=table.id)


def continue_at_new_table(
    table: Table,
    facts: list[log.AnyFact],
    position: Position,
    what: log.QuestionKind,
    series: log.SeriesSoFar | None,
    context: Context,
) -> Change:
    """Seat the same players at a new table, for a rematch or revenge.

    Where nobody chose a seat, a rematch moves everybody on by one: two players change sides.
    """
    creation, game, seats = table.creation, table.game, list(table.seats)
    if what == "rematch" and creation.settings.lot and series is None and creation.series is None:
        people = [seat for seat in seats if seat.kind != "rival"]
        seats = [*people[-1:], *people[:-1], *seats[len(people) :]]
    swap = creation.settings.swap and what == "revenge" and len(seats) == 2
    options = creation.asked_options
    if what == "revenge":
        assert game.revenge is not None
        options = game.revenge.options(position, swap)
    if swap:
        seats.reverse()
    seed = context.new.seed()
    start = game.start(seed=seed, chance="manual", **with_pack(game, options, creation.pack))
    if series is None and creation.settings.series:
        series = log.SeriesSoFar()
    if series is not None:
        series = log.SeriesSoFar(series.games, series.score, series.swapped ^ swap if series.games else False)
    settings = msgspec.structs.replace(
        creation.settings,
        lot=creation.settings.lot and what == "rematch",
        rated=creation.settings.rated and (swap or what == "rematch"),  # the same board from the other side is fair
    )
    created = log.TableCreated(
        at=context.now,
        game=creation.game,
        rules=game.version,
        options=dict(start.options),
        drawn=list(start.drawn),
        asked_options=dict(options),
        seed=seed,
        seats=seats,
        settings=settings,
        pack=creation.pack,
        series=series,
        previous=table.id,
        by=creation.by,
    )
    id = context.new.table_id()
    following: list[log.AnyFact] = [created, *start_if_full(Table(id, [created]), context.now)]
    return Change([*facts, log.NextTableCreated(at=context.now, table=id)], (id, following))
