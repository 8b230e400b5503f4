"""Requests about players with accounts: ratings, games, following, blocking, reporting."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from mchezo.ratings.glicko import POINT, Rating
from mchezo.server import messages
from mchezo.server.domain.context import Identity, clean_name
from mchezo.server.domain.history import Wanted, add_up
from mchezo.server.domain.rated import pools
from mchezo.server.errors import TableError
from mchezo.server.projection.listing import list_table
from mchezo.server.runtime.service import Service
from mchezo.server.storage.accounts import StoredAccount
from mchezo.server.storage.openings import GAMES as OPENING_GAMES
from mchezo.server.storage.relations import Relation
from mchezo.server.storage.tables import Listed
from mchezo.server.transport.callers import Caller, GameFilter, Id, Known

UserName = Annotated[str, PathParameter(min_length=1, max_length=40, description="A user name.")]
Pool = Annotated[str, QueryParameter(max_length=40, description="A pool, such as `katarenga rapid`.")]
GAMES_PER_PAGE = 50
FOLLOWED_TABLES = 20
MAX_LOOKED_AT = 1_000  # finished games, for one answer
COST = 0.2  # of a creation


def described_rating(pool: str, rating: Rating, now: int) -> messages.PlayerRating:
    """Return a rating as it is now, in whole points."""
    found = rating.at_time(now)
    return messages.PlayerRating(
        pool, points(found.rating), points(found.deviation), found.provisional, found.games, found.at
    )


def described_people(found: list[Relation]) -> messages.People:
    """Return whom a player follows, blocks and mutes."""
    following, blocked, muted = (
        [one.name for one in found if one.kind == kind] for kind in ("follow", "block", "mute")
    )
    return messages.People(following, blocked, muted)


def points(hundredths: int) -> int:
    """Return a stored rating in whole points."""
    return round(hundredths / POINT)


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    store = service.store

    async def account_named(name: str) -> StoredAccount:
        guest = await asyncio.to_thread(store.accounts.owner_of_name, name)
        account = None if guest is None else await asyncio.to_thread(store.accounts.load, guest)
        if account is None or account.name.casefold() != name.casefold():
            raise TableError("unknown-page", "unknown-player")
        return account

    @get("/api/players/{name:str}", responses=errors)
    async def player(name: UserName, caller: Known) -> messages.Profile:
        """Return a player with an account: the ratings by game and speed."""
        caller.limit("creations", COST)
        account = await account_named(name)
        ratings = await asyncio.to_thread(store.ratings.of, account.guest)
        now = store.now()
        return messages.Profile(
            account.name, account.created, [described_rating(pool, one, now) for pool, one in ratings.items()]
        )

    @get("/api/players/{name:str}/curve", responses=errors)
    async def curve(name: UserName, pool: Pool, caller: Known) -> messages.RatingCurve:
        """Return a player's rating after each of the last games in a pool."""
        caller.limit("creations", COST)
        if pool not in pools():
            raise TableError("bad-request", "unknown-pool", pool=pool)
        account = await account_named(name)
        found = await asyncio.to_thread(store.ratings.curve, account.guest, pool)
        return messages.RatingCurve(
            pool, [messages.CurvePoint(one.at, points(one.rating), points(one.deviation)) for one in found]
        )

    @get("/api/players/{name:str}/games", responses=errors)
    async def games(
        name: UserName,
        caller: Known,
        game: GameFilter = None,
        before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 2**53,
        result: Annotated[messages.PlayerResult | None, QueryParameter(description="How they ended.")] = None,
        opponent: Annotated[str | None, QueryParameter(max_length=40, description="The name of a player.")] = None,
        level: Annotated[int | None, QueryParameter(ge=1, le=8, description="Of a computer.")] = None,
    ) -> messages.PlayerGames:
        """Return a player's finished games, newest first; others see the public ones."""
        caller.limit("creations", COST)
        guest = (await account_named(name)).guest
        wanted = Wanted(result, opponent, level)
        found, following = await asyncio.to_thread(wanted_games, guest, game, before, wanted, caller.guest != guest)
        listed = [
            messages.PlayerGame(
                list_table(id, summary, changed, caller.guest),
                [seat for seat, occupant in enumerate(summary.seats) if occupant.holder == guest],
            )
            for id, summary, changed in found
        ]
        return messages.PlayerGames(listed, following)

    def wanted_games(
        guest: str, game: str | None, before: int, wanted: Wanted, public: bool
    ) -> tuple[list[Listed], int | None]:
        """Return a page of a player's finished games that are wanted, and where the next one begins."""
        most = GAMES_PER_PAGE if wanted == Wanted() else MAX_LOOKED_AT
        finished = store.tables.finished_of(guest, game, before, most, public=public)
        found = [one for one in finished if wanted.holds(one[1], guest)]
        if len(found) > GAMES_PER_PAGE:
            return found[:GAMES_PER_PAGE], found[GAMES_PER_PAGE - 1][2]
        return found, finished[-1][2] if len(finished) == most else None

    @get("/api/players/{name:str}/results", responses=errors)
    async def results(name: UserName, caller: Known, game: GameFilter = None) -> messages.PlayerResults:
        """Return a player's results by game, side, level and opponent; others see those of public games."""
        caller.limit("creations", COST)
        guest = (await account_named(name)).guest
        return await asyncio.to_thread(counted_results, guest, game, caller.guest != guest)

    def counted_results(guest: str, game: str | None, public: bool) -> messages.PlayerResults:
        finished = store.tables.finished_of(guest, game, 2**53, MAX_LOOKED_AT, public=public)
        return add_up((summary for _, summary, _ in finished), guest)

    @get("/api/players/{name:str}/openings", responses=errors)
    async def openings(name: UserName, caller: Known, game: GameFilter = None) -> messages.PlayerOpenings:
        """Return the first moves that a player plays most, and how they score; others see those of public games."""
        caller.limit("creations", COST)
        guest = (await account_named(name)).guest
        return await asyncio.to_thread(counted_openings, guest, game, caller.guest != guest)

    def counted_openings(guest: str, game: str | None, public: bool) -> messages.PlayerOpenings:
        finished = store.tables.finished_of(guest, game, 2**53, OPENING_GAMES, public=public)
        found = store.openings.of(guest, game, public, finished)
        listed = [
            messages.Opening(one.game, one.kind, one.side, list(one.moves), one.games, one.score) for one in found
        ]
        return messages.PlayerOpenings(listed, len(finished))

    def holder(caller: Caller) -> Identity:
        """Return who calls, if they have an account."""
        caller.limit("creations")
        who = caller.require_identity()
        if not who.has_account:
            raise TableError("not-possible", "no-account")
        return who

    async def people_of(guest: str) -> messages.People:
        return described_people(await asyncio.to_thread(store.relations.of, guest))

    @get("/api/people", responses=errors)
    async def people(caller: Known) -> messages.People:
        """Return whom you follow, block and mute."""
        return await people_of(caller.require_identity().guest)

    @get("/api/people/tables", responses=errors)
    async def followed(caller: Known) -> messages.FollowedTables:
        """Return the running public games of the players whom you follow, without your own."""
        caller.limit("creations", COST)
        guest = caller.require_identity().guest
        found = await asyncio.to_thread(store.tables.followed_by, guest, FOLLOWED_TABLES)
        return messages.FollowedTables([list_table(*one, guest) for one in found])

    @post("/api/players/{name:str}/relation", status_code=HTTP_200_OK, responses=errors)
    async def relate(name: UserName, data: JSONBody[messages.Relate], caller: Known) -> messages.People:
        """Follow a player, block or mute them, or none of it; they do not learn of it."""
        who, other = holder(caller), (await account_named(name)).guest
        if other == who.guest:
            raise TableError("not-possible", "yourself")
        await asyncio.wrap_future(store.relations.set(who.guest, other, data.relation, store.now()))
        return await people_of(who.guest)

    @post("/api/players/{name:str}/reports", status_code=HTTP_204_NO_CONTENT, responses=errors)
    async def report(name: UserName, data: JSONBody[messages.ReportPlayer], caller: Known) -> None:
        """Report a player to the operator of the server."""
        who, other = holder(caller), (await account_named(name)).guest
        if other == who.guest:
            raise TableError("not-possible", "yourself")
        await asyncio.wrap_future(store.relations.report(who.guest, other, clean_name(data.text), store.now()))

    @get("/api/tables/{id:str}/rating", responses=errors)
    async def rated_game(id: Id, caller: Known) -> messages.RatedGame:
        """Return how a finished game changed the ratings of its players."""
        caller.limit("creations", COST)
        pool, seats = await asyncio.to_thread(store.ratings.game, id)
        changes = [
            messages.RatingChange(points(seat.before), None if seat.after is None else points(seat.after))
            for seat in seats
        ]
        return messages.RatedGame(pool, changes)

    return [player, curve, games, results, openings, people, followed, relate, report, rated_game]
