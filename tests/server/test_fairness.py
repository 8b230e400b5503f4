"""Computing time is shared fairly: between networks, between guests, short turns first; and every queue is bounded."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from mchezo.core.position import Position
from mchezo.server import messages
from mchezo.server.compute import pictures
from mchezo.server.compute.computers import Computers
from mchezo.server.compute.fairness import FairExecutor, FairQueue, FairShares, QueueLimits
from mchezo.server.compute.pictures import Pictures
from mchezo.server.domain.context import Identity
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.payers import Payer
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.storage.analyses import MaxWaiting
from mchezo.server.storage.schema import FACTS, PAYERS, TABLES
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import append_for
from tests.server.contexts import YOU, computer, context, play_random, two
from tests.server.earlier_versions import downgrade
from tests.server.random_players import RandomAnalyst, RandomOpponents
from tests.server.records import record_of, upload
from tests.server.serving import Client, Running, eventually, run_in_thread

pytestmark = pytest.mark.rotating(shares=24)

ADA, BEN, MALLORY = Payer("home", "ada"), Payer("school", "ben"), Payer("attic", "mallory")
NUMBERS = count()


class Recorder(RandomOpponents):
    """Computer players that record what they think about; `during` is called at every slice of a search."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.during: Callable[[int], None] = lambda level: None

    def player(self, game: str, level: int) -> Any:
        return Recorded(self, level)


class Recorded:
    SLICES = 5

    def __init__(self, recorder: Recorder, level: int) -> None:
        self.recorder = recorder
        self.level = level

    def turn(self, position: Position, seconds: float | None = None, stop: Any = None) -> list[str]:
        self.recorder.order.append(f"{self.level} begins")
        for _ in range(self.SLICES):
            self.recorder.during(self.level)
            if stop():
                break
        self.recorder.order.append(f"{self.level} ends")
        return position.legal_moves[:1]


class Place:
    """A store, and a thread of computer players that is stepped by hand."""

    def __init__(self, database: str) -> None:
        self.store = Store(database)
        self.opponents = Recorder()
        self.moved: list[str] = []
        self.payers: dict[str, Payer] = {}
        self.levels: dict[str, int] = {}
        self.computers = Computers(self.store, self.opponents, 0, lambda append: self.moved.append(append.table.id))

    def make(self, payer: Payer, level: int) -> str:
        """Store a table where a computer begins."""
        id = f"{payer.guest[:4]}{next(NUMBERS):08}"
        request = messages.CreateTable("kiwara", [computer(level), YOU], public=True, lot=False)
        rating = lambda game, level: (f"Level {level}", None)  # noqa: E731, one line of use
        facts = create_table(request, {}, None, rating, context(Identity(payer.guest)), id)
        self.store.append(append_for(Table(id, facts), facts, payer.network)).result()
        self.payers[id], self.levels[id] = payer, level
        return id

    def step(self) -> str:
        """Play one turn; return the table."""
        before = len(self.moved)
        assert self.computers.play_next(0)
        assert len(self.moved) > before
        return self.moved[-1]

    def step_on(self) -> Payer:
        """Play one turn, and replace its table by another one of the same guest and level; return the payer."""
        table = self.step()
        self.make(self.payers[table], self.levels[table])
        return self.payers[table]


@pytest.fixture
def place(database: str) -> Iterator[Place]:
    place = Place(database)
    yield place
    place.store.close()


# Turns of computers


def test_a_short_turn_does_not_wait_behind_thirty_long_ones_of_somebody_else(place: Place) -> None:
    for _ in range(30):
        place.make(MALLORY, level=8)
    for _ in range(3):
        place.step()
    ada = place.make(ADA, level=2)
    assert place.step() == ada


def test_a_short_turn_interrupts_a_long_search_between_two_slices(place: Place) -> None:
    place.make(MALLORY, level=8)

    def arrive(level: int) -> None:
        if level == 8:
            place.opponents.during = lambda level: None
            place.make(ADA, level=2)
            place.computers.wake()

    place.opponents.during = arrive
    place.step()
    turns = place.opponents.order
    assert turns[:3] == ["8 begins", "2 begins", "2 ends"]
    assert turns[-1] == "8 ends"
    assert {place.payers[table] for table in place.moved} == {ADA, MALLORY}


@pytest.mark.parametrize(("payer", "level"), [(MALLORY, 2), (ADA, 8)])
def test_own_turns_and_turns_as_long_wait_for_the_end_of_a_search(place: Place, payer: Payer, level: int) -> None:
    place.make(MALLORY, level=8)

    def arrive(_: int) -> None:
        place.opponents.during = lambda level: None
        place.make(payer, level)
        place.computers.wake()

    place.opponents.during = arrive
    place.step()
    assert place.opponents.order == ["8 begins", "8 ends"]


