"""A table for one: Isolation alone."""

import pytest

from tests.server.serving import Client

pytestmark = pytest.mark.rotating(shares=4)

OPTIONS = {"variant": "isolation-alone", "board": "b0d3a0c3"}
ALL_SIXTEEN = "b1 d1 f1 g2 a3 d3 h3 e4 d5 f5 a6 c6 f7 h7 c8 e8"


def sit(ada: Client) -> str:
    made = ada.post("/api/tables", {"game": "katarenga", "seats": [{"kind": "you"}], "options": OPTIONS})
    return str(made["id"])


def table_of(ada: Client, id: str) -> dict[str, object]:
    return dict(ada.get(f"/api/tables/{id}"))


def play(ada: Client, id: str, move: str) -> None:
    decision = table_of(ada, id)["decision"]
    command = {"type": "move", "id": f"{decision}{move}", "decision": decision, "moves": [move]}
    ada.post(f"/api/tables/{id}/commands", command)


def test_one_person_plays_to_the_end_with_hints_and_takebacks(ada: Client) -> None:
    id = sit(ada)
    table = ada.get(f"/api/tables/{id}")
    assert (table["status"], table["to_move"], table["you"]) == ("running", 0, [0])
    assert "hint" in table["may"]
    assert "ask-draw" not in table["may"]
    play(ada, id, "@d4")
    ada.post(f"/api/tables/{id}/commands", {"type": "ask", "id": "back", "what": "takeback"})
    assert ada.get(f"/api/tables/{id}")["made"] == 0
    for square in ALL_SIXTEEN.split():
        play(ada, id, f"@{square}")
    table = ada.get(f"/api/tables/{id}")
    assert table["result"]["winners"] == []
    assert table["result"]["scores"] == [16.0]
    assert [line["told"]["key"] for line in table["result"]["lines"]] == ["placed-most"]
    assert "ask-rematch" in table["may"]
    assert "ask-revenge" not in table["may"]
    record = ada.http.get(f"/api/tables/{id}/record").text
    assert '[variant "isolation-alone"]' in record
    assert '[Winners ""]' in record


def test_giving_up_keeps_the_pawns_placed_so_far(ada: Client) -> None:
    id = sit(ada)
    for square in ("b1", "d1", "f1"):
        play(ada, id, f"@{square}")
    ada.post(f"/api/tables/{id}/commands", {"type": "resign", "id": "enough"})
    result = ada.get(f"/api/tables/{id}")["result"]
    assert (result["winners"], result["scores"], result["reason"]) == ([], [3.0], "resignation")


def test_a_computer_does_not_sit_alone_nor_two_at_a_table_for_one(ada: Client) -> None:
    for seats in ([{"kind": "computer", "level": 3}], [{"kind": "you"}, {"kind": "computer", "level": 3}]):
        answer = ada.http.post("/api/tables", json={"game": "katarenga", "seats": seats, "options": OPTIONS})
        assert answer.status_code == 400
    answer = ada.http.post("/api/tables", json={"game": "katarenga", "seats": [{"kind": "you"}]})
    assert answer.status_code == 400


def test_a_game_alone_counts_in_no_statistics(ada: Client) -> None:
    before = ada.get("/api/statistics")
    id = sit(ada)
    ada.post(f"/api/tables/{id}/commands", {"type": "resign", "id": "enough"})
    assert ada.get("/api/statistics") == before
