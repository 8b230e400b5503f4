"""Read many records as a table: one row a game, for CSV, Arrow and Parquet. See docs/records.md."""

from __future__ import annotations

import csv
import glob
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from mchezo.core.errors import InvalidRecord, UserError
from mchezo.core.record import Record

if TYPE_CHECKING:
    import pyarrow

Source = str | os.PathLike[str]

SUFFIXES = (".txt", ".jsonl")  # what is read of a directory
ROWS_A_BATCH = 10_000

# The columns, in order, and their Arrow types.
COLUMNS = {
    "source": "text",
    "number": "number",
    "game": "text",
    "rules": "number",
    "options": "map",
    "players": "texts",
    "winners": "numbers",
    "scores": "points",
    "reason": "text",
    "turn_count": "number",
    "move_count": "number",
    "drawn": "texts",
    "seed": "text",
    "seed_hash": "text",
    "tags": "map",
}


def read_records(*sources: Source, moves: bool = False) -> RecordTable:
    """Read the records in files, directories, globs or texts as a table with a row for each game.

    A file holds any number of records, one after the other, or is a `.jsonl` file that `mchezo match --resume` wrote.
    A directory is searched for `.txt` and `.jsonl` files. A string with a line break is a text of records, any other
    string a path or a glob. `moves=True` adds a column with the moves. Records are parsed, not replayed.

    >>> import mchezo
    >>> position = mchezo.game("katarenga").start(seed=7)
    >>> position.play("turn0")
    >>> table = mchezo.read_records(str(position.record()), moves=True)
    >>> [(row["game"], row["move_count"], row["moves"]) for row in table.rows()]
    [('katarenga', 1, ['turn0'])]
    >>> [record.replay().to_move for record in table]
    [0]
    """
    return RecordTable(sources, moves=moves)