def test_everybody_gets_the_same_share_of_the_nodes_and_nobody_starves(place: Place) -> None:
    for _ in range(10):
        place.make(MALLORY, level=4)
    place.make(ADA, level=3)
    place.make(BEN, level=4)
    nodes: Counter[str] = Counter()
    for _ in range(60):
        payer = place.step_on()
        nodes[payer.guest] += 4 ** (3 if payer == ADA else 4)
    assert max(nodes.values()) - min(nodes.values()) <= 4**4


def test_many_guests_of_one_network_share_what_a_single_guest_gets(place: Place) -> None:
    for number in range(8):
        place.make(Payer("attic", f"mallory {number}"), level=3)
    place.make(ADA, level=3)
    networks = Counter(place.step_on().network for _ in range(32))
    assert networks == {"attic": 16, "home": 16}


def test_tables_that_wait_for_somebody_do_not_hide_those_of_others(place: Place) -> None:
    for number in range(70):
        place.make(Payer("attic", f"mallory {number % 40}"), level=8)
    ada = place.make(ADA, level=2)
    found = place.store.computer_turns.candidates(place.store.now())
    assert ada in {candidate.id for candidate in found}
    assert Counter(candidate.payer.network for candidate in found)["attic"] == 64


def test_a_rematch_is_charged_to_the_network_of_the_first_game(place: Place) -> None:
    first = place.make(ADA, level=1)
    table = place.store.tables.load(first)
    assert table is not None
    again = [msgspec.structs.replace(table.creation, previous=first), *table.log[1:]]
    place.store.append(append_for(Table("again0000000", again), again)).result()
    with place.store.database.engine.connect() as connection:
        rows = connection.execute(PAYERS.select().where(PAYERS.c.id == "again0000000")).all()
    assert [(row.guest, row.network) for row in rows] == [("ada", "home")]


def test_a_damaged_summary_does_not_stop_the_others(place: Place) -> None:
    broken = place.make(MALLORY, level=1)
    with place.store.database.engine.begin() as connection:
        connection.execute(sa.update(TABLES).where(TABLES.c.id == broken).values(summary=b"{"))
    ada = place.make(ADA, level=2)
    assert place.step() == ada


def test_an_old_database_charges_running_tables_to_their_creators(database: str) -> None:
    place = Place(database)
    running, broken = place.make(ADA, level=1), place.make(BEN, level=1)
    with place.store.database.engine.begin() as connection:
        connection.execute(sa.update(FACTS).where(FACTS.c.table_id == broken, FACTS.c.number == 0).values(fact=b"{"))
        downgrade(connection, "0003")
    place.store.close()
    again = Store(database)
    found = {candidate.id: candidate.payer for candidate in again.computer_turns.candidates(again.now())}
    assert found == {running: Payer("ada", "ada"), broken: Payer(broken, broken)}
    again.close()


# Analyses


def finished(place: Place, payer: Payer, seed: int) -> str:
    """Store a finished game and request its analysis."""
    import random

    table = play_random(two(), random.Random(seed))
    id = f"over{next(NUMBERS):08}"
    place.store.append(append_for(Table(id, table.log), table.log, payer.network)).result()
    assert place.store.analyses.request(id, 1, payer, MaxWaiting(9, 9, 9)).result()
    return id


def test_an_analysis_and_the_turns_of_others_alternate(place: Place) -> None:
    order: list[str] = []

    class Analyst(RandomAnalyst):
        def best(self, position: Position, count: int, *, only: Any = None, **budget: Any) -> Any:
            if only is None:
                order.append("decision")
            return super().best(position, count, only=only, **budget)

    place.opponents.analyst = lambda game: Analyst()  # type: ignore[method-assign]  # watched
    place.opponents.during = lambda level: order.append("slice")
    id = finished(place, ADA, seed=1)
    for _ in range(30):
        place.make(MALLORY, level=8)
    limit = 2_000
    steps = 0
    while place.store.analyses.get(id).status != "done":  # type: ignore[union-attr]  # requested
        steps += 1
        assert steps < limit, "the analysis starves"
        computers, before = place.computers, len(place.moved)
        assert computers.play_next(0, computers.next_analysis()) or computers.analyse_next(0)
        for table in place.moved[before:]:
            place.make(place.payers[table], level=8)  # it never runs out of turns
    assert order.count("slice") > 0


