"""Oracle: slow and plain rules of Kiwara and all its versions, to check the fast engine against."""

from __future__ import annotations

import copy
from dataclasses import dataclass

CHANCE = -1  # the mover while a card is to be drawn

COLUMNS, ROWS = "abcdef", "12345"  # rows from the top
SPACES = [column + row for row in ROWS for column in COLUMNS]  # a1, b1, ... f1, a2, ... f5
EDGE = [space for space in SPACES if space[0] in "af" or space[1] in "15"]  # the 18 along the edge of the savanna
# The line that each position of the totem faces, clockwise: above columns a to f, right of rows 1 to 5, below columns
# f to a, left of rows 5 to 1. The corners are not positions, and every line is faced from two.
PATH = "abcdef" + "12345" + "fedcba" + "54321"

TERRITORIES = "ABCDEF"
BOARDS = {
    "classic": "ABCCCC/ABBCDD/AABCCD/EABBBF/EEFFFF",
    "president": "ABBBCC/ADDBBC/ADEEBB/DDEFFB/EEEEFB",
}

# Gazelle, zebra, crocodile, elephant, lion: points of each, and the number of tokens of each player.
VALUES = {"G": 2, "Z": 6, "C": 0, "E": 5, "L": 1}
TOKENS = {"G": 6, "Z": 5, "C": 2, "E": 1, "L": 1}

CARDS = ["okapi", "boa", "baboon", "vulture", "rhinoceros", "porcupine", "wildebeest", "hyena", "warthog", "giraffe"]
OKAPI_POINTS = 5

Outcome = tuple[tuple[int, ...], tuple[int, ...], str]


@dataclass(eq=False)  # tokens are compared by identity
class Token:
    """An animal on the board."""

    animal: str
    seat: int
    hidden: bool = False


def neighbours(space: str) -> list[str]:
    """Return the up to four vertically and horizontally adjacent spaces; rivers do not matter."""
    column, row = COLUMNS.index(space[0]), ROWS.index(space[1])
    around = [(column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row)]
    return [COLUMNS[x] + ROWS[y] for x, y in around if 0 <= x < len(COLUMNS) and 0 <= y < len(ROWS)]


def in_order(cards: list[str]) -> list[str]:
    """Return the same cards in the order of the list of cards."""
    return sorted(cards, key=CARDS.index)


