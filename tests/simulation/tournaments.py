"""Tournaments on the simulated servers: `python -m tests.simulation.tournaments --seeds 0-99`.

Computers play at random, people resign, do not come, enter late and withdraw, while servers are killed between any two
statements, and two of them may share one log. The log of the tournament on the disk is checked after every commit,
without the server's memory.
"""

from __future__ import annotations

import argparse
import gc
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

from mchezo.core.errors import UserError
from mchezo.server import messages
from mchezo.server.domain import log as table_log
from mchezo.server.domain.context import Identity
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.running import is_paired_at_once, next_step
from mchezo.server.domain.tournaments.standings import standings
from mchezo.server.domain.tournaments.tournament import Tournament
from mchezo.server.messages import ClockRules, TournamentCommands, TournamentPlan
from tests.simulation import environment, faults
from tests.simulation.__main__ import seed_range
from tests.simulation.environment import INJECTED
from tests.simulation.process import Process
from tests.simulation.run import Run, exempt_modules
from tests.simulation.world import SECOND, Violation, World

ID = "TTTTTTTTTTTT"
ORGANISER = Identity("ada", "Ada", device="a")
KINDS = [kind for kind in faults.KINDS if kind not in ("cut", "leave", "slow-network", "lossy-network")]


@dataclass
class Outcome:
    """What came of a seed."""

    seed: int
    violation: str | None
    steps: int
    facts: int
    games: int
    format: str
    shared: bool
    faults: Counter[str]
    digest: str


