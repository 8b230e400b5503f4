"""What the commands share: the console, the language, start options, and preparing a game."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from mchezo.core import registry
from mchezo.core.errors import InvalidSetup, Refusal
from mchezo.core.outcome import OUTSIDE_REASONS, Outcome
from mchezo.core.record import Record
from mchezo.core.words import LANGUAGES, Words

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.position import Position

WORDS = Words("mchezo.cli")
OUT = Console(highlight=False, emoji=False)
ERR = Console(stderr=True, highlight=False, emoji=False)

SEAT_COLOURS = ("bold cyan", "bold magenta", "bold yellow", "bold green")


class Terminal:
    """The language the program speaks; set once, by the command line or the environment."""

    language = "en"

    @classmethod
    def choose_language(cls, given: str | None) -> None:
        """Take the language asked for, else the one of the environment, else English."""
        if given is not None and given not in LANGUAGES:
            raise Refusal("language", WORDS, given=given)
        local = (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "")[:2]
        cls.language = given or (local if local in LANGUAGES else "en")


def say(key: str, **values: object) -> str:
    """A sentence of the command line, in the chosen language."""
    return WORDS.say(key, Terminal.language, **values)


def tell(text: str, style: str = "") -> None:
    """Print a sentence as it is, with no markup read into it."""
    OUT.print(escape(text), style=style)


def read_options(game: Game, given: list[str]) -> dict[str, Any]:
    """`name=value` texts -> start options."""
    options: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidSetup("option-form", WORDS, given=text)
        known = {option.name: option for option in game.options}
        if name not in known:
            allowed = ", ".join(known)
            raise InvalidSetup("unknown-option", option=name, name=name, game=game.title, allowed=allowed)
        options[name] = known[name].read(value)
    return options


def seed_of(text: str | None) -> int | str | None:
    """A seed as typed: a number, or 64 hexadecimal digits."""
    if text is not None and text.isdecimal() and len(text) < 64:
        return int(text)
    return text


def prepare(name: str) -> Game:
    """The game, its rules compiled; the first time this takes a while and shows how far it is."""
    from mchezo.core.compiled import CACHE

    game = registry.find(name)
    # Any file there was compiled from these very sources.
    known = CACHE is not None and any(CACHE.rglob(f"{name}*/rules.*.nbi"))
    if known or not ERR.is_terminal:
        return game
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from mchezo.core.kernels import KERNELS, warm_up

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=ERR, transient=True) as progress:
        task = progress.add_task(say("compiling", game=game.title), total=len(KERNELS))
        for _ in warm_up(*game.start(seed=1).arrays):
            progress.advance(task)
    return game


def read_file(path: Path) -> str:
    """The text of a file; what keeps it from being read becomes a refusal."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("file-error", WORDS, file=path, reason=error.reason) from error
    except OSError as error:
        raise Refusal("file-error", WORDS, file=path, reason=error.strerror) from error


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file; what keeps it from being written becomes a refusal."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise Refusal("file-error", WORDS, file=path, reason=error.strerror) from error


def read_record(path: Path) -> Record:
    """The record in a file."""
    return Record.parse(read_file(path))


def position_at(record: Record, at: int | None) -> Position:
    """The position after so many moves of a record; after all of them without a number."""
    if record.game in registry.names():
        prepare(record.game)
    position = record.replay()
    moves = len(position.moves)
    if at is not None:
        if not 0 <= at <= moves:
            raise Refusal("too-few-moves", WORDS, moves=moves, at=at)
        for _ in range(moves - at):
            position.undo()
    return position


def seat_name(position: Position, seat: int) -> str:
    """What a seat is called in the chosen language."""
    return position.game.words.say(f"seat-{position.seats[seat]}", Terminal.language)


def outcome_text(position: Position, outcome: Outcome) -> str:
    """How a game ended, as a sentence."""
    names = [seat_name(position, seat) for seat in outcome.winners]
    winner = f" {say('and')} ".join(names)
    if outcome.reason in OUTSIDE_REASONS:
        return say(f"outside-{outcome.reason}", winner=winner)
    return position.game.words.say(f"reason-{outcome.reason}", Terminal.language, winner=winner)


def show_board(position: Position, seat: int | None) -> None:
    """Print the board as this seat sees it."""
    from importlib import import_module

    terminal = import_module(f"{registry.MODULES[position.game.name]}.terminal")
    OUT.print(terminal.board(position.view(seat), Terminal.language))
