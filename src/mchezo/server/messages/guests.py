"""Who you are."""

from msgspec import Struct

from mchezo.server.messages.parts import Name, Request


class Me(Struct, frozen=True):
    """You, as your cookie or token says."""

    name: str | None
    id: str  # not secret, and not enough to be you
    bot: bool


class NameMe(Request, frozen=True):
    """The name under which you play."""

    name: Name


class BotToken(Struct, frozen=True):
    """An API token for a bot: `Authorization: Bearer TOKEN`."""

    token: str
    name: str
