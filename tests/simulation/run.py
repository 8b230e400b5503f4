"""One run: servers, disk, network and clients under one seed, from the first table to the last check."""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import mchezo
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.context import Identity
from tests.simulation import environment, faults
from tests.simulation.clients import Client, attacks
from tests.simulation.disk import Disk, tables_on
from tests.simulation.network import Network
from tests.simulation.oracle import Oracle
from tests.simulation.process import Process
from tests.simulation.world import SECOND, Violation, World

SHARED = 0.4  # the probability of two servers on one log
RUNS = count()  # in this process


@dataclass
class Outcome:
    """What came of a seed."""

    seed: int
    violation: str | None
    steps: int
    acknowledged: int
    moves: int
    tables: int
    worlds: int
    faults: Counter[str]
    digest: str
    trace: list[str] | None = None


class Run:
    """A run in progress."""

    calm = 200 * SECOND  # within which everything has to end once faults have ceased
    most_steps = 40_000  # within which everything has to end, too
    sweeps_chance = 0.2  # that the lobby, correspondence, notices... are swept, which have nothing to do here

    def __init__(self, world: World, kinds: Collection[str]) -> None:
        self.world = world
        rng = world.rng
        self.shared = world.chance(SHARED)
        self.kinds = [kind for kind in kinds if world.chance(0.45)]
        self.until = world.between(3.0, 9.0)
        self.disk = Disk(world)
        self.oracle = Oracle(world, self.disk)
        self.disk.on_commit = self.oracle.on_commit
        self.disk.on_notify = self.notify
        self.network = Network(world)
        self.sweeps = world.chance(self.sweeps_chance)
        self.processes = [self.start(f"{'ab'[n]}1") for n in range(1 + self.shared)]
        self.dead: list[Process] = []  # kept, so that the garbage collector leaves their tasks alone
        self.clients: list[Client] = []
        self.tables: list[str] = []
        self.ended: set[str] = set()  # tables whose games are over
        self.long_outages = world.chance(0.5)
        self.restarting: set[int] = set()
        self.requests = [random_request(rng) for _ in range(1 if world.chance(0.7) else 2)]

    # Servers

    def start(self, name: str) -> Process:
        """Start a server process."""
        process = Process(self.world, self.disk, name, self.shared, self.sweeps)
        process.start()
        return process

    def supervise(self) -> None:
        """Note whether a server lives, and have dead ones started again."""
        self.oracle.lives(any(process.lives for process in self.processes))
        for place, process in enumerate(self.processes):
            if not process.alive and place not in self.restarting:
                self.restarting.add(place)
                pause = (4.0, 60.0) if self.long_outages and self.world.chance(0.4) else (0.05, 3.0)
                self.world.after(self.world.between(*pause), self.restart, place)

    def restart(self, place: int) -> None:
        """Start a server in the place of a dead one."""
        self.restarting.discard(place)
        self.dead.append(self.processes[place])
        name = self.processes[place].name
        self.processes[place] = self.start(f"{name[0]}{int(name[1:]) + 1}")

    def living(self) -> list[Process]:
        """Return the servers that accept connections."""
        return [process for process in self.processes if process.alive and process.started]

    def notify(self, payloads: list[str]) -> None:
        """Deliver notifications to the servers that listen."""
        for process in self.processes:
            if self.shared and process.alive and process.started and process.listening:
                for payload in payloads:
                    self.world.after(self.world.rng.randrange(100, 30_000), process.notified, payload, owner=process)

    # Tables and players

    def create_tables(self) -> None:
        """Create the tables, and the clients that play and watch there; no faults happen yet."""
        for index, (request, script) in enumerate(self.requests):
            guests = [f"{name}{index}" for name in ("ada", "ben", "cay", "dee")]
            created: list[str] = []
            self.advance(lambda: bool(self.living()), "no server started")
            self.living()[0].create_table(request, Identity(guests[0], "Ada", bot=True), created.append)
            self.advance(lambda created=created: bool(created), "no table was created")  # type: ignore[misc]  # a default
            (table,) = created
            self.tables.append(table)
            people = sum(plan.kind != "computer" for plan in request.seats)
            patience = self.world.rng.randrange(8, 24) + (request.at or 0)
            for guest in guests[:people]:
                self.add_client(table, guest, plays=True, patience=patience, script=script)
            if self.world.chance(0.5):
                self.add_client(table, f"eve{index}", plays=False)
            if self.world.chance(0.5):  # a second connection of a player
                self.add_client(table, guests[0], plays=False, want="facts")
            if self.world.chance(0.3):
                self.add_client(table, f"fay{index}", plays=False, want="facts")
            if self.world.chance(0.2):
                self.add_client(table, f"anonymous{index}", plays=False, anonymous=True)

    def add_client(self, table: str, guest: str, *, anonymous: bool = False, **given: Any) -> None:
        """Add a client of a table."""
        token = None if anonymous else self.processes[0].service.signer.token(Identity(guest, guest.title(), bot=True))
        self.clients.append(Client(self.world, self.network, self.oracle, self.living, table, guest, token, **given))

    # Running

    def advance(self, condition: Callable[[], bool], complaint: str, until: int = 0) -> None:
        """Let things happen until a condition holds; complain if it does not hold a calm time after `until`."""
        world = self.world
        end, steps = max(world.time, until) + self.calm, world.steps + self.most_steps
        while not condition():
            self.supervise()
            if world.time > end or world.steps > steps or not world.step():
                raise Violation(complaint)

    def go(self) -> None:
        """Play with faults, then without them until every game is over, then check everything."""
        self.play_with_faults()
        try:
            self.advance(self.finished, "a game does not end")
        finally:
            self.oracle.check_all()
            if self.world.violation is not None:
                raise self.world.violation

    def play_with_faults(self) -> None:
        """Play until the time of the faults is over."""
        self.create_tables()
        end = self.world.time + self.until
        faults.schedule(self, self.kinds, end)
        self.advance(lambda: self.world.time >= end, "nothing happens any more", end)
        self.heal()

    def heal(self) -> None:
        """End all faults."""
        self.world.note("calm")
        self.disk.heal()
        self.network.loss = self.network.duplication = self.network.slow_until = 0
        self.long_outages = False
        for process in self.processes:
            process.loop.suspended_until = 0
        for client in self.clients:
            client.calm, client.away_until = True, 0

    def close(self) -> None:
        """End all that still waits; what it does on its way out is not part of the run."""
        self.world.trace = None
        self.world.events.clear()
        for process in (*self.processes, *self.dead):
            process.alive = False
            process.loop.close_tasks()
        self.disk.close()

    def finished(self) -> bool:
        """Return whether every game is over, and every client knows."""
        for table in self.tables:
            if table not in self.ended:
                facts = self.oracle.logs[table].facts
                if not any(isinstance(fact, log.GameEnded) for fact in facts[-6:]):
                    return False
                self.ended.add(table)  # for good, since no power is lost any more
        return all(
            client.number == len(self.oracle.logs[client.table].facts) - 1 and not client.pending
            for client in self.clients
        )


