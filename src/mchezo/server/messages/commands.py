"""Commands, trials and hints at a table, and their answers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mchezo.server.messages.parts import (
    MAX_MOVES,
    CommandId,
    Key,
    Level,
    Message,
    Moves,
    MoveText,
    Name,
    Number,
    Request,
    SeatNumber,
    View,
)


class Command(Request, frozen=True, tag_field="type"):
    """A command at a table. Its id is an idempotency key of your choice: a repeated command is carried out once."""

    id: CommandId


class Join(Command, frozen=True, tag="join"):
    """Take a seat: with the key of its invitation link, or without one at a public table."""

    seat: SeatNumber | None = None  # None: the first open one
    key: Key | None = None
    name: Name | None = None


class Leave(Command, frozen=True, tag="leave"):
    """Give a seat back before the game starts."""

    seat: SeatNumber


class Move(Command, frozen=True, tag="move"):
    """One or more decisions of one seat, in the game's notation, as an answer to the open decision."""

    decision: Number  # `Table.decision`
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=MAX_MOVES)]
    seat: SeatNumber | None = None  # None: your seat to move


class Touch(Command, frozen=True, tag="touch"):
    """Touch a pawn at a table with touch-move."""

    decision: Number
    place: Annotated[str, Meta(min_length=2, max_length=4)]
    seat: SeatNumber | None = None


class Resign(Command, frozen=True, tag="resign"):
    """Give up."""

    seat: SeatNumber | None = None  # None: your only seat


class Ask(Command, frozen=True, tag="ask"):
    """Ask the other players for a draw, a takeback, a rematch, or revenge (the same game with sides changed)."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    seat: SeatNumber | None = None


class Answer(Command, frozen=True, tag="answer"):
    """Answer another player's question; declining your own question withdraws it."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    yes: bool
    seat: SeatNumber | None = None


class Claim(Command, frozen=True, tag="claim"):
    """Claim against a player who left: the win or a computer as a replacement, as the table was set up."""

    absent: SeatNumber


Commands = Join | Leave | Move | Touch | Resign | Ask | Answer | Claim


class Done(Struct, frozen=True, tag_field="type", tag="done"):
    """The command was carried out and stored."""

    id: str
    number: int  # of its first event


class Try(Request, frozen=True, tag_field="type", tag="try"):
    """What if? Play unsent decisions from the open decision, without storing anything."""

    decision: Number
    moves: Moves = []
    previews: bool = False  # also say what every legal move would do
    seat: SeatNumber | None = None
    id: CommandId = "try"


class Preview(Struct, frozen=True):
    """What a legal move would do."""

    told: list[Message]
    ends_turn: bool = False  # nothing is left to choose then: the next decision is another seat's, or chance decides
    wins: bool = False  # the game is over then, and won by the seat that moves
    scores: list[float] = []  # if the game were scored after it (Kiwara)
    next: list[str] = []  # where the pawn could go next (Katarenga), which animals a crocodile could chase (Kiwara)
    takers: list[str] = []  # which pawns could capture it there (Katarenga)
    leaders: dict[str, int | None] = {}  # who would lead each territory (Kiwara)
    points: dict[str, int] = {}  # and its points (Kiwara)
    unfed: int | None = None  # own cards that could not be fed (Kitara)


class Tried(Struct, frozen=True, tag_field="type", tag="tried"):
    """Where unsent decisions lead. `legal` is empty once the turn is over or chance decides (`chance`)."""

    id: str
    decision: int
    moves: list[str]
    view: View
    legal: list[str]
    told: list[list[Message]]  # what each of the moves does
    turn_over: bool  # the next decision is not yours
    chance: bool  # chance decides next: send the moves to see how
    say: Message
    previews: dict[str, Preview] | None = None  # legal move -> what it would do; none beyond the rate limit
    others: dict[str, list[str]] = {}  # with previews: the others' pawns, and where they could go now (Katarenga)


class HintRequest(Request, frozen=True, tag_field="type", tag="hint"):
    """Ask what a computer of this level would play, from the open decision or after unsent decisions from there."""

    decision: Number
    moves: Moves = []
    level: Level = 8
    seat: SeatNumber | None = None
    id: CommandId = "hint"


class Hinted(Struct, frozen=True, tag_field="type", tag="hinted"):
    """What a computer thinks."""

    id: str
    moves: list[str]  # the principal variation, beginning with this seat's decisions
    turn: int  # how many of them are this seat's decisions
    chances: list[float]
    points: list[float]
    depth: int
    nodes: int
    solved: bool
    instead: str | None = None  # with a hint: the next best move
    why: Message | None = None  # and why it is weaker; null if it is about as good
