"""Records of games: plain text in the manner of PGN, one format for all games. See docs/records.md."""

from __future__ import annotations

import base64
import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mchezo.core import registry
from mchezo.core.errors import InvalidRecord, UserError
from mchezo.core.outcome import OUTSIDE_REASONS, Outcome, check_outside
from mchezo.core.structs import CHANCE

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.position import Position

TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\["\\])*)"\]')
TAG_NAME = re.compile("[A-Z][A-Za-z0-9_]*")
TOKEN = re.compile(r"\{[^{}]*\}|[^\s{}]+|[{}]")
TURN_NUMBER = re.compile(r"[0-9]+\.")
OUR_TAGS = ("Game", "Rules", "Drawn", "SeedHash", "Seed", "Winners", "Scores", "Reason")
WIDTH = 100
MOST_CHARACTERS = 1_000_000
HIDDEN = "=?"  # replaces a move that may not be seen yet


@dataclass(frozen=True)
class Record:
    """One game: its options, all moves, and its outcome."""

    game: str
    rules: int
    options: Mapping[str, str]  # those that differ from the game's defaults, as text
    moves: tuple[str, ...]  # including chance outcomes
    outcome: Outcome | None = None
    drawn: tuple[str, ...] = ()  # the options that the seed decided
    seed_hash: str | None = None
    seed: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)  # anything else: players, date, place
    comments: Mapping[int, str] = field(default_factory=dict)  # number of moves before it -> comment
    turns: tuple[int, ...] = field(default=(), compare=False)  # indices of the moves that begin a turn
    lines: Mapping[str | int, int] = field(default_factory=dict, compare=False)  # of tags and moves, for errors

    def __post_init__(self) -> None:
        tags = all(TAG_NAME.fullmatch(name) and name not in OUR_TAGS for name in self.tags)
        comments = all(0 <= at <= len(self.moves) and not set(text) & set("{}") for at, text in self.comments.items())
        if not (tags and comments):
            raise InvalidRecord("record-text", line=1)

    @classmethod
    def of(cls, position: Position) -> Record:
        """Return the record of a position; it has the seed once the game is over, if all draws follow from it."""
        game, seed, outcome = position.game, position.seed, position.outcome
        source = position.source
        if source and source.moves == tuple(position.moves):
            return source
        turns, mover = [], CHANCE
        for index, step in enumerate(position.steps):
            if step.by not in (CHANCE, mover) or position.each_move_is_a_turn:
                turns.append(index)
                mover = step.by
        return cls(
            game=game.name,
            rules=game.version,
            options=position.written_options,
            moves=tuple(position.moves),
            outcome=outcome,
            drawn=position.drawn if position.from_seed else (),
            seed_hash=seed.hash if position.from_seed and seed.committed else None,
            seed=seed.hex if position.from_seed and outcome else None,
            tags=source.tags if source else {},
            turns=tuple(turns),
        )

    @classmethod
    def parse(cls, text: str) -> Record:
        """Parse a record; errors name the line and the reason. `replay` checks the moves."""
        if len(text) > MOST_CHARACTERS:
            raise InvalidRecord("record-long", line=1, most=MOST_CHARACTERS, given=len(text))
        lines: dict[str | int, int] = {}
        texts = [printable(line) for line in text.removeprefix("\ufeff").splitlines()]
        tags = read_tags(texts, lines)
        moves, turns, comments = read_moves(texts, lines)
        for name in ("Game", "Rules"):
            if name not in tags:
                raise InvalidRecord("record-tag-missing", line=1, name=name)
        if not re.fullmatch("[0-9]{1,6}", tags["Rules"]):
            raise InvalidRecord("record-rules-number", line=lines["Rules"], given=tags["Rules"])
        return cls(
            game=tags["Game"],
            rules=int(tags["Rules"]),
            options={name: value for name, value in tags.items() if name[0].islower()},
            moves=moves,
            outcome=read_outcome(tags, lines),
            drawn=tuple(tags.get("Drawn", "").split()),
            seed_hash=tags.get("SeedHash"),
            seed=tags.get("Seed"),
            tags={name: value for name, value in tags.items() if name not in OUR_TAGS and not name[0].islower()},
            comments=comments,
            turns=turns,
            lines=lines,
        )

    def __str__(self) -> str:
        tags = {"Game": self.game, "Rules": str(self.rules), **self.options}
        if self.drawn:
            tags["Drawn"] = " ".join(self.drawn)
        if self.seed_hash is not None:
            tags["SeedHash"] = self.seed_hash
        if self.seed is not None:
            tags["Seed"] = self.seed
        if self.outcome:
            tags["Winners"] = " ".join(map(str, self.outcome.winners))
            tags["Scores"] = " ".join(map(write_points, self.outcome.scores))
            tags["Reason"] = self.outcome.reason
        lines = [f'[{name} "{escape(value)}"]' for name, value in (tags | dict(self.tags)).items()]
        text = textwrap.wrap(" ".join(self.tokens()), WIDTH, break_long_words=False, break_on_hyphens=False)
        return "\n".join([*lines, "", *text]).rstrip() + "\n"

    def tokens(self, at: int | None = None) -> Iterator[str]:
        """Yield the moves (all, or the first `at`) with turn numbers and comments."""
        begins = {index: number for number, index in enumerate(self.turns, start=1)}
        last = len(self.moves) if at is None else at
        for index in range(last + 1):
            if index in self.comments:
                yield "{" + self.comments[index] + "}"
            if index < last:
                if index in begins:
                    yield f"{begins[index]}."
                yield self.moves[index]

    def replay(self, **found: Any) -> Position:
        """Play the record from its start; errors name the line and the reason.

        `found` has options that the caller has looked up, instead of what the record says: servers pass the pack.
        """
        game = self._game()
        options = self._read_options(game) | found
        with self._errors_at("Game"):
            position = game.start(**options, chance="manual")
        for index, move in enumerate(self.moves):
            if move == HIDDEN:
                raise InvalidRecord("record-hidden", line=self.lines.get(index, 1))
            with self._errors_at(index):
                position.play(move)
        reached, claimed = position.outcome, self.outcome
        if reached is None and claimed is not None and claimed.reason in OUTSIDE_REASONS:
            with self._errors_at("Winners"):
                check_outside(claimed, len(position.seats))
        elif reached != claimed:
            line = self.lines.get("Reason", 1)
            raise InvalidRecord("record-outcome", line=line, given=write_outcome(claimed), right=write_outcome(reached))
        position.source = self
        return position

    def verify(self) -> int | None:
        """Verify the game against its seed; return the number of draws checked, None if the record has no seed.

        A record that does not follow from its seed, or does not replay, raises an error.
        """
        self.replay()
        if self.seed is None:
            return None
        game = self._game()
        options = {
            option.name: option.drawn if option.name in self.drawn else option.default for option in game.setup.options
        }
        options |= {name: value for name, value in self._read_options(game).items() if name not in self.drawn}
        with self._errors_at("Seed"):
            seeded = game.start(**options, seed=self.seed)
        if self.seed_hash not in (None, seeded.seed.hash):
            raise InvalidRecord("record-seed-hash", line=self.lines.get("SeedHash", 1))
        if seeded.drawn != self.drawn:
            raise InvalidRecord("record-drawn", line=self.lines.get("Drawn", 1), given=" ".join(self.drawn) or "-")
        for option in game.setup.options:
            if option.name in self.drawn and option.write(seeded.options[option.name]) != self.options.get(option.name):
                line = self.lines.get(option.name, 1)
                raise InvalidRecord("record-not-dealt", line=line, right=option.write(seeded.options[option.name]))
        # The seed decides chance: only the players' moves are played, then all must agree.
        for index, move in enumerate(self.moves):
            if index == len(seeded.steps):
                seeded.play(move)
            elif seeded.steps[index].text != move:
                raise InvalidRecord("record-not-dealt", line=self.lines.get(index, 1), right=seeded.steps[index].text)
        return len(self.drawn) + sum(step.by == CHANCE for step in seeded.steps[: len(self.moves)])

    def seats(self) -> tuple[str, ...]:
        """Return the names of the seats, as the options decide them."""
        game = self._game()
        options = {option.name: option.default for option in game.setup.options}
        return game.setup.seats(options | {name: self._read_option(game, name) for name in self.options})

    def animation(self, seat: int | None = None, *, seconds: float = 0.9) -> str:
        """Return the game as an animated SVG, one picture a turn, as this seat saw it; None is a spectator.

        `seconds` is how long each picture stays.
        """
        from mchezo.core.animation import animate, frames

        return animate(frames(self.replay(), seat), seconds)

    def _repr_html_(self) -> str | None:
        """Show the game as an animation in notebooks; a record that does not replay is shown as text."""
        try:
            picture = self.animation()
        except UserError:
            return None
        encoded = base64.b64encode(picture.encode()).decode()
        return f'<img alt="{self.game}: {len(self.moves)} moves" src="data:image/svg+xml;base64,{encoded}">'

    def _game(self) -> Game:
        with self._errors_at("Game"):
            game = registry.find(self.game)
        if self.rules != game.version and game.former(self.rules, {}) is None:
            raise InvalidRecord("record-rules", line=self.lines.get("Rules", 1), given=self.rules, right=game.version)
        return game

    def _read_options(self, game: Game) -> dict[str, Any]:
        """Return the options of the record; those of an earlier version of the rules as today's."""
        options = {name: self._read_option(game, name) for name in self.options}
        if self.rules == game.version:
            return options
        former = game.former(self.rules, options)
        assert former is not None
        return former

    def _read_option(self, game: Game, name: str) -> Any:
        with self._errors_at(name):
            for option in game.setup.options:
                if option.name == name:
                    return (option.read_record or option.read)(self.options[name])
        return self.options[name]  # the game refuses an unknown option by its name

    @contextmanager
    def _errors_at(self, place: str | int) -> Iterator[None]:
        """Turn errors inside into errors of the record, with the line of the tag or move."""
        try:
            yield
        except InvalidRecord:
            raise
        except UserError as error:
            place = str(error.values["option"]) if "option" in error.values else place
            line = self.lines.get(place, self.lines.get("Game", 1))
            raise InvalidRecord("record-refused", line=line, cause=error) from error


