"""Every message between server and client, as data. The browser's types are made from these: see typescript.py.

A sentence is never sent as glued text: it is a key and arguments (`Told`), found in the `words.toml` of the game or of
the server (`GET /api/words/LANGUAGE` has them all). Times are milliseconds since 1970 by the server's clock, durations
milliseconds.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from mchezo.server.views import KatarengaView, KitaraView, KiwaraView

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
TableId = Annotated[str, Meta(pattern="^[0-9A-Za-z]{12}$")]

MOST_MOVES = 64  # decisions in one message: a turn of Kitara has at most 39
Moves = Annotated[list[MoveText], Meta(max_length=MOST_MOVES)]
MOST_VARIED = 500  # moves of a variation, chance among them
RecordText = Annotated[str, Meta(max_length=200_000)]

View = KatarengaView | KiwaraView | KitaraView


class Told(Struct, frozen=True):
    """A sentence: its key and what fills its gaps."""

    key: str
    arguments: dict[str, str | int | float | bool | list[str | int] | None] = {}


# What a client asks for


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What a client sends: nothing but what is named here."""


class ClockRules(Request, frozen=True):
    """A player's clock."""

    milliseconds: Annotated[int, Meta(ge=1_000, le=7 * 24 * 3_600_000)]  # for the whole game
    increment: Annotated[int, Meta(ge=0, le=3_600_000)] = 0  # added after every turn


class SeatPlan(Request, frozen=True):
    """Who is to sit in a seat: `you` (several times: one screen), anybody who joins, or a computer."""

    kind: Literal["you", "open", "computer"]
    name: Name | None = None  # of the player, where you play several seats on one screen
    level: Level | None = None  # of the computer
    clock: ClockRules | None = None  # instead of the table's: players may have different times


class CreateTable(Request, frozen=True):
    """A new table. Its number of seats is that of `seats`; it starts by itself when no seat is open."""

    game: GameName
    seats: Annotated[list[SeatPlan], Meta(min_length=2, max_length=4)]
    options: dict[str, Any] = {}  # the game's start options, see GET /api/games
    clock: ClockRules | None = None  # None: no clock
    public: bool = False  # listed for everybody, else by link only
    lot: bool = True  # seats are drawn by lot when the game starts; False: as planned
    touch_move: bool = False  # a touched pawn must move (Katarenga)
    series: bool = False  # games in pairs, until one player leads after a pair (two players)
    swap: bool | None = None  # whether players change seats in a series and for revenge; None: as the game has it
    takeback: bool = True  # whether players may ask for moves back
    hints: bool = True  # whether hints are given, where all other players are computers
    abandoned: Literal["claim", "computer"] = "claim"  # what the others may do about a player who went away
    grace: Annotated[int, Meta(ge=10_000, le=7 * 24 * 3_600_000)] = 120_000  # how long one may be away
    stand_in: Level = 4  # the computer that plays on for who went away or gave up, of more than two
    name: Name | None = None  # yours; else the name of your cookie
    record: RecordText | None = None  # play on from the end of this record
    at: Annotated[int, Meta(ge=0, le=10_000)] | None = None  # or from after so many of its moves
    then: Annotated[list[MoveText], Meta(max_length=MOST_VARIED)] = []  # and after these


class Settings(Struct, frozen=True):
    """How a table was set up, as `CreateTable` says."""

    public: bool = False
    lot: bool = True
    touch_move: bool = False
    series: bool = False
    swap: bool = False
    takeback: bool = True
    hints: bool = True
    abandoned: Literal["claim", "computer"] = "claim"
    grace: int = 120_000
    stand_in: int = 4


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


class Try(Request, frozen=True, tag_field="type", tag="try"):
    """What if? Plays unsent decisions from the decision named, and stores nothing."""

    decision: Number
    moves: Moves = []
    previews: bool = False  # also what every legal move would do
    seat: SeatNumber | None = None
    id: CommandId = "try"


class Hint(Request, frozen=True, tag_field="type", tag="hint"):
    """Ask what a computer of this level would do."""

    decision: Number
    level: Level = 8
    seat: SeatNumber | None = None
    id: CommandId = "hint"


