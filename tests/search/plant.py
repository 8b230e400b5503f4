"""Create the games with a planted blunder: `python -m tests.search.plant GAME [COUNT]`.

Strong players play each other; once, one of them makes a move that a search far deeper than the analysis holds to be
bad. Kitara is checked by playing on as well: after the planted move the seat must win far fewer games than before it.
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import mchezo
from mchezo.core.chance import Seed
from mchezo.search.players import LEVELS, engine, levels

FOLDER = Path(__file__).parent / "planted"
DEEP = {"katarenga": 3_000_000, "kiwara": 1_000_000, "kitara": 1_000_000}  # nodes; the test uses a small share of them
LEAST = 0.4  # loss in the chance of winning
STRONG = 6
ROLLOUTS, ROLLOUT_LEVEL = 24, 4
OPENING = 9  # random decisions
TRIED = 10  # moves tried at each decision


def options(name: str, rng: random.Random) -> dict[str, Any]:
    """Return the start options of a random kind of this game."""
    if name == "katarenga":
        return {"variant": rng.choice(["katarenga", "katarenga", "congress", "quebec"])}
    if name == "kiwara":
        return {"reinforcement": rng.choice(["okapi", "pile"]), "board": rng.choice(["classic", "president"])}
    return {"players": rng.choice([2, 3, 4])}


def play_on(position: mchezo.Position, level: int, seed: int, decisions: int = 10_000, share: float = 1.0) -> None:
    """Let players of one level play a number of turns, or to the end."""
    player = mchezo.player(position.game, level, seed=seed, share=share)
    for _ in range(decisions):
        if position.to_move is None:
            return
        for move in player.turn(position):
            position.play(move)


def candidates(name: str, rng: random.Random) -> Iterator[tuple[mchezo.Position, int, str]]:
    """Yield positions of strong games, the seat to move, and blunders to plant there, as the deep search rates them."""
    thinker = engine(levels(name)[LEVELS - 1], threads=1)
    while True:
        game = mchezo.game(name)
        whole = game.start(seed=rng.getrandbits(31), **options(name, rng))
        if name == "kiwara":
            # Without chance strong players would play the same game again and again.
            for _ in range(OPENING):
                whole.play(rng.choice(whole.legal_moves))
        play_on(whole, STRONG, rng.getrandbits(31), share=0.3)
        found = [number for number, step in enumerate(whole.steps) if step.by >= 0]
        early, late = (len(found) // 2, len(found) - 1) if name == "kitara" else (len(found) // 4, 3 * len(found) // 4)
        for number in rng.sample(found[early:late], min(4, late - early)):
            position = whole.earlier(number)
            seat, legal = position.to_move, position.legal_moves
            assert seat is not None
            if len(legal) < 4:
                continue
            best = thinker.best(position, 1, nodes=DEEP[name])[0]
            if best.chances[seat] < LEAST:
                continue
            # Stopping too early is the most common blunder: allow it in a share of the games only.
            tried = legal if rng.random() < 0.3 else [move for move in legal if move != "."]
            for move in rng.sample(tried, min(TRIED, len(tried))):
                made = thinker.best(position, 1, nodes=DEEP[name] // 10, only=[move])[0]
                if best.chances[seat] - made.chances[seat] < LEAST:
                    continue
                made = thinker.best(position, 1, nodes=DEEP[name], only=[move])[0]
                if best.chances[seat] - made.chances[seat] >= LEAST and (name != "kitara" or worse(position, move)):
                    yield position, seat, move
                    break
            else:
                continue
            break


def worse(position: mchezo.Position, move: str) -> bool:
    """Return whether strong play scores far worse after the move than before it."""
    seat = position.to_move
    assert seat is not None
    return wins(position, seat, None) - wins(position, seat, move) >= LEAST / 2


def wins(position: mchezo.Position, seat: int, move: str | None) -> float:
    """Return the share of games that a seat wins from here, with new chance outcomes."""
    won = 0.0
    for number in range(ROLLOUTS):
        game = position.copy()
        game.seed = Seed(number + 1)
        if move is not None:
            game.play(move)
        play_on(game, ROLLOUT_LEVEL, number, share=0.3)
        outcome = game.outcome
        assert outcome is not None
        won += (seat in outcome.winners) / max(1, len(outcome.winners))
    return won / ROLLOUTS


def main() -> None:
    """Write the records."""
    name, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10
    rng = random.Random(name)
    FOLDER.mkdir(exist_ok=True)
    found = candidates(name, rng)
    for number in range(1, count + 1):
        position, seat, move = next(found)
        at = len(position.moves)
        position.play(move)
        play_on(position, STRONG, rng.getrandbits(31), share=0.3)
        record = replace(position.record(), tags={"Planted": str(at), "Seat": str(seat)})
        (FOLDER / f"{name}-{number:02}.txt").write_text(str(record), encoding="utf-8")
        print(name, number, at, move, flush=True)


if __name__ == "__main__":
    main()
