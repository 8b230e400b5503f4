"""A table in the browser is a table: commands, facts, computers and clocks as on a server."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import mchezo
from mchezo.local import desk
from mchezo.local.desk import Desk
from mchezo.local.thinking import think
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.replaying import replay
from mchezo.server.errors import TableError, error_message
from mchezo.server.transport import guides
from tests.local.games import START

ROOT = Path(__file__).parent.parent.parent


class Browser:
    """A page: it keeps facts, shows messages, and lets computers think."""

    def __init__(self) -> None:
        self.time = START
        self.desk = Desk(lambda: self.time, "de", "Ada")
        self.facts: dict[str, list[str]] = {}
        self.last: dict[str, Any] = {}
        self.ids: Iterator[int] = iter(range(10_000))

    def call(self, call: str, **values: Any) -> list[Any]:
        answer = json.loads(self.desk.call(json.dumps({"call": call, **values})))
        if not isinstance(answer, dict):
            return [answer]
        if "type" in answer:
            return [answer]  # refused
        self.last = answer
        for table, facts in self.last.get("facts", {}).items():
            self.facts.setdefault(table, []).extend(facts)
        messages: list[Any] = self.last.get("messages", [])
        return messages

    def create(self, game: str, *seats: dict[str, Any], **request: Any) -> str:
        self.call("create", request={"game": game, "seats": list(seats), "lot": False, **request})
        return str(self.last["table"])

    def send(self, table: str, **message: Any) -> list[Any]:
        return self.call("send", table=table, message={"id": f"id{next(self.ids)}", **message})

    def news(self, table: str) -> Any:
        (news,) = self.call("open", table=table, facts=self.facts[table])
        return news["table"]


YOU = {"kind": "you"}


def computer(level: int) -> dict[str, Any]:
    return {"kind": "computer", "level": level}


@pytest.mark.parametrize("game", mchezo.games())
def test_a_game_against_the_computer_goes_on_after_the_page_was_closed(game: str) -> None:
    page, dice = Browser(), random.Random(game)
    table = page.create(game, YOU, computer(1))
    for step in range(2_000):
        if turn := page.last.get("turn"):
            page.call("played", **{name: turn[name] for name in ("table", "decision", "seat")}, moves=think_about(turn))
            continue
        if step % 40 == 10:  # everything is in the facts
            page.desk = Desk(lambda: START, "de", "Ada")
        shown = page.news(table)
        if shown["status"] != "running":
            break
        if page.last.get("turn"):
            continue
        move = dice.choice(shown["legal"])
        *_, done = page.send(table, type="move", decision=shown["decision"], moves=[move])
        assert done["type"] == "done"
    assert shown["status"] == "over"
    assert shown["result"] is not None
    (record,) = page.call("request", method="GET", path=f"/api/tables/{table}/record", body=None)
    assert mchezo.Record.parse(record).replay().outcome is not None
    assert replay(table, [log.decode(fact.encode()) for fact in page.facts[table]]).ending is not None


def think_about(task: dict[str, Any]) -> Any:
    return json.loads(think(json.dumps(task)))


def test_two_people_share_a_screen_and_take_moves_back() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, {**YOU, "name": "Ben"}, options={"board": "classic"})
    before = page.news(table)
    assert [seat["yours"] for seat in before["seats"]] == [True, True]
    page.send(table, type="move", decision=before["decision"], moves=["T3"])
    assert page.news(table)["made"] == before["made"] + 1
    page.send(table, type="ask", what="takeback", seat=0)
    assert page.news(table)["made"] == before["made"]


def test_a_move_that_was_sent_twice_is_played_once() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, YOU)
    move = {"type": "move", "id": "same", "decision": page.news(table)["decision"], "moves": ["T3"]}
    first = page.call("send", table=table, message=move)
    assert [message["type"] for message in first] == ["news", "done"]
    again = page.call("send", table=table, message=move)
    assert again == first[-1:]


def test_what_is_against_the_rules_is_refused_in_words() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, YOU)
    decision = page.news(table)["decision"]
    (refused,) = page.send(table, type="move", decision=decision, moves=["Gc3"])
    assert (refused["type"], refused["code"]) == ("refused", "illegal")
    assert refused["words"]
    (refused,) = page.send(table, type="nonsense")
    assert refused["code"] == "bad-request"
    (refused,) = page.call("create", request={"game": "kiwara", "seats": [computer(3), computer(3)]})
    assert refused["code"] == "invalid-setup"
    (refused,) = page.call("send", table="nowhere", message={"type": "resign", "id": "r"})
    assert refused["code"] == "unknown-table"


def test_numbers_of_numpy_are_sent_as_plain_ones() -> None:
    error = TableError("not-possible", "nested", most=np.int8(3), share=np.float64(0.5))
    assert messages.encode(error_message(error, "en").told.arguments) == b'{"most":3,"share":0.5}'


def test_an_answer_that_comes_after_a_takeback_is_dropped() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, computer(1))
    page.send(table, type="move", decision=page.news(table)["decision"], moves=["T3"])
    turn = page.last["turn"]
    page.send(table, type="ask", what="takeback")
    assert page.last.get("turn") is None
    number = len(page.facts[table])
    page.call("played", table=table, decision=turn["decision"], seat=turn["seat"], moves=think_about(turn))
    assert len(page.facts[table]) == number


def test_a_player_whose_time_is_over_loses() -> None:
    page = Browser()
    clock = {"milliseconds": 60_000, "increment": 0}
    table = page.create("kiwara", YOU, YOU, clock=clock)
    page.send(table, type="move", decision=page.news(table)["decision"], moves=["T3"])
    deadline = page.last["deadline"]
    assert deadline >= START + 60_000
    page.time = deadline - 1
    assert page.call("tick", table=table) == []
    page.time = deadline
    (news,) = page.call("tick", table=table)
    assert news["table"]["status"] == "over"
    assert news["table"]["result"]["reason"] == "time-out"


def test_no_clock_runs_while_the_page_is_closed() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, YOU, clock={"milliseconds": 60_000, "increment": 0})
    page.send(table, type="move", decision=page.news(table)["decision"], moves=["T3"])
    page.time += 10_000
    before = page.news(table)["clock"]["left"]
    page.call("close", table=table)
    alive, page.time = page.time, page.time + 3_600_000
    (news,) = page.call("open", table=table, facts=page.facts[table], alive=alive)
    assert news["table"]["clock"]["left"] == before
    assert news["table"]["status"] == "running"
    assert page.last["deadline"] > page.time
    assert replay(table, [log.decode(fact.encode()) for fact in page.facts[table]]).number == news["table"]["number"]


def test_a_rematch_is_stored_with_the_game_that_it_follows() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, computer(1))
    page.send(table, type="resign")
    page.send(table, type="ask", what="rematch")
    following = page.news(table)["next"]
    assert page.facts.keys() == {table, following}
    page.desk = Desk(lambda: page.time, "de", "Ada")
    assert page.news(following)["status"] == "running"


def test_two_people_at_one_screen_agree_on_a_draw() -> None:
    page = Browser()
    table = page.create("katarenga", YOU, YOU)
    page.send(table, type="ask", what="draw", seat=0)
    over = page.news(table)
    if over["status"] == "running":  # the other one is asked
        page.send(table, type="answer", what="draw", accept=True, seat=1)
        over = page.news(table)
    assert over["status"] == "over"
    assert over["result"]["winners"] == []


def test_a_computer_takes_no_draw_and_says_so() -> None:
    page = Browser()
    table = page.create("katarenga", YOU, computer(1))
    (refused,) = page.send(table, type="ask", what="draw")
    assert refused["type"] == "refused"
    assert refused["told"]["key"] == "computer-no-draw"
    assert page.news(table)["status"] == "running"


def test_a_series_goes_on_from_game_to_game_with_its_score() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, computer(1), series=True)
    page.send(table, type="resign")
    page.send(table, type="ask", what="rematch")
    first = page.news(table)
    page.desk = Desk(lambda: page.time, "de", "Ada")  # the page was closed
    second = page.news(first["next"])
    assert second["status"] == "running"
    assert second["series"] is not None
    assert second["series"] != first["series"]


@pytest.mark.parametrize("game", mchezo.games())
def test_a_first_game_with_the_coach_is_a_table(game: str) -> None:
    page = Browser()
    lesson = guides.lesson(game, "de")
    seats = [YOU if seat == lesson.seat else computer(lesson.level) for seat in range(2)]
    table = page.create(game, *seats, options=lesson.options)
    shown = page.news(table)
    assert shown["status"] == "running"
    assert shown["you"] == [lesson.seat]


def test_requests_are_answered_as_a_server_answers_them() -> None:
    page = Browser()

    def ask(method: str, path: str, body: object = None) -> Any:
        return json.loads(page.desk.call(json.dumps({"call": "request", "method": method, "path": path, "body": body})))

    assert [game["name"] for game in ask("GET", "/api/games")] == list(mchezo.games())
    assert (
        ask("POST", "/api/games/katarenga/setup", {"options": {"variant": "congress"}})["view"]["variant"] == "congress"
    )
    assert ask("POST", "/api/games/katarenga/setup", {"options": {"variant": "x"}})["code"] == "invalid-setup"
    assert ask("POST", "/api/games/katarenga/setup", {"nonsense": 1})["code"] == "bad-request"
    assert ask("GET", "/api/nothing")["code"] == "unknown-page"
    table = page.create("kitara", YOU, YOU)
    pack = page.news(table)["view"]["pack_id"]
    assert ask("GET", f"/api/packs/{pack}/maps/2")["spaces"]
    assert ask("GET", f"/api/tables/{table}/moves/0?seat=0")["made"] == 0
    assert ask("GET", f"/api/tables/{table}/picture.svg").startswith("<svg")


def test_a_hint_is_thought_about_elsewhere_and_answers_the_request() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, computer(1))
    shown = page.news(table)
    assert "hint" in shown["may"]
    assert page.send(table, type="hint", decision=shown["decision"], level=1, id="h") == []
    hinted = think_about(page.last["hint"])
    assert (hinted["type"], hinted["id"]) == ("hinted", "h")
    assert hinted["moves"][0] in shown["legal"]
    (refused,) = page.send(table, type="hint", decision=shown["decision"] + 1)
    assert (refused["code"], page.last.get("hint")) == ("stale", None)


@pytest.mark.parametrize("change", [{"rules": 99}, {"fact": "something-new"}, {"game": "chess"}, {"seats": 3}])
def test_a_game_of_another_version_of_the_app_is_refused_in_words(change: dict[str, Any]) -> None:
    page = Browser()
    table = page.create("kiwara", YOU, computer(1))
    page.call("close", table=table)
    made = json.loads(page.facts[table][0])
    (refused,) = page.call("open", table=table, facts=[json.dumps({**made, **change}), *page.facts[table][1:]])
    assert (refused["type"], refused["code"]) == ("refused", "set-aside")
    page.news(table)  # the facts as they were stored can be opened


def test_a_hint_in_the_middle_of_a_turn_is_for_its_next_step() -> None:
    page = Browser()
    table = page.create("kiwara", YOU, computer(1), options={"position": "6/6/6/6/6 2 y - - - -"})
    decision = page.news(table)["decision"]
    (tried,) = page.send(table, type="try", decision=decision, moves=["Ec3"])
    assert page.send(table, type="hint", decision=decision, level=1, moves=["Ec3"]) == []
    assert think_about(page.last["hint"])["moves"][0] in tried["legal"]


def test_refusals_are_in_the_language_of_the_page() -> None:
    page = Browser()
    page.call("speak", language="nl")
    (dutch,) = page.call("request", method="GET", path="/api/tables/nowhere/moves/0", body=None)
    page.call("speak", language="fr")
    (french,) = page.call("request", method="GET", path="/api/tables/nowhere/moves/0", body=None)
    assert dutch["code"] == french["code"] == "unknown-table"
    assert dutch["words"] != french["words"]


def test_the_browser_has_the_types_of_all_calls() -> None:
    from mchezo.local import typescript

    assert (ROOT / "web" / "src" / "local" / "calls.ts").read_text("utf-8") == typescript.write()
    assert desk.ANSWERS.keys() == set(get_args(desk.Calls))