def read_tags(texts: list[str], lines: dict[str | int, int]) -> dict[str, str]:
    """Read the tags at the top, one per line."""
    tags: dict[str, str] = {}
    for number, text in enumerate(texts, start=1):
        text = text.strip()
        if not text.startswith("["):
            if text:
                break
            continue
        match = TAG.fullmatch(text)
        if match is None:
            raise InvalidRecord("record-tag", line=number, given=text)
        name, value = match.groups()
        if name in tags:
            raise InvalidRecord("record-tag-twice", line=number, name=name)
        tags[name] = re.sub(r"\\(.)", r"\1", value)
        lines[name] = number
    return tags


def read_moves(
    texts: list[str], lines: dict[str | int, int]
) -> tuple[tuple[str, ...], tuple[int, ...], dict[int, str]]:
    """Read what is below the tags: the moves, the indices where turns begin, and the comments."""
    moves: list[str] = []
    turns: list[int] = []
    comments: dict[int, list[str]] = {}
    first = max(lines.values(), default=0)
    below = "\n".join(texts[first:])
    line, counted = first + 1, 0
    for match in TOKEN.finditer(below):
        token = match.group()
        line += below.count("\n", counted, match.start())
        counted = match.start()
        if token in "{}":
            raise InvalidRecord("record-comment", line=line)
        if token.startswith("{"):
            comments.setdefault(len(moves), []).append(" ".join(token[1:-1].split()))
        elif TURN_NUMBER.fullmatch(token):
            if turns[-1:] != [len(moves)]:
                turns.append(len(moves))
        else:
            lines[len(moves)] = line
            moves.append(token)
    joined = {at: " ".join(parts) for at, parts in comments.items()}
    return tuple(moves), tuple(turn for turn in turns if turn < len(moves)), joined


