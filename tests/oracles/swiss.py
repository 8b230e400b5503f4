"""Checks pairings of a Swiss tournament by the rules of FIDE alone.

These are C.04.1 (basic rules) and C.04.3 (Dutch system, until 2026).

It knows nothing of how pairings are made. What only a search can show, such as how many players of the highest score
group could meet each other, is shown with a maximum weight matching of NetworkX.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import networkx as nx

BYE = -1
WHITE, BLACK = 1, -1


@dataclass
class Past:
    """What the rules need to know about a player, in order of the initial ranking."""

    number: int
    score: float = 0.0
    colors: list[int] = field(default_factory=list)  # of the games played
    opponents: list[int] = field(default_factory=list)
    byes: int = 0

    @property
    def difference(self) -> int:
        """The colour difference: games with White minus games with Black."""
        return sum(self.colors)

    @property
    def preference(self) -> int:
        """The colour that the player should have: 0 if there is no preference."""
        if not self.colors:
            return 0
        if self.absolute and abs(self.difference) <= 1:
            return -self.colors[-1]
        return -sign(self.difference) if self.difference else -self.colors[-1]

    @property
    def absolute(self) -> bool:
        """Whether the preference is absolute: a difference of two, or the same colour in the last two games."""
        twice = len(self.colors) > 1 and self.colors[-1] == self.colors[-2]
        return abs(self.difference) > 1 or twice


@dataclass
class Played:
    """A round: pairs of White and Black with White's score, and who had the bye."""

    pairs: list[tuple[int, int, float]]
    byes: list[int]


def sign(number: int) -> int:
    """Return 1, 0 or -1."""
    return (number > 0) - (number < 0)


class Checker:
    """Follows a tournament round by round."""

    def __init__(self, players: int, rounds: int) -> None:
        self.past = [Past(number) for number in range(players)]
        self.rounds = rounds
        self.round = 0

    def is_topscorer(self, player: Past) -> bool:
        """Topscorers have more than half of the possible points when the last round is paired."""
        return self.round == self.rounds - 1 and player.score > self.round / 2

    def may_meet(self, one: Past, other: Past) -> bool:
        """C1: two players do not meet twice. C3: nor do two with the same absolute preference, topscorers excepted."""
        if other.number in one.opponents:
            return False
        clash = one.absolute and other.absolute and one.preference == other.preference
        return not clash or self.is_topscorer(one) or self.is_topscorer(other)

    def complete(self, present: Sequence[int], weigh: dict[tuple[int, int], int], byes: Sequence[int]) -> int | None:
        """Return the greatest weight of a complete legal pairing with one of these byes; None without one."""
        graph = nx.Graph()
        graph.add_nodes_from(present)
        if len(present) % 2:
            graph.add_edges_from(((BYE, player) for player in byes), weight=0)
        for index, first in enumerate(present):
            for second in present[index + 1 :]:
                if self.may_meet(self.past[first], self.past[second]):
                    graph.add_edge(first, second, weight=weigh.get((first, second), 0))
        matching = nx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(matching) < len(present) + len(present) % 2:
            return None
        total: int = sum(graph.edges[pair]["weight"] for pair in matching)
        return total

    def can_be_paired(self, present: Sequence[int]) -> bool:
        """Return whether the rules allow any pairing."""
        return self.complete(present, {}, self.without_bye(present)) is not None

    def without_bye(self, present: Sequence[int]) -> list[int]:
        """C2: nobody has two byes."""
        return [player for player in present if not self.past[player].byes]

    def faults(self, present: Sequence[int], paired: Played) -> Iterator[str]:
        """Yield what is wrong with a pairing, before it is played."""
        seen = [player for white, black, _ in paired.pairs for player in (white, black)] + paired.byes
        if sorted(seen) != sorted(present):
            yield "somebody is not paired exactly once"
            return
        if len(paired.byes) != len(present) % 2:
            yield "the number of byes is wrong"
        for white, black, _ in paired.pairs:
            yield from self.pair_faults(self.past[white], self.past[black])
        yield from self.bye_faults(present, paired)
        yield from self.float_faults(present, paired)
        if self.round == 0:
            yield from self.first_round_faults(sorted(present), paired)

    def pair_faults(self, white: Past, black: Past) -> Iterator[str]:
        """Yield what is wrong with two players who meet."""
        if black.number in white.opponents:
            yield f"{white.number} and {black.number} meet twice"
        if not self.may_meet(white, black):
            yield f"{white.number} and {black.number} both must have the same colour"
        for player, color in ((white, WHITE), (black, BLACK)):
            lucky = self.is_topscorer(white) or self.is_topscorer(black)
            if not lucky and abs(player.difference + color) > 2:
                yield f"{player.number} has a colour difference of three"
            if not lucky and player.colors[-2:] == [color, color]:
                yield f"{player.number} has the same colour three times in a row"
        if white.preference == BLACK and black.preference == WHITE:
            yield f"{white.number} and {black.number} could both have the colour they prefer"

    def bye_faults(self, present: Sequence[int], paired: Played) -> Iterator[str]:
        """Yield what is wrong with the bye: C2, and C6, a lower score could have it by an exchange within a pair."""
        for player in paired.byes:
            if self.past[player].byes:
                yield f"{player} has a second bye"
            for white, black, _ in paired.pairs:
                for lower, opponent in ((white, black), (black, white)):
                    lower_score = self.past[lower].score < self.past[player].score and not self.past[lower].byes
                    if lower_score and self.may_meet(self.past[player], self.past[opponent]):
                        yield f"{lower} has a lower score than {player} and could have the bye"

    def float_faults(self, present: Sequence[int], paired: Played) -> Iterator[str]:
        """Yield if more players than necessary leave the highest score group (C4, C5)."""
        best = max(self.past[player].score for player in present)
        top = [player for player in present if self.past[player].score == best]
        inside = {(first, second): 1 for first in top for second in top}
        possible = self.complete(present, inside, self.without_bye(present))
        found = sum(white in top and black in top for white, black, _ in paired.pairs)
        if possible is not None and found < possible:
            yield f"{possible} pairs of the highest score group are possible, not only {found}"

    def first_round_faults(self, present: Sequence[int], paired: Played) -> Iterator[str]:
        """Yield if the upper half does not meet the lower half in order, or the last does not have the bye."""
        half = len(present) // 2
        expected = {frozenset((present[index], present[index + half])) for index in range(half)}
        if {frozenset((white, black)) for white, black, _ in paired.pairs} != expected:
            yield "the first round is not upper half against lower half"
        if paired.byes != list(present[2 * half :]):
            yield "the bye of the first round is not the last player's"

    def play(self, paired: Played) -> None:
        """Add a round with its results."""
        for white, black, score in paired.pairs:
            for player, opponent, color, gained in ((white, black, WHITE, score), (black, white, BLACK, 1 - score)):
                self.past[player].opponents.append(opponent)
                self.past[player].colors.append(color)
                self.past[player].score += gained
        for player in paired.byes:
            self.past[player].byes += 1
            self.past[player].score += 1
        self.round += 1
