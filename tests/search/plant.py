"""Makes the games with a planted blunder: `python -m tests.search.plant GAME [COUNT]`.

Strong players play each other; once, one of them makes a move that a search far deeper than the analysis holds to be
bad. Kitara is judged by playing on as well: after the planted move the seat must win far fewer games than before it.
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
DEEP = {"katarenga": 3_000_000, "kiwara": 1_000_000, "kitara": 1_000_000}  # nodes; the test gives a small part of it
LEAST = 0.4  # of the chance of winning is given away
STRONG = 6
ROLLOUTS, ROLLOUT_LEVEL = 24, 4
OPENING = 9  # random decisions
TRIED = 10  # moves, at each of the moments looked at


def options(name: str, dice: random.Random) -> dict[str, Any]:
    """Games of all kinds."""
    if name == "katarenga":
        return {"variant": dice.choice(["katarenga", "katarenga", "congress", "quebec"])}
    if name == "kiwara":
        return {"reinforcement": dice.choice(["okapi", "pile"]), "board": dice.choice(["classic", "president"])}
    return {"players": dice.choice([2, 3, 4])}


def play_on(position: mchezo.Position, level: int, seed: int, decisions: int = 10_000, share: float = 1.0) -> None:
    """Let players of one level make so many turns, or play to the end."""
    player = mchezo.player(position.game, level, seed=seed, share=share)
    for _ in range(decisions):
        if position.to_move is None:
            return
        for move in player.turn(position):
            position.play(move)


def candidates(name: str, dice: random.Random) -> Iterator[tuple[mchezo.Position, int, str]]:
    """Positions of strong games, who is to move, and what could be planted there, judged by the deep search."""
    thinker = engine(levels(name)[LEVELS - 1], threads=1)
    while True:
        game = mchezo.game(name)
        whole = game.start(seed=dice.getrandbits(31), **options(name, dice))
        if name == "kiwara":
            # Without chance strong players would play the same game again and again.
            for _ in range(OPENING):
                whole.play(dice.choice(whole.legal_moves))
        play_on(whole, STRONG, dice.getrandbits(31), share=0.3)
        found = [number for number, step in enumerate(whole.steps) if step.by >= 0]
        early, late = (len(found) // 2, len(found) - 1) if name == "kitara" else (len(found) // 4, 3 * len(found) // 4)
        for number in dice.sample(found[early:late], min(4, late - early)):
            position = whole.copy()
            position.steps, position.states = whole.steps[:number], whole.steps[number].before
            seat, legal = position.to_move, position.legal_moves
            assert seat is not None
            if len(legal) < 4:
                continue
            best = thinker.best(position, 1, nodes=DEEP[name])[0]
            if best.chances[seat] < LEAST:
                continue
            # To stop too early is the commonest blunder of all: not in every game.
            tried = legal if dice.random() < 0.3 else [move for move in legal if move != "."]
            for move in dice.sample(tried, min(TRIED, len(tried))):
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
    """Whether strong play goes on far worse after the move than before it."""
    seat = position.to_move
    assert seat is not None
    return wins(position, seat, None) - wins(position, seat, move) >= LEAST / 2


def wins(position: mchezo.Position, seat: int, move: str | None) -> float:
    """The share of games that a seat wins from here, with fresh chance."""
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
    dice = random.Random(name)
    FOLDER.mkdir(exist_ok=True)
    found = candidates(name, dice)
    for number in range(1, count + 1):
        position, seat, move = next(found)
        at = len(position.moves)
        position.play(move)
        play_on(position, STRONG, dice.getrandbits(31), share=0.3)
        record = replace(position.record(), tags={"Planted": str(at), "Seat": str(seat)})
        (FOLDER / f"{name}-{number:02}.txt").write_text(str(record), encoding="utf-8")
        print(name, number, at, move, flush=True)


if __name__ == "__main__":
    main()
