"""Puzzles of Kiwara: endgames, all of them proved."""

import random
from collections.abc import Iterator
from importlib.resources import files

from mchezo.core.position import Position
from mchezo.core.puzzles import OnlyMoves, Puzzles, Solution
from mchezo.games.kiwara.components import ANIMALS

MOST_EMPTY = 7  # spaces
BRANCHES = 32  # of a game: itself, and endings in which everybody plays at random
BRANCHING = 9  # empty spaces where they begin
THEMES = {"swapped": "swap", "went-home": "chase", "card-used": "card"}  # by the effect of a move
NAMES = {animal.letter: animal.name for animal in ANIMALS}


def options(at: Position) -> dict[str, str] | None:
    """Return the options that set up a position; there are none in the middle of a turn, or of the game."""
    seen = at.view()
    if seen["position"] is None or empty_spaces(seen["position"]) > MOST_EMPTY:
        return None
    return {"position": seen["position"]}


def empty_spaces(position: str) -> int:
    """Return how many spaces of a written position are empty."""
    return sum(int(letter) for letter in position.split()[0] if letter.isdigit())


def branches(game: Position, chance: random.Random) -> Iterator[Position]:
    """Yield a game, and the same with other endings."""
    yield game
    places = [at for at, step in enumerate(game.steps) if spaces_left(game.earlier(at)) == BRANCHING]
    for _ in range(BRANCHES - 1 if places else 0):
        other = game.earlier(places[0])
        while other.to_move is not None:
            other.play(chance.choice(other.legal_moves))
        yield other


def spaces_left(at: Position) -> int | None:
    """Return how many spaces are empty at the beginning of a turn; None in its middle."""
    written = at.view()["position"]
    return None if written is None else empty_spaces(written)


def themes(solution: Solution) -> Iterator[str]:
    """Yield the themes of a puzzle."""
    for effect in solution.effects:
        if effect.key in THEMES:
            yield THEMES[effect.key]
        elif effect.key == "placed":
            yield NAMES[str(effect.arguments["animal"])]
    yield "totem" if any(move[0] in "+-" for move in solution.moves) else "placing"


ENDGAMES = OnlyMoves(
    nodes=8_000, opening=10, fewest=40, most=8, must_be_proved=True, options=options, branches=branches
)
PUZZLES = Puzzles(ENDGAMES, themes, files(__package__) / "puzzles.json.gz")
