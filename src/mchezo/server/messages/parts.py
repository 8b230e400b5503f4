"""Parts of messages: bounded strings and numbers, sentences, views."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from mchezo.core import registry

# The limits of what a client may send.
Name = Annotated[str, Meta(min_length=1, max_length=40)]
MoveText = Annotated[str, Meta(min_length=1, max_length=40)]
CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Key = Annotated[str, Meta(min_length=1, max_length=64)]
Level = Annotated[int, Meta(ge=1, le=8)]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Number = Annotated[int, Meta(ge=-1, le=2**53)]
Language = Literal["en", "de", "fr", "nl"]
# The drawings that people choose from: the animals of Kiwara, a centaur of Kitara, the tiles of Katarenga.
Avatar = Literal[
    "gazelle",
    "zebra",
    "crocodile",
    "elephant",
    "lion",
    "okapi",
    "boa",
    "baboon",
    "vulture",
    "rhinoceros",
    "porcupine",
    "wildebeest",
    "hyena",
    "warthog",
    "giraffe",
    "centaur",
    "red",
    "yellow",
    "green",
    "blue",
]
# What players can say to each other; there is no free text.
Phrase = Literal[
    "hello",
    "good-luck",
    "nice-move",
    "well-played",
    "thanks",
    "sorry",
    "moment",
    "bye",
    "roar",
    "laugh",
    "tears",
    "think",
    "phew",
    "charge",
]
GameName = Annotated[str, Meta(min_length=1, max_length=20)]

MAX_MOVES = 64  # decisions in one message: a turn of Kitara has at most 39
Moves = Annotated[list[MoveText], Meta(max_length=MAX_MOVES)]
MAX_VARIATION = 500  # moves of a variation, chance included
RecordText = Annotated[str, Meta(max_length=200_000)]
PackText = Annotated[str, Meta(max_length=200_000)]
Options = Annotated[dict[str, Any], Meta(max_length=20)]

# The views and maps of all games: types for the API's schema and for the browser. They are sent as the games make them.
if TYPE_CHECKING:
    View = dict[str, Any]
    PackMap = Struct
else:
    _found = [registry.find(name) for name in registry.names()]
    View = reduce(or_, (game.view.schema for game in _found))
    PackMap = reduce(or_, (game.packs.map_schema for game in _found if game.packs))


class Message(Struct, frozen=True):
    """A sentence: its key and the arguments of its placeholders."""

    key: str
    arguments: dict[str, str | int | float | bool | list[str | int] | None] = {}


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of what a client sends; unknown fields are refused."""
