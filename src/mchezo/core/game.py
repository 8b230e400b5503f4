"""A game as one value: everything that generic code knows of a game, grouped by subject.

`games/NAME/__init__.py` puts the value together; docs/adding-a-game.md walks through a small one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from mchezo.core import arrays, registry, verbs
from mchezo.core.chance import Seed
from mchezo.core.effects import Effect, ScoreLine, Value
from mchezo.core.encoding import Encoding
from mchezo.core.errors import InvalidSetup, UserError
from mchezo.core.features import Training
from mchezo.core.network import GameNetwork
from mchezo.core.options import Option, Start, yes_no
from mchezo.core.position import Position
from mchezo.core.puzzles import Puzzles
from mchezo.core.reasons import Line, Reason
from mchezo.core.series import Series
from mchezo.core.structs import Actions, Longs, Numbers, Structs, Weights, Words64, plain
from mchezo.core.verbs import Setup, State
from mchezo.core.words import Words

if TYPE_CHECKING:
    from rich.console import RenderableType

Seen = Mapping[str, Any]  # a view


@dataclass(frozen=True)
class GameSetup:
    """How a game starts. The option of a game for different numbers of players is called `players`."""

    options: tuple[Option, ...]
    prepare: Callable[[Mapping[str, Any], Seed], Start]
    seats: Callable[[Mapping[str, Any]], tuple[str, ...]]  # options -> names of the seats
    extras: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda options: {}  # options -> facts for the set-up page
    fair: Callable[[Mapping[str, Any]], dict[str, Any]] = dict  # options -> the same, made fair against a computer
    rivals: Callable[[Mapping[str, Any]], int] = lambda options: 0  # how many seats, the last ones, the rules play


@dataclass(frozen=True)
class Rules:
    """The compiled rules: the verbs of core/verbs.py for states of one layout. None: the verb's default."""

    state: arrays.dtype[Any]  # the layout, which no other game shares
    most_choices: int  # upper bound of the legal actions, and of the outcomes of a chance node
    reasons: tuple[str, ...]  # why a game ended, by the number that `ending` returns
    to_move: Callable[[State], int]
    legal: Callable[[State, Setup, Actions], int]
    apply: Callable[[State, Setup, int], None]
    ending: Callable[[State], int]
    returns: Callable[[State, Setup, Numbers], None]
    key: Callable[[State], int]
    scores: Callable[[State, Setup, Numbers], None] | None = None
    chance: Callable[[State, Setup, Actions, Weights], int] | None = None
    determinize: Callable[[State, Setup, int, Words64], None] | None = None
    turn_of: Callable[[State], int] | None = None
    draw_legal: Callable[[State, Setup, Actions, Words64], int] | None = None
    key_after: Callable[[State, Setup, int, int], int] | None = None
    announce: Callable[[State, Setup], None] | None = None
    draws: frozenset[str] = frozenset()  # the reasons that leave no winner
    has_points: bool = False  # seats score points, and the most points win


@dataclass(frozen=True)
class Notation:
    """Actions as text."""

    parse: Callable[[str, State, Setup], int]  # not yet checked for legality
    write: Callable[[int, State, Setup], str]
    explain: Callable[[int, State, Setup], UserError]  # why an action is not legal
    secret: Callable[[int, State, Setup], int | None] | None = None  # the only seat that may see an action; None: all
    write_several: Callable[[list[int], State, Setup], list[str]] | None = None  # as `write`, where that is faster
    texts: Sequence[str] | None = None  # of all actions, where they do not depend on the state

    def write_each(self, actions: list[int], state: State, setup: Setup) -> list[str]:
        """Return the texts of actions in the same state."""
        if self.texts is not None:
            return [self.texts[action] for action in actions]
        state, setup = plain(state), plain(setup)
        if self.write_several is not None:
            return self.write_several(actions, state, setup)
        return [self.write(action, state, setup) for action in actions]


@dataclass(frozen=True)
class View:
    """What a seat may see, as JSON; None is a spectator."""

    of: Callable[[State, Setup, int | None], dict[str, Any]]
    schema: type[msgspec.Struct]  # the type of a view on the wire
    # The fields that differ between seats, where moves may be secret; all others are the same for spectators.
    own: Callable[[State, Setup, int], dict[str, Any]] = lambda state, setup, seat: {}
    reveal: Callable[[list[dict[str, Any]]], dict[str, Any]] = lambda views: {}  # all seats' views -> what was hidden


