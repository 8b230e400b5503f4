"""Views and legal moves along random games, for the page on which boards are developed.

python web/dev/fixtures.py
"""

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import mchezo
from mchezo.games.kitara.pack import find

GAMES: dict[str, dict[str, Any]] = {
    "katarenga": {"board": "b0d3a0c3", "choose_baseline": True},
    "congress": {"variant": "congress", "board": "b0d3a0c3"},
    "isolation": {"variant": "isolation", "board": "b0d3a0c3"},
    "kiwara": {},
    "kiwara-pile": {"reinforcement": "pile", "board": "free", "handicap": (1, 2)},
    "kitara": {"players": 2},
    "kitara-3": {"players": 3, "deck": "red"},
    "kitara-4": {"players": 4},
}


def play(name: str, options: dict[str, Any]) -> dict[str, object]:
    """A random game, step by step, as the seat to move sees it."""
    position = mchezo.game(name.split("-")[0].replace("congress", "katarenga").replace("isolation", "katarenga")).start(
        seed=7, **options
    )
    choice = random.Random(7)
    steps = []
    while True:
        seat = position.to_move
        view = position.view(seat)
        steps.append({"view": view, "legal": position.legal_moves if seat is not None else []})
        if seat is None or len(steps) > 160:
            break
        position.play(choice.choice(position.legal_moves))
    chart = asdict(find("reconstruction").maps[view["players"]]) if view["game"] == "kitara" else None
    return {"steps": steps, "map": chart}


if __name__ == "__main__":
    folder = Path(__file__).parent / "fixtures"
    folder.mkdir(exist_ok=True)
    for name, options in GAMES.items():
        (folder / f"{name}.json").write_text(json.dumps(play(name, options)))
