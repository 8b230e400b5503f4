"""Requests about identity: the guest's cookie and name, tokens for bots, and what guests decide about their data."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Annotated, Any

import segno
from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_204_NO_CONTENT

from mchezo.server import messages
from mchezo.server.domain.accounts import check_user_name
from mchezo.server.domain.context import Identity, clean_name
from mchezo.server.domain.plans import Plan
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_guest, public_id
from mchezo.server.projection.records import export_record
from mchezo.server.projection.tournaments import tournament_entry
from mchezo.server.runtime.addresses import read_address
from mchezo.server.runtime.service import Service
from mchezo.server.transport.accounts_api import described_account, device_label
from mchezo.server.transport.callers import Known
from mchezo.server.transport.cookies import described, signed_in, signed_out
from mchezo.server.transport.feeds_api import feed_address
from mchezo.server.transport.notices_api import described_channel
from mchezo.server.transport.players_api import described_people, described_rating, points

DATA_PER_PAGE = 100  # tables


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""

    @get("/api/me", responses=errors)
    async def me(caller: Known) -> Response[messages.Me]:
        """Return who you are; the first call sets a cookie."""
        if caller.who is not None and caller.who.device is not None and not caller.who.bot:
            return await account_holder(caller.who)
        if caller.who is not None:
            return Response(described(caller.who))
        caller.access.limit_network("guests", caller.address)
        return signed_in(service, Identity(new_guest(), issued=service.store.now()))

    async def account_holder(who: Identity) -> Response[messages.Me]:
        """Return who somebody with an account is, by the name that they may have changed elsewhere."""
        account = await asyncio.to_thread(service.store.accounts.load, who.guest)
        if account is not None:
            await asyncio.wrap_future(service.store.accounts.used_device(who.device or "", service.store.now()))
            if account.name != who.name and not service.guests.has_fixed_name(who):
                return signed_in(service, replace(who, name=account.name))
        return Response(described(who))

    async def new_device(guest: str, kind: str, label: str, now: int) -> str:
        return await asyncio.wrap_future(service.store.accounts.add_device(guest, kind, label, now))

    async def free_name(name: str, guest: str | None) -> str:
        """Return a guest's name; the names of accounts, and what looks like them, are theirs."""
        cleaned = clean_name(name)
        await service.require_free_names([cleaned], guest)
        return cleaned

    @get("/api/addresses", responses=errors)
    async def addresses(caller: Known) -> messages.Addresses:
        """Return how other machines reach this server, if you ask from its own."""
        asking = read_address(caller.address)
        local = asking is not None and asking.is_loopback
        return messages.Addresses(list(service.config.addresses) if local else [])

    @get("/api/qr", responses=errors)
    async def qr(caller: Known, text: Annotated[str, QueryParameter(min_length=1, max_length=200)]) -> Response[bytes]:
        """Return a text, such as the link of an invitation, as a QR code in SVG."""
        caller.limit("pictures")
        drawn = await service.trials.run(caller.payer, 1, lambda: qr_code(text))
        return Response(drawn, media_type="image/svg+xml")

    @post("/api/me", status_code=HTTP_200_OK, responses=errors)
    async def name_me(data: JSONBody[messages.NameMe], caller: Known) -> Response[messages.Me]:
        """Choose the name under which you play and your avatar."""
        who = caller.require_identity()
        if who.bot:
            raise TableError("not-possible", "bot-name")
        if data.avatar is not None:
            who = replace(who, avatar=data.avatar)
        if data.name is not None:
            if service.guests.has_fixed_name(who):
                raise TableError("not-possible", "name-fixed")
            if who.device is None:
                who = replace(who, name=await free_name(data.name, who.guest))
            else:
                who = replace(who, name=check_user_name(data.name))
                await asyncio.wrap_future(service.store.accounts.rename(who.guest, who.name or ""))
        return signed_in(service, who)

    @post("/api/tokens", status_code=HTTP_201_CREATED, responses=errors)
    async def token(data: JSONBody[messages.NameBot], caller: Known) -> messages.BotToken:
        """Create an API token for a bot."""
        caller.limit("creations")
        caller.access.limit_network("guests", caller.address)
        now, creator = service.store.now(), caller.who
        name = await free_name(data.name, caller.guest)
        device = None
        if creator is not None and creator.device is not None:
            device = await new_device(creator.guest, "bot", name, now)
        who = Identity(new_guest(), name, True, now, caller.guest, device=device, reads_only=data.reads_only)
        return messages.BotToken(service.signer.token(who), who.shown_name)

    @post("/api/me/sign-out", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def sign_out(caller: Known) -> Response[None]:
        """Forget who you are in this browser; the seats stay yours in your other browsers."""
        who = caller.require_identity()
        if who.device is not None and not who.bot:
            await asyncio.wrap_future(service.store.accounts.sign_out(who.guest, who.device))
            await service.follow_admin_log()
        return signed_out()

    @post("/api/me/revoke", status_code=HTTP_200_OK, responses=errors)
    async def revoke(caller: Known) -> Response[messages.Me]:
        """Revoke all your cookies and all tokens that you created; this browser gets a new cookie."""
        caller.limit("creations")
        who = caller.require_identity()
        now = service.store.now()
        await asyncio.wrap_future(service.store.people.revoke(who.guest, now))
        await service.follow_admin_log()
        if who.bot:
            return Response(described(who))
        if who.device is not None:
            device = await new_device(who.guest, "browser", device_label(caller.headers), now)
            who = replace(who, device=device)
        return signed_in(service, replace(who, issued=now))

    @get("/api/me/data", responses=errors)
    async def my_data(caller: Known, before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 2**53) -> messages.MyData:
        """Return what is stored about you: your tables, newest first, with their records."""
        caller.limit("creations")
        who = caller.require_identity()
        found = await asyncio.to_thread(service.store.people.tables, who.guest, before, DATA_PER_PAGE)
        each = [
            await service.replays.run(caller.payer, 1, partial(export, id, changed, who.guest)) for id, changed in found
        ]
        tables = [table for table in each if table is not None]
        following = found[-1][1] if len(found) == DATA_PER_PAGE else None
        stored = await asyncio.to_thread(service.store.accounts.load, who.guest)
        account = None if stored is None else described_account(stored, who)
        taken = await asyncio.to_thread(service.store.correspondence.vacations, who.guest)
        vacations = [messages.VacationInfo(*one) for one in taken]
        rated = await asyncio.to_thread(service.store.ratings.of, who.guest)
        ratings = [described_rating(pool, one, service.store.now()) for pool, one in sorted(rated.items())]
        people = described_people(await asyncio.to_thread(service.store.relations.of, who.guest))
        compared = await asyncio.to_thread(service.store.fair_play.figures, who.guest)
        comparisons = [
            messages.EngineComparison(
                one.kind, one.compared.games, one.compared.decisions, one.compared.agreed, one.compared.mean_loss
            )
            for one in compared
        ]
        tournaments = await my_tournaments(service, who)
        settings = await asyncio.to_thread(service.notices.settings, who.guest)
        channels = await asyncio.to_thread(service.store.channels.of, who.guest)
        written = await asyncio.to_thread(service.store.chat.of, who.guest)
        games = await asyncio.to_thread(service.store.ratings.games_of, who.guest)
        rated_games = [
            messages.MyRatedGame(
                one.table, one.pool, one.at, points(one.before), None if one.after is None else points(one.after)
            )
            for one in games
        ]
        reports = await asyncio.to_thread(service.store.relations.reports_by, who.guest)
        secret = await asyncio.to_thread(service.store.feeds.secret_of, who.guest)
        seeks = [one for one in (await service.lobby.view_of(who.guest)).correspondence if one.yours]
        return messages.MyData(
            public_id(who.guest),
            who.name,
            who.bot,
            tables,
            following,
            account,
            vacations,
            ratings,
            people,
            comparisons,
            tournaments,
            messages.NoticeTimes(**settings._asdict()),
            [described_channel(one) for one in channels],
            [messages.MyLine(*one) for one in written],
            seeks,
            rated_games,
            [messages.MyReport(*one) for one in reports],
            None if secret is None else feed_address(secret),
        )

    @delete("/api/me", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def delete_me(caller: Known) -> Response[None]:
        """Delete your data: resign your games, give back your seats, remove your name from every table."""
        caller.limit("creations")
        who = caller.require_identity()
        await service.tournaments.withdraw_all(who)
        await service.sessions.give_up_all(who)
        while await asyncio.wrap_future(service.store.people.leave_tables(who.guest)):
            pass  # a few tables at a time: the moves of others are stored in between
        await asyncio.wrap_future(service.store.people.delete(who.guest, service.store.now()))
        await service.follow_admin_log()
        return signed_out()

    def export(id: str, changed: int, guest: str) -> messages.MyTable | None:
        try:
            table = service.store.tables.load(id)
        except TableError as error:
            if error.code != "set-aside":
                raise
            return None
        if table is None:
            return None
        correspondence = service.store.correspondence
        plans = [plan for seat in table.seats_of(guest) if (plan := correspondence.plan(id, guest, seat)) is not None]
        return exported(id, changed, table, guest, correspondence.note(id, guest), plans)

    return [me, addresses, qr, name_me, token, sign_out, revoke, my_data, delete_me]


def qr_code(text: str) -> bytes:
    """Return a QR code as SVG. A long one takes 40 ms."""
    drawn = BytesIO()
    segno.make_qr(text.encode(), error="m").save(drawn, kind="svg", border=3, light="#fff", omitsize=True)
    return drawn.getvalue()


async def my_tournaments(service: Service, who: Identity) -> list[messages.MyTournament]:
    """Return the tournaments that somebody entered or organised."""
    found = []
    for id in await asyncio.to_thread(service.store.tournaments.of, who.guest):
        tournament = (await service.tournaments.get(id)).tournament
        found.append(tournament_entry(tournament, who.guest))
    return found


def exported(id: str, changed: int, table: Table, guest: str, note: str, plans: list[Plan]) -> messages.MyTable:
    """Return a table as it is exported for one of its players."""
    return messages.MyTable(
        id=id,
        game=table.creation.game,
        status=table.status,
        created=table.creation.at,
        changed=changed,
        seats=table.seats_of(guest),
        players=[occupant.name for occupant in table.seats],
        record=None if table.position is None else str(export_record(table)),
        note=note,
        plans=[line for plan in plans for line in plan.lines],
    )
