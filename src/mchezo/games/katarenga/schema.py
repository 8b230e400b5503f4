"""The type of Katarenga's views on the wire; `view.py` makes them."""

from typing import Literal

from msgspec import Struct

from mchezo.core.schema import BoardOutcome

Side = Literal["white", "black"]


class KatarengaView(Struct, frozen=True, tag_field="game", tag="katarenga", forbid_unknown_fields=True):
    """Katarenga; nothing is hidden."""

    seat: int | None
    to_move: int | None
    decision: Literal["baseline", "move", "place", "lift", "capture", "enter"] | None
    variant: Literal[
        "katarenga",
        "congress",
        "quebec",
        "isolation",
        "isolation-alone",
        "troika",
        "battle-stations",
        "cornered",
        "quartermaster",
        "central-park",
        "colorado",
        "north-west-passage",
        "greengage",
        "chameleon",
    ]
    board: str  # eight ranks of R G B Y, rank 8 first, separated by /
    position: str
    pawns: dict[str, list[str]]  # side -> squares, one for each pawn
    camps: dict[str, Side | None]  # a9 h9 a0 h0 -> who holds it
    goals: dict[str, list[str]]  # side -> squares to fill, in the games that have such
    area: list[str] | None  # the squares in play, if not all
    in_hand: dict[str, int]
    most: int | None  # Isolation alone: the most pawns that are known to fit on this board
    most_proven: bool  # that no more fit is proven
    quiet_moves: int
    occurrences: int
    last: list[str] | None
    outcome: BoardOutcome | None
