"""What the games' views hold, as types for the browser and for the API's schema; `games/GAME/view.py` makes them.

A test compares them with the views of random games, field by field.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Side = Literal["white", "black"]
Pawns = dict[str, int]  # W warriors, A master-animals, H heroes


class BoardOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended on the board."""

    winners: list[int]
    scores: list[float]
    reason: str


class KatarengaView(Struct, frozen=True, tag_field="game", tag="katarenga", forbid_unknown_fields=True):
    """Katarenga; nothing is hidden."""

    seat: int | None
    to_move: int | None
    decision: Literal["baseline", "move", "place"] | None
    variant: Literal["katarenga", "congress", "quebec", "isolation"]
    board: str  # eight ranks of R G B Y, rank 8 first, parted by /
    position: str
    pawns: dict[str, list[str]]  # side -> squares
    camps: dict[str, Side | None]  # a9 h9 a0 h0 -> who holds it
    in_hand: dict[str, int]
    quiet_moves: int
    occurrences: int
    last: list[str] | None
    outcome: BoardOutcome | None


class Animal(Struct, frozen=True, forbid_unknown_fields=True):
    """An animal on the board."""

    animal: Literal["G", "Z", "C", "E", "L"]
    seat: int
    hidden: bool


class Territory(Struct, frozen=True, forbid_unknown_fields=True):
    """Who leads a territory, and what is at stake there."""

    spaces: int
    tokens: list[int]
    points: int
    leader: int | None


class KiwaraView(Struct, frozen=True, tag_field="game", tag="kiwara", forbid_unknown_fields=True):
    """Kiwara; only the order of the pile is unknown, to all."""

    seat: int | None
    to_move: int | None
    decision: Literal["totem-start", "place", "swap", "hyena", "totem", "after", "keep", "draw"] | None
    board: str  # five rows of A-F, parted by /
    reinforcement: Literal["okapi", "pile"]
    rhinoceros: Literal["edge", "neighbour"]
    hyena: Literal["move", "place"]
    totem: int | None
    animals: dict[str, Animal]
    hands: list[dict[str, int]]
    resting: dict[str, int]
    cards: list[list[str]]
    used: list[str]
    drawn: list[str]
    okapi_open: bool
    pile: int
    reinforced: int | None
    boa: str | None
    porcupine: str | None
    warthog: bool
    crocodile: str | None
    territories: dict[str, Territory]
    scores: list[int]
    position: str | None
    outcome: BoardOutcome | None


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