@dataclass(frozen=True)
class Effects:
    """What moves do, as keys and arguments of the game's words."""

    of: Callable[[int, State, State, Setup, bool], Iterable[Effect]]  # action, states before and after, setup, seen
    preview: Callable[[int, State, State, Setup], dict[str, Any]] = lambda *_: {}  # the same without `seen`
    score_lines: Callable[[State, Setup], Iterable[ScoreLine]] = lambda *_: ()  # where each seat's points came from
    name_of: Callable[[str, Value], str | None] = lambda *_: None  # argument and its value -> the word that names it
    rival: Callable[[State], int | None] = lambda state: None  # the seat whose move a chance outcome is, by the rules
    others: Callable[[State, Setup], dict[str, list[str]]] = (
        lambda *_: {}
    )  # the others' pawns -> where they could go now


@dataclass(frozen=True)
class Rendering:
    """How a view is drawn."""

    svg: Callable[[Seen], str]
    terminal: Callable[[Seen, str], "RenderableType"]  # view, language
    background: str = "#5a4632"  # colour around the board on link previews
    gif_width: int = 400  # pixels


@dataclass(frozen=True)
class Evaluation:
    """What positions are evaluated by: features and their weights, and further verbs for computer players."""

    features: Callable[[State, Setup, int, Numbers], None]
    weights: Callable[[Setup], Numbers]
    evaluate: Callable[[State, Setup, Numbers], int] | None = None
    network: GameNetwork | None = None  # corrects `evaluate`
    inputs: Callable[[State, Setup, Actions], int] | None = None
    stage: Callable[[State, Setup], int] | None = None
    noisy: Callable[[State, Setup, Actions, int], int] | None = None
    noisy_only: Callable[[State, Setup, Actions], int] | None = None
    candidates: Callable[[State, Setup, Actions], int] | None = None
    # For a tactical search; where `tables` returns none, the game is not searched so.
    tables: Callable[[Setup], Longs] = lambda setup: arrays.zeros(0, arrays.int64)
    assess: Callable[[State, Setup, Longs], int] | None = None
    look: Callable[[State, Setup, Longs, int, int, Actions, Longs, Longs], int] | None = None
    gains: Callable[[State, Setup, Actions, int, int, Longs], None] | None = None
    may_pass: Callable[[State, Setup], bool] | None = None
    pass_turn: Callable[[State, Setup], None] | None = None
    estimate: Callable[[State, Setup, Numbers, Numbers, Numbers], None] | None = None
    measure: Callable[[State, Setup, int], float] | None = None
    lead_unit: Callable[[State, Setup], float] | None = None
    why: Callable[[Line, Line, Structs, int], Iterable[Reason]] = lambda *_: ()  # better, worse, setups, seat
    # The final points that both seats can expect, by the end of a variation and seat 0's chance of winning there.
    expected: Callable[[Structs, Structs, float], tuple[float, float]] | None = None
    points: Numbers | None = None  # hand-set weights in points, for the reference opponent that plans whole turns
    # For one seat: the most points that can still be reached, the actions to them, whether proven, and nodes searched.
    attainable: Callable[[Structs, Structs, int], tuple[int, list[int], bool, int]] | None = None  # the last: budget
    training: Mapping[str, Training] = field(default_factory=dict)  # the kinds of game that `mchezo tune` knows
    weights_file: Path | None = None  # where `mchezo tune` writes what it learned


@dataclass(frozen=True)
class Engines:
    """Settings of computer players, analyses, matches and benchmarks."""

    levels: Mapping[str, Any] = field(default_factory=dict)  # as search/levels.toml, whose defaults fill gaps
    analysis_nodes: int = 100_000  # for each decision of an analysis on the server
    opening: int = 0  # random decisions before a match begins, where set-up and chance vary too little
    budget_share: float = 1.0  # the share of a turn's remaining budget for one search; less where turns are interrupted
    benchmark: Mapping[str, Any] = field(default_factory=dict)  # options of the version that is measured
    signature: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # name -> options, for the node counts
    conformance: Sequence[Mapping[str, Any]] = ()  # options, besides the default, with which engines are checked
    # The turns to choose from by the opening book; none where the book ends. Levels with `book` play by it.
    book: Callable[[Position], Sequence[Sequence[str]]] = lambda position: ()


