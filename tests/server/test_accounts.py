"""Accounts: a guest keeps everything, and signs in elsewhere with a passkey or a recovery phrase."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mchezo.server.domain.accounts import check_user_name, phrase_hash, phrase_of, skeleton, word
from mchezo.server.domain.context import Identity, clean_name
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_phrase_number
from mchezo.server.runtime.limits import Limits, Rate
from mchezo.server.runtime.passkeys import SECONDS, Passkeys
from mchezo.server.runtime.signing import Signer
from mchezo.server.storage.accounts import MAX_DEVICES
from mchezo.server.storage.administration import Administration
from tests.server.authenticator import Authenticator, encode
from tests.server.postgres import Postgres
from tests.server.serving import Client, Running, eventually

pytestmark = pytest.mark.rotating(shares=24)


def refused(answer: httpx.Response) -> str:
    assert answer.status_code >= 400, answer.text
    return str(answer.json()["told"]["key"])


def register(client: Client, name: str) -> None:
    me = client.post("/api/account", {"name": name})
    assert me["account"]
    assert me["name"] == name


def with_phrase(client: Client, name: str) -> str:
    register(client, name)
    return str(client.post("/api/account/phrase", {})["phrase"])


def by_name(client: Client, name: str = "localhost") -> Client:
    """Reach the server by a name, which passkeys need."""
    port = client.address.rpartition(":")[2]
    client.http.headers["Host"] = f"{name}:{port}"
    client.http.headers["Origin"] = f"http://{name}:{port}"
    return client


def origin(client: Client) -> str:
    return str(client.http.headers["Origin"])


def add_passkey(client: Client) -> Authenticator:
    asked = client.post("/api/account/passkeys/options", {})
    passkey = Authenticator(origin(client))
    body = {"challenge": asked["challenge"], "credential": passkey.register(asked["options"]), "label": "Phone"}
    assert [one["label"] for one in client.post("/api/account/passkeys", body)["passkeys"]][-1] == "Phone"
    return passkey


def sign_in(client: Client, passkey: Authenticator) -> httpx.Response:
    asked = client.post("/api/sign-in/options", {})
    body = {"challenge": asked["challenge"], "credential": passkey.sign(asked["options"])}
    return client.http.post("/api/sign-in/passkey", json=body)


# Names


@pytest.mark.parametrize("name", ["Ada", "Łukasz", "山田太郎", "Zoë K.", "Jean-Luc", "o'Neil", "Анна", "player_1"])
def test_names_of_people_everywhere_are_accepted(name: str) -> None:
    assert check_user_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("x", "name-length"),
        ("x" * 25, "name-length"),
        ("1234", "name-letters"),
        ("<b>Ada</b>", "name-letters"),
        ("\u0430da", "name-letters"),  # a Cyrillic a among Latin letters
        ("Admin", "name-reserved"),
        ("m.chez0", "name-reserved"),
        ("Rnchezo", "name-reserved"),
        ("xxHitlerxx", "name-reserved"),
        ("   ", "name-empty"),
        ("\u3164\u3164", "name-empty"),  # letters without ink
        ("\u2800\uffa0", "name-empty"),
        ("\u1d00\u1d05\u1d00", "name-letters"),  # small capitals: ada
        ("Ad\u0251", "name-letters"),  # a phonetic a
        ("\ua4ee\ua4d3\ua4ee", "name-letters"),  # Lisu: ADA
        ("\u13aa\u13a0\u13aa", "name-letters"),  # Cherokee
    ],
)
def test_names_that_deceive_or_offend_are_refused(name: str, key: str) -> None:
    with pytest.raises(TableError) as error:
        check_user_name(name)
    assert error.value.key == key


def test_accents_are_not_heaped_on_a_letter() -> None:
    assert check_user_name("Bo" + "\u0335" * 20) == "Bo" + "\u0335" * 2
    assert clean_name("\u0e19\u0e49\u0e33") == "\u0e19\u0e49\u0e33"  # Thai writes a vowel and a tone above a letter


@pytest.mark.parametrize("other", ["ADA", "Ad\u0430", "a d a", "A.d-a", "\uff21da", "Àdà", "Ada\u3164", "A\u2800da"])
def test_names_that_look_alike_have_one_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Ada")


def test_different_names_have_different_skeletons() -> None:
    names = ["Ada", "Adam", "Ben", "Bern", "Paula", "Ana", "Uwe", "Yves"]
    assert len({skeleton(name) for name in names}) == len(names)


# Phrases


def test_every_number_is_another_word() -> None:
    assert len({word(number) for number in range(1 << 16)}) == 1 << 16


@given(st.sampled_from([str.upper, str.title, lambda text: text.replace(" ", "-"), lambda text: f" {text}\n"]))
def test_case_and_spaces_of_a_phrase_do_not_matter(change: Callable[[str], str]) -> None:
    phrase, secret = phrase_of(new_phrase_number()), bytes(32)
    assert phrase_hash(secret, change(phrase)) == phrase_hash(secret, phrase)
    assert phrase_hash(secret, phrase) != phrase_hash(b"other" * 8, phrase)


def test_a_guest_becomes_an_account_in_the_middle_of_a_game(ada: Client, ben: Client, running: Running) -> None:
    table = str(ada.make()["id"])
    ben.do(table, "join")
    phrase = with_phrase(ada, "Ada Lovelace")
    assert ada.get("/api/me")["account"]
    seen = ada.look(table)
    if seen["legal"]:
        ada.do(table, "move", decision=seen["decision"], moves=[seen["legal"][0]])
    elsewhere = Client(running.address)
    me = elsewhere.post("/api/sign-in/phrase", {"phrase": phrase.upper().replace(" ", "-")})
    assert (me["name"], me["id"]) == ("Ada Lovelace", ada.get("/api/me")["id"])
    assert elsewhere.look(table)["you"] == seen["you"]
    elsewhere.do(table, "resign")


def test_a_wrong_phrase_is_refused_and_attempts_are_limited(tmp_path: Path, start: Callable[..., Running]) -> None:
    server = start(str(tmp_path / "tables.sqlite"), limits=Limits(sign_ins=Rate(0.001, 3)))
    eve = server.client("Eve")
    answers = [eve.http.post("/api/sign-in/phrase", json={"phrase": phrase_of(new_phrase_number())}) for _ in range(4)]
    assert [refused(answer) for answer in answers] == ["phrase-wrong"] * 3 + ["too-often"]


def test_a_new_phrase_replaces_the_old_one(ada: Client, running: Running) -> None:
    old = with_phrase(ada, "Ada New")
    new = ada.post("/api/account/phrase", {})["phrase"]
    other = Client(running.address)
    assert refused(other.http.post("/api/sign-in/phrase", json={"phrase": old})) == "phrase-wrong"
    assert other.post("/api/sign-in/phrase", {"phrase": new})["name"] == "Ada New"


def test_the_phrase_itself_is_not_stored(ada: Client, running: Running) -> None:
    phrase = with_phrase(ada, "Ada Secret")
    assert running.service is not None
    with running.service.store.database.engine.connect() as connection:
        (stored,) = connection.exec_driver_sql("SELECT phrase FROM accounts WHERE name = 'Ada Secret'").one()
    assert not any(part in stored for part in phrase.split())
    assert stored == phrase_hash(running.service.signer.secret, phrase)


# Names at the server


def test_a_name_belongs_to_one_account_and_nobody_else_can_use_it(ada: Client, ben: Client, running: Running) -> None:
    register(ada, "Grace")
    assert refused(ben.http.post("/api/account", json={"name": "GRACE"})) == "name-taken"
    assert refused(ben.http.post("/api/me", json={"name": "Gr\u00e0ce"})) == "name-taken"
    assert refused(Client(running.address).http.post("/api/tokens", json={"name": "grace"})) == "name-taken"
    assert refused(ada.http.post("/api/account", json={"name": "Again"})) == "account-exists"
    ada.post("/api/me", {"name": "Grace H."})  # renamed: the old name is free
    assert ada.get("/api/account")["name"] == "Grace H."
    register(ben, "Grace")
    assert refused(ada.http.post("/api/me", json={"name": "grace"})) == "name-taken"


def test_nobody_sits_down_under_the_name_of_an_account(ada: Client, ben: Client) -> None:
    register(ada, "Katherine")
    table = str(ada.make()["id"])
    answer = ben.http.post(f"/api/tables/{table}/commands", json={"type": "join", "id": "1", "name": "KATHERINE"})
    assert refused(answer) == "name-taken"
    with ben.live(table) as live:
        live.send({"type": "join", "id": "2", "seat": None, "key": None, "name": "Kath\u00e9rine"})
        assert live.wait_for("refused")["told"]["key"] == "name-taken"
    for named in ({"name": "Katherine"}, {"seats": [{"kind": "you"}, {"kind": "you", "name": "katherine"}]}):
        body = {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "open"}], **named}
        assert refused(ben.http.post("/api/tables", json=body)) == "name-taken"
    ben.do(table, "join", name="Ben")
    assert ada.make(name="Katherine")["seats"][0]["player"]["name"] == "Katherine"


def test_other_devices_learn_a_new_name(ada: Client, running: Running) -> None:
    phrase = with_phrase(ada, "Emmy")
    other = Client(running.address)
    other.post("/api/sign-in/phrase", {"phrase": phrase})
    ada.post("/api/me", {"name": "Emmy N."})
    assert other.get("/api/me")["name"] == "Emmy N."


# Passkeys


def test_a_passkey_signs_in_elsewhere(ada: Client, running: Running) -> None:
    by_name(ada)
    register(ada, "Hedy")
    passkey = add_passkey(ada)
    other = by_name(Client(running.address))
    for _ in range(2):
        assert sign_in(other, passkey).json()["id"] == ada.get("/api/me")["id"]
    devices = other.get("/api/account")["devices"]
    assert len(devices) == 3
    assert sum(one["current"] for one in devices) == 1


def test_a_removed_passkey_and_somebody_elses_do_not_sign_in(ada: Client, running: Running) -> None:
    by_name(ada)
    register(ada, "Mary")
    passkey, other = add_passkey(ada), by_name(Client(running.address))
    forged = Authenticator(origin(other))
    assert refused(sign_in(other, forged)) == "passkey-unknown"
    forged.id = passkey.id  # with another key
    assert refused(sign_in(other, forged)) == "passkey-wrong"
    passkey.used = 0  # a copy of it
    assert refused(sign_in(other, passkey)) == "passkey-wrong"
    passkey.used = 5
    passkey.origin = "http://evil.example"
    assert refused(sign_in(other, passkey)) == "passkey-wrong"
    passkey.origin = origin(other)
    (listed,) = ada.get("/api/account")["passkeys"]
    assert ada.http.delete(f"/api/account/passkeys/{listed['id']}").json()["passkeys"] == []
    assert refused(sign_in(other, passkey)) == "passkey-unknown"
    assert refused(ada.http.delete(f"/api/account/passkeys/{listed['id']}")) == "unknown-passkey"


def test_each_of_several_passkeys_signs_in_until_it_is_removed(ada: Client, running: Running) -> None:
    register(by_name(ada), "Barbara")
    identity = ada.get("/api/me")["id"]
    first, second = add_passkey(ada), add_passkey(ada)
    asked = ada.post("/api/account/passkeys/options", {})["options"]
    assert {one["id"] for one in asked["excludeCredentials"]} == {encode(first.id), encode(second.id)}
    for passkey in (first, second):
        assert sign_in(by_name(Client(running.address)), passkey).json()["id"] == identity
    listed = ada.get("/api/account")["passkeys"]
    ada.http.delete(f"/api/account/passkeys/{listed[0]['id']}").raise_for_status()
    answers = [sign_in(by_name(Client(running.address)), passkey).is_success for passkey in (first, second)]
    assert sorted(answers) == [False, True]


def test_with_a_passkey_domain_a_passkey_made_under_one_name_signs_in_under_another(
    tmp_path: Path, start: Callable[..., Running]
) -> None:
    running = start(
        str(tmp_path / "tables.sqlite"),
        hosts=("play.example.org", "www.example.org"),
        passkey_domain="example.org",
    )
    ada = by_name(Client(running.address, "Ada"), "play.example.org")
    register(ada, "Radia")
    asked = ada.post("/api/account/passkeys/options", {})["options"]
    assert asked["rp"]["id"] == "example.org"
    passkey = add_passkey(ada)
    other = by_name(Client(running.address), "www.example.org")
    passkey.origin = origin(other)
    assert sign_in(other, passkey).json()["id"] == ada.get("/api/me")["id"]
    asked = other.post("/api/sign-in/options", {})
    answer = passkey.sign({**asked["options"], "rpId": "www.example.org"})  # as without the setting
    body = {"challenge": asked["challenge"], "credential": answer}
    assert refused(other.http.post("/api/sign-in/passkey", json=body)) == "passkey-wrong"


def test_an_answer_is_accepted_once_by_all_processes_together(ada: Client, running: Running) -> None:
    assert running.service is not None
    register(by_name(ada), "Janine")
    asked = ada.post("/api/account/passkeys/options", {})
    passkey = Authenticator(origin(ada))
    passkey.used = -1  # it is synchronised between devices, and does not count
    body = {"challenge": asked["challenge"], "credential": passkey.register(asked["options"]), "label": "x"}
    ada.post("/api/account/passkeys", body)
    other = by_name(Client(running.address))
    asked = other.post("/api/sign-in/options", {})
    passkey.used = -1
    body = {"challenge": asked["challenge"], "credential": passkey.sign(asked["options"])}
    assert other.http.post("/api/sign-in/passkey", json=body).status_code == 200
    running.service.passkeys.answered.clear()  # as another process, which has not seen the answer
    assert refused(other.http.post("/api/sign-in/passkey", json=body)) == "passkey-late"
    asked, passkey.used = other.post("/api/sign-in/options", {}), -1
    body = {"challenge": asked["challenge"], "credential": passkey.sign(asked["options"])}
    assert other.http.post("/api/sign-in/passkey", json=body).status_code == 200


def test_a_passkey_is_called_like_the_browser_that_made_it(ada: Client) -> None:
    register(by_name(ada), "Labelled Lea")
    ada.http.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/142.0"
    asked = ada.post("/api/account/passkeys/options", {})
    body = {"challenge": asked["challenge"], "credential": Authenticator(origin(ada)).register(asked["options"])}
    assert [one["label"] for one in ada.post("/api/account/passkeys", body)["passkeys"]] == ["Firefox, Linux"]


def test_an_answer_is_accepted_once_and_only_for_what_was_asked(ada: Client, ben: Client, running: Running) -> None:
    by_name(ada), by_name(ben)
    register(ada, "Joan")
    register(ben, "Jean")
    passkey, other = add_passkey(ada), by_name(Client(running.address))
    asked = other.post("/api/sign-in/options", {})
    body = {"challenge": asked["challenge"], "credential": passkey.sign(asked["options"])}
    assert other.http.post("/api/sign-in/passkey", json=body).status_code == 200
    assert refused(other.http.post("/api/sign-in/passkey", json=body)) == "passkey-late"
    asked = ada.post("/api/account/passkeys/options", {})
    made = Authenticator(origin(ada)).register(asked["options"])
    body = {"challenge": asked["challenge"], "credential": made, "label": "x"}
    assert refused(ben.http.post("/api/account/passkeys", json=body)) == "passkey-late"  # Ada's challenge
    changes: list[dict[str, Any]] = [{"rawId": "!"}, {"rawId": "A" * 9_000}, {"response": {}}, {"id": 1}]
    changes.append({"response": {"clientDataJSON": "e30", "attestationObject": "oA", "authenticatorData": "x"}})
    for change in changes:
        wrong = {**made, **change}
        assert ada.http.post("/api/account/passkeys", json={**body, "credential": wrong}).status_code in (400, 409)
        asked = other.post("/api/sign-in/options", {})
        answer = other.http.post("/api/sign-in/passkey", json={"challenge": asked["challenge"], "credential": wrong})
        assert answer.status_code in (400, 409)
    for text in ("e30", "bnVsbA", "_w"):  # {}, null, no JSON
        asked = ada.post("/api/account/passkeys/options", {})
        wrong = {**made, "response": {"clientDataJSON": text, "attestationObject": text}}
        body = {"challenge": asked["challenge"], "credential": wrong, "label": "x"}
        assert refused(ada.http.post("/api/account/passkeys", json=body)) == "passkey-wrong"
        asked = other.post("/api/sign-in/options", {})
        response = {"clientDataJSON": text, "authenticatorData": text, "signature": text}
        wrong = {"id": made["id"], "rawId": encode(passkey.id), "type": "public-key", "response": response}
        answer = other.http.post("/api/sign-in/passkey", json={"challenge": asked["challenge"], "credential": wrong})
        assert refused(answer) == "passkey-wrong"


def test_a_challenge_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = Passkeys(bytes(32), "localhost")
    options, challenge = keys.registration("guest", "Ada", "localhost", [])
    made = Authenticator("http://localhost").register(options)
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: 4e9)
    with pytest.raises(TableError, match="too long"):
        keys.registered("guest", challenge, made, "localhost", "http://localhost", "x", 0)
    assert SECONDS < 3600


def test_there_are_no_passkeys_for_a_plain_address(ada: Client) -> None:
    register(ada, "Ida")
    assert refused(ada.http.post("/api/account/passkeys/options")) == "passkey-address"
    assert Passkeys(bytes(32), "play.example.org").domain_of("10.0.0.1:80") == "play.example.org"
    assert Passkeys(bytes(32)).domain_of("Play.example.org:8064") == "play.example.org"


# Devices and tokens


def test_a_device_is_signed_out_from_another(ada: Client, running: Running) -> None:
    phrase = with_phrase(ada, "Rosa")
    lost = Client(running.address)
    lost.post("/api/sign-in/phrase", {"phrase": phrase})
    (device,) = [one["id"] for one in ada.get("/api/account")["devices"] if not one["current"]]
    assert [one["current"] for one in ada.http.delete(f"/api/account/devices/{device}").json()["devices"]] == [True]
    assert refused(lost.http.post("/api/me", json={"name": "Thief"})) == "revoked"
    assert not lost.get("/api/me")["account"]  # another guest from now on
    assert refused(ada.http.delete(f"/api/account/devices/{device}")) == "unknown-device"


def test_tokens_are_listed_scoped_and_revoked(ada: Client, ben: Client) -> None:
    register(ada, "Vera")
    table = str(ada.make()["id"])
    tokens = [ada.post("/api/tokens", {"name": "bot", "reads_only": reads})["token"] for reads in (False, True)]
    plays, reads = (
        httpx.Client(base_url=ada.http.base_url, headers={"Authorization": f"Bearer {one}"}) for one in tokens
    )
    assert reads.get(f"/api/tables/{table}").status_code == 200
    body = {"type": "join", "id": "1"}
    assert refused(reads.post(f"/api/tables/{table}/commands", json=body)) == "token-reads"
    assert plays.post(f"/api/tables/{table}/commands", json=body).status_code == 200
    bots = [one["id"] for one in ada.get("/api/account")["devices"] if one["kind"] == "bot"]
    assert len(bots) == 2
    for bot in bots:
        ada.http.delete(f"/api/account/devices/{bot}").raise_for_status()
    for token in (plays, reads):
        assert refused(token.get("/api/me")) == "revoked"


def test_ending_other_sessions_leaves_this_device(ada: Client, running: Running) -> None:
    phrase = with_phrase(ada, "Lise")
    other = Client(running.address)
    other.post("/api/sign-in/phrase", {"phrase": phrase})
    ada.post("/api/me/revoke", {})
    assert [one["current"] for one in ada.get("/api/account")["devices"]] == [True]
    assert refused(other.http.post("/api/me", json={"name": "x"})) == "revoked"


def test_the_oldest_of_too_many_devices_is_signed_out(ada: Client, running: Running) -> None:
    register(ada, "Tina")
    assert running.service is not None
    accounts, guest = (
        running.service.store.accounts,
        running.service.signer.read_cookie(ada.http.cookies["mchezo"]).guest,
    )
    for number in range(MAX_DEVICES):
        accounts.add_device(guest, "browser", str(number), running.service.store.now() + number + 1).result()
    stored = accounts.load(guest)
    assert stored is not None
    assert len(stored.devices) == MAX_DEVICES
    eventually(lambda: refused(ada.http.post("/api/me", json={"name": "x"})) == "revoked")


def test_signing_out_and_closing_the_account(ada: Client, ben: Client, running: Running) -> None:
    table = str(ada.make()["id"])
    ben.do(table, "join")
    phrase = with_phrase(ada, "Nora")
    assert ada.http.post("/api/me/sign-out").status_code == 204
    assert not ada.get("/api/me")["account"]
    ada.post("/api/sign-in/phrase", {"phrase": phrase})
    exported = ada.get("/api/me/data")
    assert exported["tables"][0]["id"] == table
    assert exported["account"]["name"] == "Nora"
    assert ada.http.delete("/api/me").status_code == 204
    assert "Nora" not in str(ben.look(table))
    assert ben.look(table)["status"] == "over"  # the game stays
    assert refused(Client(running.address).http.post("/api/sign-in/phrase", json={"phrase": phrase})) == "phrase-wrong"
    register(ben, "Nora")  # the name is free


def test_an_operator_finds_exports_and_deletes_an_account(ada: Client, running: Running) -> None:
    phrase = with_phrase(ada, "Olga Operated")
    assert running.service is not None
    id = ada.get("/api/me")["id"]
    with closing(Administration(running.service.config.database)) as operator:
        assert [one.id for one in operator.guests("olga operated")] == [id]
        exported = operator.export_guest(id, str)
        assert exported["account"]["name"] == "Olga Operated"
        assert [one["kind"] for one in exported["account"]["devices"]] == ["browser"]
        assert "phrase" not in exported["account"]
        operator.delete_guest(id)
        assert operator.guests("olga operated") == []
    answer = Client(running.address).http.post("/api/sign-in/phrase", json={"phrase": phrase})
    assert refused(answer) == "phrase-wrong"


def test_bots_have_no_account(running: Running) -> None:
    bot = Client(running.address, "robot", bot=True)
    assert refused(bot.http.post("/api/account", json={"name": "Robot"})) == "account-bot"
    assert refused(bot.http.get("/api/account")) == "no-account"


def test_accounts_on_postgresql_and_two_processes(cluster: Postgres, start: Callable[..., Running]) -> None:
    url = cluster.database()
    first, second = start(url), start(url)
    ada, ben = by_name(first.client("Ada")), second.client("Ben")
    phrase = with_phrase(ada, "Ada")
    assert refused(ben.http.post("/api/account", json={"name": "ada"})) == "name-taken"
    there = Client(second.address)
    assert there.post("/api/sign-in/phrase", {"phrase": phrase})["name"] == "Ada"
    passkey = add_passkey(ada)
    other = by_name(Client(second.address))
    passkey.origin = origin(other)
    assert sign_in(other, passkey).status_code == 200
    (device,) = [one["id"] for one in there.get("/api/account")["devices"] if one["current"]]
    ada.http.delete(f"/api/account/devices/{device}").raise_for_status()
    eventually(lambda: there.http.post("/api/me", json={"avatar": "lion"}).status_code == 401)


def test_cookies_of_guests_read_and_write_as_before() -> None:
    signer = Signer(bytes(range(32)))
    who = Identity("guest", "Ada", issued=5, avatar="lion")
    assert signer.read_cookie(signer.cookie(who)) == who
    full: Any = Identity("guest", "Ada", issued=5, device="d" * 16, reads_only=True, bot=True, owner="o")
    assert signer.read_token(signer.token(full)) == full
