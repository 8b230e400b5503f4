"""Requests about tables: lists, views, news, commands, records and statistics."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, cast

from litestar import MediaType, Response, delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from mchezo.server import messages
from mchezo.server.compute import thinking
from mchezo.server.domain import log
from mchezo.server.domain.checks import acting_seat
from mchezo.server.domain.context import Identity
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.replaying import UnreadableTable
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_table_id
from mchezo.server.projection.listing import list_table
from mchezo.server.projection.records import export_record, moment_after
from mchezo.server.projection.trial import try_moves
from mchezo.server.projection.viewers import AUTO, viewing_seat
from mchezo.server.runtime.service import Service
from mchezo.server.runtime.table_session import LongPoll
from mchezo.server.storage.appending import command_context
from mchezo.server.storage.store import Store
from mchezo.server.storage.tables import LISTED
from mchezo.server.transport import replay_api, untrusted
from mchezo.server.transport.callers import Caller, GameFilter, Id, Known, SeatText, wanted_seat

OwnTables = Annotated[int, QueryParameter(ge=1, le=1_000, description="How many of your own tables.")]
MAX_WAIT = 25.0  # seconds of a long poll
RECORDS_PER_PAGE = 100
ABANDONED = 24 * 3_600_000  # milliseconds without a change


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""

    @get("/api/tables", responses=errors)
    async def tables(caller: Known, game: GameFilter = None, own: OwnTables = LISTED) -> messages.TableList:
        """List your tables and the public ones."""
        return await asyncio.to_thread(list_tables, service.store, caller.guest, game, own)

    @post("/api/tables", status_code=HTTP_201_CREATED, responses=errors)
    async def create(data: JSONBody[messages.CreateTable], caller: Known) -> messages.CreatedTable:
        """Create a table."""
        who = caller.require_identity()
        caller.limit("creations")
        service.require_ready(data.game)
        pack = None
        if data.record is not None:
            record, pack = await replay_api.read_record(service, caller, data.record)
            await replay_api.refuse_running_game(service, record, who)
        id = new_table_id()
        await service.require_free_names([data.name, *(seat.name for seat in data.seats or ())], who.guest)
        await require_few_unfinished(service, caller)
        facts = await service.trials.run(caller.payer, 1, lambda: table_facts(service, data, who, id, pack))
        if isinstance(facts[0], log.TableCreated) and facts[0].pack is not None:
            caller.limit("packs")
        session = await service.sessions.create(id, facts, caller.payer.network)
        return messages.CreatedTable(id, service.sessions.view(session, who.guest, AUTO))

    @get("/api/tables/{id:str}", responses=errors)
    async def table(id: Id, caller: Known, seat: SeatText = None) -> messages.TableView:
        """Return a table as you see it."""
        session = await service.sessions.latest(id)
        session.heartbeat(caller.guest, service.store.now())
        return service.sessions.view(session, caller.guest, wanted_seat(seat))

    @delete("/api/tables/{id:str}", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def cancel(id: Id, caller: Known) -> None:
        """Cancel a table: a casual game against computers alone ends without a result, at any time.

        Before the start, the creator removes the table, and others give back their seats.
        """
        who = caller.require_identity()
        table = (await service.sessions.latest(id)).table
        if table.status == "over":
            raise TableError("not-running", "over")
        if table.status == "running":
            await service.sessions.break_off(id, who)
        elif table.creation.by != who.guest:
            acting_seat(table, who, None)
            await service.sessions.give_up(id, who)
        elif await asyncio.wrap_future(service.store.tables.cancel(id)):
            await service.follow_admin_log()
        else:
            raise TableError("not-open", "already-started")

    @get("/api/tables/{id:str}/news", responses=errors)
    async def news(
        id: Id,
        caller: Known,
        seat: SeatText = None,
        after: Annotated[int, QueryParameter(ge=-1, le=2**31)] = -1,
        wait: Annotated[float, QueryParameter(ge=0, le=MAX_WAIT)] = 0.0,
    ) -> messages.News:
        """Return the events of a table after a number; optionally wait for one (long polling)."""
        session = await service.sessions.latest(id)
        watcher = LongPoll(caller.guest, wanted_seat(seat), after)
        viewing_seat(session.table, watcher.guest, watcher.wanted)
        session.heartbeat(caller.guest, service.store.now())
        if wait and after >= session.table.number and not service.stopping.is_set():
            with caller.access.socket(caller.who, caller.address):
                service.sessions.watch(session, watcher)
                try:
                    async with asyncio.timeout(wait):
                        while after >= session.table.number and not (service.stopping.is_set() or session.unreadable):
                            watcher.news.clear()
                            await watcher.news.wait()
                except TimeoutError:
                    pass
                finally:
                    service.sessions.unwatch(session, watcher)
        if session.unreadable is not None:
            raise session.unreadable
        raw = service.sessions.news_for(session, watcher)
        return cast(messages.News, Response(raw, media_type=MediaType.JSON))

    @post("/api/tables/{id:str}/commands", status_code=HTTP_200_OK, responses=errors)
    async def command(id: Id, data: JSONBody[messages.Commands], caller: Known) -> messages.Done:
        """Join, leave, move, touch, resign, ask, answer or claim."""
        who = caller.require_identity()
        if isinstance(data, messages.Join):
            caller.limit("creations")
            await service.require_free_names([data.name], who.guest)
            await service.require_welcome(id, who.guest)
        return await service.sessions.command(id, data, who)

    @post("/api/tables/{id:str}/try", status_code=HTTP_200_OK, responses=errors)
    async def try_it(id: Id, data: JSONBody[messages.Try], caller: Known) -> messages.Tried:
        """Play unsent decisions on a copy."""
        who = caller.require_identity()
        asked = service.access.affordable(data, who, caller.address)
        table = (await service.sessions.latest(id)).table
        return await service.trials.run(caller.payer, 1, lambda: try_moves(table, who.guest, asked))

    @post("/api/tables/{id:str}/hint", status_code=HTTP_200_OK, responses=errors)
    async def hint(id: Id, data: JSONBody[messages.HintRequest], caller: Known) -> messages.Hinted:
        """Return what a computer would play."""
        caller.require_identity()
        caller.limit("thinking")
        table = (await service.sessions.latest(id)).table
        return await caller.while_connected(thinking.hint(service.thinking, table, caller.payer, data))

    @get("/api/tables/{id:str}/moves/{made:int}", responses=errors)
    async def at_move(id: Id, made: FromPath[int], caller: Known, seat: SeatText = None) -> messages.Moment:
        """Return the view after this many moves."""
        session = await service.sessions.latest(id)
        return moment_after(session.table, caller.guest, wanted_seat(seat), made)

    @get("/api/tables/{id:str}/record", media_type=MediaType.TEXT, responses=errors)
    async def record(id: Id, caller: Known, seat: SeatText = "none") -> str:
        """Return the record of a game, as everybody may see it or as a seat of yours does."""
        return str(export_record((await service.sessions.latest(id)).table, caller.guest, wanted_seat(seat)))

    @get("/api/records", media_type=MediaType.TEXT, responses=errors)
    async def records(
        caller: Known, game: GameFilter = None, before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 2**53
    ) -> Response[str]:
        """Return records of finished public games, newest first."""
        caller.limit("creations")
        found = await asyncio.to_thread(service.store.tables.finished, game, before, RECORDS_PER_PAGE)
        tables = [table for id, _ in found if (table := await readable_table(service, id)) is not None]
        texts = await service.replays.run(
            caller.payer, max(1, len(tables) // 10), lambda: [str(export_record(table)) for table in tables]
        )
        headers = {"X-Before": str(found[-1][1])} if len(found) >= RECORDS_PER_PAGE else {}
        return Response("\n".join(texts), headers=headers, media_type=MediaType.TEXT)

    @get("/api/statistics", responses=errors)
    async def figures(caller: Known) -> messages.Statistics:
        """Return statistics of the games on this server."""
        caller.limit("creations")
        return await asyncio.to_thread(service.store.statistics)

    return [tables, create, table, cancel, news, command, try_it, hint, at_move, record, records, figures]


def list_tables(store: Store, guest: str | None, game: str | None, own: int) -> messages.TableList:
    """Return the lists of tables as a guest sees them; a table that cannot be listed is set aside."""
    lists: dict[str, list[messages.ListedTable]] = {"yours": []}
    for name, rows in store.tables.lists(guest, game, own).items():
        lists[name] = []
        for id, summary, changed in rows:
            try:
                lists[name].append(list_table(id, summary, changed, guest))
            except Exception as error:
                store.quarantine.add(id, UnreadableTable("damaged", f"it cannot be listed: {error}"))
    set_aside = [
        messages.SetAsideTable(broken.table, broken.game)
        for broken in store.quarantine.held_by(guest)
        if game in (None, broken.game)
    ]
    return messages.TableList(lists["yours"], lists["open"], lists["running"], lists["over"], set_aside)


async def readable_table(service: Service, id: str) -> Table | None:
    """Return a table; None if it is set aside."""
    try:
        return (await service.sessions.get(id)).table
    except TableError as error:
        if error.code != "set-aside":
            raise
        return None


async def require_few_unfinished(service: Service, caller: Caller) -> None:
    """Refuse another table to a guest or a network that has many which are not over."""
    limits, payer = service.config.limits, caller.payer
    of_guest, of_network = await asyncio.to_thread(
        service.store.tables.unfinished, payer, service.store.now() - ABANDONED
    )
    if of_guest >= limits.unfinished or of_network >= limits.unfinished_per_network:
        raise TableError("too-often", "too-many-tables")


def table_facts(
    service: Service, data: messages.CreateTable, who: Identity, id: str, record_pack: str | None
) -> list[log.AnyFact]:
    """Return the facts of a new table, its untrusted options checked."""
    options, pack = untrusted.check_options(data.game, data.options)
    if data.record is not None:
        pack = record_pack  # the record names the pack that is played with
    return create_table(data, options, pack, service.rating_of, command_context(who, service.store.now()), id)
