"""`mchezo puzzles`: mine games for puzzles, write them as a file, and audit such files."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mchezo import __version__
from mchezo.cli.common import WORDS, echo, prepare, read_record, say, write_file
from mchezo.cli.reports import ResultFile, progress_bar
from mchezo.core.errors import UserError
from mchezo.puzzles import collection
from mchezo.puzzles.puzzle import Puzzle
from mchezo.puzzles.sources import source_of
from mchezo.puzzles.themes import themes


def start(
    name: str,
    count: int,
    games: int,
    seed: int,
    easy: int,
    records: Sequence[Path],
    resume: Path | None,
    others: Sequence[Path],
    out: Path | None,
) -> None:
    """Mine until there are enough puzzles, or no more games; then write them."""
    game = prepare(name)
    source = source_of(game.name)
    stored = ResultFile(resume)
    terms = {"version": __version__, "rules": game.version, "game": game.name, "seed": seed, "easy": easy}
    terms["records"] = [path.name for path in records]
    lines = stored.resume(terms)
    found = {one.id: one for path in others for line in ResultFile(path).read()[1] for one in puzzles_of(line)}
    found |= {one.id: one for line in lines for one in puzzles_of(line)}
    with progress_bar(count, game.title) as show:
        show.advance(show.task_ids[0], len(found))
        for number in range(len(lines), len(records) or games):
            if len(found) >= count:
                break
            position = read_record(records[number]).replay() if records else source.play(number, seed)
            new = [one for one in source.mine(position, number, easy) if one.id not in found]
            stored.add({"number": number, "puzzles": msgspec.to_builtins(new)})
            found |= {one.id: one for one in new}
            show.advance(show.task_ids[0], len(new))
    echo(say("puzzles-found", count=len(found)))
    if out is not None:
        chosen = [msgspec.structs.replace(one, themes=themes(game.name, one)) for one in list(found.values())[:count]]
        write_file(out, collection.write(chosen))
        echo(say("saved", file=out))


def puzzles_of(line: dict[str, object]) -> list[Puzzle]:
    """Return the puzzles of a game in a result file."""
    return msgspec.convert(line["puzzles"], list[Puzzle])


def audit(name: str, file: Path | None, count: int, effort: int, margin: float, seed: int, remove: bool) -> bool:
    """Check puzzles drawn at random with more nodes; return whether none has a second solution."""
    game = prepare(name)
    source = source_of(game.name)
    puzzles = collection.read(collection.shipped_file(game.name) if file is None else read_bytes(file))
    drawn = random.Random(seed).sample(puzzles, min(count, len(puzzles)))
    spoilt = set()
    with progress_bar(len(drawn), game.title) as show:
        for one in drawn:
            if not source.holds(one, effort, margin):
                spoilt.add(one.id)
                echo(say("puzzle-spoilt", id=one.id, line=" ".join(one.line)))
            show.advance(show.task_ids[0])
    echo(say("puzzles-audited", count=len(drawn), spoilt=len(spoilt)))
    if remove and spoilt and file is not None:
        write_file(file, collection.write(one for one in puzzles if one.id not in spoilt))
        echo(say("saved", file=file))
    return not spoilt


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; raise UserError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError("file-error", WORDS, file=path, reason=error.strerror) from error