class RecordTable:
    """Records as a table. Iterating reads one record at a time, and every iteration reads the sources again."""

    def __init__(self, sources: Sequence[Source], *, moves: bool = False) -> None:
        self.sources = tuple(sources)
        self.columns = (*COLUMNS, "moves") if moves else tuple(COLUMNS)

    def __repr__(self) -> str:
        return f"<RecordTable of {', '.join('text' if is_text(source) else str(source) for source in self.sources)}>"

    def __iter__(self) -> Iterator[Record]:
        for _, _, record in self._numbered():
            yield record

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield one dict a game, by column name. What a record does not say is None or empty."""
        for source, number, record in self._numbered():
            outcome = record.outcome
            row = {
                "source": source,
                "number": number,
                "game": record.game,
                "rules": record.rules,
                "options": dict(record.options),
                "players": players(record),
                "winners": list(outcome.winners) if outcome else None,
                "scores": list(outcome.scores) if outcome else None,
                "reason": outcome.reason if outcome else None,
                "turn_count": len(record.turns),
                "move_count": len(record.moves),
                "drawn": list(record.drawn),
                "seed": record.seed,
                "seed_hash": record.seed_hash,
                "tags": dict(record.tags),
            }
            yield row | {"moves": list(record.moves)} if "moves" in self.columns else row

    def to_csv(self, file: Source | IO[str]) -> None:
        """Write the table as CSV. Lists are separated by spaces; options, tags and players are JSON."""
        if not isinstance(file, (str, os.PathLike)):
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows([cell(name, row[name]) for name in self.columns] for row in self.rows())
            return
        with open(file, "w", encoding="utf-8", newline="") as opened:
            self.to_csv(opened)

    def to_arrow(self) -> pyarrow.Table:
        """Return the table as a `pyarrow.Table`, from which pandas, Polars and DuckDB read it."""
        arrow = import_pyarrow()
        schema = self._schema()
        return arrow.Table.from_batches(list(self._batches()), schema)

    def to_parquet(self, file: Source) -> None:
        """Write the table as a Parquet file, batch by batch."""
        import_pyarrow()
        from pyarrow.parquet import ParquetWriter

        with ParquetWriter(os.fspath(file), self._schema()) as writer:
            for batch in self._batches():
                writer.write_batch(batch)

    def _schema(self) -> pyarrow.Schema:
        arrow = import_pyarrow()
        text, whole = arrow.string(), arrow.int32()
        kinds = {
            "text": text,
            "number": whole,
            "texts": arrow.list_(text),
            "numbers": arrow.list_(whole),
            "points": arrow.list_(arrow.float64()),
            "map": arrow.map_(text, text),
        }
        return arrow.schema([(name, kinds[COLUMNS.get(name, "texts")]) for name in self.columns])

    def _batches(self) -> Iterator[pyarrow.RecordBatch]:
        arrow = import_pyarrow()
        schema, rows = self._schema(), self.rows()
        while batch := list(islice(rows, ROWS_A_BATCH)):
            for row in batch:
                row |= {name: list(row[name].items()) for name in ("options", "tags")}
            yield arrow.RecordBatch.from_pylist(batch, schema)

    def _numbered(self) -> Iterator[tuple[str, int, Record]]:
        """Yield every record with its source and its number there, from 1."""
        for source, file in self._opened():
            for number, (line, text) in enumerate(file, start=1):
                try:
                    record = Record.parse(text)
                except InvalidRecord as error:
                    error.line += line - 1
                    error.source = source
                    error.add_note(f"in {source or 'the text'}, record {number}")
                    raise
                yield source, number, record

    def _opened(self) -> Iterator[tuple[str, Iterator[tuple[int, str]]]]:
        for source in self.sources:
            if is_text(source):
                yield "", split(str(source).splitlines())
                continue
            for path in paths(source):
                with path.open(encoding="utf-8") as lines:
                    yield str(path), kept_games(lines, str(path)) if path.suffix == ".jsonl" else split(lines)


def is_text(source: Source) -> bool:
    """Whether a source is the text of records, and not a path."""
    return isinstance(source, str) and "\n" in source


def paths(source: Source) -> Iterator[Path]:
    """Yield the files that a path, a directory or a glob names, sorted."""
    path = Path(source)
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES)
    elif path.exists() or not glob.has_magic(str(source)):
        yield path
    else:
        yield from sorted(map(Path, glob.glob(str(source), recursive=True)))


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the records of a text, each with the number of its first line.

    The next record begins at a tag below moves, or at a second `Game` tag after a record without moves.
    """
    record: list[str] = []
    first, named, moved, comment = 1, False, False, False
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\n").removeprefix("\ufeff")
        tag = not comment and line.lstrip().startswith("[")
        game = tag and line.lstrip().startswith("[Game ")
        if tag and (moved or (game and named)):
            yield first, "\n".join(record)
            record, named, moved = [], False, False
        if not record:
            if not line.strip():
                continue
            first = number
        record.append(line)
        named = named or game
        if not tag:
            moved = moved or bool(line.strip())
            if "{" in line or "}" in line:
                comment = line.rfind("{") > line.rfind("}")
    if record:
        yield first, "\n".join(record)


def kept_games(lines: Iterable[str], source: str) -> Iterator[tuple[int, str]]:
    """Yield the records in lines of JSON; the first line of a match file holds its terms and no record."""
    for number, line in enumerate(lines, start=1):
        if not line.endswith("\n"):
            return  # the match was interrupted while it wrote this line
        try:
            kept = json.loads(line)
        except ValueError as error:
            broken = InvalidRecord("record-json", line=number)
            broken.source = source
            raise broken from error
        if isinstance(kept, dict) and isinstance(kept.get("record"), str):
            yield 1, kept["record"]


def players(record: Record) -> list[str]:
    """Return the players' names in the order of their seats; an empty list if the tags name nobody."""
    try:
        names = record.seats()
    except UserError:  # a game, a pack or an option that is not known here
        names = ()
    count = max(len(names), len(record.outcome.scores) if record.outcome else 0)
    found = []
    for seat in range(count):
        tags = (f"Player{seat}", f"Seat{seat}", *([names[seat].capitalize()] if seat < len(names) else []))
        found.append(next((record.tags[tag] for tag in tags if tag in record.tags), ""))
    return found if any(found) else []


def cell(name: str, value: Any) -> str:
    """Return a value as it stands in a CSV file."""
    if value is None:
        return ""
    if name in ("options", "tags", "players"):
        return json.dumps(value, ensure_ascii=False) if value else ""
    if isinstance(value, list):
        return " ".join(f"{item:g}" if isinstance(item, float) else str(item) for item in value)
    return str(value)


def import_pyarrow() -> Any:
    """Return pyarrow, or say how to get it."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("Arrow and Parquet need pyarrow: pip install 'mchezo[arrow]'") from error
    return pyarrow
