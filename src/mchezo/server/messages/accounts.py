"""Accounts: what they are signed in with, and where."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from mchezo.server.messages.parts import Name, Request

Label = Annotated[str, Meta(min_length=1, max_length=60)]
Encoded = Annotated[str, Meta(min_length=1, max_length=8_000)]
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


class Attestation(Request, frozen=True):
    """What a new passkey says about itself; all texts are base64url."""

    client_data: Encoded = field(name="clientDataJSON")
    attestation_object: Encoded = field(name="attestationObject")


class CredentialId(Request, frozen=True):
    """Which passkey answers."""

    id: Encoded
    raw_id: Encoded = field(name="rawId")
    type: Literal["public-key"]


class NewCredential(CredentialId, frozen=True):
    """RegistrationResponseJSON of the WebAuthn standard."""

    response: Attestation


class Assertion(Request, frozen=True):
    """What a passkey signed; all texts are base64url."""

    client_data: Encoded = field(name="clientDataJSON")
    authenticator_data: Encoded = field(name="authenticatorData")
    signature: Encoded
    user_handle: Encoded | None = field(default=None, name="userHandle")


class Credential(CredentialId, frozen=True):
    """AuthenticationResponseJSON of the WebAuthn standard."""

    response: Assertion


class NewPasskey(Request, frozen=True):
    """A passkey that the browser made."""

    challenge: Challenge
    credential: NewCredential
    label: Label | None = None  # None: what the browser calls itself


class SignInWithPasskey(Request, frozen=True):
    """The answer of a passkey."""

    challenge: Challenge
    credential: Credential


class SignInWithPhrase(Request, frozen=True):
    """A recovery phrase; case, spaces and hyphens do not matter."""

    phrase: Annotated[str, Meta(min_length=1, max_length=100)]