def test_one_guest_cannot_fill_the_queue_of_analyses(place: Place) -> None:
    most = MaxWaiting(guest=2, network=3, total=10)

    def request(number: int, payer: Payer) -> bool:
        return place.store.analyses.request(f"t{number:011}", 1, payer, most).result()

    assert [request(number, MALLORY) for number in range(3)] == [True, True, False]
    other = Payer("attic", "mallory again")
    assert [request(number, other) for number in range(10, 12)] == [True, False]
    assert request(20, ADA)


# Queues in memory


def test_a_payer_who_was_idle_starts_level_with_the_others() -> None:
    shares = FairShares()
    for _ in range(100):
        shares.charge(MALLORY, 10)
    assert shares.tags(ADA) < shares.tags(MALLORY)
    for _ in range(2):
        shares.charge(ADA, 10)
    assert shares.tags(MALLORY) < shares.tags(ADA)  # a hundred turns alone gave nobody else a claim


def test_a_queue_serves_guests_in_turn_and_short_work_first() -> None:
    queue: FairQueue[str] = FairQueue(QueueLimits(10, 10, 10))
    for number in range(3):
        queue.push(MALLORY, 100, f"mallory {number}")
    queue.push(ADA, 100, "ada, long")
    queue.push(BEN, 1, "ben, short")
    assert [queue.pop() for _ in range(5)] == ["ben, short", "mallory 0", "ada, long", "mallory 1", "mallory 2"]


def test_a_queue_refuses_a_guest_a_network_and_then_everybody() -> None:
    queue: FairQueue[str] = FairQueue(QueueLimits(guest=2, network=3, total=4))
    queue.push(MALLORY, 1, "")
    queue.push(MALLORY, 1, "")
    refusals = []
    for payer in (MALLORY, Payer("attic", "eve"), Payer("attic", "trent"), ADA, BEN):
        try:
            queue.push(payer, 1, "")
        except TableError as error:
            refusals.append((payer.guest, error.code, error.key, error.values["seconds"]))
    assert refusals == [
        ("mallory", "overloaded", "too-much-waiting", 5),
        ("trent", "overloaded", "too-much-waiting", 5),
        ("ben", "overloaded", "overloaded", 5),
    ]


def test_work_that_nobody_waits_for_leaves_the_queue() -> None:
    executor = FairExecutor("test", 1, QueueLimits(10, 10, 10))
    began, free = threading.Event(), threading.Event()
    called: list[str] = []

    def hold() -> None:
        began.set()
        free.wait()

    async def run() -> None:
        first = asyncio.create_task(executor.run(ADA, 1, hold))
        await asyncio.to_thread(began.wait)
        second = asyncio.create_task(executor.run(ADA, 1, lambda: called.append("second")))
        third = asyncio.create_task(executor.run(ADA, 1, lambda: called.append("third")))
        while len(executor.queue) < 2:
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        free.set()
        await asyncio.gather(first, third)

    run_in_thread(run())
    executor.stop()
    assert called == ["third"]


# Pictures


