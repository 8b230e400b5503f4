"""Playthroughs, as OpenSpiel keeps them: a game from its start to its end with everything that can be asked of it.

They are made through OpenSpiel and kept in `playthroughs/`. If a change is meant to change them, write them again and
look at the difference: `python -m tests.envs.playthrough`.
"""

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

import mchezo.envs.openspiel

FOLDER = Path(__file__).parent / "playthroughs"
PLAYTHROUGHS = {
    "katarenga": "mchezo_katarenga(seed=3)",
    "congress": "mchezo_katarenga(variant=congress,seed=1)",
    "quebec": "mchezo_katarenga(variant=quebec,seed=2)",
    "isolation": "mchezo_katarenga(variant=isolation)",
    "kiwara": "mchezo_kiwara",
    "kiwara-pile": "mchezo_kiwara(reinforcement=pile,handicap=1;2)",
    "kitara-2": "mchezo_kitara",
    "kitara-3": "mchezo_kitara(players=3,deck=red)",
    "kitara-4": "mchezo_kitara(players=4)",
}
SEED = 1


def digest(values: Any) -> str:
    """Return a digest of numbers or of a text."""
    data = values.encode() if isinstance(values, str) else np.asarray(values, np.float32).tobytes()
    return hashlib.sha256(data).hexdigest()[:8]


def playthrough(text: str) -> Iterator[str]:
    """Yield the lines of a random game."""
    game, generator = pyspiel.load_game(text), random.Random(SEED)
    kind, players = game.get_type(), range(game.num_players())
    yield f"game: {game}"
    yield f"type: {kind.long_name}, {kind.chance_mode}, {kind.information}, {kind.utility}"
    yield f"players: {len(players)}, results from {game.min_utility():g} to {game.max_utility():g}"
    yield f"their sum: {game.utility_sum():g}"
    yield f"actions: {game.num_distinct_actions()}, chance outcomes: {game.max_chance_outcomes()}"
    yield f"observation: {game.observation_tensor_shape()}, information state: {game.information_state_tensor_shape()}"
    yield f"longest: {game.max_game_length()} and {game.max_chance_nodes_in_history()} of chance"
    state = game.new_initial_state()
    while True:
        yield ""
        yield f"# {state.move_number()} {digest(str(state))}"
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            yield "chance: " + " ".join(f"{number}:{state.action_to_string(number)}:{p:.6g}" for number, p in outcomes)
            action = outcomes[generator.randrange(len(outcomes))][0]
        else:
            for player in players:
                yield (
                    f"player {player}: observation {digest(state.observation_tensor(player))} "
                    f"{digest(state.observation_string(player))}, "
                    f"information {digest(state.information_state_tensor(player))} "
                    f"{digest(state.information_state_string(player))}"
                )
            yield f"rewards: {' '.join(f'{reward:g}' for reward in state.rewards())}"
            if state.is_terminal():
                yield f"returns: {' '.join(f'{result:g}' for result in state.returns())}"
                return
            actions = state.legal_actions()
            yield f"legal for {state.current_player()}: " + " ".join(
                f"{number}:{state.action_to_string(number)}" for number in actions
            )
            action = actions[generator.randrange(len(actions))]
        yield f"action: {action} {state.action_to_string(action)}"
        state.apply_action(action)


def write_all() -> None:
    """Rewrite all playthroughs."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in PLAYTHROUGHS.items():
        (FOLDER / f"{name}.txt").write_text("\n".join(playthrough(text)) + "\n")


if __name__ == "__main__":
    assert mchezo.envs.openspiel  # registers the games
    write_all()
