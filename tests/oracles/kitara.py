"""Oracle: slow and plain rules of Kitara, to check the fast engine against."""

from __future__ import annotations

import copy
import itertools
import re
from typing import Any

CHANCE = -1  # the mover while cards are revealed and tokens drawn

# Warriors, master-animals and heroes, in the order in which they are recruited and removed.
PAWN_TYPES = ("W", "A", "H")
PAWNS_EACH = {"W": 10, "A": 5, "H": 3}
FIRST_WARRIORS = 3  # each player's, on the start space
ROW_LENGTH = 6
LAST_AGE = 5

Pawns = dict[str, int]  # type of pawn -> count
Outcome = tuple[tuple[int, ...], tuple[int, ...], str]


def symbols_of(text: str) -> dict[str, int]:
    """The symbols of a card: "D1W2N" has one draft icon, two warriors and the mark "need not be fed"."""
    return {letter: int(number or 1) for letter, number in re.findall(r"([DWAHMVN])(\d*)", text)}


def age_of(card: str) -> int:
    """The age of a card by its name: `1.3` is of age 1, the starting card `0` of age 0."""
    return int(card.split(".")[0])


class Kitara:
    """One game, from its setup to its end."""

    def __init__(self, pack: dict[str, Any], *, players: int, deck: str = "blue", turns: str = "7/9") -> None:
        self._pack_name: str = pack["name"]
        self._players = players
        self._deck_name = deck
        self._turns = turns

        # The board for this number of players. Lakes have no white border, so they can be neither entered nor crossed.
        spaces = pack["maps"][str(players)]["spaces"]
        self._kind: dict[str, str] = {space["id"]: space["kind"] for space in spaces}
        self._borders: dict[str, list[str]] = {space["id"]: list(space.get("borders", [])) for space in spaces}
        self._start_spaces: list[str] = [space["id"] for space in spaces if space.get("start", False)]

        # The deck: one pile for each age, age 1 on top, each shuffled by itself. By option the cards of the deck in
        # listed order are divided into ages of 6, 6, 6, 6 and 8 cards.
        ages: list[list[str]] = pack["decks"][deck]
        if turns == "6/8":
            listed = [text for age in ages for text in age]
            ages = [listed[0:6], listed[6:12], listed[12:18], listed[18:24], listed[24:]]
        self._card_text: dict[str, str] = {"0": pack["starting_card"]}
        self._piles: list[list[str]] = []  # the cards not yet seen, age by age
        for age, texts in enumerate(ages, start=1):
            named = {f"{age}.{place}": text for place, text in enumerate(texts, start=1)}
            self._card_text.update(named)
            self._piles.append(list(named))
        self._symbols = {card: symbols_of(text) for card, text in self._card_text.items()}

        self._bag: dict[int, int] = {int(value): number for value, number in pack["tokens"].items()}
        self._row: list[str] = []  # the oldest card first, the one next to the deck last
        self._discarded: list[str] = []  # cards out of the game; they never return
        # Each player begins with a starting card, all pawns in the supply, no points and no tokens.
        self._kingdoms: list[list[str]] = [["0"] for _ in range(players)]
        self._supply: list[Pawns] = [dict(PAWNS_EACH) for _ in range(players)]
        self._points = [0] * players
        self._kept: list[list[int]] = [[] for _ in range(players)]  # the values of the tokens
        self._drawn: list[int] = []  # drawn in this turn by the player whose turn it is
        self._owner: dict[str, int] = {}  # occupied space -> seat; players never share a space
        self._pawns: dict[str, Pawns] = {}  # occupied space -> the pawns on it

        self._round = 1
        self._last_round: int | None = None
        self._turn = 0  # the seat whose turn it is
        self._to_recruit = dict.fromkeys(PAWN_TYPES, 0)
        self._moves_left = 0
        self._crossing: tuple[str, str] = ("", "")  # the border of the current move
        self._retreating = 0  # the attacked seat
        self._retreating_pawns = dict.fromkeys(PAWN_TYPES, 0)  # off the board between the attack and their retreat
        self._capacity = 0
        self._to_remove = dict.fromkeys(PAWN_TYPES, 0)
        self._outcome: Outcome | None = None

        self._phase = "set-up"  # then "draft", "recruit", "move", "manage", "clean-up" and at last "over"
        self._decision: str | None = None  # the current decision, by its name in the view
        self._set_up()

    # ---- the public face -------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The seat that decides, CHANCE, or None when the game is over."""
        if self._decision is None:
            return None
        if self._decision in ("card", "token"):
            return CHANCE
        # Where to retreat to is decided by the attacked player, in the middle of the other's turn.
        return self._retreating if self._decision == "retreat" else self._turn

    @property
    def outcome(self) -> Outcome | None:
        """(winners, final scores, reason) when the game is over."""
        return self._outcome

    def chance_weights(self) -> dict[str, int]:
        """Return the probability of each outcome when chance is to move."""
        if self._decision == "card":
            # The next card is any unseen one of the top pile, all equally likely.
            pile_on_top = next(pile for pile in self._piles if pile)
            return {f"={card}": 1 for card in pile_on_top}
        if self._decision == "token":
            return {f"={value}": number for value, number in self._bag.items() if number > 0}
        return {}

    def legal_moves(self) -> list[str]:
        """Return everything that may be decided now, sorted; nothing once the game is over."""
        moves: list[str] = []
        if self._decision in ("card", "token"):
            moves = list(self.chance_weights())
        elif self._decision == "start":
            moves = [f"@{space}" for space in self._start_spaces if space not in self._owner]
        elif self._decision == "draft":
            moves = [f"+{card}" for card in self._row[: self._choices()]]
        elif self._decision == "recruit":
            moves = [f"{self._first(self._to_recruit)}@{space}" for space in self._recruiting_spaces()]
        elif self._decision == "move":
            # Moving is optional.
            moves = [".", *(f"{start}-{end}" for start, end in self._crossable_borders())]
        elif self._decision == "pawns":
            parts = self._parts_that_may_cross(*self._crossing)
            moves = ["".join(f"{kind}{part[kind]}" for kind in PAWN_TYPES if part[kind] > 0) for part in parts]
        elif self._decision == "retreat":
            moves = [f">{space}" for space in self._nearest_spaces(self._retreating, self._crossing[1])]
        elif self._decision == "discard":
            moves = [f"-{card}" for card in self._cards_to_feed(self._turn)]
        elif self._decision == "remove":
            kind = self._first(self._to_remove)
            moves = [f"x{kind}@{space}" for space in self._spaces_of(self._turn) if self._pawns[space][kind] > 0]
        return sorted(moves)

    def play(self, move: str) -> None:
        """Apply one legal decision or chance outcome."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move: {move}")
        if self._decision == "card":
            self._turn_up(move[1:])
        elif self._decision == "start":
            self._start(move[1:])
        elif self._decision == "draft":
            self._draft(move[1:])
        elif self._decision == "recruit":
            kind, space = move.split("@")
            self._recruit(kind, space)
        elif self._decision == "move" and move == ".":
            self._score()
        elif self._decision == "move":
            start, end = move.split("-")
            self._crossing = (start, end)
            self._decision = "pawns"
        elif self._decision == "pawns":
            self._cross({kind: symbols_of(move).get(kind, 0) for kind in PAWN_TYPES})
        elif self._decision == "token":
            self._draw_token(int(move[1:]))
        elif self._decision == "retreat":
            self._retreat(move[1:])
        elif self._decision == "discard":
            self._discard(move[1:])
        elif self._decision == "remove":
            kind, space = move[1:].split("@")
            self._remove(kind, space)

    def view(self, seat: int | None) -> dict[str, object]:
        """Return what a seat or a spectator (None) sees. Only the values of other players' tokens are secret."""
        over = self._outcome is not None
        named = {"0", *self._row, *self._discarded, *(card for kingdom in self._kingdoms for card in kingdom)}
        drawn = [self._drawn if player == self._turn else [] for player in range(self._players)]
        return {
            "decision": self._decision,
            "pack": self._pack_name,
            "players": self._players,
            "deck": self._deck_name,
            "turns": self._turns,
            "round": self._round,
            "last_round": self._last_round,
            "turn": self._turn,
            "row": list(self._row),
            "deck_left": sum(len(pile) for pile in self._piles),
            "discarded": sorted(self._discarded),
            "cards": {card: self._card_text[card] for card in sorted(named)},
            "spaces": {space: {"seat": self._owner[space], **self._pawns[space]} for space in sorted(self._owner)},
            "kingdoms": [list(kingdom) for kingdom in self._kingdoms],
            "supply": [dict(supply) for supply in self._supply],
            "points": list(self._points),
            "tokens": [{"kept": len(self._kept[p]), "drawn": len(drawn[p])} for p in range(self._players)],
            "own_tokens": None if seat is None else {"kept": sorted(self._kept[seat]), "drawn": sorted(drawn[seat])},
            "all_tokens": [sorted(values) for values in self._kept] if over else None,
            "bag": sum(self._bag.values()),
            "moves_left": self._moves_left if self._phase == "move" else None,
            "to_recruit": dict(self._to_recruit) if self._decision == "recruit" else None,
            "choices": self._choices() if self._decision == "draft" else None,
            "crossing": list(self._crossing) if self._decision in ("pawns", "token", "retreat") else None,
            "retreating": self._retreating if self._decision == "retreat" else None,
            "capacity": self._capacity if self._decision in ("discard", "remove") else None,
            "to_remove": dict(self._to_remove) if self._decision == "remove" else None,
            "forecast": [
                # Savannas beyond the cards feed nobody.
                {
                    "cards": len(self._cards_to_feed(p)),
                    "fed": min(len(self._cards_to_feed(p)), self._feeding_savannas(p)),
                }
                for p in range(self._players)
            ],
        }

    def copy(self) -> Kitara:
        """Return a copy of the game; values that are replaced but never mutated are shared."""
        twin = copy.copy(self)
        twin._piles = [list(pile) for pile in self._piles]
        twin._bag = dict(self._bag)
        twin._row = list(self._row)
        twin._discarded = list(self._discarded)
        twin._kingdoms = [list(kingdom) for kingdom in self._kingdoms]
        twin._supply = [dict(supply) for supply in self._supply]
        twin._points = list(self._points)
        twin._kept = [list(values) for values in self._kept]
        twin._drawn = list(self._drawn)
        twin._owner = dict(self._owner)
        twin._pawns = {space: dict(pawns) for space, pawns in self._pawns.items()}
        twin._to_recruit = dict(self._to_recruit)
        twin._to_remove = dict(self._to_remove)
        return twin

    # ---- pawns on spaces -------------------------------------------------------------------------------------------

    def _spaces_of(self, seat: int) -> list[str]:
        """Return the spaces that a player occupies."""
        return [space for space, owner in self._owner.items() if owner == seat]

    def _put(self, seat: int, space: str, pawns: Pawns) -> None:
        """Add pawns to a space that is free or belongs to their player."""
        self._owner[space] = seat
        there = self._pawns.get(space, dict.fromkeys(PAWN_TYPES, 0))
        self._pawns[space] = {kind: there[kind] + pawns.get(kind, 0) for kind in PAWN_TYPES}

    def _lift(self, space: str, pawns: Pawns) -> None:
        """Remove pawns from a space, which becomes free with the last one."""
        there = self._pawns[space]
        self._pawns[space] = {kind: there[kind] - pawns.get(kind, 0) for kind in PAWN_TYPES}
        if sum(self._pawns[space].values()) == 0:
            del self._pawns[space], self._owner[space]

    @staticmethod
    def _first(pawns: Pawns) -> str:
        """Return the type to be handled next: warriors, then master-animals, then heroes."""
        return next(kind for kind in PAWN_TYPES if pawns[kind] > 0)

    # ---- set-up ----------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        """Reveal six cards one by one; then the players choose their start spaces."""
        self._decision = "card" if self._deck_holds_cards() and len(self._row) < ROW_LENGTH else "start"

    def _start(self, space: str) -> None:
        """In seat order each player puts 3 warriors on a free start space; then seat 0 has the first turn."""
        self._put(self._turn, space, {"W": FIRST_WARRIORS})
        self._supply[self._turn]["W"] -= FIRST_WARRIORS
        if self._turn < self._players - 1:
            self._turn += 1
        else:
            self._turn = 0
            self._begin_turn()

    # ---- the cards -------------------------------------------------------------------------------------------------

    def _icons(self, seat: int, letter: str) -> int:
        """Return the number of symbols of one sort on all cards of a kingdom."""
        return sum(self._symbols[card].get(letter, 0) for card in self._kingdoms[seat])

    def _deck_holds_cards(self) -> bool:
        """Return whether a card is left to reveal; an empty deck does not refill the row."""
        return any(self._piles)

    def _turn_up(self, card: str) -> None:
        """Add a card from the deck at the right end of the row, then continue the game."""
        self._piles[age_of(card) - 1].remove(card)
        self._row.append(card)
        # The first card of age 5, whenever it is revealed, triggers the end: this round is completed (so that all
        # have had the same number of turns), then one last round is played.
        if age_of(card) == LAST_AGE and self._last_round is None:
            self._last_round = self._round + 1
        if self._phase == "set-up":
            self._set_up()
        elif self._phase == "draft":
            self._go_on_recruiting()
        elif self._phase == "clean-up":
            self._next_turn()

    # ---- 1. draft --------------------------------------------------------------------------------------------------

    def _begin_turn(self) -> None:
        """A turn begins with the draft, which is compulsory; with an empty row draft and recruiting are skipped."""
        self._phase = "draft"
        if self._row:
            self._decision = "draft"
        else:
            self._begin_moves()

    def _choices(self) -> int:
        """Return how many cards, from the left, may be drafted: one for each draft icon of the kingdom, at least 1."""
        return min(max(self._icons(self._turn, "D"), 1), len(self._row))

    def _draft(self, card: str) -> None:
        """Move the card into the kingdom, slide the row left, and reveal a card if the deck is not empty."""
        self._row.remove(card)
        self._kingdoms[self._turn].append(card)
        # Only the new card's pawns are recruited, of each type at most as many as the supply holds.
        supply = self._supply[self._turn]
        self._to_recruit = {kind: min(self._symbols[card].get(kind, 0), supply[kind]) for kind in PAWN_TYPES}
        if self._deck_holds_cards():
            self._decision = "card"
        else:
            self._go_on_recruiting()

    # ---- 2. recruit ------------------------------------------------------------------------------------------------

    def _recruiting_spaces(self) -> list[str]:
        """Where the next recruit may go: to any space its player occupies; it must go to one of them.

        A player without any space enters on a free start space, if there is none on a free savanna, if there is none on
        any free land; the other recruits then find one occupied space, and join the first.
        """
        own = self._spaces_of(self._turn)
        if own:
            return own
        free_land = [space for space, kind in self._kind.items() if kind != "lake" and space not in self._owner]
        free_savannas = [space for space in free_land if self._kind[space] == "savanna"]
        free_starts = [space for space in free_land if space in self._start_spaces]
        return free_starts or free_savannas or free_land

    def _go_on_recruiting(self) -> None:
        """Place one pawn after another until none is left or there is no space for it."""
        self._phase = "recruit"
        if sum(self._to_recruit.values()) > 0 and self._recruiting_spaces():
            self._decision = "recruit"
        else:
            self._begin_moves()

    def _recruit(self, kind: str, space: str) -> None:
        """Move one pawn from the supply to the board."""
        self._supply[self._turn][kind] -= 1
        self._put(self._turn, space, {kind: 1})
        self._to_recruit[kind] -= 1
        self._go_on_recruiting()

    # ---- 3. move ---------------------------------------------------------------------------------------------------

    def _begin_moves(self) -> None:
        """Begin the moves: one for each move icon of the whole kingdom, including the new card."""
        self._phase = "move"
        self._moves_left = self._icons(self._turn, "M")
        self._go_on_moving()

    def _go_on_moving(self) -> None:
        """Begin the next move, if one is left."""
        if self._moves_left > 0:
            self._decision = "move"
        else:
            self._score()

    def _crossable_borders(self) -> list[tuple[str, str]]:
        """Return the white borders that pawns of the player may cross."""
        borders = [(start, end) for start in self._spaces_of(self._turn) for end in self._borders[start]]
        return [(start, end) for start, end in borders if self._parts_that_may_cross(start, end)]

    def _parts_that_may_cross(self, start: str, end: str) -> list[Pawns]:
        """Return the groups that may cross from a space to another: any part of the pawns there, at least one."""
        numbers = [range(self._pawns[start][kind] + 1) for kind in PAWN_TYPES]
        parts = [dict(zip(PAWN_TYPES, part, strict=True)) for part in itertools.product(*numbers) if sum(part) > 0]
        if end not in self._owner or self._owner[end] == self._turn:
            return parts
        # Another player's space may be entered only by an attack. A player's only space cannot be attacked, nor a
        # space from which there is no way to retreat.
        defender = self._owner[end]
        if len(self._spaces_of(defender)) == 1 or not self._nearest_spaces(defender, end):
            return []
        # The attackers must be more than the defenders; every pawn counts one, whatever its type.
        return [part for part in parts if sum(part.values()) > sum(self._pawns[end].values())]

    def _cross(self, pawns: Pawns) -> None:
        """Move a group across the border. That is one move, attack or not; every attack succeeds."""
        start, end = self._crossing
        self._moves_left -= 1
        self._lift(start, pawns)
        if end not in self._owner or self._owner[end] == self._turn:
            self._put(self._turn, end, pawns)
            self._go_on_moving()
            return
        # An attack: the attackers enter; if a hero is among them they draw one token unless the bag is empty; then
        # the defenders retreat.
        self._retreating, self._retreating_pawns = self._owner[end], self._pawns[end]
        self._lift(end, self._retreating_pawns)
        self._put(self._turn, end, pawns)
        self._decision = "token" if pawns["H"] > 0 and sum(self._bag.values()) > 0 else "retreat"

    def _draw_token(self, value: int) -> None:
        """Let the attacker draw a token, secretly."""
        self._bag[value] -= 1
        self._drawn.append(value)
        self._decision = "retreat"

    def _nearest_spaces(self, seat: int, attacked: str) -> list[str]:
        """Return the nearest other spaces of the player, in white borders, whatever stands in between."""
        seen, ring = {attacked}, {attacked}
        while ring:
            ring = {neighbour for space in ring for neighbour in self._borders[space]} - seen
            seen |= ring
            own = [space for space in ring if self._owner.get(space) == seat]
            if own:
                return own
        return []

    def _retreat(self, space: str) -> None:
        """Move all defenders to the same one of the nearest spaces; then the attacker continues."""
        self._put(self._retreating, space, self._retreating_pawns)
        self._go_on_moving()

    # ---- 4. score --------------------------------------------------------------------------------------------------

    def _score(self) -> None:
        """Score before managing, so that a card that cannot be fed still scores once."""
        # 1 point for each prosperity icon of the kingdom, 2 for each ruin with a master-animal of the player.
        ruins = [space for space in self._spaces_of(self._turn) if self._kind[space] == "ruin"]
        self._points[self._turn] += self._icons(self._turn, "V")
        self._points[self._turn] += 2 * len([space for space in ruins if self._pawns[space]["A"] > 0])
        # One of the highest tokens drawn this turn is kept; the others go back into the bag.
        if self._drawn:
            best = max(self._drawn)
            self._drawn.remove(best)
            self._kept[self._turn].append(best)
            for value in self._drawn:
                self._bag[value] += 1
            self._drawn = []
        self._begin_managing()

    # ---- 5. manage -------------------------------------------------------------------------------------------------

    def _feeding_savannas(self, seat: int) -> int:
        """Return the savannas with a warrior of the player; each can feed one card."""
        savannas = [space for space in self._spaces_of(seat) if self._kind[space] == "savanna"]
        return len([space for space in savannas if self._pawns[space]["W"] > 0])

    def _cards_to_feed(self, seat: int) -> list[str]:
        """Return the unmarked cards of a kingdom; marked ones need not be fed and cannot be discarded."""
        return [card for card in self._kingdoms[seat] if "N" not in self._symbols[card]]

    def _begin_managing(self) -> None:
        """Count once how many cards can be fed, before any pawn is removed."""
        self._phase = "manage"
        self._capacity = self._feeding_savannas(self._turn)
        self._go_on_managing()

    def _go_on_managing(self) -> None:
        """Remove the pawns of a discarded card first; then discard until all remaining cards are fed."""
        if sum(self._to_remove.values()) > 0:
            self._decision = "remove"
        elif len(self._cards_to_feed(self._turn)) > self._capacity:
            self._decision = "discard"
        else:
            self._end_turn()

    def _discard(self, card: str) -> None:
        """Remove the card from the game; for each of its pawn symbols a pawn leaves the board, if there is one."""
        self._kingdoms[self._turn].remove(card)
        self._discarded.append(card)
        for kind in PAWN_TYPES:
            on_board = sum(self._pawns[space][kind] for space in self._spaces_of(self._turn))
            self._to_remove[kind] = min(self._symbols[card].get(kind, 0), on_board)
        self._go_on_managing()

    def _remove(self, kind: str, space: str) -> None:
        """Return one pawn to the supply, from a space of the player's choice."""
        self._lift(space, {kind: 1})
        self._supply[self._turn][kind] += 1
        self._to_remove[kind] -= 1
        self._go_on_managing()

    # ---- the end of a turn and of the game -------------------------------------------------------------------------

    def _end_turn(self) -> None:
        """With two players, discard the leftmost card of the row after every turn and reveal a new one."""
        self._phase = "clean-up"
        if self._players == 2:
            if self._row:
                self._discarded.append(self._row.pop(0))
            if self._deck_holds_cards():
                self._decision = "card"
                return
        self._next_turn()

    def _next_turn(self) -> None:
        """Continue with the next seat, the next round, or after the last round the end."""
        if self._turn < self._players - 1:
            self._turn += 1
            self._begin_turn()
        elif self._round == self._last_round:
            self._end_game()
        else:
            self._round += 1
            self._turn = 0
            self._begin_turn()

    def _end_game(self) -> None:
        """End the game: most points win, then most tokens; players still tied share the victory."""
        self._phase, self._decision = "over", None
        # Finally add the kept tokens, and 2 points for each card still held, including starting and marked cards.
        for seat in range(self._players):
            self._points[seat] += sum(self._kept[seat]) + 2 * len(self._kingdoms[seat])
        best = [seat for seat in range(self._players) if self._points[seat] == max(self._points)]
        most_tokens = max(len(self._kept[seat]) for seat in best)
        winners = [seat for seat in best if len(self._kept[seat]) == most_tokens]
        reason = "prosperity" if len(best) == 1 else "tokens" if len(winners) == 1 else "shared"
        self._outcome = (tuple(winners), tuple(self._points), reason)
