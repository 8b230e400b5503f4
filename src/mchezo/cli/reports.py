"""Shared by the commands that play many games: resumable result files, progress bars and report pages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mchezo.cli.common import ERR, WORDS, read_file, write_file
from mchezo.core.errors import UserError


class ResultFile:
    """A JSON Lines file of results, headed by a line with the terms they share; without a file nothing is stored."""

    def __init__(self, file: Path | None) -> None:
        self.file = file

    def resume(self, terms: Mapping[str, Any]) -> list[Any]:
        """Return the stored results; a file with other terms is refused."""
        file = self.file
        if file is None:
            return []
        if not file.exists():
            write_file(file, json.dumps(terms) + "\n")
            return []
        whole, rest = self.text()
        stored, lines = self.read()
        for name, value in terms.items():
            if stored.get(name) != value:
                raise UserError("resume-other", WORDS, file=file, term=name)
        if rest:
            write_file(file, whole + "\n")
        return lines

    def text(self) -> tuple[str, str]:
        """Return the complete lines, and an incomplete last line left by an interrupted write."""
        assert self.file is not None
        whole, _, rest = read_file(self.file).rpartition("\n")
        return whole, rest

    def read(self) -> tuple[dict[str, Any], list[Any]]:
        """Return the terms and the results in the file."""
        try:
            terms, *lines = [json.loads(line) for line in self.text()[0].splitlines()]
        except ValueError as error:
            raise self.unreadable() from error
        if not isinstance(terms, dict):
            raise self.unreadable()
        return terms, lines

    def unreadable(self) -> UserError:
        """Return the error for a file with other contents."""
        return UserError("resume-unreadable", WORDS, file=self.file)

    def add(self, line: Mapping[str, Any]) -> None:
        """Append a result."""
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line) + "\n")


@contextmanager
def progress_bar(games: int, description: str = "") -> Iterator[Progress]:
    """Show how many games have been played; the task is `task_ids[0]`."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True) as progress:
        progress.add_task(description, total=games)
        yield progress


def marks(name: str) -> tuple[str, str]:
    """Return the marker lines around generated content; a page may have several places, by name."""
    place = f"figures {name}" if name else "figures"
    return f"<!-- {place}: begin -->\n", f"<!-- {place}: end -->\n"


class ReportPage:
    """A Markdown file with a place for generated content, which is checked before anything is played."""

    def __init__(self, file: Path, name: str = "") -> None:
        self.file = file
        self.name = name
        self.around()

    def around(self) -> tuple[str, str]:
        """Return the text before and after the generated content, with the markers; refuse a file without them."""
        begin, end = marks(self.name)
        if not self.file.exists():
            return begin, end
        before, found, others = read_file(self.file).partition(begin)
        _, found_end, after = others.partition(end)
        if not found or not found_end:
            raise UserError("report-place", WORDS, file=self.file, begin=begin.strip(), end=end.strip())
        return before + begin, end + after

    def write(self, text: str, pictures: Mapping[str, str]) -> None:
        """Write the generated content into the file, and the charts into the folder `pictures` beside it."""
        folder = self.file.parent / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        for name, drawn in pictures.items():
            write_file(folder / f"{self.file.stem}-{name}.svg", drawn)
        before, after = self.around()
        write_file(self.file, f"{before}\n{text}\n{after}")

    def link(self, name: str) -> str:
        """Return the Markdown of a chart."""
        return f"![{name.replace('-', ' ')}](pictures/{self.file.stem}-{name}.svg)\n"
