"""Records of games: plain text in the manner of PGN, one format for all games. See docs/records.md."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mchezo.core import registry
from mchezo.core.errors import InvalidRecord, Refusal
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
HIDDEN = "=?"  # stands for a chance outcome that may not be seen yet


@dataclass(frozen=True)
class Record:
    """One game: what it started from, everything that was played, and how it ended."""

    game: str
    rules: int
    options: Mapping[str, str]  # those that differ from the game's defaults, as text
    moves: tuple[str, ...]  # chance outcomes among them
    outcome: Outcome | None = None
    drawn: tuple[str, ...] = ()  # the options that the seed decided
    seed_hash: str | None = None
    seed: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)  # anything else: players, date, place
    comments: Mapping[int, str] = field(default_factory=dict)  # number of moves before it -> comment
    turns: tuple[int, ...] = field(default=(), compare=False)  # indices of the moves that begin a turn
    lines: Mapping[str | int, int] = field(default_factory=dict, compare=False)  # of tags and moves, for refusals

    def __post_init__(self) -> None:
        tags = all(TAG_NAME.fullmatch(name) and name not in OUR_TAGS for name in self.tags)
        comments = all(0 <= at <= len(self.moves) and not set(text) & set("{}") for at, text in self.comments.items())
        if not (tags and comments):
            raise InvalidRecord("record-text", line=1)

    @classmethod
    def of(cls, position: Position) -> Record:
        """The record of a position; the seed is told only once the game is over, and only if chance follows from it."""
        game, seed, outcome = position.game, position.seed, position.outcome
        source = position.source
        if source and source.moves == tuple(position.moves):
            return source
        turns, mover = [], CHANCE
        for index, step in enumerate(position.steps):
            if step.by not in (CHANCE, mover):
                turns.append(index)
                mover = step.by
        return cls(
            game=game.name,
            rules=game.rules,
            options={
                option.name: option.write(position.options[option.name])
                for option in game.options
                if position.options[option.name] != option.default
            },
            moves=tuple(position.moves),
            outcome=outcome,
            drawn=position.drawn if position.dealt else (),
            seed_hash=seed.hash if position.dealt and seed.committed else None,
            seed=seed.hex if position.dealt and outcome else None,
            tags=source.tags if source else {},
            turns=tuple(turns),
        )

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record; what cannot be read is refused with its line and the reason. `replay` checks the moves."""
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
        words = textwrap.wrap(" ".join(self.words()), WIDTH, break_long_words=False, break_on_hyphens=False)
        return "\n".join([*lines, "", *words]).rstrip() + "\n"

    def words(self, at: int | None = None) -> Iterator[str]:
        """The moves, all or the first so many, with the numbers of the turns and the comments among them."""
        begins = {index: number for number, index in enumerate(self.turns, start=1)}
        last = len(self.moves) if at is None else at
        for index in range(last + 1):
            if index in self.comments:
                yield "{" + self.comments[index] + "}"
            if index < last:
                if index in begins:
                    yield f"{begins[index]}."
                yield self.moves[index]

    def replay(self) -> Position:
        """Play the record from its start; what is against the rules is refused with its line and the reason."""
        game = self._game()
        options = {name: self._read_option(game, name) for name in self.options}
        with self._refusing("Game"):
            position = game.start(**options, chance="manual")
        for index, move in enumerate(self.moves):
            if move == HIDDEN:
                raise InvalidRecord("record-hidden", line=self.lines.get(index, 1))
            with self._refusing(index):
                position.play(move)
        reached, told = position.outcome, self.outcome
        if reached is None and told is not None and told.reason in OUTSIDE_REASONS:
            with self._refusing("Winners"):
                check_outside(told, len(position.seats))
        elif reached != told:
            line = self.lines.get("Reason", 1)
            raise InvalidRecord("record-outcome", line=line, given=tell(told), right=tell(reached))
        position.source = self
        return position

    def verify(self) -> int | None:
        """Check the game against its seed: how many draws follow from it, None where the seed is not told.

        A record that does not follow from its seed is refused, and so is one that does not replay.
        """
        self.replay()
        if self.seed is None:
            return None
        game = self._game()
        options = {
            option.name: option.drawn if option.name in self.drawn else option.default for option in game.options
        }
        options |= {name: self._read_option(game, name) for name in self.options if name not in self.drawn}
        with self._refusing("Seed"):
            dealt = game.start(**options, seed=self.seed)
        if self.seed_hash not in (None, dealt.seed.hash):
            raise InvalidRecord("record-seed-hash", line=self.lines.get("SeedHash", 1))
        if dealt.drawn != self.drawn:
            raise InvalidRecord("record-drawn", line=self.lines.get("Drawn", 1), given=" ".join(self.drawn) or "-")
        for option in game.options:
            if option.name in self.drawn and option.write(dealt.options[option.name]) != self.options.get(option.name):
                line = self.lines.get(option.name, 1)
                raise InvalidRecord("record-not-dealt", line=line, right=option.write(dealt.options[option.name]))
        # Chance plays itself from the seed: only the players' moves are played, then all must agree.
        for index, move in enumerate(self.moves):
            if index == len(dealt.steps):
                dealt.play(move)
            elif dealt.steps[index].text != move:
                raise InvalidRecord("record-not-dealt", line=self.lines.get(index, 1), right=dealt.steps[index].text)
        return len(self.drawn) + sum(step.by == CHANCE for step in dealt.steps[: len(self.moves)])

    def _game(self) -> Game:
        with self._refusing("Game"):
            game = registry.find(self.game)
        if self.rules != game.rules:
            raise InvalidRecord("record-rules", line=self.lines.get("Rules", 1), given=self.rules, right=game.rules)
        return game

    def _read_option(self, game: Game, name: str) -> Any:
        with self._refusing(name):
            for option in game.options:
                if option.name == name:
                    return (option.read_record or option.read)(self.options[name])
        return self.options[name]  # an unknown option: the game refuses it by its name

    @contextmanager
    def _refusing(self, place: str | int) -> Iterator[None]:
        """Refusals inside become refusals of the record, with the line of the tag or move."""
        try:
            yield
        except InvalidRecord:
            raise
        except Refusal as refusal:
            place = str(refusal.values["option"]) if "option" in refusal.values else place
            line = self.lines.get(place, self.lines.get("Game", 1))
            raise InvalidRecord("record-refused", line=line, cause=refusal) from refusal