def read_outcome(tags: dict[str, str], lines: dict[str | int, int]) -> Outcome | None:
    """Read the outcome from its three tags; None if they are all missing."""
    given = [name for name in ("Winners", "Scores", "Reason") if name in tags]
    if not given:
        return None
    if len(given) < 3:
        raise InvalidRecord("record-outcome-tags", line=lines[given[0]])
    winners, scores = tags["Winners"].split(), tags["Scores"].split()
    if not all(re.fullmatch("[0-9]", winner) for winner in winners):
        raise InvalidRecord("record-winners", line=lines["Winners"], given=tags["Winners"])
    if not all(re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]{1,6})?", points) for points in scores):
        raise InvalidRecord("record-scores", line=lines["Scores"], given=tags["Scores"])
    return Outcome(tuple(map(int, winners)), tuple(map(float, scores)), tags["Reason"])


def printable(text: str) -> str:
    """Replace control characters, which a terminal would interpret, by spaces."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def escape(value: str) -> str:
    """Escape a tag's value for quotes."""
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def write_points(points: float) -> str:
    """Write points exactly and without trailing zeros."""
    return f"{points:.6f}".rstrip("0").rstrip(".")


def write_outcome(outcome: Outcome | None) -> str:
    """Write an outcome for an error message."""
    if outcome is None:
        return "-"
    winners = " ".join(map(str, outcome.winners)) or "-"
    return f"{winners} / {' '.join(map(write_points, outcome.scores))} / {outcome.reason}"
