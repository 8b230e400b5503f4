"""Generate fixtures for the page on which boards are developed: views and legal moves of random games.

python web/dev/fixtures.py
"""

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import mchezo
from mchezo.core.effects import Effect
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
    """Play a random game and return every step as the seat to move sees it."""
    position = mchezo.game(name.split("-")[0].replace("congress", "katarenga").replace("isolation", "katarenga")).start(
        seed=7, **options
    )
    choice = random.Random(7)
    steps: list[dict[str, Any]] = []
    told: list[Effect] = []  # by the seat that moved last
    mover = None
    while True:
        seat = position.to_move
        view = position.view(seat)
        legal = position.legal_moves if seat is not None else []
        steps.append({"view": view, "legal": legal, "told": [effect._asdict() for effect in told]})
        if seat is None or len(steps) > 160:
            break
        number = len(position.steps)
        position.play(choice.choice(legal))
        if seat != mover:
            told, mover = [], seat
        befores = [step.before for step in position.steps[number:]] + [position.states]
        for step, before, after in zip(position.steps[number:], befores[:-1], befores[1:], strict=True):
            action = position.game.notation.parse(step.text, before[0], position.setups[0])
            told += position.game.effects.of(action, before[0], after[0], position.setups[0], False)
    chart = asdict(find("reconstruction").maps[view["players"]]) if view["game"] == "kitara" else None
    return {"steps": steps, "map": chart}


if __name__ == "__main__":
    folder = Path(__file__).parent / "fixtures"
    folder.mkdir(exist_ok=True)
    for name, options in GAMES.items():
        (folder / f"{name}.json").write_text(json.dumps(play(name, options)))
