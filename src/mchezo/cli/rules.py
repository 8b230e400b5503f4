"""`mchezo rules`: the text of the rules page, with examples as terminal boards and their answers."""

from __future__ import annotations

import os
from contextlib import nullcontext

from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel

from mchezo.cli import common
from mchezo.cli.common import OUT, Terminal, echo, say
from mchezo.core import guide
from mchezo.core.guide import Page, Part

WIDTH = 100


def show(name: str) -> None:
    """Show the rules of a game in the chosen language, page by page on a terminal."""
    page = guide.page(name, Terminal.language)
    common.prepare(name)
    os.environ.setdefault("LESS", "-R")  # less shows colours
    with OUT.pager(styles=True) if OUT.is_terminal else nullcontext():
        print_page(name, page)


def print_page(name: str, page: Page) -> None:
    """Print a rules page."""
    echo(page.title, "bold underline")
    for section in page.sections:
        OUT.print()
        echo(section.title, "bold")
        for part in section.parts:
            OUT.print()
            show_part(name, part)


def show_part(game: str, part: Part) -> None:
    """Print a text, a note or an example."""
    width = min(WIDTH, OUT.width)
    if part.kind == "text":
        OUT.print(Markdown(part.text), width=width)
    elif part.kind == "example":
        show_example(game, part.name)
    else:
        title = say(f"rules-{part.kind}")
        OUT.print(Panel(Markdown(part.text), title=title, title_align="left", border_style="dim"), width=width)


def show_example(game: str, name: str) -> None:
    """Print an example: the position, the task and its answers."""
    example = guide.example(game, name)
    position = example.start()
    echo(say("rules-example", title=example.title[Terminal.language]), "italic")
    common.show_board(position, position.to_move)
    OUT.print()
    echo(example.task[Terminal.language])
    answers = f" {say('or')} ".join(" ".join(answer) for answer in example.answers)
    OUT.print(Padding(say("rules-answer", answer=answers, why=example.done[Terminal.language]), (0, 2)), markup=False)