class TournamentRun(Run):
    """A tournament in progress."""

    calm = 900 * SECOND
    most_steps = 1_000_000
    sweeps_chance = 1.0  # rounds are paired by a sweep

    def __init__(self, world: World, kinds: Collection[str], crash_at: int | None = None) -> None:
        super().__init__(world, kinds)
        self.requests, self.until = [], world.between(5.0, 40.0)
        self.plan = random_plan(world)
        self.log: list[log.AnyFact] = []
        self.people: list[Identity] = []
        self.acknowledged: set[str] = set()  # people who were told that they are in
        self.crash_at = crash_at  # the server is killed at this statement or commit of the tournament
        self.statements = 0
        self.armed = False  # once the first players have entered
        self.disk.on_commit = self.on_commit
        if crash_at is not None:
            self.kinds = []
            inner = self.disk.before_execute
            self.disk.before_execute = lambda statement: self.count(statement, inner)  # type: ignore[method-assign]  # counts

    def count(self, statement: str, inner: Callable[[str], None]) -> None:
        """Let the server be killed before the statement that is due, or at the commit after the last one."""
        if self.armed and "tournament" in statement and statement.startswith(("INSERT", "UPDATE")):
            for _ in range(2):  # before the statement, and before what follows it
                if self.statements == self.crash_at and self.disk.crash_in is None:
                    self.disk.crash_in = self.statements % 2
                self.statements += 1
        inner(statement)

    # What happens

    def serve(self, process: Process, work: Callable[[], object], done: Callable[[], None] = lambda: None) -> None:
        """Run something on a server; it may be refused or fail, and then it is not done."""

        async def guarded() -> None:
            try:
                await work()  # type: ignore[misc]  # a coroutine
            except (UserError, *INJECTED):
                return
            done()

        process.loop.call_soon(lambda: process.loop.create_task(guarded()))

    def create_tables(self) -> None:
        """Create the tournament and enter its first players; no faults happen yet."""
        self.advance(lambda: bool(self.living()), "no server started")
        process = self.living()[0]
        store = process.service.store
        created = log.TournamentCreated(at=store.now(), by=ORGANISER.guest, plan=self.plan, organiser="Ada")

        async def create() -> None:
            store.tournaments.create(ID, created)

        self.serve(process, create)
        self.advance(lambda: len(self.log) == 1, "no tournament was created")
        for _ in range(self.world.rng.randrange(self.plan.seats, 8)):
            self.add_player()
        self.advance(lambda: len(self.tournament.active) >= self.plan.seats, "nobody could enter")
        self.armed = True
        self.world.after(self.world.between(0.5, 3.0), self.start_tournament)
        self.world.after(self.world.between(0.5, 4.0), self.change_something)
        self.world.after(SECOND, self.play)

    @property
    def tournament(self) -> Tournament:
        """The tournament as it is on the disk."""
        return Tournament(ID, self.log)

    def command(
        self,
        command: TournamentCommands,
        who: Identity,
        entrant: log.Entrant | None = None,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        """Send a command to one of the servers."""
        living = self.living()
        if living:
            process = self.world.pick(living)
            self.serve(process, lambda: process.service.tournaments.command(ID, command, who, entrant), done)

    def add_player(self) -> None:
        """Let a computer or a person enter."""
        if self.world.chance(0.6):
            computer = log.Entrant("computer", level=1, rating=self.world.rng.randrange(900, 2100))
            self.command(messages.AddComputer(level=1), ORGANISER, computer)
        else:
            person = Identity(f"p{len(self.people)}", f"P{len(self.people)}", device="d")
            self.people.append(person)
            entrant = log.Entrant("person", person.guest, person.shown_name, account=True)
            enter = messages.EnterTournament()
            self.command(enter, person, entrant, lambda: self.acknowledged.add(person.guest))

    def start_tournament(self) -> None:
        """Let the organiser start it, as often as it takes."""
        if self.tournament.status == "open":
            self.command(messages.StartTournament(), ORGANISER)
            self.world.after(3 * SECOND, self.start_tournament)

    def change_something(self) -> None:
        """Let somebody enter late, withdraw, come back or be removed."""
        tournament = self.tournament
        if tournament.status == "over" or self.world.time > 60 * SECOND:
            return
        self.world.after(self.world.between(1.0, 8.0), self.change_something)
        choice = self.world.rng.random()
        if choice < 0.4:
            self.add_player()
        elif choice < 0.6 and self.people:
            self.command(messages.WithdrawFromTournament(), self.world.pick(self.people))
        elif choice < 0.7 and self.people:
            self.command(messages.EnterTournament(), self.world.pick(self.people))
        elif choice < 0.75 and tournament.players:
            number = self.world.rng.randrange(len(tournament.players))
            self.command(messages.RemovePlayer(player=number), ORGANISER)

    def play(self) -> None:
        """Let people who came resign, now and then after a move; others never come."""
        self.world.after(self.world.between(0.5, 2.0), self.play)
        living = self.living()
        if not living:
            return
        process, tournament = self.world.pick(living), self.tournament
        by_guest = {one.guest: one for one in self.people}
        for game in tournament.open_games.values():
            for number in game.players:
                who = by_guest.get(tournament.players[number].entrant.holder or "")
                if who is None or int(who.guest[1:]) % 3 == 0 or not self.world.chance(0.4):
                    continue
                resign = messages.Resign(id=f"{game.table}-{number}")
                table = game.table
                self.serve(process, lambda t=table, c=resign, w=who: process.service.sessions.command(t, c, w))  # type: ignore[misc]  # defaults

    # What must hold

    def on_commit(self) -> None:
        """Check everything that was committed, from the disk alone."""
        self.oracle.on_commit()
        rows = self.disk.raw.execute(
            "SELECT number, fact FROM tournament_facts WHERE tournament_id = ? ORDER BY number", (ID,)
        ).fetchall()
        if [number for number, _ in rows] != list(range(len(rows))):
            self.world.fail("the log of the tournament has gaps")
        facts = [log.decode(raw) for _, raw in rows]
        if facts[: len(self.log)] != self.log:
            self.world.fail("the log of the tournament has lost or changed a fact")
        for fact in facts[len(self.log) :]:
            self.check_fact(Tournament(ID, self.log), fact)
            self.log.append(fact)
            self.world.note("tournament", fact)
        if len(rows):
            self.check_rows()

    def check_fact(self, before: Tournament, fact: log.AnyFact) -> None:
        """Check that a fact may follow those before it."""
        if before.log and before.finished:
            self.world.fail("a fact was stored after the end of the tournament")
        if isinstance(fact, log.RoundPaired):
            self.check_pairing(before, fact)
        elif isinstance(fact, log.GameDecided):
            ended = [one for one in self.oracle.logs[fact.table].facts if isinstance(one, table_log.GameEnded)]
            if not ended or fact.table not in before.open_games:
                return self.world.fail("a game was decided twice, or before it was over")
            seats = range(len(fact.places))
            nobody_came = len(fact.absent) == len(fact.places)
            firsts = ended[0].winners or ([] if nobody_came else list(seats))
            if len(fact.places) == 2 and [seat for seat in seats if fact.places[seat] == 0] != sorted(firsts):
                self.world.fail(f"the log names the wrong winners of {fact.table}")
        elif isinstance(fact, log.PlayerEntered) and fact.player != len(before.players):
            self.world.fail("two players have the same number")

    def check_pairing(self, before: Tournament, fact: log.RoundPaired) -> None:
        """Check that a pairing follows from the log, and pairs everybody once."""
        ids = iter([game.table for game in fact.games])
        if next_step(before, fact.at, {}, lambda: next(ids)) != [fact]:
            self.world.fail("a pairing does not follow from the log")
        paired = [player for game in fact.games for player in game.players] + fact.byes
        if len(set(paired)) != len(paired):
            self.world.fail("a player was paired twice in a round")
        busy = {player for game in before.open_games.values() for player in game.players}
        if busy & set(paired) and not is_paired_at_once(before):
            self.world.fail("a player was paired while still playing")
        if self.plan.format == "swiss" and set(paired) != set(before.active):
            self.world.fail("the pairing of a round leaves out a player who is present")
        if {game.table for game in fact.games} & set(before.games):
            self.world.fail("a table was paired twice")

    def check_rows(self) -> None:
        """Check that every game has its table, no other table exists, and the row agrees with the log."""
        tournament = self.tournament
        made: Counter[str] = Counter()
        for table, stored in self.oracle.logs.items():
            for fact in stored.facts:
                if isinstance(fact, table_log.TableCreated) and fact.tournament == ID:
                    made[table] += 1
                    self.check_seats(tournament, table, fact)
        if made != dict.fromkeys(tournament.games, 1):
            self.world.fail("the tables are not the ones that were paired")
        (number, status) = self.disk.raw.execute("SELECT number, status FROM tournaments").fetchone()
        if (number, status) != (tournament.number, tournament.status):
            self.world.fail("the row of the tournament contradicts its log")

    def check_seats(self, tournament: Tournament, table: str, created: table_log.TableCreated) -> None:
        """Check that the players of a game sit at its table, in the order in which they were paired."""
        game = tournament.games.get(table)
        if game is not None:
            seated = [(one.kind, one.holder) for one in created.seats]
            entrants = [tournament.players[player].entrant for player in game.players]
            if seated != [(one.kind, one.holder) for one in entrants]:
                self.world.fail(f"the players at {table} are not the ones who were paired")

    def check_end(self) -> None:
        """Check the standings, and that everybody who was told so had entered."""
        tournament = self.tournament
        holders = [player.entrant.holder for player in tournament.players]
        if len(set(filter(None, holders))) != len([one for one in holders if one]):
            self.world.fail("somebody entered twice")
        if not self.acknowledged <= set(holders):
            self.world.fail("an acknowledged entry was lost")
        lines = standings(tournament)
        if sorted(line.player for line in lines) != list(range(len(tournament.players))):
            self.world.fail("the standings do not list every player exactly once")
        if self.plan.format in ("swiss", "round-robin"):
            for line in lines:
                if line.points != points_by_hand(self.log, line.player, self.plan.seats):
                    self.world.fail("points do not follow from the log")
        if tournament.finished is not None and tournament.finished.reason == "played" and tournament.open_games:
            self.world.fail("the tournament ended while games were open")

    # Running

    def finished(self) -> bool:
        """Return whether the tournament is over."""
        return self.tournament.status == "over"

    def play_to_the_end(self) -> None:
        """Play with faults, then without them until the tournament is over, then check its end."""
        self.play_with_faults()
        self.advance(self.finished, "the tournament does not end")
        self.check_end()
        if self.world.violation is not None:
            raise self.world.violation


def points_by_hand(facts: Collection[log.AnyFact], player: int, seats: int) -> float:
    """Return a player's points: a win 1, half for equals, for everybody behind or equal; byes as the rules say."""
    players = {game.table: game.players for fact in facts if isinstance(fact, log.RoundPaired) for game in fact.games}
    total = 0.0
    for fact in facts:
        if isinstance(fact, log.RoundPaired) and player in fact.byes:
            total += 1.0 if seats == 2 else (seats - 1) / 2
        nobody_came = isinstance(fact, log.GameDecided) and len(fact.absent) == len(fact.places)
        if isinstance(fact, log.GameDecided) and player in players[fact.table] and not nobody_came:
            own = fact.places[players[fact.table].index(player)]
            total += sum(1.0 for place in fact.places if place > own)
            total += (fact.places.count(own) - 1) / 2
    return total


def random_plan(world: World) -> TournamentPlan:
    """Return a tournament of any format, of short games."""
    rng = world.rng
    seats = rng.choice((2, 2, 2, 3, 4))
    return TournamentPlan(
        name="Open",
        format=rng.choice(("swiss", "swiss", "round-robin", "knock-out", "arena")),
        game="kitara" if seats > 2 else rng.choice(("katarenga", "kiwara")),
        seats=seats,
        clock=ClockRules(rng.choice((1_000, 2_000, 3_000)), 0),
        rounds=rng.randrange(1, 4),
        minutes=5,
        computers=True,
        no_show=30_000,
        late=rng.random() < 0.7,
    )


def run(seed: int, kinds: Collection[str] = tuple(KINDS), crash_at: int | None = None) -> Outcome:
    """Run one seed."""
    exempt_modules()
    world = World(seed)
    violation: str | None = None
    with environment.simulated(world):
        game = TournamentRun(world, kinds, crash_at)
        try:
            game.play_to_the_end()
        except Violation as found:
            violation = str(found)
        outcome = Outcome(
            seed,
            violation,
            world.steps,
            len(game.log),
            len(game.tournament.games) if game.log else 0,
            f"{game.plan.format}, {game.plan.seats} seats",
            game.shared,
            world.faults,
            world.digest.hexdigest(),
        )
        reached = game.statements
        game.close()
        del game
        gc.collect()  # here, since coroutines that end would reach into the next run
    if crash_at is not None and reached <= crash_at:
        outcome.faults["not reached"] = 1
    return outcome


def main() -> int:
    """Run seeds, and print what happened in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=seed_range, default=range(100))
    formats: Counter[str] = Counter()
    found: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    failed = 0
    for seed in parser.parse_args().seeds:
        outcome = run(seed)
        formats[outcome.format] += 1
        found += outcome.faults
        totals += Counter(
            seeds=1, steps=outcome.steps, facts=outcome.facts, games=outcome.games, on_two_servers=outcome.shared
        )
        if outcome.violation is not None:
            failed += 1
            print(f"seed {seed}: {outcome.violation}", flush=True)
    print(dict(totals), dict(formats), dict(found), f"{failed} failed", sep="\n")
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
