"""Chat at tables of account holders."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import Request

Room = Literal["players", "spectators"]


class WriteLine(Request, frozen=True):
    """Something to write to the others in your room; after the end of the game, to everybody."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class ReportLine(Request, frozen=True):
    """Why the operator should look at what somebody wrote."""

    text: Annotated[str, Meta(max_length=200)] = ""


class ChatLine(Struct, frozen=True):
    """What somebody wrote."""

    number: int
    at: int
    name: str
    seat: int | None  # None: a spectator
    text: str
    yours: bool


class Chat(Struct, frozen=True):
    """The chat of a table as you may see it: the last lines after the number that you know."""

    room: Room | None  # the one you write to; None: there is no chat here, or not for you
    lines: list[ChatLine]


class MyLine(Struct, frozen=True):
    """What you wrote, as it is exported."""

    table: str
    at: int
    text: str
