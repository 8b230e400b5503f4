"""The games and their options, and set-ups and packs to be checked."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from mchezo.server.messages.health import GameReady
from mchezo.server.messages.parts import Message, Options, PackMap, PackText, Request, View


class OptionInfo(Struct, frozen=True):
    """A start option, explained by the text `option-NAME` of the game."""

    name: str
    default: Any
    values: list[Any] | None  # None: free text


class LevelInfo(Struct, frozen=True):
    """A computer player."""

    level: int
    name: str
    rating: int | None


class KindInfo(Struct, frozen=True):
    """A kind of game that has ratings of its own, such as a variant, and its number of players."""

    name: str
    players: int


class GameInfo(Struct, frozen=True):
    """A game, and what its tables can be."""

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
    kinds: list[KindInfo] = []  # for which players are paired; empty while the rules are being compiled


class CheckSetup(Request, frozen=True):
    """Start options, to be checked and shown before a table is created."""

    options: Options = {}


class CheckedSetup(Struct, frozen=True):
    """Valid options, completed, and the start as a spectator sees it."""

    options: dict[str, Any]
    view: View
    svg: str
    extras: dict[str, Any] = {}  # facts about the options; of a board its tile code, for example
    map: PackMap | None = None  # of a game that is played with packs


class Sketch(Request, frozen=True):
    """An unfinished board as the player draws it. Kiwara: rivers on edges like `a1-b1`. Katarenga: a tile code."""

    rivers: Annotated[list[Annotated[str, Meta(max_length=5)]], Meta(max_length=49)] | None = None
    board: Annotated[str, Meta(max_length=80)] | None = None


class Region(Struct, frozen=True):
    """A part of a drawn savanna."""

    spaces: list[str]
    fits: bool  # 3, 5, 7 or 9 spaces


class BoardRating(Struct, frozen=True):
    """White's score on a board in computer games, in percent, with half the width of its 95 % interval."""

    turns: list[list[float]]  # for each orientation of the board: score, half width
    chosen: int  # the orientation that Black would choose
    balanced: bool


class Sketched(Struct, frozen=True):
    """The state of an unfinished board."""

    complete: bool
    board: str | None = None  # the value of the option `board`, once it is complete
    code: str | None = None  # Katarenga: its tile code
    rating: BoardRating | None = None  # Katarenga: if the board has been rated
    regions: list[Region] = []  # Kiwara
    loose: list[str] = []  # Kiwara: rivers that separate nothing
    told: Message | None = None  # what is still wrong


class CheckPack(Request, frozen=True):
    """A pack of Kitara, to be checked as `mchezo pack check` does."""

    text: PackText


class OpenPack(Request, frozen=True):
    """The text of a pack to be edited; without it the shipped pack."""

    text: PackText | None = None


class OpenedPack(Struct, frozen=True):
    """What a pack contains, as its file says it."""

    contents: dict[str, Any]


class SketchPack(Request, frozen=True):
    """The contents of a pack while it is edited."""

    contents: Annotated[dict[str, Any], Meta(max_length=20)]


class CheckedPack(Struct, frozen=True):
    """A valid pack, with remarks in your language."""

    name: str
    id: str
    players: list[int]  # player counts for which it has a map
    decks: list[str]
    lines: list[str]


class SketchedPack(Struct, frozen=True):
    """An edited pack as a file, what is wrong with it if anything is, and its maps as far as they can be drawn."""

    text: str
    checked: CheckedPack | None
    words: str  # what is wrong, in your language; empty if nothing is
    maps: dict[str, PackMap]
