"""The type of Kiwara's views on the wire; `view.py` makes them."""

from typing import Literal

from msgspec import Struct

from mchezo.core.schema import BoardOutcome


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
    board: str  # five rows of A-F, separated by /
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
