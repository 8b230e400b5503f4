"""People at one terminal, playing a game with each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns

from mchezo.cli.common import (
    ERR,
    OUT,
    SEAT_COLOURS,
    WORDS,
    Terminal,
    outcome_text,
    say,
    seat_name,
    show_board,
    tell,
    write_file,
)
from mchezo.core.errors import Refusal
from mchezo.core.structs import CHANCE

if TYPE_CHECKING:
    from mchezo.core.position import Position


def play(position: Position) -> None:
    """Play to the end, or until somebody quits."""
    tell(say("title", game=position.game.title, author=position.game.author), "bold")
    tell(say("play-help"), "dim")
    shown = -1
    while position.outcome is None:
        if shown != len(position.steps):
            shown = show_news(position, shown)
        line = ask(position)
        if line is None or line == "quit":
            tell(say("goodbye"))
            return
        try:
            obey(position, line)
        except Refusal as refusal:
            ERR.print(refusal.say(Terminal.language), style="red", markup=False)
    show_news(position, shown)
    tell(outcome_text(position, position.outcome), "bold green")
    tell(say("score", score=" : ".join(f"{points:g}" for points in position.outcome.scores)))


def show_news(position: Position, shown: int) -> int:
    """Tell the chance outcomes since the last look, then the board and what to do; returns how many moves there are."""
    for step in position.steps[max(shown, 0) :]:
        if step.by == CHANCE and step.only is None:
            tell(say("chance", move=step.text), "italic")
    OUT.print()
    show_board(position, None)
    return len(position.steps)


def ask(position: Position) -> str | None:
    """One line from the person to move; None at the end of input. A single legal move is played without asking."""
    seat = position.to_move
    assert seat is not None
    moves = position.legal_moves
    name = seat_name(position, seat)
    if len(moves) == 1:
        tell(say("only-move", seat=name, move=moves[0]), "italic")
        return moves[0]
    decision = position.view()["decision"]
    sentence = position.game.words.say(f"decision-{decision}", Terminal.language, seat=name, example=moves[0])
    tell(sentence, SEAT_COLOURS[seat])
    try:
        return OUT.input("> ").strip()
    except EOFError:
        OUT.print()
        return None


def obey(position: Position, line: str) -> None:
    """Carry out a command, or play a move."""
    command, _, rest = line.partition(" ")
    if command in ("save", "picture") and not rest:
        ending = "txt" if command == "save" else "svg"
        raise Refusal("file-missing", WORDS, command=command, ending=ending)
    if command == "moves":
        OUT.print(Columns(position.legal_moves, padding=(0, 2)), markup=False)
    elif command == "undo":
        undo(position)
    elif command == "look":
        with OUT.screen():
            show_board(position, position.to_move)
            OUT.input(say("look-over"))
    elif command == "record":
        OUT.print(str(position.public_record()), markup=False, soft_wrap=True)
    elif command == "save":
        write_file(Path(rest), str(position.record()))
        tell(say("saved", file=rest))
    elif command == "picture":
        write_file(Path(rest), position.svg())
        tell(say("saved", file=rest))
    elif command in ("help", "?", ""):
        tell(say("play-help"), "dim")
    else:
        position.play(line)


def undo(position: Position) -> None:
    """Take back the last move that somebody chose, and what was played without asking since."""
    chosen = [step.text for step in position.steps if step.by != CHANCE]
    position.undo()
    left = len(chosen) - 1
    while left and len(position.legal_moves) == 1:
        position.undo()
        left -= 1
    tell(say("undone", move=chosen[left]), "italic")
