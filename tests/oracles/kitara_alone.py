"""Oracle: slow and plain rules of Kitara alone, written from the page of rules, to check the fast engine against."""

from __future__ import annotations

from typing import Any

from tests.oracles.kitara import CHANCE, PAWN_TYPES, Kitara, Pawns

YOU, RIVAL = 0, 1

# The ages of the seven cards of the rival's deck, and the points with which you and it start, by difficulty.
DIFFICULTIES = {
    1: ([1, 1, 1, 2, 2, 3, 3], 15, 0),
    2: ([1, 1, 2, 2, 3, 3, 4], 5, 0),
    3: ([1, 1, 2, 2, 3, 3, 4], 0, 5),
    4: ([1, 2, 2, 3, 3, 4, 4], 0, 12),
    5: ([1, 2, 3, 3, 4, 4, 4], 0, 20),
}
# What the rival has more at the start, and the wish with which it always begins, by scenario.
SCENARIOS: dict[str, tuple[Pawns, int, str | None]] = {
    "open": ({}, 0, None),
    "raiders": ({"H": 2}, 0, "attack"),
    "guardians": ({"A": 2}, 0, "ruin"),
    "settlers": ({"W": 3}, 0, "savanna"),
    "heirs": ({}, 8, None),
    "empire": ({"W": 1, "A": 1, "H": 1}, 4, None),
}
WHEEL = ("attack", "ruin", "savanna")