@dataclass(frozen=True)
class Revenge:
    """The next game of two players who want another."""

    options: Callable[[Position, bool], dict[str, Any]]  # the last game, whether seats swap -> options of the next
    swaps_seats: bool = True  # unless the players want otherwise


@dataclass(frozen=True)
class Rated:
    """The games between people that are rated."""

    choices: Mapping[str, tuple[Any, ...]]  # the options that may differ from the defaults, with the values allowed
    kinds: Mapping[str, int]  # those with ratings of their own -> the highest level whose rating is well known, or 0
    kind: Callable[[Mapping[str, Any]], str]  # of a game with these options


@dataclass(frozen=True)
class Packs:
    """Components that players may bring as a text file. A pack is named by its id: a name, or `NAME#SHA256`."""

    option: str  # the start option that takes a pack, or a text that names one and may be the path of a file
    shipped: str  # the id of the pack that comes with the game
    included: tuple[str, ...]  # the ids of all packs that do, with those of earlier rules
    template: Callable[[], str]  # a pack to be filled in
    read: Callable[[str], Any]  # text -> pack, checked
    known: Callable[[str, str | None], Any]  # id, text if there is one -> pack, without opening a file
    id: Callable[[Any], str]  # of a pack
    describe: Callable[[Any, str], dict[str, Any]]  # pack, language -> name, id, players, decks, lines
    check: Callable[[Path, str], list[str]]  # file, language -> what follows from it, in sentences
    draw: Callable[[Any, int], msgspec.Struct | None]  # pack, number of players -> its map
    map_schema: type[msgspec.Struct]
    open: Callable[[str | None], dict[str, Any]]  # text, or None for the shipped pack -> contents to be edited
    write: Callable[[Mapping[str, Any]], str]  # edited contents -> text, which `read` checks
    sketch: Callable[[Mapping[str, Any]], dict[str, Any]]  # edited contents -> maps by number of players


@dataclass(frozen=True, eq=False)
class Game:
    """One board game. What is optional may be missing: nobody is offered it then."""

    name: str
    title: str
    author: str
    version: int  # of the rules, bumped when behaviour changes
    words: Words
    setup: GameSetup
    rules: Rules
    notation: Notation
    view: View
    effects: Effects
    pictures: Rendering
    evaluation: Evaluation
    encoding: Encoding
    computers: Engines = Engines()
    # A version of the rules and options -> today's options for the same game; None: those rules are gone.
    former: Callable[[int, Mapping[str, Any]], dict[str, Any] | None] = lambda version, options: None
    guide: Traversable | None = None  # the folder of its rules pages, examples and lesson
    revenge: Revenge | None = None
    rated: Rated | None = None
    packs: Packs | None = None
    puzzles: Puzzles | None = None
    explored: Traversable | None = None  # games of strong self-play for the explorer, as `mchezo explore` writes them
    touch: Callable[[str, list[str]], list[str]] | None = None  # a touched place, legal moves -> those that are left
    sketch: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None  # an unfinished board -> what it is so far

    def start(
        self, *, seed: int | str | None = None, chance: Literal["seed", "manual"] = "seed", **options: Any
    ) -> Position:
        """Start a new game; the game's page in docs/ lists its options."""
        if chance not in ("seed", "manual"):
            raise InvalidSetup("chance", given=chance)
        known = {option.name for option in self.setup.options}
        for name in options:
            if name not in known:
                allowed = ", ".join((*sorted(known), "seed", "chance"))
                raise InvalidSetup("unknown-option", option=name, name=name, game=self.title, allowed=allowed)
        seeded = Seed(seed)
        return Position(self, self.setup.prepare(options, seeded), seeded, manual=chance == "manual")

    def series(self, *, swap: bool = False, **options: Any) -> Series:
        """Start a match with revenge: pairs of games until a player leads after a pair; `swap` changes seats."""
        return Series(self, yes_no("swap", swap), options)

    @property
    def players(self) -> Sequence[int]:
        """The possible numbers of players."""
        return next((option.values or (2,) for option in self.setup.options if option.name == "players"), (2,))

    def verbs(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that the game registers, by verb; in these groups they are named like the verb."""
        found = {
            part.name: getattr(group, part.name) for group in (self.rules, self.evaluation) for part in fields(group)
        }
        found["observe"] = self.encoding.observe
        return {name: found[name] for name in verbs.RULES if found[name] is not None}

    def __reduce__(self) -> tuple[Any, ...]:
        # A game is the same in every process, so its name is enough.
        return registry.find, (self.name,)
