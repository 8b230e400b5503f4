"""What messages are made of: bounded texts and numbers, sentences, views."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.views import KatarengaView, KitaraView, KiwaraView

# What a stranger may send, at most.
Name = Annotated[str, Meta(min_length=1, max_length=40)]
MoveText = Annotated[str, Meta(min_length=1, max_length=40)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Key = Annotated[str, Meta(min_length=1, max_length=64)]
Level = Annotated[int, Meta(ge=1, le=8)]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Number = Annotated[int, Meta(ge=-1, le=2**53)]
Language = Literal["en", "de", "fr", "nl"]
GameName = Annotated[str, Meta(min_length=1, max_length=20)]

MOST_MOVES = 64  # decisions in one message: a turn of Kitara has at most 39
Moves = Annotated[list[MoveText], Meta(max_length=MOST_MOVES)]
MOST_VARIED = 500  # moves of a variation, chance among them
RecordText = Annotated[str, Meta(max_length=200_000)]

View = KatarengaView | KiwaraView | KitaraView


class Told(Struct, frozen=True):
    """A sentence: its key and what fills its gaps."""

    key: str
    arguments: dict[str, str | int | float | bool | list[str | int] | None] = {}


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends: nothing but what is named here."""
