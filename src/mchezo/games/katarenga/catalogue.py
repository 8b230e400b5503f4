"""The rated boards of Katarenga: `catalogue.tsv`, written by `mchezo balance katarenga` (docs/balance-katarenga.md).

Boards that differ only by a turn or a reflection share one rating. A record contains the board itself, never a
reference to the catalogue, so that a game does not change when ratings do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mchezo.core.chance import Seed
from mchezo.core.errors import InvalidSetup
from mchezo.games.katarenga.components import assemble, canonical, mirror_board, turn_board
from mchezo.games.katarenga.words import WORDS

FILE = "catalogue.tsv"
BALANCED = 3.0  # percentage points by which White's score on a balanced board may differ from 50 %


@dataclass(frozen=True)
class Rating:
    """White's score in percent for each turn of a board, with the half-width of its 95 % confidence interval."""

    turns: tuple[tuple[float, float], ...]
    chosen: int  # the turn that a strong Black player chooses

    @property
    def white(self) -> tuple[float, float]:
        """White's score if Black chooses the baseline."""
        return self.turns[self.chosen]

    @property
    def balanced(self) -> bool:
        """Whether Black is not favoured in any turn, nor White in the chosen one, by more than BALANCED."""
        return self.white[0] <= 50 + BALANCED and all(score >= 50 - BALANCED for score, _ in self.turns)


@cache
def ratings() -> dict[str, Rating]:
    """Return all ratings by canonical tile code."""
    return dict(read(resources.files(__package__).joinpath(FILE).read_text("utf-8").splitlines()))


def read(lines: Iterable[str]) -> Iterator[tuple[str, Rating]]:
    """Yield the boards of a catalogue and their ratings."""
    for line in lines:
        if line and not line.startswith("#"):
            board, chosen, *turns = line.split("\t")
            scores = [turn.split("±") for turn in turns]
            yield board, Rating(tuple((float(score), float(half)) for score, half in scores), int(chosen))


def write(board: str, rating: Rating) -> str:
    """Return the catalogue line of a board."""
    return "\t".join([board, str(rating.chosen), *(f"{score:.1f}±{half:.1f}" for score, half in rating.turns)])


def find(board: str) -> Rating | None:
    """Return the rating of a board (64 letters, ranks separated by `/`); None if it has not been rated."""
    code = canonical(board)
    known = None if code is None else ratings().get(code)
    if code is None or known is None:
        return None
    # Match each turn of this board, or of its mirror image, with a turn of the rated board.
    rated = [turn_board(assemble(code), turn) for turn in range(4)]
    same = []
    for turn in range(4):
        turned = turn_board(board, turn)
        same.append(next(at for at, other in enumerate(rated) if other in (turned, mirror_board(turned))))
    return Rating(tuple(known.turns[at] for at in same), same.index(known.chosen))


@cache
def balanced() -> tuple[str, ...]:
    """Return the tile codes of the balanced boards."""
    return tuple(board for board, rating in ratings().items() if rating.balanced)


def draw(seed: Seed, choose: bool) -> str:
    """Draw a balanced board: in a random turn if Black chooses the baseline, else in the balanced one."""
    boards = balanced()
    if not boards:
        raise InvalidSetup("board-none-balanced", WORDS, option="board")
    code = boards[seed.below(len(boards))]
    turn = seed.below(4) if choose else ratings()[code].chosen
    drawn = turn_board(assemble(code), turn)
    return mirror_board(drawn) if seed.below(2) else drawn
