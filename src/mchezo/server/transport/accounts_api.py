"""Requests about accounts: a guest keeps everything and gets a user name, and ways to sign in elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from mchezo.server import messages
from mchezo.server.domain.accounts import check_user_name, phrase_hash, phrase_of
from mchezo.server.domain.context import Identity
from mchezo.server.errors import TableError
from mchezo.server.identifiers import new_phrase_number
from mchezo.server.runtime.service import Service
from mchezo.server.storage.accounts import StoredAccount
from mchezo.server.transport.callers import Caller, Known
from mchezo.server.transport.cookies import signed_in

HashId = Annotated[str, PathParameter(pattern="^[0-9a-f]{16,64}$", description="As listed with the account.")]

# The first that a User-Agent header contains is the browser's, and the system's.
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_label(headers: dict[str, str]) -> str:
    """Return what a browser calls itself, in a few words."""
    agent = headers.get("user-agent", "")
    found = [next((name for mark, name in marks if mark in agent), None) for marks in (BROWSERS, SYSTEMS)]
    return ", ".join(name for name in found if name) or "?"


def described_account(account: StoredAccount, who: Identity) -> messages.Account:
    """Return an account as its holder sees it."""
    keys = [messages.PasskeyInfo(one.id, one.label, one.created, one.used) for one in account.passkeys]
    devices = [
        messages.DeviceInfo(
            one.id, "bot" if one.kind == "bot" else "browser", one.label, one.created, one.used, one.id == who.device
        )
        for one in account.devices
    ]
    return messages.Account(account.name, account.created, account.has_phrase, keys, devices)


def handlers(service: Service, errors: Any) -> list[Any]:
    """Return the route handlers."""
    accounts, passkeys = service.store.accounts, service.passkeys

    def person(caller: Caller) -> Identity:
        caller.limit("creations")
        who = caller.require_identity()
        if who.bot:
            raise TableError("not-possible", "account-bot")
        return who

    async def account_of(who: Identity) -> StoredAccount:
        found = await asyncio.to_thread(accounts.load, who.guest)
        if found is None:
            raise TableError("not-possible", "no-account")
        return found

    def origin(caller: Caller) -> str:
        return caller.access.own_origin(caller.headers, caller.request.scope["scheme"])

    async def sign_in(guest: str, caller: Caller) -> Response[messages.Me]:
        """Sign this browser in to an account, as a new device."""
        account = await asyncio.to_thread(accounts.load, guest)
        if account is None:
            raise TableError("not-possible", "no-account")
        now = service.store.now()
        avatar = caller.who.avatar if caller.who is not None and caller.guest == guest else None
        who = caller.access.signer.guests.admit(Identity(guest, account.name, issued=now, avatar=avatar))
        device = await asyncio.wrap_future(accounts.add_device(guest, "browser", device_label(caller.headers), now))
        return signed_in(service, replace(who, device=device))

    @get("/api/account", responses=errors)
    async def account(caller: Known) -> messages.Account:
        """Return your account: how you can sign in, and where you are signed in."""
        who = caller.require_identity()
        return described_account(await account_of(who), who)

    @post("/api/account", status_code=HTTP_201_CREATED, responses=errors)
    async def create(data: JSONBody[messages.NewAccount], caller: Known) -> Response[messages.Me]:
        """Make an account of the guest that you are; all games and seats stay yours."""
        who = person(caller)
        name, now = check_user_name(data.name), service.store.now()
        await asyncio.wrap_future(accounts.create(who.guest, name, now))
        device = await asyncio.wrap_future(accounts.add_device(who.guest, "browser", device_label(caller.headers), now))
        return signed_in(service, replace(who, name=name, device=device), HTTP_201_CREATED)

    @post("/api/account/phrase", status_code=HTTP_200_OK, responses=errors)
    async def phrase(caller: Known) -> messages.RecoveryPhrase:
        """Return a new recovery phrase, which is shown only now; an earlier one is no longer valid."""
        who, words = person(caller), phrase_of(new_phrase_number())
        await asyncio.wrap_future(accounts.set_phrase(who.guest, phrase_hash(service.signer.secret, words)))
        return messages.RecoveryPhrase(words)

    @post("/api/account/passkeys/options", status_code=HTTP_200_OK, responses=errors)
    async def passkey_options(caller: Known) -> messages.PasskeyOptions:
        """Return what the browser needs to make a passkey."""
        who = person(caller)
        mine = await account_of(who)
        await asyncio.to_thread(passkeys.load)
        return messages.PasskeyOptions(
            *passkeys.registration(who.guest, mine.name, caller.headers.get("host", ""), mine.passkeys)
        )

    @post("/api/account/passkeys", status_code=HTTP_201_CREATED, responses=errors)
    async def add_passkey(data: JSONBody[messages.NewPasskey], caller: Known) -> messages.Account:
        """Add a passkey to your account."""
        who = person(caller)
        await asyncio.to_thread(passkeys.load)
        added = passkeys.registered(
            who.guest,
            data.challenge,
            msgspec.to_builtins(data.credential),
            caller.headers.get("host", ""),
            origin(caller),
            data.label or device_label(caller.headers),
            service.store.now(),
        )
        await asyncio.wrap_future(accounts.add_passkey(added))
        return described_account(await account_of(who), who)

    @delete("/api/account/passkeys/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def remove_passkey(id: HashId, caller: Known) -> messages.Account:
        """Remove a passkey; devices that are signed in stay so."""
        who = person(caller)
        await asyncio.wrap_future(accounts.remove_passkey(who.guest, id))
        return described_account(await account_of(who), who)

    @delete("/api/account/devices/{id:str}", status_code=HTTP_200_OK, responses=errors)
    async def sign_device_out(id: HashId, caller: Known) -> messages.Account:
        """Sign a browser out, or revoke the token of a bot."""
        who = person(caller)
        await asyncio.wrap_future(accounts.sign_out(who.guest, id))
        await service.follow_admin_log()
        return described_account(await account_of(who), who)

    @post("/api/sign-in/options", status_code=HTTP_200_OK, responses=errors)
    async def sign_in_options(caller: Known) -> messages.PasskeyOptions:
        """Return what the browser needs to sign in with a passkey."""
        caller.access.limit_network("sign_ins", caller.address)
        await asyncio.to_thread(passkeys.load)
        return messages.PasskeyOptions(*passkeys.request(caller.headers.get("host", "")))

    @post("/api/sign-in/passkey", status_code=HTTP_200_OK, responses=errors)
    async def with_passkey(data: JSONBody[messages.SignInWithPasskey], caller: Known) -> Response[messages.Me]:
        """Sign in with a passkey."""
        caller.access.limit_network("sign_ins", caller.address)
        await asyncio.to_thread(passkeys.load)
        found = await asyncio.to_thread(accounts.passkey, passkeys.credential_id(data.credential.raw_id))
        if found is None:
            raise TableError("not-possible", "passkey-unknown")
        host = caller.headers.get("host", "")
        credential = msgspec.to_builtins(data.credential)
        count, challenge = passkeys.signed(data.challenge, credential, found, host, origin(caller))
        await asyncio.wrap_future(accounts.used_passkey(found, count, challenge, service.store.now()))
        return await sign_in(found.guest, caller)

    @post("/api/sign-in/phrase", status_code=HTTP_200_OK, responses=errors)
    async def with_phrase(data: JSONBody[messages.SignInWithPhrase], caller: Known) -> Response[messages.Me]:
        """Sign in with a recovery phrase."""
        caller.access.limit_network("sign_ins", caller.address)
        guest = await asyncio.to_thread(accounts.owner_of_phrase, phrase_hash(service.signer.secret, data.phrase))
        if guest is None:
            raise TableError("not-possible", "phrase-wrong")
        return await sign_in(guest, caller)

    return [
        account,
        create,
        phrase,
        passkey_options,
        add_passkey,
        remove_passkey,
        sign_device_out,
        sign_in_options,
        with_passkey,
        with_phrase,
    ]
