"""The games: what a table of each can be, and set-ups and packs to be checked."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.health import GameReady
from mchezo.server.messages.parts import Request, Told, View


class OptionInfo(Struct, frozen=True):
    """A start option; the word `option-NAME` of the game explains it."""

    name: str
    default: Any
    values: list[Any] | None  # None: a text of its own


class LevelInfo(Struct, frozen=True):
    """A computer player."""

    level: int
    name: str
    rating: int | None


class GameInfo(Struct, frozen=True):
    """A game, and what a table of it can be."""

    name: str
    title: str
    author: str
    rules: int
    players: list[int]  # possible numbers of seats
    sides: list[str]
    options: list[OptionInfo]
    draws: bool
    revenge: bool
    touch_move: bool
    levels: list[LevelInfo]
    ready: GameReady


class CheckSetup(Request, frozen=True):
    """Start options, to be checked and shown before a table is made."""

    options: dict[str, Any] = {}


class KitaraMapSpace(Struct, frozen=True):
    """A territory of a map."""

    id: str
    kind: Literal["savanna", "ruin", "lake"]
    start: bool
    borders: list[str]  # the spaces across white borders
    at: list[float]  # where pawns stand
    shape: str  # an SVG path


class KitaraMap(Struct, frozen=True):
    """A map of a pack, to draw the board with."""

    pack: str
    note: str
    size: list[float]
    spaces: list[KitaraMapSpace]


class CheckedSetup(Struct, frozen=True):
    """Options that can be played: all of them written out, and the start as a spectator sees it."""

    options: dict[str, Any]
    view: View
    svg: str
    extras: dict[str, Any] = {}  # Katarenga: the board's tile code
    map: KitaraMap | None = None  # Kitara


class Sketch(Request, frozen=True):
    """An unfinished board as the player draws it. Kiwara: rivers on edges like `a1-b1`. Katarenga: a tile code."""

    rivers: Annotated[list[Annotated[str, Meta(max_length=5)]], Meta(max_length=49)] | None = None
    board: Annotated[str, Meta(max_length=80)] | None = None


class Region(Struct, frozen=True):
    """A part of a drawn savanna."""

    spaces: list[str]
    fits: bool  # 3, 5, 7 or 9 spaces


class BoardRating(Struct, frozen=True):
    """What games of the computer say of a board: White's score in percent, and half the width of its 95 % interval."""

    turns: list[list[float]]  # for each turn of the board: score, half width
    chosen: int  # the turn that Black would choose
    balanced: bool


class Sketched(Struct, frozen=True):
    """What an unfinished board is so far."""

    complete: bool
    board: str | None = None  # as the option `board` takes it, once it is complete
    code: str | None = None  # Katarenga: its tile code
    rating: BoardRating | None = None  # Katarenga: if the board was rated
    regions: list[Region] = []  # Kiwara
    loose: list[str] = []  # Kiwara: rivers that part nothing
    told: Told | None = None  # what is still wrong


class CheckPack(Request, frozen=True):
    """A pack of Kitara, to be checked as `mchezo pack check` does."""

    text: str


class CheckedPack(Struct, frozen=True):
    """A pack that can be played with, and what follows from it, in your language."""

    name: str
    id: str
    players: list[int]  # numbers of players for which it has a map
    decks: list[str]
    lines: list[str]
