"""What the commands share that play many games: results that can be taken up again, progress, figures on a page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mchezo.cli.common import ERR, WORDS, read_file, write_file
from mchezo.core.errors import Refusal


class ResultFile:
    """Results, a line of JSON each, below a line with the terms under which all of them came about; or no file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file

    def resume(self, terms: Mapping[str, Any]) -> list[Any]:
        """What the file has already; results that came about under other terms are refused."""
        file = self.file
        if file is None:
            return []
        if not file.exists():
            write_file(file, json.dumps(terms) + "\n")
            return []
        whole, rest = self.text()
        kept, lines = self.read()
        for name, value in terms.items():
            if kept.get(name) != value:
                raise Refusal("resume-other", WORDS, file=file, term=name)
        if rest:
            write_file(file, whole + "\n")
        return lines

    def text(self) -> tuple[str, str]:
        """The whole lines of the file, and a line without an end: it was being written when the program stopped."""
        assert self.file is not None
        whole, _, rest = read_file(self.file).rpartition("\n")
        return whole, rest

    def read(self) -> tuple[dict[str, Any], list[Any]]:
        """The terms and the results that the file has."""
        try:
            terms, *lines = [json.loads(line) for line in self.text()[0].splitlines()]
        except ValueError as error:
            raise self.unreadable() from error
        if not isinstance(terms, dict):
            raise self.unreadable()
        return terms, lines

    def unreadable(self) -> Refusal:
        """The refusal of a file that holds something else."""
        return Refusal("resume-unreadable", WORDS, file=self.file)

    def add(self, line: Mapping[str, Any]) -> None:
        """Keep a result, in the file too if there is one."""
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line) + "\n")


@contextmanager
def progress_bar(games: int) -> Iterator[Progress]:
    """How many games are played."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True) as progress:
        progress.add_task("", total=games)
        yield progress


def marks(name: str) -> tuple[str, str]:
    """The lines of a page between which figures are written anew; a page may have several places, by name."""
    place = f"figures {name}" if name else "figures"
    return f"<!-- {place}: begin -->\n", f"<!-- {place}: end -->\n"


class Page:
    """A Markdown file with a place for figures; it is looked for before anything is played."""

    def __init__(self, file: Path, name: str = "") -> None:
        self.file = file
        self.name = name
        self.around()

    def around(self) -> tuple[str, str]:
        """What stands before and after the figures, the marks included; a file that has no place is refused."""
        begin, end = marks(self.name)
        if not self.file.exists():
            return begin, end
        before, found, others = read_file(self.file).partition(begin)
        _, found_end, after = others.partition(end)
        if not found or not found_end:
            raise Refusal("report-place", WORDS, file=self.file, begin=begin.strip(), end=end.strip())
        return before + begin, end + after

    def write(self, text: str, pictures: Mapping[str, str]) -> None:
        """Write the figures into the file, and the pictures into the folder `pictures` beside it."""
        folder = self.file.parent / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        for name, drawn in pictures.items():
            write_file(folder / f"{self.file.stem}-{name}.svg", drawn)
        before, after = self.around()
        write_file(self.file, f"{before}\n{text}\n{after}")

    def link(self, name: str) -> str:
        """A picture in Markdown."""
        return f"![{name.replace('-', ' ')}](pictures/{self.file.stem}-{name}.svg)\n"
