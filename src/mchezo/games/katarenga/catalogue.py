"""The rated boards of Katarenga: `catalogue.tsv`, made by `mchezo balance katarenga` (docs/balance-katarenga.md).

Boards that are alike but for a turn or a mirror have one rating. A record holds the plain board, never a reference to
the catalogue, so that a game does not change when ratings do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidSetup
from mchezo.games.katarenga.components import assemble, canonical, mirror_board, turn_board
from mchezo.games.katarenga.notation import WORDS

FILE = "catalogue.tsv"
BALANCED = 3.0  # so many points from 50 % White's score may be on a board that is called balanced


@dataclass(frozen=True)
class Rating:
    """White's score in percent for each turn of a board, with half the width of its 95 % interval."""

    turns: tuple[tuple[float, float], ...]
    chosen: int  # the turn that a Black who looks long chooses

    @property
    def white(self) -> tuple[float, float]:
        """White's score if Black chooses the baseline."""
        return self.turns[self.chosen]

    @property
    def balanced(self) -> bool:
        """Whether the board favours nobody, as far as is known; with no baseline is Black much better than even."""
        return self.white[0] <= 50 + BALANCED and all(score >= 50 - BALANCED for score, _ in self.turns)


@cache
def ratings() -> dict[str, Rating]:
    """All of them, by the tile codes that stand for boards alike."""
    return dict(read(resources.files(__package__).joinpath(FILE).read_text("utf-8").splitlines()))


def read(lines: Iterable[str]) -> Iterator[tuple[str, Rating]]:
    """The boards of a catalogue and their ratings."""
    for line in lines:
        if line and not line.startswith("#"):
            board, chosen, *turns = line.split("\t")
            scores = [turn.split("±") for turn in turns]
            yield board, Rating(tuple((float(score), float(half)) for score, half in scores), int(chosen))


def write(board: str, rating: Rating) -> str:
    """A board as its line in the catalogue."""
    return "\t".join([board, str(rating.chosen), *(f"{score:.1f}±{half:.1f}" for score, half in rating.turns)])


def find(board: str) -> Rating | None:
    """The rating of a board as it lies, if it was rated: 64 letters, ranks parted by `/`."""
    code = canonical(board)
    known = None if code is None else ratings().get(code)
    if code is None or known is None:
        return None
    # Where each turn of this board, or its mirror image, is found among the turns of the one that was rated.
    rated = [turn_board(assemble(code), turn) for turn in range(4)]
    same = []
    for turn in range(4):
        turned = turn_board(board, turn)
        same.append(next(at for at, other in enumerate(rated) if other in (turned, mirror_board(turned))))
    return Rating(tuple(known.turns[at] for at in same), same.index(known.chosen))


@cache
def balanced() -> tuple[str, ...]:
    """The boards that favour nobody, as far as is known, by their tile codes."""
    return tuple(board for board, rating in ratings().items() if rating.balanced)


def draw(seed: Seed, choose: bool) -> str:
    """A balanced board by lot, lying anyhow where Black chooses the baseline, else as it is balanced."""
    boards = balanced()
    if not boards:
        raise InvalidSetup("board-none-balanced", WORDS, option="board")
    code = boards[seed.below(len(boards))]
    turn = seed.below(4) if choose else ratings()[code].chosen
    drawn = turn_board(assemble(code), turn)
    return mirror_board(drawn) if seed.below(2) else drawn