class Pong(Request, frozen=True, tag_field="type", tag="pong"):
    """The answer to a `ping`, with its time: how the server knows how long messages take."""

    at: int


FromClient = Commands | Try | Hint | Pong


class CheckSetup(Request, frozen=True):
    """Start options, to be checked and shown before a table is made."""

    options: dict[str, Any] = {}


class Attempt(Request, frozen=True):
    """Moves on the board of an example, from its start."""

    moves: Moves = []


class CheckPack(Request, frozen=True):
    """A pack of Kitara, to be checked as `mchezo pack check` does."""

    text: str


class Sketch(Request, frozen=True):
    """An unfinished board as the player draws it. Kiwara: rivers on edges like `a1-b1`. Katarenga: a tile code."""

    rivers: Annotated[list[Annotated[str, Meta(max_length=5)]], Meta(max_length=49)] | None = None
    board: Annotated[str, Meta(max_length=80)] | None = None


class UploadRecord(Request, frozen=True):
    """A record that is to have a replay of its own."""

    record: RecordText


class Vary(Request, frozen=True):
    """Other moves from any point of a finished game. Chance that follows is drawn anew and told among the moves."""

    at: Annotated[int, Meta(ge=0, le=10_000)]  # after so many moves of the game
    moves: Annotated[list[MoveText], Meta(max_length=MOST_VARIED)] = []
    whose: Annotated[str, Meta(pattern="^([0-3]|none|all)$")] = "all"


class NameMe(Request, frozen=True):
    """The name under which you play."""

    name: Name


# What the server answers


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """What was asked was refused and changed nothing."""

    code: str  # one of CODES: what kind of refusal
    told: Told  # the very reason
    words: str  # the same in your language
    id: str | None = None  # of the command


class Done(Struct, frozen=True, tag_field="type", tag="done"):
    """The command was carried out and stored."""

    id: str
    number: int  # of its first event


class Player(Struct, frozen=True):
    """Who sits in a seat."""

    kind: Literal["person", "computer", "bot"]
    name: str
    level: int | None = None
    rating: int | None = None


class Seat(Struct, frozen=True):
    """A seat of the table."""

    side: str  # the game's name for it: white, yellow, first; its word is `seat-SIDE`
    player: Player | None  # None: open
    yours: bool
    here: bool  # connected now
    out: Literal["resignation", "time-out", "abandoned"] | None  # a computer plays on for it
    claimable: bool  # its player went away so long ago that the others may act


class Clock(Struct, frozen=True):
    """The clocks at the moment `at`; the running one goes on from there."""

    at: int
    left: list[int | None]  # of every seat; None: no clock
    increment: list[int]
    running: int | None  # the seat whose time runs


class Asked(Struct, frozen=True):
    """An open question among the players."""

    what: Literal["draw", "takeback", "rematch", "revenge"]
    seat: int  # who asks
    agreed: list[int]  # who has said yes so far, who asked included


class SeriesScore(Struct, frozen=True):
    """The match of which this game is one; players are numbered by their seats in its first game."""

    game: int  # from 1
    score: list[float]  # this game included once it is over
    players: list[int]  # seat -> player
    winner: int | None


class ScoreLine(Struct, frozen=True):
    """Where points came from: the word `score-KEY` of the game."""

    seat: int
    told: Told
    points: float


class Result(Struct, frozen=True):
    """How the game ended; `scores` are those of the board."""

    winners: list[int]
    scores: list[float]
    reason: str
    lines: list[ScoreLine] = []


