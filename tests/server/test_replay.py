"""Finished games: replay, variations, pictures, uploads, link previews."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from PIL import Image

import mchezo
from mchezo.server.domain.turns import turn_starts
from tests.server.records import ONE_SCREEN, error, record_of, upload
from tests.server.serving import Client

pytestmark = pytest.mark.rotating(shares=24)


@pytest.mark.parametrize("game", mchezo.games())
def test_an_uploaded_record_has_every_move_and_every_view(ada: Client, game: str) -> None:
    text = record_of(game)
    record = mchezo.Record.parse(text)
    id = upload(ada, text)
    replay = ada.get(f"/api/tables/{id}/replay")
    assert [step["move"] for step in replay["steps"]] == list(record.moves)
    assert replay["table"]["status"] == "over"
    assert replay["table"]["result"]["reason"] == (record.outcome and record.outcome.reason)
    middle = len(record.moves) // 2
    views = ada.get(f"/api/tables/{id}/replay/views", first=middle, count=2)["views"]
    position = mchezo.game(game).start(chance="manual", **record.replay().options)
    for made, move in enumerate(record.moves[: middle + 1]):
        if made == middle:
            assert views[0] | {"all_tokens": None} == position.view() | {"all_tokens": None}
        position.play(move)
    assert views[1]["to_move"] == position.to_move
    assert mchezo.Record.parse(ada.http.get(f"/api/tables/{id}/record").text).moves == record.moves


def test_a_replay_shows_move_times_and_omits_moves_taken_back(ada: Client) -> None:
    table = ada.make(seats=ONE_SCREEN, options={"choose_baseline": False})["id"]
    for _ in range(3):
        seen = ada.look(table)
        ada.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
    ada.do(table, "ask", what="takeback")
    ada.do(table, "resign", seat=0)
    steps = ada.get(f"/api/tables/{table}/replay")["steps"]
    assert len(steps) == 2
    assert all(step["took"] >= 0 and step["turn"] for step in steps)


def test_a_seat_sees_its_own_tokens_and_all_sees_every_token(ada: Client) -> None:
    for seed in range(1, 20):
        text = record_of("kitara", seed)
        if re.search(r"\s=[2-5]\s", text):
            break
    id = upload(ada, text)
    moves = {whose: ada.get(f"/api/tables/{id}/replay", whose=whose)["steps"] for whose in ("all", "0", "1", "none")}
    hidden = {whose: {at for at, step in enumerate(steps) if step["move"] == "=?"} for whose, steps in moves.items()}
    assert hidden["all"] == set()
    assert hidden["none"] == hidden["0"] | hidden["1"] > set()
    last = len(moves["all"]) - 1
    (seen,) = ada.get(f"/api/tables/{id}/replay/views", whose="all", first=last, count=1)["views"]
    assert sum(map(len, seen["all_tokens"])) == sum(tokens["kept"] for tokens in seen["tokens"])
    (own,) = ada.get(f"/api/tables/{id}/replay/views", whose="0", first=last, count=1)["views"]
    assert own["all_tokens"] is None
    assert own["own_tokens"]["kept"] == seen["all_tokens"][0]


def test_a_running_game_has_no_replay_and_its_record_is_refused(ada: Client, ben: Client) -> None:
    table = ada.make(options={"choose_baseline": False})["id"]
    ben.do(table, "join")
    assert [one["id"] for one in ben.get("/api/tables")["yours"]][:1] == [table]
    for player in (ada, ben, ada):
        seen = player.look(table)
        player.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
    for path in ("replay", "replay/views", "game.gif", "picture.svg?seat=all"):
        assert error(ada.http.get(f"/api/tables/{table}/{path}")) == (409, "not-over")
    varied = ada.http.post(f"/api/tables/{table}/replay/try", json={"at": 0})
    assert error(varied) == (409, "not-over")
    record = ada.http.get(f"/api/tables/{table}/record").text
    for text in (record, re.sub(r"\[(Site|SeedHash|White|Black|Event) .*\n", "", record)):
        assert error(ben.http.post("/api/records", json={"record": text})) == (409, "still-played")
        seats = [{"kind": "you"}, {"kind": "computer", "level": 8}]
        played = ben.http.post("/api/tables", json={"game": "katarenga", "seats": seats, "record": text})
        assert error(played) == (409, "still-played")
    # The table named in the record is checked for strangers, too.
    assert error(Client(ada.address, "Cay").http.post("/api/records", json={"record": record}))[1] == "still-played"
    ada.do(table, "resign")
    assert upload(ben, ada.http.get(f"/api/tables/{table}/record").text)


def test_a_game_in_which_the_table_gives_hints_can_be_uploaded_while_it_is_played(ada: Client, ben: Client) -> None:
    seats = [{"kind": "you"}, {"kind": "computer", "level": 1}]
    for hints in (True, False):
        table = ada.make(seats=seats, options={"choose_baseline": False}, lot=False, hints=hints)["id"]
        seen = ada.look(table)
        ada.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
        record = ada.http.get(f"/api/tables/{table}/record").text
        assert error(ben.http.post("/api/records", json={"record": record})) == (409, "still-played")
        if hints:
            assert upload(ada, record)
        else:
            assert error(ada.http.post("/api/records", json={"record": record})) == (409, "still-played")


def test_the_record_of_a_running_game_against_the_computer_reveals_none_of_its_tokens_and_counts_nowhere(
    ada: Client,
) -> None:
    for seed in range(1, 20):
        text = record_of("kitara", seed)
        if re.search(r"\s=[2-5]\s", text):
            break
    position = mchezo.Record.parse(text).replay()
    drawn, seat = next((at, step.only) for at, step in enumerate(position.steps) if step.only is not None)
    for own in (True, False):
        seats: list[dict[str, Any]] = [{"kind": "computer", "level": 1} for _ in position.seats]
        seats[seat if own else 1 - seat] = {"kind": "you"}
        made = {"record": text, "at": drawn + 1, "lot": False, "hints": True}
        before = ada.get("/api/statistics")
        table = ada.make("kitara", seats, **made)["id"]
        record = ada.http.get(f"/api/tables/{table}/record").text
        assert "[Seed " not in record
        if "=?" in record or not own:
            assert error(ada.http.post("/api/records", json={"record": record})) == (400, "record-hidden")
        if not own:
            continue
        answer = ada.http.post("/api/records", json={"record": record.partition("=?")[0]})  # before the computer drew
        assert answer.status_code == 201, answer.text
        uploaded = answer.json()["id"]
        shown = ada.http.get(f"/api/tables/{uploaded}/record").text
        assert "[Seed" not in shown  # neither the running game's nor its own, by which nothing was dealt
        assert uploaded not in [one["id"] for one in ada.get("/api/tables")["yours"]]
        assert ada.get("/api/statistics") == before


@pytest.mark.parametrize(
    ("text", "status", "key"),
    [
        ("hello", 400, "record-tag-missing"),
        ('[Game "chess"]\n[Rules "1"]\n\n1. e2-e4', 404, "unknown-game"),
        ('[Game "katarenga"]\n[Rules "1"]\n', 400, "record-empty"),
        ("x" * 200_001, 400, "bad-request"),
    ],
)
def test_an_invalid_record_is_refused_with_a_text(ada: Client, text: str, status: int, key: str) -> None:
    answer = ada.http.post("/api/records", json={"record": text})
    assert error(answer) == (status, key)
    assert answer.json()["words"]


def test_an_illegal_move_in_a_record_is_named(ada: Client) -> None:
    text = record_of("katarenga", moves=20)
    head, _, moves = text.partition("\n\n")
    answer = ada.http.post("/api/records", json={"record": f"{head}\n\n{moves.replace('2. ', '2. a1-h7 ', 1)}"})
    assert answer.status_code == 400
    assert "a1-h7" in answer.json()["words"]


def test_an_unfinished_record_is_shown_as_far_as_it_goes(ada: Client) -> None:
    text = record_of("kiwara", moves=12)
    id = upload(ada, text)
    seen = ada.get(f"/api/tables/{id}/replay")
    assert seen["table"]["result"]["reason"] == "unfinished"
    again = mchezo.Record.parse(ada.http.get(f"/api/tables/{id}/record").text)
    assert again.outcome is None
    assert again.replay().moves == list(mchezo.Record.parse(text).moves)


def test_a_variation_draws_new_chance_and_keeps_it(ada: Client) -> None:
    id = upload(ada, record_of("kitara", players=3))
    at = 30
    moves: list[str] = []
    seen: dict[str, Any] = {}
    for _ in range(12):
        seen = ada.post(f"/api/tables/{id}/replay/try", {"at": at, "moves": moves})
        moves = [*seen["moves"], seen["legal"][0]]
    drawn = [step for step in seen["steps"] if step["seat"] is None]
    assert drawn
    again = ada.post(f"/api/tables/{id}/replay/try", {"at": at, "moves": seen["moves"]})
    assert (again["view"], again["steps"]) == (seen["view"], seen["steps"])
    wrong = ada.http.post(f"/api/tables/{id}/replay/try", json={"at": at, "moves": ["nonsense"]})
    assert wrong.status_code == 400
    late = ada.http.post(f"/api/tables/{id}/replay/try", json={"at": 9_999})
    assert error(late) == (409, "no-such-move")


def test_the_position_of_a_variation_is_evaluated_once_the_game_is_over(ada: Client) -> None:
    id = upload(ada, record_of("katarenga"))
    varied = ada.post(f"/api/tables/{id}/replay/try", {"at": 10})
    asked = {"at": 10, "moves": [varied["legal"][-1]]}
    heuristic = ada.post(f"/api/tables/{id}/replay/judge", asked)
    assert heuristic["moves"][0] in ada.post(f"/api/tables/{id}/replay/try", asked)["legal"]
    assert sum(heuristic["chances"]) == pytest.approx(1)
    end = len(ada.get(f"/api/tables/{id}/replay")["steps"])
    over = ada.http.post(f"/api/tables/{id}/replay/judge", json={"at": end})
    assert error(over) == (409, "nothing-to-judge")
    running = ada.make(seats=ONE_SCREEN)["id"]
    assert error(ada.http.post(f"/api/tables/{running}/replay/judge", json={"at": 0})) == (409, "not-over")


def test_a_retreat_belongs_to_the_turn_that_forced_it() -> None:
    position = mchezo.Record.parse(record_of("kitara", players=2)).replay()
    turns = turn_starts(position)
    assert len(turns) == 2 + 2 * 7  # the start spaces, then seven turns each
    assert any(step.text.startswith(">") for step in position.steps)
    assert not any(position.steps[number].text.startswith(">") for number in turns)


@pytest.mark.parametrize("game", mchezo.games())
def test_a_game_can_be_continued_from_any_position_and_from_a_variation(ada: Client, game: str) -> None:
    text = record_of(game)
    id = upload(ada, text)
    varied = ada.post(f"/api/tables/{id}/replay/try", {"at": 10})
    move = varied["legal"][-1]
    varied = ada.post(f"/api/tables/{id}/replay/try", {"at": 10, "moves": [*varied["moves"], move]})
    body = {"game": game, "seats": ONE_SCREEN, "record": text, "at": 10, "then": varied["moves"], "lot": False}
    table = ada.post("/api/tables", body)["table"]
    assert table["status"] == "running"
    assert table["made"] >= 10 + len(varied["moves"])
    assert table["seed"] is None


def test_any_position_is_a_picture_and_a_game_is_an_animation(ada: Client) -> None:
    text = record_of("katarenga", moves=3)
    id = upload(ada, text)
    svgs = [ada.http.get(f"/api/tables/{id}/picture.svg?at={at}").text for at in range(4)]
    assert len(set(svgs)) == 4
    assert all(svg.startswith("<svg") for svg in svgs)
    png = Image.open(io.BytesIO(ada.http.get(f"/api/tables/{id}/picture.png?at=2&width=240").content))
    assert (png.format, png.width) == ("PNG", 240)
    gif = Image.open(io.BytesIO(ada.http.get(f"/api/tables/{id}/game.gif").content))
    assert (gif.format, getattr(gif, "n_frames", 0)) == ("GIF", 4)


def test_a_link_preview_has_a_title_a_description_and_a_picture(ada: Client) -> None:
    id = upload(ada, record_of("katarenga"))
    page = ada.http.get(f"/replay/{id}", headers={"Accept-Language": "nl"}).text
    tags = dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)"', page))
    assert tags["title"] == "Katarenga: Wit · Zwart"
    assert tags["description"].startswith("Een partij Katarenga")
    assert tags["image"] == f"http://{ada.address}/api/tables/{id}/preview.png"
    card = Image.open(io.BytesIO(ada.http.get(tags["image"]).content))
    assert card.size == (1200, 630)
    assert ada.http.get("/replay/aaaaaaaaaaaa").status_code == 200  # the app explains what is wrong


def test_a_link_preview_names_computers_in_the_readers_language(ada: Client) -> None:
    table = ada.make(seats=[{"kind": "you"}, {"kind": "computer", "level": 2}], name="Ada")["id"]
    page = ada.http.get(f"/t/{table}", headers={"Accept-Language": "de"}).text
    assert "Ada" in page
    assert "Lernender" in page


def test_names_in_link_previews_are_escaped(ada: Client) -> None:
    table = ada.make(seats=ONE_SCREEN, name='"><script>')["id"]
    page = ada.http.get(f"/t/{table}").text
    assert '"><script>' not in page
