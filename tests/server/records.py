"""Records of random games, and uploading them."""

import random
from typing import Any

import httpx

import mchezo
from tests.server.serving import Client

ONE_SCREEN = [{"kind": "you"}, {"kind": "you"}]


def record_of(game: str, seed: int = 1, moves: int = 10_000, **options: Any) -> str:
    """Return the record of a random game."""
    position = mchezo.game(game).start(seed=seed, **options)
    rng = random.Random(seed)
    while position.outcome is None and len(position.moves) < moves:
        # Attacking heroes draw tokens, the only secrets of the three games.
        eager = [move for move in position.legal_moves if "H" in move]
        eager = eager or [move for move in position.legal_moves if move != "."] or position.legal_moves
        position.play(rng.choice(eager))
    return str(position.record())


def upload(who: Client, record: str) -> str:
    return str(who.post("/api/records", {"record": record})["id"])


def error(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["told"]["key"]