class Table(Struct, frozen=True):
    """A table as one seat, or a spectator, sees it now."""

    id: str
    game: str
    status: Literal["open", "running", "over"]
    number: int  # of the last event
    options: dict[str, Any]
    seats: list[Seat]
    you: list[int]  # your seats
    seat: int | None  # whose view this is; None: a spectator's
    decision: int | None  # the name of the decision that is open
    to_move: int | None  # the seat that decides
    made: int  # moves made so far, chance among them
    view: View | None  # None before the start
    legal: list[str]  # if you are to move, everything you may play
    touched: str | None  # the pawn that must move
    say: Told  # what happens next, in words
    may: list[str]  # the other commands open to you: resign, ask-draw, answer-draw, claim-2, hint, ...
    clock: Clock | None
    asked: list[Asked]
    result: Result | None
    settings: Settings
    seed_hash: str | None  # published when the game starts
    seed: str | None  # told when it is over: `mchezo verify`
    series: SeriesScore | None
    previous: str | None  # the table of the game before, and of the one after
    next: str | None
    keys: dict[str, str]  # the keys of open seats, for the player who made the table: /join/ID/KEY


# Events: the log, the script of animations, and, translated, the text. The words are `event-KEY`, with the fields.


class Event(Struct, frozen=True, tag_field="key", kw_only=True):
    """Something that happened at the table; numbers are dense."""

    number: int = -1
    at: int = 0


class Created(Event, frozen=True, tag="created"):
    """The table was made."""

    game: str


class Joined(Event, frozen=True, tag="joined"):
    """A player took a seat."""

    seat: int
    player: Player


class Left(Event, frozen=True, tag="left"):
    """A player gave a seat back before the start."""

    seat: int


class Started(Event, frozen=True, tag="started"):
    """The game began; `order` says which planned seat became which (the lot)."""

    order: list[int]
    players: list[Player]
    seed_hash: str
    made: int = 0  # moves made already: the first cards that chance turned up, or the record that is played on


class Moved(Event, frozen=True, tag="moved"):
    """A seat decided; `told` is what it did, for the log and for the animation."""

    seat: int
    move: str
    told: list[Told]


class Drawn(Event, frozen=True, tag="drawn"):
    """Chance decided; `move` is `=?` for what you may not see."""

    move: str
    told: list[Told]


class Touched(Event, frozen=True, tag="touched"):
    """A pawn was touched and must move."""

    seat: int
    place: str


class AskedFor(Event, frozen=True, tag="asked"):
    """A player asked for something."""

    seat: int
    what: Literal["draw", "takeback", "rematch", "revenge"]


class Answered(Event, frozen=True, tag="answered"):
    """A player answered."""

    seat: int
    what: Literal["draw", "takeback", "rematch", "revenge"]
    yes: bool


class TakenBack(Event, frozen=True, tag="taken-back"):
    """Moves were taken back; `made` are left."""

    seat: int
    made: int


class Out(Event, frozen=True, tag="out"):
    """A player gave up, ran out of time or went away; of more than two, a computer plays the seat on."""

    seat: int
    reason: Literal["resignation", "time-out", "abandoned"]
    player: Player | None = None  # the computer


class Outage(Event, frozen=True, tag="outage"):
    """No server was alive for so long; the clocks do not count it."""

    milliseconds: int


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    winners: list[int]
    scores: list[float]
    reason: str
    seed: str


class NextGame(Event, frozen=True, tag="next-game"):
    """The players go on at another table."""

    table: str


Events = (
    Created
    | Joined
    | Left
    | Started
    | Moved
    | Drawn
    | Touched
    | AskedFor
    | Answered
    | TakenBack
    | Out
    | Outage
    | Ended
    | NextGame
)


