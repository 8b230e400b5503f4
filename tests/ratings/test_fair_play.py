"""Fair play: what counts when moves are compared with the engine's, and what is flagged for a person."""

from __future__ import annotations

from dataclasses import dataclass

from mchezo.ratings.fair_play import AGREED, LEAST_DECISIONS, LEAST_GAMES, LOST, UNIT, Compared, compare


@dataclass
class Decision:
    seat: int
    move: str
    best: list[str]
    chances: tuple[float, float]
    after: tuple[float, float]


def decision(
    move: str = "a", best: str = "a", chance: float = 0.5, after: float | None = None, seat: int = 0
) -> Decision:
    left = chance if after is None else after
    both = (chance, 1 - chance) if seat == 0 else (1 - chance, chance)
    return Decision(seat, move, [best, "x"], both, (left, 1 - left) if seat == 0 else (1 - left, left))


def test_decisions_count_while_the_game_is_open() -> None:
    played = [
        decision(),
        decision("b", "a", 0.6, 0.5),
        decision("b", "a", 0.95, 0.2),  # won
        decision(chance=0.05),  # lost
        decision("b", "a", 0.5, 0.1, seat=1),
    ]
    assert compare(played, 0) == Compared(1, 2, 1, 1_000)
    assert compare(played, 1) == Compared(1, 1, 0, 4_000)
    assert compare([], 0) == Compared(1, 0, 0, 0)


def test_figures_add_up_and_have_means() -> None:
    total = Compared(1, 10, 5, 1_000) + Compared(1, 30, 25, 1_000)
    assert total == Compared(2, 40, 30, 2_000)
    assert (total.agreement, total.mean_loss) == (0.75, 0.005)
    assert (Compared().agreement, Compared().mean_loss) == (0.0, 0.0)


def test_only_enough_games_that_are_nearly_all_the_engines_are_flagged() -> None:
    decisions = LEAST_DECISIONS
    agreed, lost = round(decisions * AGREED) + 1, int(decisions * LOST * UNIT)
    assert Compared(LEAST_GAMES, decisions, agreed, lost).flagged
    assert not Compared(LEAST_GAMES - 1, decisions, agreed, lost).flagged
    assert not Compared(LEAST_GAMES, decisions - 1, agreed, lost).flagged
    assert not Compared(LEAST_GAMES, decisions, agreed - 3, lost).flagged
    assert not Compared(LEAST_GAMES, decisions, agreed, 2 * lost).flagged
