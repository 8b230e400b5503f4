"""Shared by all commands: consoles, language, start options, files, and compiling a game."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from mchezo.core import registry
from mchezo.core.errors import InvalidSetup, UserError
from mchezo.core.outcome import OUTSIDE_REASONS, Outcome
from mchezo.core.record import Record
from mchezo.core.words import LANGUAGES, Words

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.position import Position

WORDS = Words("mchezo.cli")
OUT = Console(highlight=False, emoji=False)
ERR = Console(stderr=True, highlight=False, emoji=False)

REFUSED = 1  # exit code of a command that failed with an error message; 2 is a usage error

SEAT_COLOURS = ("bold cyan", "bold magenta", "bold yellow", "bold green")


class Terminal:
    """The language of the program, set once from the command line or the environment."""

    language = "en"

    @classmethod
    def choose_language(cls, given: str | None) -> None:
        """Use the given language, else the environment's, else English."""
        if given is not None and given not in LANGUAGES:
            raise UserError("language", WORDS, given=given)
        local = (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "")[:2]
        cls.language = given or (local if local in LANGUAGES else "en")


def say(key: str, **values: object) -> str:
    """Return a sentence in the chosen language."""
    return WORDS.say(key, Terminal.language, **values)


def echo(text: str, style: str = "") -> None:
    """Print text without interpreting markup."""
    OUT.print(escape(text), style=style)


def read_pairs(given: list[str]) -> dict[str, str]:
    """Parse `name=value` texts."""
    pairs = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidSetup("option-form", WORDS, given=text)
        pairs[name] = value
    return pairs


def read_options(game: Game, given: list[str]) -> dict[str, Any]:
    """Parse `name=value` texts into start options."""
    options: dict[str, Any] = {}
    known = {option.name: option for option in game.setup.options}
    for name, value in read_pairs(given).items():
        if name not in known:
            allowed = ", ".join(known)
            raise InvalidSetup("unknown-option", option=name, name=name, game=game.title, allowed=allowed)
        options[name] = known[name].read(value)
    return options


def seed_of(text: str | None) -> int | str | None:
    """Parse a seed: a number, or 64 hexadecimal digits."""
    if text is not None and text.isdecimal() and len(text) < 64:
        return int(text)
    return text


def prepare(name: str) -> Game:
    """Return a game with its rules compiled, with a progress bar the first time."""
    from mchezo.core.compiled import Way, way_of_game

    game = registry.find(name)
    if way_of_game(name) is not Way.JIT or not ERR.is_terminal:
        return game
    from mchezo.core import jit, kernels

    if jit.is_cached(kernels.perft):
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
    """Return the text of a file; raise UserError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise UserError("file-error", WORDS, file=path, reason=error.reason) from error
    except OSError as error:
        raise UserError("file-error", WORDS, file=path, reason=error.strerror) from error


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file; raise UserError if it cannot be written."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise UserError("file-error", WORDS, file=path, reason=error.strerror) from error


def read_record(path: Path) -> Record:
    """Return the record in a file."""
    return Record.parse(read_file(path))


def position_at(record: Record, at: int | None) -> Position:
    """Return the position after `at` moves of a record, by default after all of them."""
    if record.game in registry.names():
        prepare(record.game)
    position = record.replay()
    moves = len(position.moves)
    if at is not None:
        if not 0 <= at <= moves:
            raise UserError("too-few-moves", WORDS, moves=moves, at=at)
        for _ in range(moves - at):
            position.undo()
    return position


def recorded(file: Path, at: int | None, name: str | None) -> Position:
    """Return a position of a record; if a game is named, the record must be of that game."""
    record = read_record(file)
    if name is not None and record.game != name:
        raise UserError("other-game", WORDS, file=file, game=record.game, given=name)
    return position_at(record, at)


def seat_name(position: Position, seat: int) -> str:
    """Return the name of a seat in the chosen language."""
    return position.game.words.say(f"seat-{position.seats[seat]}", Terminal.language)


def outcome_text(position: Position, outcome: Outcome) -> str:
    """Return how a game ended, as a sentence."""
    if len(position.seats) == 1:
        return alone_text(position, outcome)
    names = [seat_name(position, seat) for seat in outcome.winners]
    winner = f" {say('and')} ".join(names)
    if outcome.reason in OUTSIDE_REASONS:
        return say(f"outside-{outcome.reason}", winner=winner)
    return position.game.words.say(f"reason-{outcome.reason}", Terminal.language, winner=winner)


def alone_text(position: Position, outcome: Outcome) -> str:
    """Return what a player reached alone, as a sentence."""
    if outcome.reason in OUTSIDE_REASONS:
        return say(f"alone-{outcome.reason}")
    lines = position.game.effects.score_lines(position.states[0], position.setups[0])
    return " ".join(position.game.words.say(f"score-{line.key}", Terminal.language, **line.arguments) for line in lines)


def show_board(position: Position, seat: int | None) -> None:
    """Print the board as this seat sees it."""
    OUT.print(position.game.pictures.terminal(position.view(seat), Terminal.language))