class News(Struct, frozen=True, tag_field="type", tag="news"):
    """What happened since, in order, and the table as it is now. `fresh`: not all since then is told, begin anew.

    `views` has, beside each event, the view after it if it changed the board, so that each step can be shown; it is
    empty where one step or none was made, and where `fresh`: then `table.view` is all.
    """

    events: list[Events]
    table: Table
    fresh: bool = False
    views: list[View | None] = []


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Who is connected, and how many watch."""

    here: list[bool]
    watching: int


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


class Moment(Struct, frozen=True):
    """The view after so many moves, and the last of them."""

    made: int
    move: str | None
    view: View


# Games that are over


class ReplayStep(Struct, frozen=True):
    """A move of a finished game; `move` is `=?` for what the chosen seat could not see."""

    seat: int | None  # None: chance
    move: str
    told: list[Told]
    turn: bool  # a turn begins with it
    took: int | None = None  # milliseconds, where that is known


class Replay(Struct, frozen=True):
    """A finished game: the table, and every move that stands."""

    table: Table
    steps: list[ReplayStep]


class ReplayViews(Struct, frozen=True):
    """Views of a finished game, the first after `first` moves."""

    first: int
    views: list[View]


class Varied(Struct, frozen=True):
    """Where other moves lead; `moves` has what chance added."""

    at: int
    moves: list[str]
    steps: list[ReplayStep]
    view: View
    legal: list[str]
    previews: dict[str, Preview]


class AnalysedMove(Struct, frozen=True):
    """What is thought of one decision; chances and points of every seat, with the best move and with the one played."""

    number: int  # moves made before it
    seat: int
    move: str
    best: list[str]  # what would have been best, and how it would go on
    did: list[Told]  # what the first of them would have done
    chances: list[float]
    after: list[float]
    points: list[float]
    points_after: list[float]
    mark: Literal["", "inaccuracy", "mistake", "blunder", "missed win"]
    solved: bool  # nothing was left to judgement
    why: Told | None  # what it gave away: the game's word `why-KEY`, else that of the players


AnalysisStatus = Literal["none", "waiting", "done", "failed"]


class Analysed(Struct, frozen=True):
    """How far the analysis of a game is, and what was found: all of it, or after what was asked for."""

    status: AnalysisStatus
    done: int  # decisions judged
    total: int  # of so many; 0 before it has begun
    moves: list[AnalysedMove]
    accuracy: list[float | None]  # the mean share of its chances that each seat kept


class Uploaded(Struct, frozen=True):
    """The record has a page of its own: /replay/ID."""

    id: str


class Ping(Struct, frozen=True, tag_field="type", tag="ping"):
    """Answer at once with `pong` and the same time."""

    at: int


class GameReady(Struct, frozen=True):
    """How far a game's rules, or the computer players, are compiled."""

    done: int
    total: int
    ready: bool


class Compiling(Struct, frozen=True, tag_field="type", tag="compiling"):
    """How far the rules are compiled, game by game, and the computer players.

    A table's socket sends it until its game is ready, and where computers play until they are.
    """

    games: dict[str, GameReady]
    players: GameReady


FromServer = News | Done | Refused | Tried | Hinted | Presence | Ping | Compiling


class Me(Struct, frozen=True):
    """You, as your cookie or token says."""

    name: str | None
    id: str  # not secret, and not enough to be you
    bot: bool


class BotToken(Struct, frozen=True):
    """An API token for a bot: `Authorization: Bearer TOKEN`."""

    token: str
    name: str


class CreatedTable(Struct, frozen=True):
    """A table was made."""

    id: str
    table: Table


class ListedSeat(Struct, frozen=True):
    """A seat in the list of tables."""

    side: str
    player: Player | None
    yours: bool


class ListedTable(Struct, frozen=True):
    """A table in the list."""

    id: str
    game: str
    status: Literal["open", "running", "over"]
    options: dict[str, Any]
    seats: list[ListedSeat]
    clock: ClockRules | None
    made: int
    created: int
    changed: int
    your_move: bool
    winners: list[int] | None
    reason: str | None


class TableList(Struct, frozen=True):
    """Your tables, the public ones that wait for players or can be watched, and the last finished public games."""

    yours: list[ListedTable]
    open: list[ListedTable]
    running: list[ListedTable]
    finished: list[ListedTable]


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


class CheckedSetup(Struct, frozen=True):
    """Options that can be played: all of them written out, and the start as a spectator sees it."""

    options: dict[str, Any]
    view: View
    svg: str
    extras: dict[str, Any] = {}  # Katarenga: the board's tile code
    map: "KitaraMap | None" = None  # Kitara


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


class SeatFigures(Struct, frozen=True):
    """Finished games of a seat at tables of so many players, and its share of the victories; a draw is shared."""

    players: int
    seat: int
    games: int
    won: float


