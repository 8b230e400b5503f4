"""Running tournaments. Any process takes the next step of any tournament; one that is too late changes nothing."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial

from mchezo.core.chance import new_seed
from mchezo.server import messages
from mchezo.server.domain.context import Change, Identity
from mchezo.server.domain.table import Table
from mchezo.server.domain.tournaments import commands, log
from mchezo.server.domain.tournaments.running import TableResult, next_step
from mchezo.server.domain.tournaments.tables import no_show, table_result, tournament_table, void_result
from mchezo.server.domain.tournaments.tournament import Tournament
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_table_id
from mchezo.server.projection.tournaments import as_seen_by, project_tournament
from mchezo.server.runtime.failures import logged_failure
from mchezo.server.runtime.sessions import SERVER, Sessions
from mchezo.server.storage.appending import MAX_ATTEMPTS, command_context
from mchezo.server.storage.store import Store
from mchezo.server.storage.tournaments import StoredTournament
from mchezo.server.storage.writer import Append, append_for

MAX_STEPS = 100  # of one tournament in a sweep
MAX_KEPT = 100  # tournaments in memory


class Tournaments:
    """The tournaments as this process knows them."""

    def __init__(
        self, store: Store, sessions: Sessions, ready: Callable[[str], bool], wake_computers: Callable[[], None]
    ) -> None:
        self.store = store
        self.sessions = sessions
        self.ready = ready
        self.wake_computers = wake_computers
        self.kept: OrderedDict[str, StoredTournament] = OrderedDict()
        # As strangers see them, by version: the standings of many games take many milliseconds.
        self.views: OrderedDict[str, tuple[int, asyncio.Task[messages.Tournament]]] = OrderedDict()

    # Reading

    async def view(self, found: StoredTournament, who: Identity | None) -> messages.Tournament:
        """Return a tournament as somebody sees it; what all see is made once for everybody who asks."""
        id = found.tournament.id
        version, making = self.views.get(id, (None, None))
        if making is None or version != found.version:
            making = asyncio.create_task(asyncio.to_thread(project_tournament, found.tournament, found.version))
            self.views[id] = found.version, making
            while len(self.views) > MAX_KEPT:
                self.views.popitem(last=False)
        return as_seen_by(who, await asyncio.shield(making), found.tournament)

    async def get(self, id: str) -> StoredTournament:
        """Return a tournament as it is stored now."""
        version = await asyncio.to_thread(self.store.tournaments.version, id)
        kept = self.kept.get(id)
        if kept is not None and kept.version == version:
            return kept
        found = await asyncio.to_thread(self.store.tournaments.load, id)
        if found is None:
            raise TableError("unknown-page", "unknown-tournament")
        self.kept[id] = found
        self.kept.move_to_end(id)
        while len(self.kept) > MAX_KEPT:
            self.kept.popitem(last=False)
        return found

    # Changing

    async def command(
        self, id: str, command: messages.TournamentCommands, who: Identity, entrant: log.Entrant | None = None
    ) -> StoredTournament:
        """Carry out a command, then what follows from it."""
        for _ in range(MAX_ATTEMPTS):
            found = await self.get(id)
            facts = commands.decide(found.tournament, command, who, entrant, self.store.now())
            if not facts:
                return found
            if await self._append(found, facts):
                with logged_failure("a tournament's next step is deferred", id):
                    await self.advance(id)
                return await self.get(id)
        raise TableError("overloaded", "overloaded")

    async def withdraw_all(self, who: Identity) -> None:
        """Withdraw somebody who leaves from all their tournaments."""
        for id in await asyncio.to_thread(self.store.tournaments.of, who.guest):
            if (await self.get(id)).tournament.status != "over":
                await self.command(id, messages.WithdrawFromTournament(), who)

    async def sweep(self) -> None:
        """Take the next steps of all tournaments."""
        for id in await asyncio.to_thread(self.store.tournaments.due, self.store.now()):
            with logged_failure("a tournament's next step is deferred", id):
                await self.advance(id)

    async def advance(self, id: str) -> None:
        """Take the next steps of a tournament until there is nothing to do."""
        for _ in range(MAX_STEPS):
            if not await self.step(id):
                break

    async def step(self, id: str) -> bool:
        """Take one step; return whether there was one to take."""
        found = await self.get(id)
        if not self.ready(found.tournament.plan.game):
            return False
        results = await self._results(found.tournament)
        facts = await asyncio.to_thread(next_step, found.tournament, self.store.now(), results, new_table_id)
        if facts:
            await self._append(found, facts)
        return bool(facts)

    async def _append(self, found: StoredTournament, facts: list[log.AnyFact]) -> bool:
        """Store facts with the tables that they name; False if others were faster."""
        tables = await asyncio.to_thread(self._tables, found.tournament, facts)
        append = await asyncio.to_thread(self.store.tournaments.append, found, facts, tables)
        stored = await asyncio.wrap_future(append)
        if stored and tables:
            self.wake_computers()
        return stored

    def _tables(self, tournament: Tournament, facts: list[log.AnyFact]) -> list[Append]:
        """Return the tables that facts name, as they are stored."""
        appends = []
        for fact in facts:
            for game in fact.games if isinstance(fact, log.RoundPaired) else ():
                entrants = [tournament.players[player].entrant for player in game.players]
                created = tournament_table(
                    tournament.id, tournament.creation, entrants, game.table, new_seed(), self.store.now()
                )
                appends.append(append_for(Table(game.table, created), created))
        return appends

    # Tables

    async def _results(self, tournament: Tournament) -> dict[str, TableResult]:
        """Return the results of the tables that are over; players who do not show up lose on time before."""
        open_games = tournament.open_games
        if not open_games:
            return {}
        states = await asyncio.to_thread(self.store.tournaments.table_states, list(open_games))
        found: dict[str, TableResult] = {}
        allowed = tournament.plan.no_show
        for id, game in open_games.items():
            state = states.get(id)
            if state is None or state.unreadable:
                found[id] = void_result(len(game.players))
            elif state.over:
                result = await asyncio.to_thread(self._result, id, len(game.players))
                if result is not None:
                    found[id] = result
            elif state.waiting_since is not None and self.store.now() >= state.waiting_since + allowed:
                with logged_failure("a player who does not show up is deferred", id):
                    away = await self.sessions.away(id)
                    await self.sessions.change(id, partial(self._no_show, allowed, away))
        return found

    def _result(self, id: str, seats: int) -> TableResult | None:
        try:
            return table_result(self.store.tables.facts(id))
        except TableError:  # it was set aside just now
            return void_result(seats)

    def _no_show(self, allowed: int, away: Mapping[int, int], table: Table) -> Change | None:
        # Nobody could move while no server was running.
        context = command_context(SERVER, self.store.now(), table, away=away)
        return no_show(table, self.sessions.started, allowed, context)
