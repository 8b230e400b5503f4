"""A server's game against the computer continues in the browser, with nothing that the person's seat does not know."""

import json
import random
from typing import Any

import pytest

import mchezo
from mchezo.core.record import HIDDEN
from mchezo.server.domain import log
from mchezo.server.domain.replaying import replay
from mchezo.server.domain.table import Table
from tests.local.test_desk import YOU, Browser, computer, think_about

SERVED = "0123456789ab"  # the id of the server's table


class Served:
    """A table against computers whose news and records the person gets, and nothing else."""

    def __init__(self, game: str, seed: int, **request: Any) -> None:
        self.page = Browser()
        self.dice = random.Random(f"{game} {seed}")
        self.seats = [YOU, computer(1), computer(1)] if game == "kitara" else [YOU, computer(1)]
        self.game, self.request = game, request
        self.table = self.page.create(game, *self.seats, **request)

    def play(self, made: int) -> None:
        """Play until this many moves are made and the person is to move."""
        play(self.page, self.table, self.dice, made)
        while self.news["table"]["status"] == "over":  # boards are drawn at random, and some games are very short
            self.table = self.page.create(self.game, *self.seats, **self.request)
            play(self.page, self.table, self.dice, made)

    @property
    def news(self) -> dict[str, Any]:
        (news,) = self.page.call("open", table=self.table, facts=self.page.facts[self.table])
        return dict(news)

    def taken_over(self, moves: list[str] | None = None) -> tuple[Browser, str]:
        """Return a browser that knows what the person does, and the table that continues the game there."""
        path = f"/api/tables/{self.table}/record"
        (record,) = self.page.call("request", method="GET", path=path, body=None)
        here, news = Browser(), self.news
        assert here.call("follow", table=SERVED, news=news, record=record) == [None]
        here.call("continue", table=SERVED, clock=news["table"]["clock"], moves=moves or [])
        return here, str(here.last["table"])


def play(page: Browser, table: str, dice: random.Random, made: int) -> None:
    for _ in range(4_000):
        if turn := page.last.get("turn"):
            page.call("played", **{name: turn[name] for name in ("table", "decision", "seat")}, moves=think_about(turn))
            continue
        shown = page.news(table)
        if page.last.get("turn"):
            continue
        if shown["status"] == "over" or shown["made"] >= made:
            return
        page.send(table, type="move", decision=shown["decision"], moves=[dice.choice(shown["legal"])])
    raise AssertionError("the game does not end")


def opened(page: Browser, table: str) -> Table:
    return replay(table, [log.decode(fact.encode()) for fact in page.facts[table]])


def moves_of(news: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the lines of the log: who moved, what, and what it did."""
    moved = [event for event in news["events"] if event["key"] in ("moved", "drawn")]
    first = next(number for number, event in enumerate(moved) if event["key"] == "moved")
    return [(event.get("seat"), event["move"], event["told"]) for event in moved[first:]]


@pytest.mark.parametrize("game", mchezo.games())
def test_a_game_goes_on_as_it_was_and_to_its_end(game: str) -> None:
    served = Served(game, 1)
    served.play(14)
    before = served.news
    here, table = served.taken_over()
    assert table.startswith("L")
    (after,) = here.call("open", table=table, facts=here.facts[table])
    for same in ("game", "options", "view", "legal", "to_move", "made", "you", "settings", "say"):
        assert after["table"][same] == before["table"][same], same
    assert [seat["player"] for seat in after["table"]["seats"]] == [seat["player"] for seat in before["table"]["seats"]]
    assert moves_of(after) == moves_of(before)
    play(here, table, random.Random(game), 10_000)
    over = opened(here, table)
    assert over.ending is not None
    record = mchezo.Record.parse(here.desk.tables.record(table))
    assert record.verify() in (None, 0)  # in Kitara not every draw follows from the new seed, and the record has none


def test_a_move_that_was_under_way_is_played() -> None:
    served = Served("kiwara", 2)
    served.play(6)
    shown = served.news["table"]
    move = shown["legal"][-1]
    here, table = served.taken_over([move])
    position = opened(here, table).position
    assert position is not None
    assert len(position.steps) == shown["made"] + 1
    assert position.steps[-1].text == move


def test_the_last_turn_can_be_taken_back() -> None:
    served = Served("katarenga", 3)
    served.play(8)
    here, table = served.taken_over()
    made = here.news(table)["made"]
    here.send(table, type="ask", what="takeback")
    assert here.news(table)["made"] == made - 2


def test_clocks_have_the_time_that_was_left() -> None:
    served = Served("katarenga", 4, clock={"milliseconds": 60_000, "increment": 2_000})
    served.page.time += 7_000
    served.play(4)
    before = served.news["table"]["clock"]
    here, table = served.taken_over()
    after = here.news(table)["clock"]
    assert (after["left"], after["increment"]) == (before["left"], before["increment"])
    assert after["left"][0] != 60_000


def test_what_the_seat_has_not_seen_is_drawn_again() -> None:
    served = with_hidden_tokens()
    shown = served.news["table"]
    there = opened(served.page, served.table).position
    assert there is not None
    hidden = [number for number, move in enumerate(there.seen_moves(0)) if move == HIDDEN]
    outcomes = set()
    for _ in range(20):
        here, table = served.taken_over()
        position = opened(here, table).position
        assert position is not None
        assert position.seen_moves(0) == there.seen_moves(0)
        assert json.loads(json.dumps(position.view(0))) == shown["view"]
        outcomes.add(tuple(position.moves[number] for number in hidden))
    assert len(outcomes) > 1


def with_hidden_tokens() -> Served:
    """Return a game of Kitara in which another seat has drawn a token."""
    for seed in range(100):
        served = Served("kitara", seed)
        for made in range(20, 400, 5):
            served.play(made)
            table = opened(served.page, served.table)
            assert table.position is not None
            if table.ending:
                break
            if HIDDEN in table.position.seen_moves(0):
                return served
    raise AssertionError("nobody draws a token")
