"""`mchezo analyse`: a plot of the chances of winning, and every mistake."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from mchezo.cli.common import ERR, OUT, SEAT_COLOURS, Terminal, echo, say, seat_name, write_file
from mchezo.core.effects import Effect, Value
from mchezo.search.analysis import Analysis, Moment, analyse
from mchezo.search.players import WORDS as SEARCH_WORDS

if TYPE_CHECKING:
    from mchezo.core.position import Position

ROWS = 10  # of the plot
BLOCKS = "█░▒▓"  # one for each seat
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "missed win": "??"}


def report(position: Position, nodes: int, picture: Path | None) -> None:
    """Analyse a game and print the result."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=ERR, transient=True) as progress:
        task = progress.add_task(say("analysing"), total=None)
        found = analyse(
            position, nodes=nodes, progress=lambda done, total: progress.update(task, completed=done, total=total)
        )
    names = [seat_name(position, seat) for seat in range(len(position.seats))]
    OUT.print(plot(found, names))
    OUT.print(marked(found, names) if found.marked else Text(say("no-mistakes"), style="green"))
    for moment in found.marked:
        if moment.why is not None:
            echo(f"{moment.number + 1}. {moment.move}: {sentence(position, moment.why)}")
    for seat, name in enumerate(names):
        accuracy = found.accuracy(seat)
        if accuracy is not None:
            echo(say("accuracy", seat=name, share=round(100 * accuracy)), SEAT_COLOURS[seat])
    if picture is not None:
        from mchezo.search.graph import draw

        write_file(picture, draw(found, names))
        echo(say("saved", file=picture))


def sentence(position: Position, why: Effect) -> str:
    """Return why a move was bad, in the game's words if it has any for this reason."""
    words = position.game.words
    known = words if f"why-{why.key}" in words.sentences else SEARCH_WORDS
    reason = known.say(f"why-{why.key}", Terminal.language, **worded(position, why.arguments))
    when = why.arguments.get("when")
    return SEARCH_WORDS.say(f"when-{when}", Terminal.language, reason=reason) if when else reason


def worded(position: Position, arguments: Mapping[str, Value]) -> dict[str, object]:
    """Replace seats, animals and cards by their names."""
    found: dict[str, object] = dict(arguments)
    sentences = position.game.words.sentences
    for name, value in arguments.items():
        if name in ("seat", "other") and isinstance(value, int):
            found[name] = seat_name(position, value)
        elif (key := position.game.effects.name_of(name, value)) in sentences:
            found[name] = position.game.words.say(key, Terminal.language)
    return found


def plot(found: Analysis, names: list[str]) -> Text:
    """Return the chances of winning as stacked columns, the first seat at the bottom, with mistakes marked below."""
    columns = sampled(found.moments, max(10, OUT.width - 8))
    lines = Text(say("chances-plot") + " ")
    for seat, name in enumerate(names):
        lines.append(BLOCKS[seat] + " ", SEAT_COLOURS[seat]).append(name + "  ")
    for row in range(ROWS, 0, -1):
        height = (row - 0.5) / ROWS
        lines.append(f"\n{100 * row // ROWS:3d} % ")
        for moment in columns:
            seat = holder(moment, height)
            lines.append(BLOCKS[seat], SEAT_COLOURS[seat])
    lines.append("\n      ")
    for moment in columns:
        lines.append("?" if moment.mark else " ", "bold red")
    return lines


def sampled(moments: tuple[Moment, ...], most: int) -> list[Moment]:
    """Return at most `most` moments; of those that share a column, the one with the largest loss."""
    size = -(-len(moments) // most)
    groups = [moments[at : at + size] for at in range(0, len(moments), size)]
    return [max(group, key=lambda moment: moment.loss) for group in groups]


def holder(moment: Moment, height: float) -> int:
    """Return the seat whose chances are at this height of the column."""
    total = 0.0
    for seat, chance in enumerate(moment.after):
        total += chance
        if height <= total:
            return seat
    return len(moment.after) - 1


def marked(found: Analysis, names: list[str]) -> Table:
    """Return a table of mistakes and better moves."""
    table = Table(box=None, padding=(0, 2))
    for head in ("move", "who", "played", "what-it-is", "before-after", "better"):
        table.add_column(say(f"analysis-{head}"), justify="right" if head in ("move", "before-after") else "left")
    for moment in found.marked:
        before, after = moment.chances[moment.seat], moment.after[moment.seat]
        table.add_row(
            str(moment.number + 1),
            Text(names[moment.seat], SEAT_COLOURS[moment.seat]),
            f"{moment.move} {SIGNS[moment.mark]}",
            say(f"mark-{moment.mark.replace(' ', '-')}"),
            f"{100 * before:.0f} → {100 * after:.0f} %",
            " ".join(moment.best[:6]),
        )
    return table
