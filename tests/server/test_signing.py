"""Signed cookies and tokens: only the server that issued one accepts it, and those of earlier versions stay valid."""

from __future__ import annotations

import pytest

from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError
from mchezo.server.runtime.signing import TOKEN_PREFIX, Signer
from tests.server.serving import Client, Running

SECRET = bytes(range(32))
ADA = Identity("0123456789abcdef0123456789abcdef", "Ada Lövelace")
BOT = Identity("fedcba9876543210fedcba9876543210", "Deep Kiwara", bot=True)
# As they were issued before itsdangerous, with this secret.
OLD_COOKIE = (
    "0123456789abcdef0123456789abcdef.QWRhIEzDtnZlbGFjZQ."
    "77af21c26f262297bec37ea6e068b186ca29b968dd9bb49384669b835af9983f"
)
OLD_NAMELESS_COOKIE = (
    "0123456789abcdef0123456789abcdef..b0e8f924544026847a0f16fc63c7037421d80a383713a76b1105988f2ee419c3"
)
OLD_TOKEN = (
    "mchezo-bot-fedcba9876543210fedcba9876543210.RGVlcCBLaXdhcmE."
    "839843753c0a79cd4cf682a174b884685f11d7e4ebdaa54596fe3722f6070b92"
)


def test_cookies_and_tokens_are_read_as_they_were_signed() -> None:
    signer = Signer(SECRET)
    assert signer.read_cookie(signer.cookie(ADA)) == ADA
    assert signer.read_cookie(signer.cookie(Identity("guest"))) == Identity("guest")
    assert signer.read_token(signer.token(BOT)) == BOT


def test_cookies_and_tokens_of_earlier_versions_stay_valid() -> None:
    signer = Signer(SECRET)
    assert signer.read_cookie(OLD_COOKIE) == ADA
    assert signer.read_cookie(OLD_NAMELESS_COOKIE) == Identity(ADA.guest)
    assert signer.read_token(OLD_TOKEN) == BOT


@pytest.mark.parametrize("text", [Signer(SECRET).cookie(ADA), OLD_COOKIE])
def test_a_cookie_with_any_changed_character_is_refused(text: str) -> None:
    signer = Signer(SECRET)
    for index, letter in enumerate(text):
        changed = text[:index] + chr(ord(letter) ^ 1) + text[index + 1 :]
        with pytest.raises(TableError, match="not issued by this server"):
            signer.read_cookie(changed)


@pytest.mark.parametrize("text", ["", ".", "..", "x", "é.é.é", "WzFd.x", "{}", "A" * 5_000])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(TableError):
        Signer(SECRET).read_cookie(text)
    with pytest.raises(TableError):
        Signer(SECRET).read_token(TOKEN_PREFIX + text)


@pytest.mark.parametrize("issued", [Signer(SECRET).cookie(ADA), OLD_COOKIE])
def test_a_cookie_is_neither_a_token_nor_valid_at_another_server(issued: str) -> None:
    with pytest.raises(TableError):
        Signer(SECRET).read_token(TOKEN_PREFIX + issued)
    with pytest.raises(TableError):
        Signer(bytes(32)).read_cookie(issued)


@pytest.mark.parametrize("issued", [Signer(SECRET).token(BOT), OLD_TOKEN])
def test_a_token_is_not_a_cookie(issued: str) -> None:
    with pytest.raises(TableError):
        Signer(SECRET).read_cookie(issued.removeprefix(TOKEN_PREFIX))


def test_a_guest_with_an_old_cookie_keeps_name_and_seats(running: Running) -> None:
    import base64
    import hmac

    assert running.service is not None
    name = base64.urlsafe_b64encode(b"Ada").decode().rstrip("=")
    payload = f"{ADA.guest}.{name}"
    signature = hmac.digest(running.service.signer.secret, f"person {payload}".encode(), "sha256").hex()
    old = Client(running.address)
    old.http.cookies.set("mchezo", f"{payload}.{signature}")
    assert old.get("/api/me")["name"] == "Ada"
    table = old.make()["id"]
    old.post("/api/me", {"name": "Countess"})  # issues a cookie in the new format
    assert old.get("/api/me")["name"] == "Countess"
    assert old.look(table)["you"] == [0]
