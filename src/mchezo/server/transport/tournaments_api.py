"""Requests about tournaments."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, cast

from litestar import Response, get, post
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED, HTTP_304_NOT_MODIFIED

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.planning import check_computer, create_tournament
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_table_id, public_id
from mchezo.server.runtime.service import Service
from mchezo.server.storage.appending import command_context
from mchezo.server.transport import untrusted
from mchezo.server.transport.callers import Caller, Known
from mchezo.server.transport.players_api import points

TournamentId = Annotated[str, PathParameter(pattern="^[0-9A-Za-z]{12}$", description="The tournament.")]
COST, COMMAND_COST, READ_COST = 3, 0.2, 0.1  # in creations, of which there is a rate limit


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    stored = service.store.tournaments

    @get("/api/tournaments", responses=errors)
    async def tournaments(caller: Known) -> messages.TournamentList:
        """List tournaments: yours, and those that are open, running and recently over."""
        caller.limit("creations", READ_COST)
        found = await asyncio.to_thread(stored.lists, caller.guest)
        return messages.TournamentList(found.get("yours", []), found["open"], found["running"], found["over"])

    @post("/api/tournaments", status_code=HTTP_201_CREATED, responses=errors)
    async def create(data: JSONBody[messages.TournamentPlan], caller: Known) -> messages.Tournament:
        """Create a tournament, which you organise; you need an account."""
        who = caller.require_identity()
        caller.limit("creations", COST)
        caller.access.limit_network("tournaments", caller.address)
        service.require_ready(data.game)
        created = await service.trials.run(caller.payer, 1, lambda: planned(service, data, who))
        if created.pack is not None:
            caller.limit("packs")
        id = new_table_id()
        await asyncio.wrap_future(stored.create(id, created))
        return await service.tournaments.view(await service.tournaments.get(id), who)

    @get("/api/tournaments/{id:str}", responses=errors)
    async def tournament(id: TournamentId, caller: Known) -> Response[messages.Tournament]:
        """Return a tournament as you see it. Ask again with the ETag: without news, the answer is a short 304."""
        found = await service.tournaments.get(id)
        tag = entity_tag(found.version, caller.who)
        headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Cookie, Authorization"}
        if caller.headers.get("if-none-match") == tag:
            return cast(
                "Response[messages.Tournament]", Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)
            )
        caller.limit("creations", READ_COST)
        return Response(await service.tournaments.view(found, caller.who), headers=headers)

    @post("/api/tournaments/{id:str}/commands", status_code=HTTP_200_OK, responses=errors)
    async def command(
        id: TournamentId, data: JSONBody[messages.TournamentCommands], caller: Known
    ) -> messages.Tournament:
        """Enter, withdraw, enter a computer, remove a player, start or cancel."""
        who = caller.require_identity()
        caller.limit("creations", 1 if isinstance(data, messages.AddComputer) else COMMAND_COST)
        found = await service.tournaments.get(id)
        entrant = await entering(data, found.tournament.creation, who, caller)
        after = await service.tournaments.command(id, data, who, entrant)
        return await service.tournaments.view(after, who)

    async def entering(
        data: messages.TournamentCommands, creation: log.TournamentCreated, who: Identity, caller: Caller
    ) -> log.Entrant | None:
        """Return who would enter by a command."""
        if isinstance(data, messages.AddComputer):
            name, rating = service.rating_of(creation.plan.game, data.level)
            computer = log.Entrant("computer", name=name, level=data.level, rating=rating)
            context = command_context(who, service.store.now())
            await service.trials.run(caller.payer, 1, lambda: check_computer(creation, computer, context))
            return computer
        if not isinstance(data, messages.EnterTournament):
            return None
        ratings = await asyncio.to_thread(service.store.ratings.of, who.guest)
        own = ratings.get(creation.pool or "")
        return log.Entrant(
            "bot" if who.bot else "person",
            who.guest,
            who.shown_name,
            rating=None if own is None else points(own.rating),
            avatar=who.avatar,
            account=who.has_account,
        )

    return [tournaments, create, tournament, command]


def entity_tag(version: int, who: Identity | None) -> str:
    """Return a tag that changes with the tournament and with its viewer, as when a guest gets an account."""
    viewer = "" if who is None else f"{public_id(who.guest)}{'a' if who.has_account else ''}"
    return f'"{version}-{viewer}"'


def planned(service: Service, data: messages.TournamentPlan, who: Identity) -> log.TournamentCreated:
    """Return a new tournament, its untrusted options checked."""
    if not who.has_account:
        raise TableError("not-possible", "no-account")
    options, pack = untrusted.check_options(data.game, data.options)
    return create_tournament(data, options, pack, command_context(who, service.store.now()))