def exempt_modules() -> None:
    """Exempt what lives for ever from garbage collection, which every run needs once: modules, then caches, too."""
    before = next(RUNS)
    if before & (before - 1) == 0:  # after 0, 1, 2, 4, 8... runs, since caches are filled more and more slowly
        gc.collect()
        gc.freeze()


def run(seed: int, kinds: Collection[str] = tuple(faults.KINDS), keep_trace: bool = False) -> Outcome:
    """Run one seed."""
    exempt_modules()
    world = World(seed, keep_trace)
    violation: str | None = None
    game: Run | None = None
    with environment.simulated(world):
        try:
            game = Run(world, kinds)
            game.go()
        except Violation as found:
            violation = str(found)
        outcome = outcome_of(world, game, violation, seed)
        if game is not None:
            game.close()
            game = None
        gc.collect()  # here, since coroutines that end would reach into the next run
    return outcome


def outcome_of(world: World, game: Run | None, violation: str | None, seed: int) -> Outcome:
    """Return what came of a run."""
    facts = [fact for stored in game.oracle.logs.values() for fact in stored.facts] if game else []
    return Outcome(
        seed=seed,
        violation=violation,
        steps=world.steps,
        acknowledged=len(game.oracle.acknowledged) if game else 0,
        moves=sum(isinstance(fact, log.MovePlayed) for fact in facts),
        tables=len(list(tables_on(game.disk))) if game else 0,
        worlds=game.oracle.worlds if game else 0,
        faults=world.faults,
        digest=world.digest.hexdigest(),
        trace=world.trace,
    )


# What is played


# Seeds of games of Kitara, by the number of players, in which a hidden token is drawn early.
EARLY_TOKENS = {2: (59, 6, 0, 16), 3: (21, 12), 4: (36,)}


@cache
def recorded(game: str, players: int, number: int) -> tuple[str, list[str]]:
    """Return the record of a random game, up to its first hidden draw or its end, and its moves."""
    rng = random.Random(number)
    options: dict[str, Any] = {"players": players} if game == "kitara" else {}
    position = mchezo.game(game).start(seed=number, **options)
    while position.to_move is not None:
        position.play(rng.choice(attacks(position.legal_moves)))
        if any(step.only is not None for step in position.steps[-3:]):
            break
    return str(position.record()), position.moves


def random_request(rng: random.Random) -> tuple[messages.CreateTable, list[str]]:
    """Return a table of any of the games, from the start or late in it, and moves for the players to follow."""
    game = rng.choice(list(mchezo.games()))
    players = rng.choice((2, 2, 3, 4)) if game == "kitara" else 2
    seats = [messages.SeatPlan("you"), *(messages.SeatPlan("open") for _ in range(players - 1))]
    if rng.random() < 0.15:
        seats[-1] = messages.SeatPlan("computer", level=1)
    given: dict[str, Any] = {}
    script: list[str] = []
    if rng.random() < 0.6:
        given["clock"] = messages.ClockRules(rng.choice((1_000, 2_000, 4_000, 30_000)), rng.choice((0, 0, 500, 2_000)))
    if rng.random() < (0.6 if game == "kitara" else 0.25):
        number = rng.choice(EARLY_TOKENS[players] if game == "kitara" else range(3))
        record, script = recorded(game, players, number)
        given |= {"record": record, "at": max(1, len(script) - rng.randrange(2, 7))}
    elif game == "kiwara":
        given["options"] = {"reinforcement": rng.choice(("pile", "okapi"))}
    request = messages.CreateTable(
        game,
        seats,
        public=True,
        grace=10_000,
        abandoned=rng.choice(("claim", "computer")),
        stand_in=1,
        takeback=rng.random() < 0.8,
        lot=rng.random() < 0.7,
        **given,
    )
    return request, script
