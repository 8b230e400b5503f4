"""Ten games of each kind in which strong players play, and one of them blunders once: the analysis finds it."""

from pathlib import Path

import pytest

import mchezo
from mchezo.search.analysis import analyse
from mchezo.search.players import WORDS

FILES = sorted((Path(__file__).parent / "planted").glob("*.txt"))
NODES = {
    "katarenga": 100_000,
    "kiwara": 100_000,
    "kitara": 20_000,
}  # at most a tenth of those in plant.py


def test_there_are_ten_of_each_game() -> None:
    names = [file.name.partition("-")[0] for file in FILES]
    assert {name: names.count(name) for name in names} == dict.fromkeys(mchezo.games(), 10)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_the_planted_blunder_is_found_and_explained(file: Path) -> None:
    record = mchezo.Record.parse(file.read_text(encoding="utf-8"))
    planted = int(record.tags["Planted"])
    (moment,) = analyse(record, nodes=NODES[record.game], numbers=[planted]).moments
    assert moment.mark in ("blunder", "missed win")
    assert moment.seat == int(record.tags["Seat"])
    assert moment.best[0] != moment.move
    assert moment.why is not None
    known = mchezo.game(record.game).words.sentences.keys() | WORDS.sentences.keys()
    assert f"why-{moment.why.key}" in known
