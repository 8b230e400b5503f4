"""`mchezo play`: a game at one terminal, between people or against the computer."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.columns import Columns

from mchezo.cli import common
from mchezo.cli.common import ERR, OUT, Terminal, echo, say
from mchezo.core.errors import IllegalMove, UnknownSeat, UserError
from mchezo.core.structs import CHANCE

if TYPE_CHECKING:
    from mchezo.core.position import Position
    from mchezo.search.players import Player

HINT_LEVEL = 7


@dataclass(frozen=True)
class Company:
    """The seats of the people, and the computer player if there is one."""

    people: frozenset[int]
    computer: Player | None = None

    @property
    def looking(self) -> int | None:
        """The seat whose view is shown: the only person's; None is the public view."""
        return next(iter(self.people)) if len(self.people) == 1 else None


def gather(position: Position, level: int | None, seat: int | None) -> Company:
    """Return who plays: people only, or one person against the computer."""
    seats = range(len(position.seats) - position.game.setup.rivals(position.options))
    if level is None:
        return Company(frozenset(seats))
    if len(seats) == 1:
        raise UserError("plays-alone", common.WORDS)
    from mchezo.search.players import player

    if seat is None:
        seat = secrets.choice(seats)
    if seat not in seats:
        raise UnknownSeat("unknown-seat", game=position.game.title, last=len(seats) - 1, given=seat)
    return Company(frozenset({seat}), player(position.game, level))


def play(position: Position, company: Company) -> None:
    """Play until the game is over or somebody quits."""
    echo(say("title", game=position.game.title, author=position.game.author), "bold")
    if position.options.get("variant", position.game.name) != position.game.name:
        echo(say("variant", name=position.options["variant"].replace("-", " ").title(), game=position.game.name))
    if position.options.get("swap"):
        echo(say("swap"))
    for option, value in position.options.items():
        if (note := f"note-{option}-{value}") in position.game.words.sentences:
            echo(position.game.words.say(note, Terminal.language))
    if company.computer:
        level = company.computer.facts
        echo(say("opponent", level=level.number, name=level.name(Terminal.language)))
    echo(say("play-help"), "dim")
    shown = -1
    while position.outcome is None:
        if company.computer and position.to_move not in company.people:
            answer(position, company.computer)
            continue
        if shown != len(position.steps):
            shown = show_news(position, shown, company)
        line = ask(position)
        if line is None or line == "quit":
            echo(say("goodbye"))
            return
        try:
            obey(position, line, company)
        except UserError as error:
            ERR.print(error.say(Terminal.language), style="red", markup=False)
    show_news(position, shown, company)
    echo(common.outcome_text(position, position.outcome), "bold green")
    echo(say("score", score=" : ".join(f"{points:g}" for points in position.outcome.scores)))


def answer(position: Position, computer: Player) -> None:
    """Let the computer play until chance or another seat decides."""
    seat = position.to_move
    assert seat is not None
    with ERR.status(say("thinking", seat=common.seat_name(position, seat))):
        moves = computer.turn(position)
    for move in moves:
        position.play(move)
    echo(say("answers", seat=common.seat_name(position, seat), moves=" ".join(moves)), common.SEAT_COLOURS[seat])


def show_news(position: Position, shown: int, company: Company) -> int:
    """Print what chance and rivals did since move `shown`, then the board; return the number of moves."""
    turns: dict[int, list[str]] = {}
    for step in position.steps[max(shown, 0) :]:
        rival = position.game.effects.rival(step.before[0])
        if rival is not None:
            turns.setdefault(rival, []).append(step.text)
        elif step.by == CHANCE and step.only in (None, company.looking):
            echo(say("chance", move=step.text), "italic")
    for seat, moves in turns.items():
        echo(say("answers", seat=common.seat_name(position, seat), moves=" ".join(moves)), common.SEAT_COLOURS[seat])
    OUT.print()
    common.show_board(position, company.looking)
    return len(position.steps)


def ask(position: Position) -> str | None:
    """Return one line of input, None at the end of input. The only legal move is played without asking."""
    seat = position.to_move
    assert seat is not None
    moves = position.legal_moves
    name = common.seat_name(position, seat)
    if len(moves) == 1:
        echo(say("only-move", seat=name, move=moves[0]), "italic")
        return moves[0]
    decision = position.view()["decision"]
    sentence = position.game.words.say(f"decision-{decision}", Terminal.language, seat=name, example=moves[0])
    echo(sentence, common.SEAT_COLOURS[seat])
    try:
        return OUT.input("> ").strip()
    except EOFError:
        OUT.print()
        return None


def obey(position: Position, line: str, company: Company) -> None:
    """Execute a command, or play a move."""
    command, _, rest = line.partition(" ")
    if command in ("save", "picture") and not rest:
        ending = "txt" if command == "save" else "svg"
        raise UserError("file-missing", common.WORDS, command=command, ending=ending)
    if command == "moves":
        OUT.print(Columns(position.legal_moves, padding=(0, 2)), markup=False)
    elif command == "undo":
        undo(position, company)
    elif command == "hint":
        hint(position)
    elif command == "look":
        with OUT.screen():
            common.show_board(position, position.to_move)
            OUT.input(say("look-over"))
    elif command == "record":
        OUT.print(str(position.public_record()), markup=False, soft_wrap=True)
    elif command == "save":
        common.write_file(Path(rest), str(position.record()))
        echo(say("saved", file=rest))
    elif command == "picture":
        common.write_file(Path(rest), position.svg())
        echo(say("saved", file=rest))
    elif command in ("help", "?", ""):
        echo(say("play-help"), "dim")
    else:
        play_moves(position, line.split())


def play_moves(position: Position, moves: Sequence[str]) -> None:
    """Play the decisions of a turn as a hint writes them; all of them, or none if one is illegal."""
    seat, trial = position.to_move, position.copy()
    for move in moves:
        if trial.to_move != seat:
            raise UserError("beyond-turn", common.WORDS, move=move)
        trial.play(move)
    for move in moves:
        position.play(move)


def hint(position: Position) -> None:
    """Print what a strong player would do here, and its chance of winning."""
    from mchezo.search.players import player

    seat = position.to_move
    assert seat is not None
    with ERR.status(say("thinking", seat=common.seat_name(position, seat))):
        thought = player(position.game, HINT_LEVEL).think(position)
    moves = " ".join(thought.moves[: thought.turn])
    if len(position.seats) == 1:
        echo(say("hint-alone", moves=moves, points=round(thought.points[seat])), "italic")
        return
    echo(say("hint", moves=moves, chance=round(100 * thought.chances[seat])), "italic")
    if thought.solved:
        echo(say("solved"), "italic")


def undo(position: Position, company: Company) -> None:
    """Take back the last move that a person chose, and everything played automatically since."""
    if not any(step.by in company.people for step in position.steps):
        raise IllegalMove("nothing-to-undo")
    taken = position.copy()
    last = ""
    while any(step.by in company.people for step in taken.steps):
        last = next(step.text for step in reversed(taken.steps) if step.by != CHANCE)
        taken.undo()
        if taken.to_move in company.people and len(taken.legal_moves) > 1:
            break
    else:
        raise IllegalMove("nothing-to-undo")
    while len(position.steps) > len(taken.steps):
        position.undo()
    echo(say("undone", move=last), "italic")
