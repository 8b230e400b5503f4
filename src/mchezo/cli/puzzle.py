"""`mchezo puzzle`: puzzles at the terminal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

from rich.columns import Columns

from mchezo.cli import common
from mchezo.cli.common import ERR, OUT, Terminal, echo
from mchezo.core import registry
from mchezo.core.errors import UserError
from mchezo.puzzles.attempt import Attempt, attempt
from mchezo.puzzles.collection import WORDS, of_day, puzzles_of, shipped
from mchezo.puzzles.puzzle import Puzzle


def say(key: str, **values: object) -> str:
    """Return a sentence about puzzles."""
    return WORDS.say(key, Terminal.language, **values)


def solve(name: str | None, id: str | None, theme: str | None) -> None:
    """Ask one puzzle after the other, until somebody quits."""
    for game, puzzle in asked(name, id, theme):
        common.prepare(game)
        if not ask(game, puzzle):
            return


def asked(name: str | None, id: str | None, theme: str | None) -> Iterator[tuple[str, Puzzle]]:
    """Yield puzzles without end: the one that was asked for, or that of the day, then others of the game."""
    game, first = of_day(date.today()) if name is None else (registry.find(name).name, None)
    puzzles_of(game)  # there are some
    known = shipped(game)
    fitting = [one for one in known.values() if theme is None or theme in one.themes]
    if (id is not None and id not in known) or not fitting:
        raise UserError("unknown" if id else "none", WORDS)
    if id is not None:
        first = known[id]
    if first is not None and (id or theme is None):
        yield game, first
    while True:
        yield game, random.choice(fitting)


def ask(game: str, puzzle: Puzzle) -> bool:
    """Let somebody solve a puzzle; return whether they want another."""
    now = attempt(game, puzzle, [])
    seat = now.position.to_move
    assert seat is not None
    kind = "task-points" if puzzle.points else "task-win" if puzzle.proved else "task-move"
    echo(f"{registry.find(game).title} {puzzle.id} · {say('rating', rating=puzzle.rating)}", "bold")
    show(now, seat)
    echo(say(kind, side=common.seat_name(now.position, seat)), "bold")
    echo(say("terminal-help"), "dim")
    while True:
        line = read_line(now)
        if line is None or line == "quit":
            return False
        if line == "next":
            return True
        if line == "moves":
            OUT.print(Columns(now.position.legal_moves, padding=(0, 2)), markup=False)
        elif line == "solution":
            echo(f"{say('solution')} {' '.join(puzzle.line)}", "italic")
            show(attempt(game, puzzle, puzzle.line), seat)
            return True
        elif line:
            try:
                now = judged(game, puzzle, now, line.split())
            except UserError as error:
                ERR.print(error.say(Terminal.language), style="red", markup=False)
                continue
            show(now, seat)
            if now.verdict == "solved":
                return True


def read_line(now: Attempt) -> str | None:
    """Return one line of input, None at its end."""
    try:
        return OUT.input("> ").strip()
    except EOFError:
        OUT.print()
        return None


def judged(game: str, puzzle: Puzzle, now: Attempt, moves: list[str]) -> Attempt:
    """Play moves and say what they are; return where to go on: after a wrong move, from before it."""
    seat = puzzle.start(game).to_move
    for move in moves:
        before, now = now, attempt(game, puzzle, [*now.moves, move])
        if now.verdict == "missed":
            points = {"points": now.points}
            echo(say("missed-points", **points) if puzzle.points else say("missed", move=move), "red")
            return attempt(game, puzzle, []) if puzzle.points else before
        if now.verdict == "solved":
            echo(say("solved-points", points=now.points) if puzzle.points else say("solved"), "bold green")
            return now
    replies = [step.text for step in now.position.steps[len(now.position.steps) - len(now.moves) :] if step.by != seat]
    if not puzzle.points:
        echo(say("right") + (f" … {replies[-1]}" if replies else ""), "green")
    return now


def show(now: Attempt, seat: int) -> None:
    """Print the board as the solver sees it."""
    OUT.print()
    common.show_board(now.position, seat)
