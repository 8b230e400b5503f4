"""Pairing: who plays whom and in which seat, never twice, whatever happens in between."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from mchezo.ratings.glicko import Rating
from mchezo.server import messages
from mchezo.server.domain import commands, pairing
from mchezo.server.domain.context import Identity
from mchezo.server.domain.pairing import ANYBODY, Seeker, fair_order, kinds, match
from mchezo.server.domain.rated import is_standard, pools
from mchezo.server.domain.table import Table
from mchezo.server.storage.pairing import StoredSeek, new_id
from mchezo.server.storage.schema import TABLES
from mchezo.server.storage.store import Store
from mchezo.server.storage.writer import Append, Writer, append_for
from tests.server.contexts import ADA, BEN, OPEN, YOU, context, do, make
from tests.server.earlier_versions import downgrade
from tests.server.postgres import Postgres
from tests.server.serving import PATIENCE

# Who with whom


def seeker(guest: str, rating: int = 1500, since: int = 0, spread: int | None = None) -> Seeker:
    return Seeker(guest, since, Rating(rating * 100, 5_000), spread)


def guests(groups: list[tuple[Seeker, ...]]) -> list[set[str]]:
    return [{one.guest for one in group} for group in groups]


def test_the_longest_waiting_is_paired_with_the_closest_rating() -> None:
    waiting = [seeker("a", 1500, 0), seeker("b", 1620, 1), seeker("c", 1540, 2), seeker("d", 1700, 3)]
    assert guests(match(waiting, 2, 4)) == [{"a", "c"}, {"b", "d"}]


def test_the_range_widens_with_waiting_until_anybody_will_do() -> None:
    far = [seeker("a", 1200), seeker("b", 2200)]
    assert match(far, 2, 0) == []
    assert match(far, 2, ANYBODY - 1) == []
    assert guests(match(far, 2, ANYBODY)) == [{"a", "b"}]
    near = [seeker("a", 1200), seeker("b", 1700)]
    assert match(near, 2, 9_000) == []
    assert guests(match(near, 2, 11_000)) == [{"a", "b"}]


def test_a_limit_to_the_difference_holds_however_long_somebody_waits() -> None:
    waiting = [seeker("a", 1500, spread=100), seeker("b", 1601)]
    assert match(waiting, 2, 10 * ANYBODY) == []
    assert len(match([waiting[0], seeker("b", 1600)], 2, 0)) == 1


def test_a_new_rating_can_be_paired_with_any_other_soon() -> None:
    new = Seeker("a", 0, Rating())
    assert len(match([new, seeker("b", 2050)], 2, 0)) == 1


def test_those_who_blocked_each_other_are_never_together() -> None:
    waiting = [seeker(name) for name in "abcd"]
    apart = {frozenset("ab"), frozenset("ac"), frozenset("ad")}
    assert guests(match(waiting, 2, 10**9, apart)) == [{"b", "c"}]
    assert guests(match(waiting, 3, 10**9, apart)) == [{"b", "c", "d"}]
    assert match(waiting, 4, 10**9, apart) == []


@given(
    st.lists(st.tuples(st.integers(400, 2800), st.integers(0, 60_000), st.none() | st.integers(50, 500)), max_size=12),
    st.integers(2, 4),
    st.sets(st.frozensets(st.integers(0, 11), min_size=2, max_size=2), max_size=10),
)
def test_groups_are_complete_disjoint_and_acceptable_to_all(
    people: list[tuple[int, int, int | None]], players: int, blocked: set[frozenset[int]]
) -> None:
    waiting = [seeker(str(number), *one) for number, one in enumerate(people)]
    apart = {frozenset(map(str, pair)) for pair in blocked}
    groups = match(waiting, players, 60_000, apart)
    seated = [one.guest for group in groups for one in group]
    assert len(seated) == len(set(seated))
    for group in groups:
        assert len(group) == players
        for one in group:
            for other in group:
                if one is not other:
                    assert frozenset((one.guest, other.guest)) not in apart
                    assert one.spread is None or abs(one.rating.rating - other.rating.rating) <= one.spread * 100
    if players == 2 and not apart and all(spread is None for *_, spread in people):
        left = [one for one in waiting if one.guest not in seated and one.since + ANYBODY <= 60_000]
        assert len(left) <= 1


def test_everybody_gets_the_seat_they_had_less_often() -> None:
    first = lambda count: 0  # noqa: E731, one line of use
    assert fair_order([[0, 0, 1], [0, 1, 1]], first) == [1, 0]
    assert fair_order([[1, 1, 0], [0, 1, 1]], first) == [0, 1]  # both had it as often: the last game decides
    assert fair_order([[], []], first) == [0, 1]
    assert fair_order([[], []], lambda count: count - 1) == [1, 0]
    assert fair_order([[0], [1], [2]], first) in ([1, 2, 0], [2, 0, 1])
    assert fair_order([[0, 0], [1], [2], [3]], lambda count: count - 1)[0] != 0


def test_seats_stay_balanced_over_many_games() -> None:
    rng = random.Random(3)
    had: dict[int, list[int]] = {name: [] for name in range(6)}
    for _ in range(300):
        pair = rng.sample(range(6), 2)
        for seat, place in enumerate(fair_order([had[one] for one in pair], rng.randrange)):
            had[pair[place]].insert(0, seat)
    for seats in had.values():
        assert abs(seats[: pairing.RECENT].count(0) - pairing.RECENT / 2) <= 3
        assert abs(seats.count(0) / len(seats) - 0.5) < 0.06


def test_every_pool_can_be_paired_with_standard_options_and_katarenga_on_balanced_boards() -> None:
    assert {f"{kind} {speed}" for kind in kinds() for speed in ("blitz", "rapid", "unlimited")} == set(pools())
    for name, kind in kinds().items():
        assert is_standard(kind.game, kind.options), name
        for speed in ("blitz", "rapid", "unlimited"):
            assert pairing.pool_name(name, speed) == f"{name} {speed}"
    assert kinds()["katarenga"].options["board"] == "balanced"
    assert [kinds()[f"kitara-{players}"].players for players in (2, 3, 4)] == [2, 3, 4]


# Rematches


def test_a_rematch_changes_sides_where_nobody_chose_one() -> None:
    for lot in (True, False):
        table = do(make("kiwara", (YOU, OPEN), lot=lot), BEN, messages.Join("join"))
        over = do(table, ADA, messages.Resign("resign"))
        asked = do(over, ADA, messages.Ask("ask", "rematch"))
        found = commands.decide(asked, messages.Answer("yes", "rematch", True), context(BEN)).new_table
        assert found is not None
        holders = [seat.holder for seat in over.seats]
        assert [seat.holder for seat in Table(*found).seats] == (holders[::-1] if lot else holders)


# Races and crashes


def stored_seek(store: Store, guest: str, kind: str = "kiwara") -> StoredSeek:
    found = StoredSeek(
        new_id(),
        kind,
        "rapid",
        False,
        pairing.occupant(identity(guest)),
        Seeker(guest, store.now(), Rating()),
        None,
    )
    store.pairing.seek(found, store.now()).result(PATIENCE)
    return found


def identity(guest: str) -> Identity:
    return Identity(guest, guest.title())


def table_of(store: Store, seeks: list[StoredSeek], id: str) -> Append:
    facts = pairing.paired_table("kiwara", "rapid", False, [seek.player for seek in seeks], context(identity("a")), id)
    return append_for(Table(id, facts), facts)


def attempt(store: Store, seeks: list[StoredSeek], id: str) -> bool:
    return store.pairing.start(seeks, table_of(store, seeks, id), store.now()).result(PATIENCE)


def test_of_two_processes_that_want_the_same_seek_one_gets_it(cluster: Postgres) -> None:
    """Both decide from the same rows, in all three ways to pair three people, again and again."""
    database = cluster.database()
    here, there = Store(database), Store(database)
    for number in range(30):
        a, b, c = (stored_seek(here, name) for name in "abc")
        wanted = [[a, b], [b, c]] if number % 3 else [[a, b], [b, a]]
        with ThreadPoolExecutor(2) as pool:
            tries = [
                pool.submit(attempt, store, pair, f"{side}{number:011}")
                for store, pair, side in ((here, wanted[0], "H"), (there, wanted[1], "T"))
            ]
            assert sorted(one.result() for one in tries) == [False, True]
        rows = {seek.seeker.guest: seek.table for seek in here.pairing.waiting(here.now()).seeks}
        tables = [table for table in rows.values() if table is not None]
        assert len(tables) == 2
        assert len(set(tables)) == 1
        for guest, table in rows.items():
            (here.pairing.arrive(guest, table) if table else here.pairing.withdraw(guest)).result(PATIENCE)
    with here.database.engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(TABLES)) == 30
    here.close()
    there.close()


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["before", "claimed", "written"])
def test_a_kill_in_between_loses_nothing(database: str, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(database)
    a, b = stored_seek(store, "a"), stored_seek(store, "b")
    if step == "claimed":  # after the seeks were changed, before the table is written
        monkeypatch.setattr(Writer, "write", raise_killed)
    elif step == "written":  # before the commit
        write = Writer.write
        monkeypatch.setattr(Writer, "write", lambda *given: raise_killed(write(*given)))
    if step != "before":
        with pytest.raises(Killed):
            store.pairing.start([a, b], table_of(store, [a, b], "K" * 12), store.now()).result(PATIENCE)
    monkeypatch.undo()
    store.close()
    again = Store(database)
    assert again.tables.load("K" * 12) is None
    assert again.pairing.start([b, a], table_of(again, [b, a], "L" * 12), again.now()).result(PATIENCE)
    assert {seek.table for seek in again.pairing.waiting(again.now()).seeks} == {"L" * 12}
    assert not again.pairing.start([a, b], table_of(again, [a, b], "M" * 12), again.now()).result(PATIENCE)
    assert again.tables.load("M" * 12) is None
    again.close()


def raise_killed(*_: object) -> None:
    raise Killed


def test_a_database_of_the_version_before_gets_the_tables(database: str) -> None:
    before = Store(database)
    with before.database.engine.begin() as connection:
        downgrade(connection, "relations")
    before.close()
    again = Store(database)
    stored_seek(again, "a")
    assert len(again.pairing.waiting(again.now()).seeks) == 1
    again.close()
