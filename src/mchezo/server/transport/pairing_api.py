"""Requests about pairing: the lobby, seeks and challenges."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK

from mchezo.server import messages
from mchezo.server.domain.context import Identity
from mchezo.server.runtime.service import Service
from mchezo.server.transport.callers import Known
from mchezo.server.transport.tables_api import require_few_unfinished

ListedId = Annotated[str, PathParameter(pattern="^[0-9a-f]{16}$", description="As listed.")]
TableQuery = Annotated[str | None, QueryParameter(pattern="^[0-9A-Za-z]{12}$", description="The game that was found.")]
COST = 0.5  # of a creation


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    lobby = service.lobby

    async def admitted(caller: Known, name: str | None, cost: float = 1.0) -> Identity:
        """Return who wants to play, under which name; raise an error unless they may begin another game."""
        who = caller.require_identity()
        caller.limit("creations", cost)
        await require_few_unfinished(service, caller)
        await service.require_free_names([name], who.guest)
        return who

    @get("/api/lobby", responses=errors)
    async def show(caller: Known) -> messages.Lobby:
        """Return who waits for opponents, and your own seek and challenges."""
        caller.limit("creations", COST / 5)
        return await lobby.view_of(caller.require_identity().guest)

    @post("/api/seek", status_code=HTTP_200_OK, responses=errors)
    async def seek(data: JSONBody[messages.Seek], caller: Known) -> messages.Lobby:
        """Wait for opponents while you are connected to the lobby, or accept a seek."""
        return await lobby.seek(await admitted(caller, data.name, COST), data)

    @delete("/api/seek", status_code=HTTP_200_OK, responses=errors)
    async def withdraw(caller: Known, table: TableQuery = None) -> messages.Lobby:
        """Stop waiting; with `table`, say that you know of the game that was found."""
        guest = caller.require_identity().guest
        caller.limit("creations", COST / 5)
        return await (lobby.withdraw(guest) if table is None else lobby.arrive(guest, table))

    @post("/api/seeks", status_code=HTTP_200_OK, responses=errors)
    async def seek_correspondence(data: JSONBody[messages.CorrespondenceSeek], caller: Known) -> messages.Lobby:
        """Wait for opponents in a correspondence game, also while you are away, or accept such a seek."""
        who = await admitted(caller, data.name)
        caller.access.limit_network("seeks", caller.address)
        return await lobby.seek_correspondence(who, data)

    @delete("/api/seeks/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def withdraw_correspondence(id: ListedId, caller: Known) -> messages.Lobby:
        """Withdraw a seek for a correspondence game, or say that you know of the game that was found."""
        guest = caller.require_identity().guest
        caller.limit("creations", COST / 5)
        return await lobby.withdraw_correspondence(guest, id)

    @post("/api/challenges", status_code=HTTP_200_OK, responses=errors)
    async def challenge(data: JSONBody[messages.NewChallenge], caller: Known) -> messages.Lobby:
        """Challenge a player with an account, or a bot."""
        return await lobby.challenge(await admitted(caller, data.name), data)

    @post("/api/challenges/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def answer(id: ListedId, data: JSONBody[messages.AnswerChallenge], caller: Known) -> messages.Lobby:
        """Accept or decline a challenge."""
        who = caller.require_identity()
        caller.limit("creations", COST)
        await service.require_free_names([data.name], who.guest)
        return await lobby.answer(who, id, data)

    @delete("/api/challenges/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def withdraw_challenge(id: ListedId, caller: Known) -> messages.Lobby:
        """Withdraw a challenge."""
        guest = caller.require_identity().guest
        caller.limit("creations", COST / 5)
        return await lobby.withdraw_challenge(guest, id)

    return [show, seek, withdraw, seek_correspondence, withdraw_correspondence, challenge, answer, withdraw_challenge]
