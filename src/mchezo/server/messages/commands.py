"""What is done, tried and asked at a table, and the answers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import (
    MOST_MOVES,
    CommandId,
    Key,
    Level,
    Moves,
    MoveText,
    Name,
    Number,
    Request,
    SeatNumber,
    Told,
    View,
)


class Command(Request, frozen=True, tag_field="type"):
    """Something done at a table. Its id is yours to choose: the same id twice is done once and answered alike."""

    id: CommandId


class Join(Command, frozen=True, tag="join"):
    """Take a seat: with the key of its link, or without one at a public table."""

    seat: SeatNumber | None = None  # None: the first that is open
    key: Key | None = None
    name: Name | None = None


class Leave(Command, frozen=True, tag="leave"):
    """Give a seat back before the game starts."""

    seat: SeatNumber


class Move(Command, frozen=True, tag="move"):
    """One or more decisions of one seat, in the game's notation, in answer to the decision named."""

    decision: Number  # `Table.decision`
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=MOST_MOVES)]
    seat: SeatNumber | None = None  # None: your seat that is to move


class Touch(Command, frozen=True, tag="touch"):
    """Touch a pawn at a table with touch-move."""

    decision: Number
    place: Annotated[str, Meta(min_length=2, max_length=4)]
    seat: SeatNumber | None = None


class Resign(Command, frozen=True, tag="resign"):
    """Give up."""

    seat: SeatNumber | None = None  # None: your only seat


class Ask(Command, frozen=True, tag="ask"):
    """Ask the other players for a draw, for the last move back, or for another game (revenge: with changed sides)."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    seat: SeatNumber | None = None


class Answer(Command, frozen=True, tag="answer"):
    """Answer what another player asked; declining your own request takes it back."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    yes: bool
    seat: SeatNumber | None = None


class Claim(Command, frozen=True, tag="claim"):
    """Act on the seat of somebody who went away: as the table was set up, win or let a computer play on."""

    absent: SeatNumber


Commands = Join | Leave | Move | Touch | Resign | Ask | Answer | Claim


class Done(Struct, frozen=True, tag_field="type", tag="done"):
    """The command was carried out and stored."""

    id: str
    number: int  # of its first event


class Try(Request, frozen=True, tag_field="type", tag="try"):
    """What if? Plays unsent decisions from the decision named, and stores nothing."""

    decision: Number
    moves: Moves = []
    previews: bool = False  # also what every legal move would do
    seat: SeatNumber | None = None
    id: CommandId = "try"


class Preview(Struct, frozen=True):
    """What a legal move would do."""

    told: list[Told]
    scores: list[float] = []  # if the game were scored then (Kiwara)
    next: list[str] = []  # where the pawn could go from there (Katarenga), whom a crocodile could chase then (Kiwara)
    takers: list[str] = []  # which pawns could take it there (Katarenga)
    leaders: dict[str, int | None] = {}  # who would lead each territory (Kiwara)
    unfed: int | None = None  # own cards that could not be fed then (Kitara)


class Tried(Struct, frozen=True, tag_field="type", tag="tried"):
    """Where unsent decisions lead. `legal` is empty once the turn is over or chance has to decide (`chance`)."""

    id: str
    decision: int
    moves: list[str]
    view: View
    legal: list[str]
    told: list[list[Told]]  # what each of the moves does
    turn_over: bool  # the next decision is not yours
    chance: bool  # the next thing is decided by chance: send the moves to see it
    say: Told
    previews: dict[str, Preview] | None = None  # legal move -> what it would do


class Hint(Request, frozen=True, tag_field="type", tag="hint"):
    """Ask what a computer of this level would do."""

    decision: Number
    level: Level = 8
    seat: SeatNumber | None = None
    id: CommandId = "hint"


class Hinted(Struct, frozen=True, tag_field="type", tag="hinted"):
    """What a computer thinks."""

    id: str
    moves: list[str]  # the line it expects, the own decisions first
    turn: int  # how many of them are this seat's own
    chances: list[float]
    points: list[float]
    depth: int
    nodes: int
    solved: bool