class Kiwara:
    """One game, from its setup to its end."""

    def __init__(
        self,
        board: str = "classic",
        *,
        reinforcement: str = "okapi",
        handicap: tuple[int, int] | None = None,
        rhinoceros: str = "edge",
        hyena: str = "move",
    ) -> None:
        self._board = BOARDS.get(board, board)
        self._territory = dict(zip(SPACES, self._board.replace("/", ""), strict=True))  # space -> its territory
        self._reinforcement, self._rhinoceros, self._hyena = reinforcement, rhinoceros, hyena

        self._animals: dict[str, Token] = {}  # the occupied spaces
        self._hands = [dict(TOKENS), dict(TOKENS)]
        self._totem: int | None = None

        # Either the Okapi lies face up beside the board and the pile is the other nine, or the pile is all ten.
        self._okapi_open = reinforcement == "okapi"
        self._pile = [card for card in CARDS if not (card == "okapi" and self._okapi_open)]
        self._cards: list[list[str]] = [[], []]  # face up in front of each seat
        self._used: list[str] = []  # used or discarded
        self._drawn: list[str] = []  # by the Giraffe, until one of them is kept
        self._reinforced: int | None = None  # the seat that received the card for the first full territory

        # What restricts this turn; after an announcement, what will restrict the next one.
        self._boa: str | None = None
        self._porcupine: str | None = None
        self._warthog = False

        # The current turn; see _begin_turn.
        self._turn = 0
        self._resting = dict.fromkeys(TOKENS, 0)
        self._placements = 0
        self._placed: Token | None = None
        self._two_placements = False
        self._hyena_moved: list[Token] = []
        self._announced = False

        self._crocodile: str | None = None  # the space of the crocodile whose swaps are being decided
        self._left: list[str] = []  # the spaces it has left in this chain
        self._card_due = False  # the animal that has just arrived has filled the first full territory
        self._giraffe_in: str | None = None  # the decision in which the Giraffe was used
        self._draw_for = "handicap"  # or "territory" or "giraffe"

        # The weaker player may start with one or two cards drawn at random. Then the first player sets the totem.
        self._handicap_seat, self._handicap_draws = handicap or (0, 0)
        self._decision: str | None = "draw" if self._handicap_draws > 0 else "totem-start"

    @property
    def to_move(self) -> int | None:
        """The seat to decide, CHANCE while a card is to be drawn, None when the game is over."""
        if self._decision is None:
            return None
        return CHANCE if self._decision == "draw" else self._turn

    @property
    def outcome(self) -> Outcome | None:
        """(winners, scores, reason) when the game is over."""
        if self._decision is not None:
            return None
        scores = (self._score(0), self._score(1))
        if scores[0] != scores[1]:
            return (0 if scores[0] > scores[1] else 1,), scores, "points"
        # A tie goes to the player who received the card for the first full territory; handicap cards do not count.
        assert self._reinforced is not None  # the board is full, so some territory was the first
        return (self._reinforced,), scores, "reinforcement"

    def legal_moves(self) -> list[str]:
        """Return everything that may be decided or drawn now, sorted; nothing once the game is over."""
        moves: list[str] = []
        if self._decision == "draw":
            moves = ["=" + card for card in self._pile]
        elif self._decision == "totem-start":
            moves = [f"T{position}" for position in range(len(PATH))]  # not a totem move, so no card can be used
        elif self._decision == "place":
            moves = self._placings() + self._cards_when_placing()
        elif self._decision == "swap":
            moves = ["~" + space for space in self._swaps()] + ["."]
        elif self._decision == "hyena":
            moves = [*self._hyena_moves(), "."]
        elif self._decision == "totem":
            moves = self._totem_moves() + self._cards_before_totem()
        elif self._decision == "after":
            moves = [*self._cards_after_totem(), "."]
        elif self._decision == "keep":
            moves = ["keep:" + card for card in self._drawn]
        return sorted(set(moves))  # at a corner the Baboon may reach a space by both lines, which is one move

    def play(self, move: str) -> None:
        """Apply one decision or draw one card."""
        if move not in self.legal_moves():
            raise ValueError(f"illegal move: {move}")
        name, _, target = move.partition(":")
        if self._decision == "draw":
            self._draw(move[1:])
        elif self._decision == "totem-start":
            # The first player only sets the totem; the opponent places the first animal.
            self._totem = int(move[1:])
            self._begin_turn(1)
        elif self._decision == "keep":
            self._keep(target)
        elif self._decision == "swap" and move == ".":
            self._end_swaps()
        elif self._decision == "swap":
            self._swap(move[1:])
        elif self._decision == "hyena" and move == ".":
            self._decision = "place"
        elif self._decision == "after" and move == ".":
            self._end_turn()
        elif move[0] in "+-":
            self._move_totem(int(move))
        elif name in CARDS:
            self._use(name, target)
        else:
            self._place(move[0], move[1:])

    def view(self) -> dict[str, object]:
        """Return the whole state; only the order of the pile is unknown, to all."""
        return {
            "decision": self._decision,
            "board": self._board,
            "reinforcement": self._reinforcement,
            "rhinoceros": self._rhinoceros,
            "hyena": self._hyena,
            "totem": self._totem,
            "animals": {
                space: {"animal": token.animal, "seat": token.seat, "hidden": token.hidden}
                for space, token in self._animals.items()
            },
            "hands": [dict(hand) for hand in self._hands],
            "resting": dict(self._resting),
            "cards": [in_order(cards) for cards in self._cards],
            "used": in_order(self._used),
            "drawn": in_order(self._drawn),
            "okapi_open": self._okapi_open,
            "pile": len(self._pile),
            "reinforced": self._reinforced,
            "boa": self._boa,
            "porcupine": self._porcupine,
            "warthog": self._warthog,
            "crocodile": self._crocodile,
            "territories": {
                letter: {
                    "spaces": len(self._spaces_of(letter)),
                    "tokens": self._counts(letter),
                    "points": self._points(letter),
                    "leader": self._leader(letter),
                }
                for letter in TERRITORIES
            },
            "scores": [self._score(0), self._score(1)],
        }

    def copy(self) -> Kiwara:
        """Return a copy of the game."""
        return copy.deepcopy(self)

    def _spaces_of(self, letter: str) -> list[str]:
        """List the spaces of a territory."""
        return [space for space in SPACES if self._territory[space] == letter]

    def _tokens_in(self, letter: str) -> list[Token]:
        """List the animals in a territory."""
        return [self._animals[space] for space in self._spaces_of(letter) if space in self._animals]

    def _counts(self, letter: str) -> list[int]:
        """Count the animals of each player in a territory; hidden ones count."""
        owners = [token.seat for token in self._tokens_in(letter)]
        return [owners.count(0), owners.count(1)]

    def _points(self, letter: str) -> int:
        """Add up all the visible animals in a territory, of both colours; hidden ones score nothing."""
        return sum(VALUES[token.animal] for token in self._tokens_in(letter) if not token.hidden)

    def _leader(self, letter: str) -> int | None:
        """Return the player with the most animals in a territory; None if there is none."""
        first, second = self._counts(letter)
        return None if first == second else 0 if first > second else 1

    def _score(self, seat: int) -> int:
        """Return the points of the territories that a player leads, and 5 for the Okapi."""
        led = sum(self._points(letter) for letter in TERRITORIES if self._leader(letter) == seat)
        return led + (OKAPI_POINTS if "okapi" in self._cards[seat] else 0)

    def _holds(self, card: str) -> bool:
        """Return whether the player on turn holds a card."""
        return card in self._cards[self._turn]

    def _has_tokens(self, seat: int) -> bool:
        """Return whether a player has tokens in hand."""
        return sum(self._hands[seat].values()) > 0

    def _line(self, steps: int = 0) -> list[str]:
        """Return the spaces of the line that the totem faces, or would face a number of steps further clockwise."""
        assert self._totem is not None
        name = PATH[(self._totem + steps) % len(PATH)]
        return [space for space in SPACES if name in space]

    def _empty(self, steps: int = 0) -> list[str]:
        """List the empty spaces of that line."""
        return [space for space in self._line(steps) if space not in self._animals]

    def _placeable(self) -> list[str]:
        """Return the kinds of animals the player on turn may place: those in hand that did not return this turn."""
        return [animal for animal in TOKENS if self._hands[self._turn][animal] > self._resting[animal]]

    def _placings(self) -> list[str]:
        """Return the placements of an animal on an empty space of the line that the totem faces."""
        spaces = self._empty()
        # Boa: the player must place on the named space. The second placement of Hyena "place" is free again.
        if self._boa is not None and self._placements == 0:
            spaces = [self._boa]
        # Porcupine: the named space is forbidden.
        return [animal + space for animal in self._placeable() for space in spaces if space != self._porcupine]

    def _cards_when_placing(self) -> list[str]:
        """List the uses of cards before or for placing; between the two placements of Hyena "place" there are none."""
        if self._placements > 0:
            return []
        moves = self._cards_before_totem()
        # Baboon: place in the line just behind the totem or just ahead of it, but not to evade a Boa and not on the
        # space of a Porcupine. Hyena "place" means two placements in the totem's line, so it excludes the Baboon.
        if self._holds("baboon") and self._boa is None and not self._two_placements:
            spaces = [space for space in self._empty(-1) + self._empty(1) if space != self._porcupine]
            moves += [f"baboon:{animal}{space}" for animal in self._placeable() for space in spaces]
        # Hyena "move": move one or two animals of the player. Hyena "place": announce two placements instead of one.
        if self._holds("hyena"):
            moves += self._hyena_moves() if self._hyena == "move" else ["hyena"]
        return moves

    def _hyena_moves(self) -> list[str]:
        """Return the moves for Hyena "move": an animal of the player along the totem's line."""
        # The space of a Boa may not be filled and the space of a Porcupine is forbidden. The second animal may take the
        # space the first has left, but it must be another one: the first is known wherever it has got to by swaps.
        ends = [space for space in self._empty() if space not in (self._boa, self._porcupine)]
        moves: list[str] = []
        for start in self._line():
            token = self._animals.get(start)
            if token is not None and token.seat == self._turn and token not in self._hyena_moved:
                moves += [f"hyena:{start}-{end}" for end in ends]
        return moves

    def _cards_before_totem(self) -> list[str]:
        """Return the uses of the cards that are allowed both before placing and before the totem move."""
        moves: list[str] = []
        # Vulture: a hidden animal of either player goes back to its owner.
        if self._holds("vulture"):
            moves += ["vulture:" + space for space, token in self._animals.items() if token.hidden]
        # Rhinoceros: a visible animal of either player goes back to its owner. "edge": from the edge of the savanna.
        # "neighbour": from next to the current space of the animal just placed, if it is still on the board.
        if self._holds("rhinoceros"):
            reach = list(EDGE)
            if self._rhinoceros == "neighbour":
                placed_at = [space for space, token in self._animals.items() if token is self._placed]
                reach = neighbours(placed_at[0]) if placed_at else []
            visible = [space for space, token in self._animals.items() if not token.hidden]
            moves += ["rhinoceros:" + space for space in reach if space in visible]
        # Giraffe: discard it, draw three cards and keep one.
        if self._holds("giraffe"):
            moves.append("giraffe")
        return moves

    def _swaps(self) -> list[str]:
        """Return the visible gazelles of either colour across a river from the crocodile."""
        if self._crocodile is None:
            return []
        spaces: list[str] = []
        for space in neighbours(self._crocodile):
            token = self._animals.get(space)
            visible_gazelle = token is not None and token.animal == "G" and not token.hidden
            across_river = self._territory[space] != self._territory[self._crocodile]
            # In one chain the crocodile never returns to a space it has left, so each gazelle is swapped at most once.
            if visible_gazelle and across_river and space not in self._left:
                spaces.append(space)
        return spaces

    def _totem_moves(self) -> list[str]:
        """List the moves of the totem: clockwise, with Wildebeest also counter-clockwise by the same rule."""
        moves: list[str] = []
        for sign, direction in (("+", 1), ("-", -1)):
            # 1, 2 or 3 steps onto a line with an empty space; if all three are full, onto the next one that is not.
            open_steps = [steps for steps in range(1, len(PATH)) if self._empty(direction * steps)]
            if sign == "+" or self._holds("wildebeest"):
                moves += [f"{sign}{steps}" for steps in [s for s in open_steps if s <= 3] or open_steps[:1]]
        return moves

    def _cards_after_totem(self) -> list[str]:
        """List the uses of cards after the move of the totem."""
        moves: list[str] = []
        # Only one of the following three after one move of the totem, and only if the opponent has the next turn.
        if not self._announced and self._has_tokens(1 - self._turn):
            # Boa: the opponent must place on this space.
            if self._holds("boa"):
                moves += ["boa:" + space for space in self._empty()]
            # Porcupine: the opponent may not place on this space; not for a line with a single empty space.
            if self._holds("porcupine") and len(self._empty()) >= 2:
                moves += ["porcupine:" + space for space in self._empty()]
            # Warthog: the opponent places nothing.
            if self._holds("warthog"):
                moves.append("warthog")
        if self._holds("giraffe"):
            moves.append("giraffe")
        return moves

    def _begin_turn(self, seat: int) -> None:
        """Begin a turn: place an animal, then move the totem; under a Warthog only move the totem."""
        self._turn = seat
        self._resting = dict.fromkeys(TOKENS, 0)  # tokens that returned to the player's hand in this turn
        self._placements = 0  # made in this turn
        self._placed = None  # the animal placed last in this turn
        self._two_placements = False  # Hyena "place" has been announced
        self._hyena_moved = []  # the animals that Hyena "move" has moved
        self._announced = False  # Boa, Porcupine or Warthog has been announced for the next turn
        self._decision = "totem" if self._warthog else "place"

    def _end_turn(self) -> None:
        """Pass the turn to the opponent, or keep it if the opponent has no tokens."""
        if not self._announced:  # Boa, Porcupine and Warthog last a single turn
            self._boa, self._porcupine, self._warthog = None, None, False
        opponent = 1 - self._turn
        self._begin_turn(opponent if self._has_tokens(opponent) else self._turn)

    def _place(self, animal: str, space: str) -> None:
        """Place an animal from the hand."""
        self._hands[self._turn][animal] -= 1
        self._placements += 1
        self._placed = Token(animal, self._turn)
        self._arrive(self._placed, space)

    def _send_home(self, space: str) -> None:
        """Return a token to its owner's hand, face up; a token of the player on turn rests until the turn ends."""
        token = self._animals.pop(space)
        self._hands[token.seat][token.animal] += 1
        if token.seat == self._turn:
            self._resting[token.animal] += 1

    def _hide_beside_lion(self, space: str) -> None:
        """Hide a zebra or gazelle that has arrived next to a lion. Hidden animals are never uncovered."""
        beside = [self._animals[other].animal for other in neighbours(space) if other in self._animals]
        if self._animals[space].animal in "ZG" and "L" in beside:
            self._animals[space].hidden = True

    def _arrive(self, token: Token, space: str) -> None:
        """Put an animal on a space; the effects are the same whether it is placed or moved by the Hyena."""
        self._animals[space] = token
        self._hide_beside_lion(space)
        # A lion scares its neighbours of both colours: visible gazelles go home, zebras hide. Hidden animals stay.
        if token.animal == "L":
            for other in neighbours(space):
                scared = self._animals.get(other)
                if scared is not None and scared.animal == "G" and not scared.hidden:
                    self._send_home(other)
                elif scared is not None and scared.animal == "Z":
                    scared.hidden = True
        # Only then check for the first full territory. The player who filled it gets the reinforcement, whatever a
        # crocodile does next. It is given once in a game, even if a territory opens again.
        filled = all(other in self._animals for other in self._spaces_of(self._territory[space]))
        self._card_due = filled and self._reinforced is None
        # A crocodile may swap.
        if token.animal == "C":
            self._crocodile, self._left = space, []
        self._go_on_swapping()

    def _swap(self, space: str) -> None:
        """Swap the crocodile with a gazelle; next to a lion the gazelle hides on its new space."""
        assert self._crocodile is not None
        left = self._crocodile
        self._animals[left], self._animals[space] = self._animals[space], self._animals[left]
        self._hide_beside_lion(left)
        self._left.append(left)
        self._crocodile = space
        self._go_on_swapping()

    def _go_on_swapping(self) -> None:
        """Ask about swaps as long as one is possible."""
        if self._swaps():
            self._decision = "swap"
        else:
            self._end_swaps()

    def _end_swaps(self) -> None:
        """Give the reinforcement if it is due, after the last swap: the face-up Okapi or a card of the pile."""
        self._crocodile = None
        if self._card_due and self._reinforcement == "pile":
            self._reinforced = self._turn  # decided at the arrival, though the card is still to be drawn
            self._draw_for = "territory"
            self._decision = "draw"
        else:
            if self._card_due:
                self._okapi_open = False
                self._win("okapi")
            self._end_arrival()

    def _win(self, card: str) -> None:
        """Give the player on turn the card for the first full territory."""
        self._cards[self._turn].append(card)
        self._reinforced = self._turn

    def _end_arrival(self) -> None:
        """Continue when an animal has arrived and all its effects are over."""
        # The game ends at once when the board is full, without a totem move or a card.
        if len(self._animals) == len(SPACES):
            self._decision = None
        # Nothing placed yet: Hyena has moved an animal. Another may follow if one can; then the player places.
        elif self._placements == 0:
            self._decision = "hyena" if len(self._hyena_moved) == 1 and self._hyena_moves() else "place"
        # Hyena "place": a second animal must be placed if there are a space and a token for it.
        elif self._two_placements and self._placements == 1 and self._placings():
            self._decision = "place"
        else:
            self._decision = "totem"

    def _move_totem(self, steps: int) -> None:
        """Move the totem clockwise, or with Wildebeest backwards."""
        assert self._totem is not None
        if steps < 0:
            self._spend("wildebeest")
        self._totem = (self._totem + steps) % len(PATH)
        self._after_totem()

    def _after_totem(self) -> None:
        """Ask about cards after the move of the totem only if one can be used."""
        if self._cards_after_totem():
            self._decision = "after"
        else:
            self._end_turn()

    def _spend(self, card: str) -> None:
        """Put a card away: each is used only once."""
        self._cards[self._turn].remove(card)
        self._used.append(card)

    def _use(self, card: str, target: str) -> None:
        """Use a card; for most cards, the same decision follows again."""
        if self._holds(card):  # the second move of Hyena belongs to the same use
            self._spend(card)
        if card in ("vulture", "rhinoceros"):
            self._send_home(target)
        elif card == "baboon":
            self._place(target[0], target[1:])
        elif card == "hyena" and self._hyena == "place":
            self._two_placements = True
        elif card == "hyena":
            start, end = target.split("-")
            token = self._animals.pop(start)
            self._hyena_moved.append(token)
            self._arrive(token, end)
        elif card == "giraffe":
            self._giraffe_in = self._decision
            self._draw_for = "giraffe"
            self._decision = "draw"
        else:
            # Boa, Porcupine or Warthog for the opponent's turn; what restricted the player's own turn has expired.
            self._boa = target if card == "boa" else None
            self._porcupine = target if card == "porcupine" else None
            self._warthog = card == "warthog"
            self._announced = True
            self._after_totem()

    def _draw(self, card: str) -> None:
        """Take a card from the pile."""
        self._pile.remove(card)
        if self._draw_for == "handicap":
            self._cards[self._handicap_seat].append(card)
            self._handicap_draws -= 1
            self._decision = "draw" if self._handicap_draws > 0 else "totem-start"
        elif self._draw_for == "giraffe":
            self._drawn.append(card)
            self._decision = "draw" if len(self._drawn) < 3 else "keep"
        else:
            self._win(card)
            self._end_arrival()

    def _keep(self, card: str) -> None:
        """Keep one of the Giraffe's three cards, discard the others, and go back to where the Giraffe was used."""
        self._drawn.remove(card)
        self._used += self._drawn
        self._drawn = []
        self._cards[self._turn].append(card)
        self._decision = self._giraffe_in
        if self._decision == "after":
            self._after_totem()