def read_tags(texts: list[str], lines: dict[str | int, int]) -> dict[str, str]:
    """The tags at the top, each alone on its line."""
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
    """What stands below the tags: the moves, where turns begin, and the comments."""
    moves: list[str] = []
    turns: list[int] = []
    comments: dict[int, str] = {}
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
            comment = " ".join(token[1:-1].split())
            comments[len(moves)] = f"{comments[len(moves)]} {comment}" if len(moves) in comments else comment
        elif TURN_NUMBER.fullmatch(token):
            if turns[-1:] != [len(moves)]:
                turns.append(len(moves))
        else:
            lines[len(moves)] = line
            moves.append(token)
    return tuple(moves), tuple(turn for turn in turns if turn < len(moves)), comments


def read_outcome(tags: dict[str, str], lines: dict[str | int, int]) -> Outcome | None:
    """The outcome that the tags tell: all three of them or none."""
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
    """A line without anything that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def escape(value: str) -> str:
    """A tag's value as it stands between quotes."""
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def write_points(points: float) -> str:
    """Points as short as they are exact."""
    return f"{points:.6f}".rstrip("0").rstrip(".")


def tell(outcome: Outcome | None) -> str:
    """An outcome as it stands in the tags."""
    if outcome is None:
        return "-"
    winners = " ".join(map(str, outcome.winners)) or "-"
    return f"{winners} / {' '.join(map(write_points, outcome.scores))} / {outcome.reason}"
