"""The types of Kitara's views and maps on the wire; `view.py` and `pack_map.py` make them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.core.schema import BoardOutcome

Pawns = dict[str, int]  # W warriors, A master-animals, H heroes


class TokenCount(Struct, frozen=True, forbid_unknown_fields=True):
    """How many hero tokens a seat has."""

    kept: int
    drawn: int


class OwnTokens(Struct, frozen=True, forbid_unknown_fields=True):
    """The values of the viewer's hero tokens."""

    kept: list[int]
    drawn: list[int]


class Forecast(Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards must be fed, and how many would be now."""

    cards: int
    fed: int


class KitaraRival(Struct, frozen=True, forbid_unknown_fields=True):
    """The rival of a player who plays alone."""

    difficulty: int
    scenario: Literal["open", "raiders", "guardians", "settlers", "heirs", "empire"]
    deck: list[int]  # the ages of the cards in its deck, top first


KitaraSpace = dict[Literal["seat", "W", "A", "H"], int]


class KitaraView(Struct, frozen=True, tag_field="game", tag="kitara", forbid_unknown_fields=True):
    """Kitara; the values of the others' hero tokens are hidden. The map is at /api/packs/PACK_ID/maps/PLAYERS."""

    seat: int | None
    to_move: Annotated[int, Meta(ge=-1)] | None  # -1: chance
    decision: (
        Literal["card", "start", "draft", "recruit", "move", "pawns", "token", "retreat", "discard", "remove"] | None
    )
    pack: str
    pack_id: str
    players: int
    deck: Literal["blue", "red"]
    turns: Literal["7/9", "6/8"]
    rival: KitaraRival | None
    round: int
    last_round: int | None
    turn: int
    row: list[str]
    deck_left: int
    discarded: list[str]
    cards: dict[str, str]
    spaces: dict[str, KitaraSpace]
    kingdoms: list[list[str]]
    supply: list[Pawns]
    points: list[int]
    tokens: list[TokenCount]
    own_tokens: OwnTokens | None
    all_tokens: list[list[int]] | None
    bag: int
    moves_left: int | None
    to_recruit: Pawns | None
    choices: int | None
    crossing: list[str] | None
    retreating: int | None
    fleeing: Pawns | None
    capacity: int | None
    to_remove: Pawns | None
    forecast: list[Forecast]
    outcome: BoardOutcome | None


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