class PlayerFigures(Struct, frozen=True):
    """The same for people, bots and each level of the computer; `fair` is what chance would give them."""

    kind: Literal["person", "bot", "computer"]
    level: int | None
    games: int
    won: float
    fair: float


class GameStatistics(Struct, frozen=True):
    """The finished games of one game on this server."""

    game: str
    games: int
    seats: list[SeatFigures]
    players: list[PlayerFigures]
    reasons: dict[str, int]  # how they ended, by the game's reasons and those of tables
    moves: list[int]  # how many games were so long, in steps from 0; the last step holds all longer ones
    minutes: list[int]
    days: list[int]  # games ended on each of the last days, today last (UTC)


class Statistics(Struct, frozen=True):
    """What was played on this server."""

    games: list[GameStatistics]
    moves_step: int
    most_moves: int  # where the last step begins
    minutes_step: int
    most_minutes: int


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


class RulesPart(Struct, frozen=True):
    """A piece of a section: text, an example by its name, a ruling of ours, or what is odd in print."""

    kind: Literal["text", "example", "ours", "print"]
    name: str
    html: str


class RulesSection(Struct, frozen=True):
    """A chapter; its name is the same in all languages."""

    name: str
    title: str
    parts: list[RulesPart]


class RulesExample(Struct, frozen=True):
    """An example that can be played."""

    title: str
    task: str


class RulesPage(Struct, frozen=True):
    """A game's rules in one language."""

    game: str
    language: Language
    title: str
    sections: list[RulesSection]
    examples: dict[str, RulesExample]


class Attempted(Struct, frozen=True):
    """What moves on an example's board come to. `words` says why, in the language asked for."""

    moves: list[str]  # those that were made
    view: View
    legal: list[str]
    verdict: Literal["open", "met", "missed", "refused"]
    words: str
    previews: dict[str, Preview]


class LessonHint(Struct, frozen=True):
    """A sentence of the coach, and what makes it matter (`core/guide.py` says what `when` may name)."""

    name: str
    when: dict[str, str | int]
    words: str


class Lesson(Struct, frozen=True):
    """A first game: make a table like this, and say what matters when it comes up."""

    game: str
    seat: int
    level: int
    options: dict[str, Any]
    welcome: str
    farewell: str
    hints: list[LessonHint]


class CheckedPack(Struct, frozen=True):
    """A pack that can be played with, and what follows from it, in your language."""

    name: str
    id: str
    players: list[int]  # numbers of players for which it has a map
    decks: list[str]
    lines: list[str]


class Health(Struct, frozen=True):
    """Whether all is well."""

    status: Literal["ok", "starting"]
    version: str
    database: str
    tables: int  # in memory
    sockets: int


# Kinds of refusal, with their HTTP status.
CODES: dict[str, int] = {
    "bad-request": 400,  # cannot be decoded; says where
    "unreadable": 400,  # a move that the notation does not know
    "invalid-setup": 400,  # options that do not go
    "not-signed-in": 401,  # neither cookie nor token
    "bad-token": 401,  # a cookie or token that we did not sign
    "origin": 403,  # from another site
    "not-your-seat": 403,
    "bad-key": 403,  # not the key of an open seat
    "unknown-table": 404,
    "unknown-game": 404,
    "unknown-page": 404,
    "method": 405,
    "not-your-turn": 409,
    "illegal": 409,  # against the rules, and which one
    "stale": 409,  # that decision was answered before
    "conflict": 409,  # somebody was quicker; look again
    "duplicate": 409,  # the id was used for another command
    "not-running": 409,
    "not-open": 409,  # the game has started, or the seat is taken
    "not-possible": 409,  # not at this table, or not now
    "revealed": 409,  # no move is taken back that revealed something
    "too-large": 413,
    "media-type": 415,
    "too-often": 429,
    "internal": 500,
    "not-ready": 503,  # the rules are still being compiled, or the server stops
    "overloaded": 503,
}


def codes_as_type() -> Any:
    """The codes as a type, for the browser."""
    return Literal[tuple(CODES)]


encode = msgspec.json.Encoder(decimal_format="number").encode