class Studio:
    """Pictures drawn one at a time, when the test says so."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.asked = threading.Semaphore(0)
        self.allowed = threading.Semaphore(0)
        self.pictures = Pictures(self.draw)

    def draw(self, function: Callable[..., bytes], what: Any, width: int = 0) -> bytes:
        self.asked.release()
        self.allowed.acquire()
        self.drawn.append(what if isinstance(what, str) else "animation")
        return b"picture"

    def animate(self, payer: Payer, name: str) -> asyncio.Task[bytes]:
        frames = [lambda number=number: f"{name} {number}" for number in range(20)]
        return asyncio.create_task(self.pictures.gif(payer, name, frames, 1_000))

    async def begin(self) -> None:
        """Wait until something is being drawn."""
        await asyncio.to_thread(self.asked.acquire)

    async def finish(self, one: asyncio.Task[bytes]) -> None:
        """Allow drawing until a picture is done."""
        while not one.done():
            self.allowed.release()
            await asyncio.wait([one, asyncio.create_task(self.begin())], return_when=asyncio.FIRST_COMPLETED)


def test_a_picture_does_not_wait_for_the_animations_of_somebody_else() -> None:
    studio = Studio()

    async def run() -> None:
        animations = [studio.animate(MALLORY, f"animation {number}") for number in range(pictures.MAX_DRAWING.guest)]
        await studio.begin()
        with pytest.raises(TableError) as refused:
            await studio.animate(MALLORY, "one too many")
        assert (refused.value.code, refused.value.key) == ("overloaded", "too-much-waiting")
        ben = asyncio.create_task(studio.pictures.png(BEN, "board", lambda: "board of ben", 1_000))
        while not len(studio.pictures.executor.queue) >= len(animations):
            await asyncio.sleep(0)
        await studio.finish(ben)
        assert "board of ben" in studio.drawn[:2]
        for animation in animations:
            animation.cancel()
        await asyncio.gather(*animations, return_exceptions=True)
        for _ in range(100):
            studio.allowed.release()

    run_in_thread(run())
    studio.pictures.stop()


def test_an_animation_is_not_drawn_to_its_end_when_its_reader_hangs_up() -> None:
    studio = Studio()

    async def run() -> None:
        animation = studio.animate(ADA, "animation")
        await studio.begin()
        animation.cancel()
        await asyncio.gather(animation, return_exceptions=True)
        for _ in range(100):
            studio.allowed.release()
        board = asyncio.create_task(studio.pictures.png(BEN, "board", lambda: "board of ben", 1_000))
        await board
        assert not studio.pictures.drawing

    run_in_thread(run())
    studio.pictures.stop()
    assert studio.drawn == ["animation 0", "board of ben"]


def test_two_readers_of_one_animation_share_it_and_one_may_hang_up() -> None:
    studio = Studio()

    async def run() -> None:
        for _ in range(100):
            studio.allowed.release()
        one, two = studio.animate(ADA, "animation"), studio.animate(BEN, "animation")
        await asyncio.sleep(0)
        one.cancel()
        assert await two == b"picture"

    run_in_thread(run())
    studio.pictures.stop()
    assert studio.drawn.count("animation 0") == 1


def test_a_client_that_hangs_up_ends_its_animation(start: Callable[..., Running], tmp_path: Path) -> None:
    server = start(str(tmp_path / "tables.sqlite"))
    assert server.service is not None
    studio, drawn = Studio(), server.service.pictures
    drawn.draw = studio.draw
    id = upload(server.client("Ada"), record_of("katarenga", moves=30))
    host, port = server.address.split(":")
    with socket.create_connection((host, int(port))) as reader:
        reader.sendall(f"GET /api/tables/{id}/game.gif HTTP/1.1\r\nHost: {server.address}\r\n\r\n".encode())
        studio.asked.acquire()  # the first frame is being drawn
        assert len(drawn.drawing) == 1
    eventually(lambda: not drawn.drawing)
    for _ in range(100):
        studio.allowed.release()
    eventually(lambda: drawn.executor.idle)
    assert len(studio.drawn) == 1


# Threads


def test_thinking_trying_out_and_drawing_have_threads_of_their_own(
    start: Callable[..., Running], tmp_path: Path
) -> None:
    threads: dict[str, str] = {}

    class Named(RandomOpponents):
        def player(self, game: str, level: int) -> Any:
            found = super().player(game, level)
            think = found.think

            def named(position: Position, **budget: Any) -> Any:
                threads["hint"] = threading.current_thread().name
                return think(position, **budget)

            found.think = named  # type: ignore[method-assign]  # watched
            return found

    server = start(str(tmp_path / "tables.sqlite"), opponents=Named(), threads=1)
    ada = server.client("Ada")
    id = ada.make("kiwara", [{"kind": "you"}, {"kind": "computer", "level": 1}])["id"]
    table = eventually(lambda: next((seen for seen in [ada.look(id)] if seen["legal"]), None))
    hint = {"type": "hint", "id": "h", "decision": table["decision"], "level": 2}
    eventually(lambda: ada.http.post(f"/api/tables/{id}/hint", json=hint).status_code == 200)
    assert threads["hint"].startswith("thinking")
    ada.post(f"/api/tables/{id}/try", {"type": "try", "id": "t", "decision": table["decision"], "previews": True})
    assert ada.http.get(f"/api/tables/{id}/picture.png").content[:4] == b"\x89PNG"
    assert server.service is not None
    service = server.service
    used = (service.trials, service.thinking.executor, service.pictures.executor)
    assert all(executor.threads for executor in used)


def test_the_payer_of_a_table_is_stored_without_an_address(running: Running, ada: Client) -> None:
    table = ada.make()["id"]
    assert running.service is not None
    with running.service.store.database.engine.connect() as connection:
        row = connection.execute(PAYERS.select().where(PAYERS.c.id == table)).one()
    assert len(bytes.fromhex(row.network)) == 8
    assert "127.0.0" not in row.guest
