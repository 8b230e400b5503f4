"""Tournaments by the API and in both databases: who may do what, whole events, crashes between any two steps."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from mchezo.server.domain import log as table_log
from mchezo.server.domain.context import Change
from mchezo.server.domain.table import Table
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.commands import MAX_COMPUTERS, MAX_RETURNS
from mchezo.server.domain.tournaments.standings import standings
from mchezo.server.domain.tournaments.tournament import Tournament
from mchezo.server.messages import ClockRules, TournamentPlan
from mchezo.server.projection.tournaments import project_tournament
from mchezo.server.runtime import tournaments
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.runtime.mailbox import Mailbox
from mchezo.server.runtime.sessions import Sessions
from mchezo.server.runtime.tournaments import Tournaments
from mchezo.server.storage.administration import Administration
from mchezo.server.storage.schema import TABLES, TOURNAMENT_FACTS, TOURNAMENTS
from mchezo.server.storage.store import Store
from mchezo.server.storage.tournaments import StoredTournament
from tests.cli.running import run
from tests.server.serving import Client, Process, Running, eventually, pass_time
from tests.server.test_accounts import register

NAMES = count(1)
CLOCK = {"milliseconds": 600_000, "increment": 0}
pytestmark = pytest.mark.rotating(shares=24)


def account(running: Running, name: str = "Player") -> Client:
    client = running.client("x")
    number = next(NAMES)
    letters = "abdfghknpu"  # which do not look like each other
    register(client, f"{name} {letters[number // 100]}{letters[number // 10 % 10]}{letters[number % 10]}")
    return client


def create(organiser: Client, **plan: Any) -> dict[str, Any]:
    body = {"name": "Sunday", "format": "swiss", "game": "kiwara", "clock": CLOCK, "computers": True, **plan}
    made: dict[str, Any] = organiser.post("/api/tournaments", body)
    return made


def command(client: Client, id: str, type: str, **given: Any) -> dict[str, Any]:  # noqa: A002, as the message has it
    done: dict[str, Any] = client.post(f"/api/tournaments/{id}/commands", {"type": type, **given})
    return done


def refused(client: Client, id: str, type: str, **given: Any) -> str:  # noqa: A002, the same
    answer = client.http.post(f"/api/tournaments/{id}/commands", json={"type": type, **given})
    assert answer.status_code >= 400
    return str(answer.json()["told"]["key"])


def look(client: Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/tournaments/{id}")
    return found


def finished(client: Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = eventually(
        lambda: next((one for one in [look(client, id)] if one["status"] == "over"), None)
    )
    return found


# Who may do what


def test_what_all_see_of_a_tournament_is_made_once_and_looking_is_limited(
    tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start(
        str(tmp_path / "tables.sqlite"), limits=Limits(requests=Rate(1_000, 1_000), creations=Rate(0.001, 10))
    )
    made: list[int] = []

    def project(tournament: Tournament, version: int) -> Any:
        made.append(version)
        return project_tournament(tournament, version)

    monkeypatch.setattr(tournaments, "project_tournament", project)
    ann, bob = account(server, "Ann"), account(server, "Bob")
    id = create(ann)["id"]
    entered = command(bob, id, "enter")
    assert sorted(set(made)) == made
    assert (look(ann, id)["organises"], look(ann, id)["you"]) == (True, None)
    assert (look(bob, id)["organises"], look(bob, id)["you"]) == (False, 0)
    assert entered == look(bob, id)
    assert sorted(set(made)) == made
    stranger = server.client("Eve")
    statuses = [stranger.http.get(f"/api/tournaments/{id}").status_code for _ in range(120)]
    assert set(statuses) == {200, 429}
    assert stranger.http.get("/api/tournaments").status_code == 429


def test_anybody_with_an_account_organises_and_enters_and_guests_look(running: Running, ada: Client) -> None:
    ann, bob = account(running, "Ann"), account(running, "Bob")
    answer = ada.http.post("/api/tournaments", json={"name": "X", "format": "swiss", "game": "kiwara", "clock": CLOCK})
    assert answer.json()["told"]["key"] == "no-account"
    id = create(ann)["id"]
    assert look(ada, id)["may"] == []
    assert refused(ada, id, "enter") == "no-account"
    guest = running.client("Late guest")
    tag = guest.http.get(f"/api/tournaments/{id}").headers["ETag"]
    register(guest, "Late account")
    seen = guest.http.get(f"/api/tournaments/{id}", headers={"If-None-Match": tag})
    assert seen.json()["may"] == ["enter"]  # somebody else now: there is news, though the tournament is the same
    assert look(bob, id)["may"] == ["enter"]
    entered = command(bob, id, "enter")
    assert entered["you"] == 0
    assert entered["may"] == ["withdraw"]
    assert len(command(bob, id, "enter")["players"]) == 1  # again changes nothing
    assert refused(bob, id, "start") == "not-organiser"
    assert refused(bob, id, "add-computer", level=1) == "not-organiser"
    assert refused(ann, id, "start") == "too-few-players"
    assert command(bob, id, "withdraw")["players"][0]["active"] is False
    assert command(bob, id, "enter")["players"][0]["active"] is True
    command(ann, id, "remove", player=0)
    assert refused(bob, id, "enter") == "removed-player"
    assert command(ann, id, "cancel")["ended"] == "cancelled"
    assert refused(bob, id, "enter") == "tournament-over"
    lists = bob.get("/api/tournaments")
    assert id in [one["id"] for one in lists["over"]]
    assert id in [one["id"] for one in lists["yours"]]
    assert next(one for one in lists["over"] if one["id"] == id)["entered"]


@pytest.mark.parametrize(
    ("plan", "key"),
    [
        ({"clock": None}, "tournament-time"),
        ({"days": 3}, "tournament-time"),
        ({"format": "arena", "clock": None, "days": 3}, "arena-clock"),
        ({"starts": 1}, "tournament-start"),
        ({"rated": True, "bots": True}, "rated-bots"),
        ({"seats": 3}, "seats-count"),
        ({"options": {"board": "nonsense"}}, None),
        ({"rated": True, "options": {"board": "president"}, "game": "kiwara"}, None),
        ({"name": "hitler cup"}, "name-reserved"),
        ({"game": "chess"}, None),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(running: Running, plan: dict[str, Any], key: str | None) -> None:
    body = {"name": "Sunday", "format": "swiss", "game": "kiwara", "clock": CLOCK, **plan}
    answer = account(running).http.post("/api/tournaments", json=body)
    if key is None and plan.get("rated"):  # the classic boards are rated, too
        assert answer.status_code in (201, 400)
        return
    assert answer.status_code in (400, 404, 409), answer.text
    assert key is None or answer.json()["told"]["key"] == key


def test_bots_and_computers_enter_where_they_may(running: Running) -> None:
    ann, bot = account(running, "Ann"), running.client("Deep", bot=True)
    without = create(ann, computers=False)["id"]
    assert refused(bot, without, "enter") == "no-bots"
    assert refused(ann, without, "add-computer", level=3) == "no-computers"
    both = create(ann, bots=True, most=3)["id"]
    assert command(bot, both, "enter")["players"][0]["kind"] == "bot"
    command(ann, both, "add-computer", level=3)
    found = command(ann, both, "add-computer", level=8)
    assert [(one["kind"], one["level"]) for one in found["players"][1:]] == [("computer", 3), ("computer", 8)]
    assert refused(ann, both, "enter") == "tournament-full"
    for id in (without, both):
        command(ann, id, "cancel")


def test_nobody_leaves_and_comes_back_without_end(running: Running) -> None:
    ann, bob = account(running), account(running)
    id = create(ann)["id"]
    for _ in range(MAX_RETURNS + 1):
        command(bob, id, "enter")
        command(bob, id, "withdraw")
    assert refused(bob, id, "enter") == "too-many-returns"


def test_computers_are_few_and_do_not_play_each_other_in_an_arena(running: Running) -> None:
    ann = account(running)
    id = create(ann, format="arena", minutes=5)["id"]
    for _ in range(MAX_COMPUTERS):
        command(ann, id, "add-computer", level=1)
    assert refused(ann, id, "add-computer", level=1) == "too-many-computers"
    assert command(ann, id, "start")["rounds"] == []
    assert len(command(ann, id, "enter")["rounds"][0]["games"]) == 1
    assert look(ann, id)["table"] is not None
    command(ann, id, "cancel")


def test_an_organiser_has_few_unfinished_tournaments(running: Running) -> None:
    ann = account(running)
    ids = [create(ann)["id"] for _ in range(5)]
    answer = ann.http.post("/api/tournaments", json={"name": "X", "format": "swiss", "game": "kiwara", "clock": CLOCK})
    assert answer.json()["told"]["key"] == "too-many-tournaments"
    for id in ids:
        command(ann, id, "cancel")
    command(ann, create(ann)["id"], "cancel")


# Whole events


def test_people_play_a_swiss_tournament_with_a_bye_a_late_entry_and_a_withdrawal(running: Running) -> None:
    ann, bob, cay, dan = (account(running, name) for name in ("Ann", "Bob", "Cay", "Dan"))
    people = [bob, cay, dan]
    id = create(ann, rounds=3, name="Three")["id"]
    for person in people:
        command(person, id, "enter")
    begun = command(ann, id, "start")
    assert begun["status"] == "running"
    assert [len(begun["rounds"]), len(begun["rounds"][0]["games"]), begun["rounds"][0]["byes"]] == [1, 1, [2]]
    tag = bob.http.get(f"/api/tournaments/{id}").headers["ETag"]
    assert bob.http.get(f"/api/tournaments/{id}", headers={"If-None-Match": tag}).status_code == 304
    assert cay.http.get(f"/api/tournaments/{id}", headers={"If-None-Match": tag}).status_code == 200
    assert begun["version"] == look(bob, id)["version"]
    table = look(bob, id)["table"]
    seen = bob.look(table)
    assert seen["tournament"] == id
    assert seen["you"] in ([0], [1])
    bob.do(table, "resign")
    assert not any(one.startswith(("ask-rematch", "ask-revenge")) for one in bob.look(table)["may"])
    assert (
        bob.http.post(f"/api/tables/{table}/commands", json={"type": "ask", "id": "again", "what": "rematch"}).json()[
            "told"
        ]["key"]
        == "tournament-game"
    )
    second = eventually(lambda: next((one for one in [look(bob, id)] if len(one["rounds"]) == 2), None))
    assert second["rounds"][0]["games"][0]["places"] in ([0, 1], [1, 0])
    assert second["rounds"][1]["byes"] == [0]  # the bye goes to the last, and counts at once
    assert [one["points"] for one in second["standings"]] == [1.0, 1.0, 1.0]
    assert command(ann, id, "enter")["you"] == 3  # late: in the next round
    command(dan, id, "withdraw")
    for person in people:
        if (open_table := look(person, id)["table"]) is not None:
            person.do(open_table, "resign")
            break
    third = eventually(lambda: next((one for one in [look(ann, id)] if len(one["rounds"]) == 3), None))
    assert third["table"] is not None or 3 in third["rounds"][2]["byes"]
    assert not any(2 in game["players"] for game in third["rounds"][2]["games"])
    for person in (ann, bob, cay):
        if (open_table := look(person, id)["table"]) is not None:
            person.do(open_table, "resign")
            break
    over = finished(ann, id)
    assert over["ended"] == "played"
    assert len(over["standings"]) == 4
    assert {one["place"] for one in over["standings"]} <= {1, 2, 3, 4}
    assert bob.get("/api/me/data")["tournaments"][0]["name"] == "Three"


@pytest.mark.parametrize("format", ["round-robin", "knock-out"])
def test_computers_play_a_whole_tournament_of_two_seats(running: Running, format: str) -> None:  # noqa: A002, as the API has it
    ann = account(running)
    id = create(ann, format=format)["id"]
    for level in (1, 2, 3):
        command(ann, id, "add-computer", level=level)
    command(ann, id, "start")
    over = finished(ann, id)
    assert over["ended"] == "played"
    games = [game for one in over["rounds"] for game in one["games"]]
    assert all(game["places"] is not None for game in games)
    if format == "round-robin":
        assert sorted(tuple(sorted(game["players"])) for game in games) == [(0, 1), (0, 2), (1, 2)]
    else:
        assert [len(matches) for matches in over["bracket"]] == [2, 1]
        assert over["bracket"][1][0]["winner"] == over["standings"][0]["player"]
    assert over["standings"][0]["place"] == 1
    for game in games:
        assert ann.look(game["table"])["status"] == "over"


def test_a_four_seat_event_with_computers_is_played_to_its_end(running: Running) -> None:
    ann, bob = account(running, "Ann"), account(running, "Bob")
    id = create(ann, game="kitara", seats=4, rounds=2, name="Four crowns")["id"]
    for level in (1, 2, 3, 4, 5, 6, 7, 8):
        command(ann, id, "add-computer", level=level)
    command(bob, id, "enter")
    begun = command(ann, id, "start")
    assert [len(game["players"]) for game in begun["rounds"][0]["games"]] == [4, 4]
    assert len(begun["rounds"][0]["byes"]) == 1
    assert begun["tie_breaks"] == ["firsts", "seconds", "buchholz"]
    seen: set[str] = set()

    def settle() -> dict[str, Any] | None:
        found = look(bob, id)
        if found["table"] is not None and found["table"] not in seen:
            seen.add(found["table"])
            bob.do(found["table"], "resign")  # a computer plays on, and Bob is last
        return found if found["status"] == "over" else None

    over: dict[str, Any] = eventually(settle)
    assert len(over["rounds"]) == 2
    assert over["rounds"][0]["byes"] != over["rounds"][1]["byes"]
    for game in (game for one in over["rounds"] for game in one["games"]):
        table = ann.look(game["table"])
        winners = [game["players"][seat] for seat in table["result"]["winners"]]
        assert winners == [player for player, place in zip(game["players"], game["places"], strict=True) if place == 0]
        if 8 in game["players"]:
            assert game["places"][game["players"].index(8)] == 3
    total = sum(one["points"] for one in over["standings"])
    assert total == 2 * 2 * 6 + 2 * 1.5  # six meetings at each table, and a bye in each round
    assert seen


def test_rated_tournaments_change_ratings(running: Running) -> None:
    ann, bob = account(running, "Ann"), account(running, "Bob")
    id = create(ann, game="katarenga", rounds=1, rated=True)["id"]
    command(ann, id, "enter")
    command(bob, id, "enter")
    table = command(ann, id, "start")["table"]
    for _ in range(4):
        for who in (ann, bob):
            seen = who.look(table)
            if seen["legal"]:
                who.do(table, "move", decision=seen["decision"], moves=seen["legal"][:1])
    bob.do(table, "resign")
    finished(ann, id)
    rated = ann.get(f"/api/tables/{table}/rating")
    assert rated["pool"] == "katarenga rapid"
    assert sorted(one["after"] > one["before"] for one in rated["seats"]) == [False, True]
    seeded = create(ann, game="katarenga", rated=True)["id"]
    assert command(ann, seeded, "enter")["players"][0]["rating"] > 1500
    command(ann, seeded, "cancel")


def test_an_arena_pairs_whoever_is_free_until_its_time_is_over(running: Running) -> None:
    ann, bob = account(running, "Ann"), account(running, "Bob")
    id = create(ann, format="arena", minutes=5, computers=False)["id"]
    command(ann, id, "enter")
    command(bob, id, "enter")
    command(ann, id, "start")
    for number in (1, 2, 3):
        found = eventually(lambda: next((one for one in [look(bob, id)] if one["table"]), None))
        assert len(found["rounds"]) == number
        bob.do(found["table"], "resign")
        eventually(lambda before=found["table"]: look(bob, id)["table"] != before)
    line = next(one for one in look(ann, id)["standings"] if one["place"] == 1)
    assert (line["player"], line["points"], line["streak"]) == (0, 2 + 2 + 4, True)
    command(bob, id, "withdraw")  # a pause: nobody is free afterwards
    eventually(lambda: look(ann, id)["table"])
    pass_time(running, 6 * 60_000)
    over = finished(ann, id)
    assert over["ended"] == "played"
    assert over["ends"] == over["started"] + 5 * 60_000


def missed(running: Running) -> tuple[list[Client], str, str]:
    """Start a tournament with one game; return its players, its id and the table."""
    ann, bob = account(running, "Ann"), account(running, "Bob")
    id = create(ann, rounds=1, no_show=60_000)["id"]
    command(ann, id, "enter")
    command(bob, id, "enter")
    table = command(ann, id, "start")["table"]
    return [ann, bob], id, table


def test_players_who_do_not_show_up_lose_on_time_and_are_withdrawn(running: Running) -> None:
    clients, id, table = missed(running)
    (game,) = look(clients[0], id)["rounds"][0]["games"]
    first = clients[0].look(table)["to_move"]
    absent, here = game["players"][first], game["players"][1 - first]
    with clients[here].live(table):
        pass_time(running, 61_000)
        over = finished(clients[0], id)
    assert clients[0].look(table)["result"]["reason"] == "time-out"
    assert over["rounds"][0]["games"][0]["places"][first] == 1
    assert [one["active"] for one in over["players"]] == [number != absent for number in range(2)]


def test_a_game_to_which_nobody_comes_gives_nobody_points(running: Running) -> None:
    (ann, _), id, table = missed(running)
    pass_time(running, 61_000)
    over = finished(ann, id)
    assert ann.look(table)["result"]["winners"] == []
    assert over["rounds"][0]["games"][0]["places"] == [1, 1]
    assert [one["points"] for one in over["standings"]] == [0.0, 0.0]
    assert not any(one["active"] for one in over["players"])


def test_a_tournament_starts_at_its_time_or_is_over_without_players(running: Running) -> None:
    ann, bob = account(running, "Ann"), account(running, "Bob")
    service = running.service
    assert service is not None
    starts = service.store.now() + 3_600_000
    full, empty = (create(ann, starts=starts, rounds=1)["id"] for _ in range(2))
    command(ann, full, "enter")
    command(bob, full, "enter")
    pass_time(running, 3_600_001)
    assert eventually(lambda: look(ann, full)["status"] == "running")
    assert finished(ann, empty)["ended"] == "too-few"
    ann.do(look(ann, full)["table"], "resign")
    finished(ann, full)


def test_who_closes_the_account_is_withdrawn_and_has_no_name_any_more(running: Running) -> None:
    ann, bob = account(running, "Ann"), account(running, "Bob")
    name = str(bob.get("/api/me")["name"])
    id = create(ann)["id"]
    command(bob, id, "enter")
    own = create(bob, name="Of Bob")["id"]
    assert bob.http.delete("/api/me").status_code == 204
    found = look(ann, id)
    assert [(one["name"], one["active"], one["account"]) for one in found["players"]] == [("Guest", False, False)]
    assert look(ann, own)["organiser"] == "Guest"
    service = running.service
    assert service is not None
    with service.store.database.engine.connect() as connection:
        stored = b"".join(connection.scalars(sa.select(TOURNAMENT_FACTS.c.fact)))
        stored += b"".join(connection.scalars(sa.select(TOURNAMENTS.c.summary)))
    assert name.encode() not in stored
    command(ann, id, "cancel")


def test_operators_list_and_end_tournaments(running: Running) -> None:
    ann = account(running)
    id = create(ann, name="Too long")["id"]
    assert running.service is not None
    url = running.service.config.database
    listed = run("admin", "tournaments", "--json", "--database", url)
    assert id in [one["id"] for one in json.loads(listed.stdout)]
    assert "Too long" in run("admin", "tournaments", "--database", url).stdout
    assert run("admin", "tournaments", "--end", "x" * 12, "--database", url).returncode == 1
    administration = Administration(url)
    try:
        assert id in [one.id for one in administration.store.tournaments.lists(None)["open"]]
        administration.store.tournaments.end(id)
    finally:
        administration.close()
    assert look(ann, id)["ended"] == "cancelled"


# Crashes


class Simulated:
    """A tournament that is run by processes which live for one step each."""

    def __init__(self, database: str, plan: TournamentPlan, players: int) -> None:
        self.database, self.id = database, "TTTTTTTTTTTT"
        store = Store(database)
        store.tournaments.create(self.id, log.TournamentCreated(at=1, by="ann", plan=plan, organiser="Ann")).result()
        found = store.tournaments.load(self.id)
        assert found is not None
        entered = [
            log.PlayerEntered(
                at=2, player=number, entrant=log.Entrant("computer", name="C", level=1, rating=1900 - number)
            )
            for number in range(players)
        ]
        begun = log.TournamentStarted(at=3, seeds=list(range(players)))
        assert store.tournaments.append(found, [*entered, begun]).result()
        store.close()

    def process(self) -> tuple[Store, Tournaments]:
        store = Store(self.database)
        sessions = Sessions(store, lambda game: True, lambda: None, Mailbox())
        return store, Tournaments(store, sessions, lambda game: True, lambda: None)

    def run(self, *, dies: bool) -> Tournament:
        """Run the tournament to its end; with `dies`, a new process takes every step."""
        store, runner = self.process()
        for _ in range(1_000):
            stepped = asyncio.run(runner.step(self.id))
            found = store.tournaments.load(self.id)
            assert found is not None
            if found.tournament.finished:
                store.close()
                return found.tournament
            if not stepped:
                self.end_a_game(store, found)
            if dies:
                store.close()
                store, runner = self.process()
        raise AssertionError("the tournament does not end")

    def end_a_game(self, store: Store, found: StoredTournament) -> None:
        """End the first running game; who wins follows from the players alone."""
        tournament = found.tournament
        over = {id for id, state in store.tournaments.table_states(list(tournament.open_games)).items() if state.over}
        game = next(one for one in tournament.open_games.values() if one.table not in over)
        met = sum(set(one.players) == set(game.players) for one in tournament.games.values())
        rng = random.Random(f"{sorted(game.players)} {met}")
        best = rng.choice(sorted(game.players))
        ends_drawn = rng.random() < 0.3

        def decide(table: Table) -> Change:
            winners = [] if ends_drawn else [game.players.index(best)]
            scores = [float(player == best) for player in game.players]
            return Change([table_log.GameEnded(at=table.last_at, winners=winners, scores=scores, reason="unfinished")])

        table = store.tables.load(game.table)
        assert table is not None
        change = decide(table)
        from mchezo.server.storage.writer import append_for

        assert store.append(append_for(table.after(change.facts), change.facts)).result()


PLANS = [
    TournamentPlan(name="S", format="swiss", game="kiwara", clock=ClockRules(600_000), rounds=3),
    TournamentPlan(name="R", format="round-robin", game="kiwara", clock=ClockRules(600_000)),
    TournamentPlan(name="K", format="knock-out", game="kiwara", clock=ClockRules(600_000)),
    TournamentPlan(name="4", format="swiss", game="kitara", seats=4, clock=ClockRules(600_000), rounds=3),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.format}-{plan.seats}")
def test_a_server_killed_between_any_two_steps_goes_on(plan: TournamentPlan, tmp_path: Path, database: str) -> None:
    players = 5 if plan.seats == 2 else 9
    undisturbed = Simulated(str(tmp_path / "undisturbed.sqlite"), plan, players).run(dies=False)
    simulated = Simulated(database, plan, players)
    disturbed = simulated.run(dies=True)
    for one, other in zip(undisturbed.rounds, disturbed.rounds, strict=True):
        assert [(game.players, game.places) for game in one.games] == [
            (game.players, game.places) for game in other.games
        ]
        assert one.byes == other.byes
    assert standings(undisturbed) == standings(disturbed)
    store = Store(database)
    try:
        with store.database.engine.connect() as connection:
            tables = list(connection.scalars(sa.select(TABLES.c.id)))
        assert sorted(tables) == sorted(disturbed.games)  # every game has its table, and there is no other
    finally:
        store.close()


def test_a_pairing_and_its_tables_are_stored_together_or_not_at_all(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(database, PLANS[0], 6)
    store, runner = simulated.process()
    before = store.tournaments.load(simulated.id)
    write = store.writer.write

    def dies(*given: Any) -> Any:
        write(*given)
        raise ConnectionError("the process was killed before the commit")

    monkeypatch.setattr(store.writer, "write", dies)
    with pytest.raises(ConnectionError):
        asyncio.run(runner.step(simulated.id))
    monkeypatch.undo()
    after = store.tournaments.load(simulated.id)
    assert before is not None
    assert after is not None
    assert after.version == before.version
    with store.database.engine.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(TABLES)) == 0
    # Two processes: the one that is too late changes nothing.
    assert asyncio.run(runner.step(simulated.id))
    assert not store.tournaments.append(after, [log.TournamentFinished(at=9, reason="played")]).result()
    found = store.tournaments.load(simulated.id)
    assert found is not None
    assert len(found.tournament.open_games) == 3
    store.close()


@pytest.mark.rotating(shares=24)
def test_a_tournament_of_computers_survives_kills_of_its_server(tmp_path: Path) -> None:
    database = str(tmp_path / "tables.sqlite")
    server = Process(database)
    ann = Client(server.address, "x")
    register(ann, "Ann")
    id = create(ann, rounds=3)["id"]
    for level in (1, 2, 3, 4, 5, 6):
        command(ann, id, "add-computer", level=level)
    command(ann, id, "start")
    try:
        for rounds in (1, 2, 3):
            eventually(lambda least=rounds: len(look(ann, id)["rounds"]) >= least)
            server.kill()
            server = Process(database, server.port)
        over = finished(ann, id)
    finally:
        server.stop()
    assert over["ended"] == "played"
    assert [len(one["games"]) for one in over["rounds"]] == [3, 3, 3]
    assert len({game["table"] for one in over["rounds"] for game in one["games"]}) == 9
    assert all(sum(place == 0 for place in game["places"]) for one in over["rounds"] for game in one["games"])
