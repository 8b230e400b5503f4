"""Accounts: what they are signed in with, and where."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import Name, Request

Label = Annotated[str, Meta(min_length=1, max_length=60)]
Challenge = Annotated[str, Meta(min_length=1, max_length=400)]


class PasskeyInfo(Struct, frozen=True):
    """A passkey of your account."""

    id: str
    label: str
    created: int
    used: int


class DeviceInfo(Struct, frozen=True):
    """A browser in which you are signed in, or a token of a bot of yours."""

    id: str
    kind: Literal["browser", "bot"]
    label: str
    created: int
    used: int  # to the day
    current: bool


class Account(Struct, frozen=True):
    """Your account."""

    name: str
    created: int
    phrase: bool  # there is a recovery phrase
    passkeys: list[PasskeyInfo]
    devices: list[DeviceInfo]


class NewAccount(Request, frozen=True):
    """The user name of a new account."""

    name: Name


class RecoveryPhrase(Struct, frozen=True):
    """Words that sign you in anywhere; they are shown once."""

    phrase: str


class PasskeyOptions(Struct, frozen=True):
    """What the browser is asked: `options` as in the WebAuthn standard, and a challenge to send back."""

    options: Any
    challenge: str


class NewPasskey(Request, frozen=True):
    """A passkey that the browser made."""

    challenge: Challenge
    credential: dict[str, Any]  # RegistrationResponseJSON of the WebAuthn standard
    label: Label


class SignInWithPasskey(Request, frozen=True):
    """The answer of a passkey."""

    challenge: Challenge
    credential: dict[str, Any]  # AuthenticationResponseJSON of the WebAuthn standard


class SignInWithPhrase(Request, frozen=True):
    """A recovery phrase; case, spaces and hyphens do not matter."""

    phrase: Annotated[str, Meta(min_length=1, max_length=100)]
