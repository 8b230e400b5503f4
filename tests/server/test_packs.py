"""Packs that players bring: checked as by the command, stored with the table, named in its record."""

from __future__ import annotations

from pathlib import Path

import pytest

from mchezo.games.kitara import pack as packs
from mchezo.server.transport import untrusted
from mchezo.server.transport.untrusted import MAX_PACK
from tests.server.serving import Client, Running

SHIPPED = (packs.FOLDER / "reconstruction.toml").read_text("utf-8")
OWN = SHIPPED.replace('name = "Reconstruction"', 'name = "Ada / box"').replace("D1W1M1", "D1W3M1")


def test_a_pack_is_checked_with_remarks_in_the_players_language(ada: Client) -> None:
    checked = ada.post("/api/packs/check", {"text": OWN})
    assert checked["name"] == "Ada / box"
    assert (checked["players"], checked["decks"]) == ([2, 3, 4], ["blue", "red"])
    assert checked["lines"] == packs.report(untrusted.read_pack(OWN)).lines("en")
    german = ada.http.post("/api/packs/check", json={"text": OWN}, headers={"Accept-Language": "de"}).json()
    assert german["lines"] == packs.report(untrusted.read_pack(OWN)).lines("de")


def test_a_mistake_in_a_pack_is_named_by_its_entry(ada: Client) -> None:
    answer = ada.http.post("/api/packs/check", json={"text": OWN.replace('"D1A1M1"', '"D1Q1M1"', 1)})
    assert answer.status_code == 400
    assert "decks.blue" in answer.json()["words"]


def test_a_pack_that_is_only_checked_is_not_stored(ada: Client) -> None:
    text = OWN.replace("2 = 12", "2 = 11").replace("3 = 12", "3 = 13")
    checked = ada.post("/api/packs/check", {"text": text})
    assert bytes.fromhex(checked["id"].rpartition("#")[2]) not in packs.IN_USE


def test_a_pack_has_a_maximum_size(ada: Client) -> None:
    answer = ada.http.post("/api/packs/check", json={"text": OWN + "# " + "x" * MAX_PACK})
    assert (answer.status_code, answer.json()["told"]["key"]) == (413, "pack-large")


def test_the_pack_template_can_be_downloaded(ada: Client) -> None:
    answer = ada.http.get("/api/packs/template")
    assert answer.text == packs.template()
    assert "attachment" in answer.headers["Content-Disposition"]


def test_a_setup_with_a_pack_comes_with_its_map(ada: Client) -> None:
    checked = ada.post("/api/games/kitara/setup", {"options": {"pack": OWN, "players": 3}})
    assert checked["map"]["pack"] == "Ada / box"
    assert len(checked["map"]["spaces"]) == len(untrusted.read_pack(OWN).maps[3].spaces)


def test_a_table_keeps_its_pack_over_a_restart_and_its_record_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = str(tmp_path / "tables.sqlite")
    server = Running(database)
    ada = server.client("Ada")
    table = ada.make("kitara", [{"kind": "you"}] * 2, options={"pack": OWN})
    name, cookies = table["view"]["pack_id"], ada.http.cookies
    server.stop()
    # A process forgets its packs when it ends.
    monkeypatch.setattr(untrusted, "PACKS", {})
    monkeypatch.setattr(packs, "IN_USE", {})
    server = Running(database)
    try:
        ada = server.client()
        ada.http.cookies.update(cookies)
        path = f"/api/packs/%23{name.rpartition('#')[2]}/maps/2"
        assert ada.http.get(path).json()["told"]["key"] == "pack-unknown"
        assert ada.http.get(path, params={"table": table["id"]}).json()["pack"] == "Ada / box"
        seen = ada.look(table["id"])
        assert seen["view"]["pack_id"] == name
        ada.do(table["id"], "move", decision=seen["decision"], moves=seen["legal"][:1])
        assert f'[pack "{name}"]' in ada.http.get(f"/api/tables/{table['id']}/record").text
    finally:
        server.stop()
