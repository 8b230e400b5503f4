"""A game as a value: its facts, its layouts, and the functions of its folder."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from mchezo.core import registry
from mchezo.core.chance import Seed
from mchezo.core.deeds import Deed, Line
from mchezo.core.errors import InvalidSetup, Refusal
from mchezo.core.position import Position
from mchezo.core.reasons import Reason
from mchezo.core.series import Series
from mchezo.core.structs import Numbers, Structs
from mchezo.core.words import Words


@dataclass(frozen=True)
class Start:
    """A checked set-up and the first state, with every option written out; `drawn` names those the seed decided."""

    setups: Structs
    states: Structs
    options: Mapping[str, Any]
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """A start option; the sentence that explains it is the game's word `option-NAME`."""

    name: str
    default: Any
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] = str
    drawn: Any = None  # the value that asks for one to be drawn from the seed
    read_record: Callable[[str], Any] | None = None  # where a stranger's record may say less than a person
    values: tuple[Any, ...] | None = None  # all that it can be; None: too many to list


@dataclass(frozen=True)
class Game:
    """One board game: everything that generic code needs to know of it."""

    name: str
    title: str
    author: str
    rules: int  # version of the rules, bumped when behaviour changes
    words: Words
    options: tuple[Option, ...]
    reasons: tuple[str, ...]  # by the number that the verb `ending` gives
    draws: frozenset[str]  # the reasons that leave no winner
    most_choices: int  # no decision and no chance node has more
    prepare: Callable[[Mapping[str, Any], Seed], Start]
    seats: Callable[[Mapping[str, Any]], tuple[str, ...]]  # options -> what the seats are called
    parse: Callable[[str, Any, Any], int]  # text, state, setup -> action, not yet checked
    write: Callable[[int, Any, Any], str]  # action, state, setup -> text
    explain: Callable[[int, Any, Any], Refusal]  # why an action is not legal
    view: Callable[[Any, Any, int | None], dict[str, Any]]  # state, setup, seat -> what that seat may see
    picture: Callable[[Mapping[str, Any]], str]  # view -> SVG
    tell: Callable[[int, Any, Any, Any, bool], Iterable[Deed]]  # action, states before and after, setup, whether seen
    foresee: Callable[[int, Any, Any, Any], dict[str, Any]]  # action, states before and after, setup -> what to mind
    account: Callable[[Any, Any], Iterable[Line]]  # state, setup -> where each seat's points came from
    weights: Callable[[Any], Numbers]  # set-up -> what each feature is worth
    why: Callable[
        [Structs, Structs, Structs, int], Iterable[Reason]
    ]  # states of a better and a worse course, setup, seat
    has_points: bool = False  # seats score points, and the most points win
    secret: Callable[[int, Any, Any], int | None] | None = None  # action, state, setup -> the only seat that may see it
    revenge: Callable[[Position, bool], dict[str, Any]] | None = None  # a game, whether seats swap -> the next options
    revenge_swaps: bool = True  # whether players change seats for it, unless they want otherwise
    touch: Callable[[str, list[str]], list[str]] | None = None  # a touched place, legal moves -> those that are left
    sketch: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None  # an unfinished board -> what it is so far

    def start(
        self, *, seed: int | str | None = None, chance: Literal["seed", "manual"] = "seed", **options: Any
    ) -> Position:
        """A new game; what its options are is in the game's page in docs/."""
        if chance not in ("seed", "manual"):
            raise InvalidSetup("chance", given=chance)
        known = {option.name for option in self.options}
        for name in options:
            if name not in known:
                allowed = ", ".join((*sorted(known), "seed", "chance"))
                raise InvalidSetup("unknown-option", option=name, name=name, game=self.title, allowed=allowed)
        seeded = Seed(seed)
        return Position(self, self.prepare(options, seeded), seeded, manual=chance == "manual")

    def series(self, *, swap: bool = False, **options: Any) -> Series:
        """A match with revenge: pairs of games until one player leads after a pair; `swap` changes seats each game."""
        return Series(self, yes_no("swap", swap), options)

    def __reduce__(self) -> tuple[Any, ...]:
        # A game is the same in every process: its name is enough.
        return registry.find, (self.name,)


def one_of(option: str, given: object, allowed: tuple[str, ...]) -> str:
    """The given word, or a refusal that lists the allowed ones."""
    if isinstance(given, str) and given in allowed:
        return given
    raise InvalidSetup("not-one-of", option=option, given=given, allowed=", ".join(allowed))


def yes_no(option: str, given: object) -> bool:
    """The given truth value, or a refusal."""
    if isinstance(given, bool):
        return given
    raise InvalidSetup("not-yes-no", option=option, given=given)


def read_yes_no(text: str) -> object:
    """A truth value from a record; anything else is left for the check to refuse."""
    return {"true": True, "false": False}.get(text, text)


def write_yes_no(value: bool) -> str:
    """A truth value as it stands in a record."""
    return "true" if value else "false"
