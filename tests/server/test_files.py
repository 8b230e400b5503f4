"""No file that a client names is opened, and packs from clients do not fill the memory."""

from __future__ import annotations

import gc
import json
import sys
from itertools import product
from pathlib import Path

import platformdirs
import pytest

import mchezo
from mchezo.core import registry
from mchezo.games.kitara import pack as packs
from mchezo.server.transport import untrusted
from tests.server.opened import opened_files
from tests.server.records import error, record_of
from tests.server.serving import Client, Running

pytestmark = pytest.mark.rotating(shares=24)

SHIPPED = (packs.FOLDER / "reconstruction.toml").read_text("utf-8")
TWO_PLAYERS = SHIPPED[: SHIPPED.index("[maps.3]")]  # no game of four starts with it


def own_pack(number: int, text: str = SHIPPED) -> str:
    """Return a pack unlike all others."""
    cards, tokens = divmod(number, 12)
    changed = text.replace("D1W1M1", f"D1W{1 + cards}M1")
    return changed.replace("2 = 12\n3 = 12\n", f"2 = {12 - tokens}\n3 = {12 + tokens}\n")


def expected(path: str, folder: Path) -> bool:
    """Return whether the server itself has a reason to open a file: its code, its cache, its database."""
    roots = [
        sys.prefix,
        sys.base_prefix,
        str(Path(mchezo.__file__).parent.parent),
        str(folder),
        platformdirs.user_cache_dir("mchezo"),
    ]
    return path.startswith((*roots, "/dev/", "/proc/", "/sys/")) and "secret" not in path


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A valid pack that no client has sent."""
    file = tmp_path / "secret.toml"
    file.write_text(own_pack(7), encoding="utf-8")
    return file


def test_a_record_that_names_a_file_does_not_open_it_after_a_failed_setup(ada: Client, secret: Path) -> None:
    text = own_pack(1, TWO_PLAYERS)
    failed = ada.http.post("/api/games/kitara/setup", json={"options": {"pack": text, "players": 4}})
    assert error(failed) == (400, "no-map")
    digest = packs.digest_of(untrusted.read_pack(text)).hex()
    record = f'[Game "kitara"]\n[Rules "1"]\n[pack "{secret}#{digest}"]\n\n@a1\n'
    seats = [{"kind": "you"}] * 2
    with opened_files() as paths:
        ada.http.post("/api/records", json={"record": record})
        ada.http.post("/api/tables", json={"game": "kitara", "seats": seats, "record": record})
        ada.http.post("/api/tables", json={"game": "kitara", "seats": seats, "options": {"pack": f"{secret}#{digest}"}})
    assert str(secret) not in paths


def test_no_hostile_request_opens_a_file(ada: Client, secret: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    known = packs.digest_of(untrusted.read_pack(own_pack(1))).hex()
    ada.post("/api/games/kitara/setup", {"options": {"pack": own_pack(1)}})
    digests = (known, packs.digest_of(untrusted.read_pack(own_pack(7))).hex(), "0" * 64)
    names = (
        str(secret),
        "/etc/passwd",
        "../../secret.toml",
        "secret",
        f"file://{secret}",
        "~/secret",
        "\\\\host\\share",
    )
    values = [*names, *(f"{name}#{digest}" for name, digest in product(names, digests))]
    ada.post("/api/packs/check", {"text": own_pack(1)})  # what is imported at the first use
    with opened_files() as paths:
        for value in values:
            tag = value.replace("\\", "\\\\")
            record = f'[Game "kitara"]\n[Rules "1"]\n[pack "{tag}"]\n[Site "{tag}"]\n\n@a1\n'
            for game, option in (
                ("kitara", "pack"),
                ("kitara", "deck"),
                ("katarenga", "board"),
                ("kiwara", "position"),
            ):
                ada.http.post(f"/api/games/{game}/setup", json={"options": {option: value}})
                body = {"game": game, "seats": [{"kind": "you"}] * 2, "options": {option: value}}
                ada.http.post("/api/tables", json=body)
            ada.http.post("/api/records", json={"record": record})
            ada.http.post("/api/packs/check", json={"text": value})
            ada.http.post("/api/packs/check", json={"text": f"name = {json.dumps(value)}\n"})
            ada.http.get(f"/api/packs/{value.replace('/', '%2F').replace('#', '%23')}/maps/2")
            ada.http.get(f"/api/rules/{value.replace('/', '%2F').replace('#', '%23')[:20]}")
            ada.http.post("/api/me", json={"name": value[:40]})
    assert [path for path in paths if not expected(path, tmp_path_factory.getbasetemp())] == []


def test_a_pack_named_like_a_file_does_not_open_it(ada: Client, secret: Path) -> None:
    text = own_pack(2).replace('name = "Reconstruction"', 'name = "/etc/hostname"')
    with opened_files() as paths:
        table = ada.make("kitara", [{"kind": "you"}] * 2, options={"pack": text})
        ada.http.get(f"/api/tables/{table['id']}/picture.svg").raise_for_status()
    assert table["view"]["pack"] == "/etc/hostname"
    assert "/etc/hostname" not in paths


def test_the_user_s_folder_of_packs_is_not_searched_for_clients(ada: Client) -> None:
    folder = str(platformdirs.user_data_path("mchezo", appauthor=False) / "packs")
    record = f'[Game "kitara"]\n[Rules "1"]\n[pack "Mine#{"1" * 64}"]\n\n@a1\n'
    with opened_files() as paths:
        assert error(ada.http.post("/api/records", json={"record": record})) == (400, "pack-unknown")
    assert not [path for path in paths if path.startswith(folder)]


def test_an_uploaded_record_keeps_its_pack_over_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = str(tmp_path / "tables.sqlite")
    text = own_pack(3)
    record = record_of("kitara", pack=text)
    server = Running(database)
    ada = server.client("Ada")
    ada.post("/api/games/kitara/setup", {"options": {"pack": text}})
    id = ada.post("/api/records", {"record": record})["id"]
    open_table = ada.make("kitara", [{"kind": "you"}] * 2, record=record, at=20)["id"]
    server.stop()
    for module, name in ((untrusted, "PACKS"), (packs, "KEPT")):
        monkeypatch.setattr(module, name, {})
    packs.IN_USE.clear()
    server = Running(database)
    try:
        ada = server.client("Ben")
        assert ada.get(f"/api/tables/{id}/replay")["table"]["status"] == "over"
        assert ada.look(open_table)["made"] == 20
    finally:
        server.stop()


def test_setups_with_ever_new_packs_neither_block_others_nor_stay_in_memory(
    ada: Client, ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(untrusted, "MAX_PACKS", 3)
    monkeypatch.setattr(untrusted, "PACKS", {})
    for number in range(8, 16):
        ada.post("/api/games/kitara/setup", {"options": {"pack": own_pack(number)}})
    assert len(untrusted.PACKS) == 3
    table = ben.make("kitara", [{"kind": "you"}] * 2, options={"pack": own_pack(16)})
    for number in range(17, 25):
        ada.post("/api/games/kitara/setup", {"options": {"pack": own_pack(number)}})
    setting_up = sys.modules["mchezo.games.kitara.setup"]
    for cache in (packs.digest_of, packs.select, setting_up.lay_out, setting_up.material):
        cache.cache_clear()
    gc.collect()
    names = {packs.digest_of(untrusted.read_pack(own_pack(number))) for number in range(17, 25)}
    assert not names & set(packs.IN_USE)
    assert ben.look(table["id"])["view"]["pack_id"] == table["view"]["pack_id"]


def test_general_code_reaches_packs_without_a_function_that_opens_paths() -> None:
    with opened_files() as paths, pytest.raises(mchezo.InvalidSetup):
        registry.packs().known(f"/etc/hostname#{'0' * 64}", None)
    assert paths == []