class KitaraAlone(Kitara):
    """One game of a player against the rival, in which everything the rival does counts as chance."""

    _rival_card: str | None = None  # that it turned up in this turn

    def __init__(
        self, pack: dict[str, Any], *, rival: int, scenario: str = "open", deck: str = "blue", turns: str = "7/9"
    ) -> None:
        self._difficulty, self._scenario = rival, scenario
        self._rival_ages: list[int] = []
        super().__init__(pack, players=2, deck=deck, turns=turns)
        # The rival's deck is put aside before the other cards are stacked, as far as an age has enough cards.
        ages, yours, points = DIFFICULTIES[rival]
        self._rival_ages = [
            age for place, age in enumerate(ages) if ages[:place].count(age) < len(self._piles[age - 1])
        ]
        self._points = [yours, points + SCENARIOS[scenario][1]]
        self._set_up()

    # ---- the public face -------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The player, or CHANCE: there is nobody who decides for the rival."""
        seat = super().to_move
        return CHANCE if seat == RIVAL else seat

    def chance_weights(self) -> dict[str, int]:
        """Return the probability of each outcome when chance is to move."""
        if self._decision == "card":
            return {f"={card}": 1 for card in self._pile_on_top()}
        return super().chance_weights() or dict.fromkeys(self.legal_moves(), 1)

    def legal_moves(self) -> list[str]:
        """Return everything that may be decided now; for the rival, what is equally good by its rules."""
        usual = super().legal_moves() if self._decision != "card" else list(self.chance_weights())
        if self._decision == "retreat":
            if self._retreating == YOU:
                return usual
            largest = max(self._size(move[1:]) for move in usual)
            return [move for move in usual if self._size(move[1:]) == largest]
        if self._turn == YOU or self._decision in (None, "card", "token", "start"):
            return usual
        if self._decision == "draft":
            return sorted(f"={card}" for card in self._piles[self._rival_ages[0] - 1])
        if self._decision == "recruit":
            spaces = self._largest_nearest([move.split("@")[1] for move in usual])
            return [move for move in usual if move.split("@")[1] in spaces]
        if self._decision == "move":
            return sorted(f"{start}-{end}" for start, end in self._rival_move()[1]) or ["."]
        if self._decision == "pawns":
            pawns = self._rival_pawns()
            return ["".join(f"{kind}{pawns[kind]}" for kind in PAWN_TYPES if pawns[kind])]
        assert self._decision == "discard"
        return [f"-{self._cards_to_feed(RIVAL)[0]}"]  # kingdoms are in the order in which cards came: oldest first

    def play(self, move: str) -> None:
        """Apply one decision or chance outcome."""
        if self._decision == "draft" and self._turn == RIVAL:
            card = move[1:]
            self._piles[self._rival_ages.pop(0) - 1].remove(card)
            self._kingdoms[RIVAL].append(card)
            self._rival_card = card
            supply = self._supply[RIVAL]
            self._to_recruit = {kind: min(self._symbols[card].get(kind, 0), supply[kind]) for kind in PAWN_TYPES}
            self._go_on_recruiting()
        else:
            super().play(move)

    def view(self, seat: int | None) -> dict[str, object]:
        """Return what is seen: everything, for there is nobody to hide tokens from."""
        return {
            **super().view(seat),
            "deck_left": sum(len(pile) for pile in self._piles) - len(self._rival_ages),
            "all_tokens": [sorted(values) for values in self._kept],
            "rival": {"difficulty": self._difficulty, "scenario": self._scenario, "deck": list(self._rival_ages)},
        }

    def copy(self) -> KitaraAlone:
        """Return a copy of the game."""
        twin = super().copy()
        assert isinstance(twin, KitaraAlone)
        twin._rival_ages = list(self._rival_ages)
        return twin

    # ---- what differs from the game for two ------------------------------------------------------------------------

    def _start(self, space: str) -> None:
        """The rival's further pawns stand on its start space."""
        turn = self._turn
        super()._start(space)
        if turn == RIVAL:
            for kind, count in SCENARIOS[self._scenario][0].items():
                self._put(RIVAL, space, {kind: count})
                self._supply[RIVAL][kind] -= count

    def _pile_on_top(self) -> list[str]:
        """Return the cards of which one is next in the deck: those of the first age that is not all the rival's."""
        return next(pile for age, pile in enumerate(self._piles, start=1) if len(pile) > self._rival_ages.count(age))

    def _deck_holds_cards(self) -> bool:
        return sum(len(pile) for pile in self._piles) > len(self._rival_ages)

    def _begin_turn(self) -> None:
        """The rival does not draft from the row: it turns up the top card of its own deck."""
        if self._turn == YOU:
            super()._begin_turn()
            return
        self._phase, self._rival_card = "draft", None
        if self._rival_ages:
            self._decision = "draft"
        else:
            self._begin_moves()

    def _discard(self, card: str) -> None:
        """The rival's pawns stay on the board."""
        if self._turn == YOU:
            super()._discard(card)
            return
        self._kingdoms[RIVAL].remove(card)
        self._discarded.append(card)
        self._go_on_managing()

    # ---- the rival's moves -----------------------------------------------------------------------------------------

    def _size(self, space: str) -> int:
        return sum(self._pawns[space].values()) if space in self._pawns else 0

    def _distance_to_you(self, space: str) -> int:
        """Return the number of white borders to your nearest space; large if you have none."""
        seen, ring, steps = {space}, {space}, 0
        while ring:
            if any(self._owner.get(one) == YOU for one in ring):
                return steps
            ring = {neighbour for one in ring for neighbour in self._borders[one]} - seen
            seen |= ring
            steps += 1
        return 1000

    def _largest_nearest(self, spaces: list[str]) -> list[str]:
        """Return the largest groups; of equally large ones those nearest to you."""
        best = max((self._size(space), -self._distance_to_you(space)) for space in spaces)
        return [space for space in spaces if (self._size(space), -self._distance_to_you(space)) == best]

    def _rival_move(self) -> tuple[str, list[tuple[str, str]]]:
        """Return what the rival does next, and the borders that are equally good for it; none if its moves end."""
        first = SCENARIOS[self._scenario][2]
        if first is None:
            symbols = self._symbols[self._rival_card] if self._rival_card else {}
            first = "attack" if symbols.get("H") else "ruin" if symbols.get("A") else "savanna"
        begin = WHEEL.index(first)
        for wish in WHEEL[begin:] + WHEEL[:begin]:
            found = {"attack": self._attacks, "ruin": self._ruins, "savanna": self._savannas}[wish]()
            if found:
                return wish, found
        return "march", self._marches()

    def _own_borders(self) -> list[tuple[str, str]]:
        return [(start, end) for start in self._spaces_of(RIVAL) for end in self._borders[start]]

    def _from_largest(self, borders: list[tuple[str, str]]) -> list[tuple[str, str]]:
        largest = max((self._size(start) for start, _ in borders), default=0)
        return [(start, end) for start, end in borders if self._size(start) == largest]

    def _attacks(self) -> list[tuple[str, str]]:
        """A ruin before a savanna, then the fewest defenders, then from the largest group."""
        if len(self._spaces_of(YOU)) <= 1:
            return []
        able = [
            (start, end)
            for start, end in self._own_borders()
            if self._owner.get(end) == YOU and self._size(start) > self._size(end)
        ]
        able = [border for border in able if self._kind[border[1]] == "ruin"] or able
        fewest = min((self._size(end) for _, end in able), default=0)
        return self._from_largest([border for border in able if self._size(border[1]) == fewest])

    def _ruins(self) -> list[tuple[str, str]]:
        """A master-animal that does not hold a ruin alone steps into a ruin without one."""
        able = []
        for start, end in self._own_borders():
            animals = self._pawns[start]["A"]
            spare = animals >= 1 if self._kind[start] != "ruin" else animals >= 2
            here = end not in self._owner or (self._owner[end] == RIVAL and self._pawns[end]["A"] == 0)
            if spare and here and self._kind[end] == "ruin":
                able.append((start, end))
        return self._from_largest(able)

    def _savannas(self) -> list[tuple[str, str]]:
        """While not every card can be fed: a warrior whom its group can spare steps into a free savanna."""
        if len(self._cards_to_feed(RIVAL)) <= self._feeding_savannas(RIVAL):
            return []
        able = []
        for start, end in self._own_borders():
            warriors = self._pawns[start]["W"]
            spare = warriors >= 2 if self._kind[start] == "savanna" else warriors >= 1 and self._size(start) >= 2
            if spare and end not in self._owner and self._kind[end] == "savanna":
                able.append((start, end))
        return self._from_largest(able)

    def _marching(self, start: str) -> Pawns:
        """All pawns march but for a warrior on a savanna and a master-animal in a ruin."""
        pawns = dict(self._pawns[start])
        stays = "W" if self._kind[start] == "savanna" else "A"
        pawns[stays] = max(0, pawns[stays] - 1)
        return pawns

    def _marches(self) -> list[tuple[str, str]]:
        """The largest group goes nearer to you, over free spaces or its own."""
        able = []
        for start in self._largest_nearest(self._spaces_of(RIVAL)):
            for end in self._borders[start]:
                nearer = self._distance_to_you(end) < self._distance_to_you(start)
                if nearer and self._owner.get(end) != YOU and sum(self._marching(start).values()) > 0:
                    able.append((start, end))
        return able

    def _rival_pawns(self) -> Pawns:
        """Return the pawns that cross."""
        start, end = self._crossing
        if self._owner.get(end) == YOU:
            order = "AHW" if self._kind[end] == "ruin" else "HWA"
            pawns, left = dict.fromkeys(PAWN_TYPES, 0), self._size(end) + 1
            for kind in order:
                pawns[kind] = min(left, self._pawns[start][kind])
                left -= pawns[kind]
            return pawns
        wish = self._rival_move()[0]
        if wish == "march":
            return self._marching(start)
        return {kind: int(kind == ("A" if wish == "ruin" else "W")) for kind in PAWN_TYPES}
