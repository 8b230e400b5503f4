"""Draw the pictures of the three games in the README: positions from games of the computer against itself.

Run it after a change of a game's picture.py or artwork.py: python docs/make_pictures.py
"""

from pathlib import Path
from typing import Any

import mchezo

PICTURES = Path(__file__).parent / "pictures"
LEVEL = 3
# The options of each game, and the number of moves after which it is drawn.
GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "katarenga": ({"board": "b0d3a0c3"}, 19),
    "kiwara": ({}, 30),
    "kitara": ({"players": 4}, 130),
}


def picture(name: str) -> str:
    """Return a position in the middle of a game."""
    options, moves = GAMES[name]
    position = mchezo.game(name).start(seed=7, **options)
    player = mchezo.player(name, LEVEL, seed=7)
    while len(position.moves) < moves and position.to_move is not None:
        position.play(player.choose(position))
    return position.svg()


if __name__ == "__main__":
    for name in GAMES:
        (PICTURES / f"{name}.svg").write_text(picture(name), encoding="utf-8")
