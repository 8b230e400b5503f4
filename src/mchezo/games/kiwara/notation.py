"""Notation of moves and positions of Kiwara. See docs/kiwara.md."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mchezo.core.errors import InvalidMove, InvalidSetup
from mchezo.core.structs import plain
from mchezo.games.kiwara import structs
from mchezo.games.kiwara.components import ANIMALS, CARDS, COLUMNS, LETTERS, ROWS, SPACES
from mchezo.games.kiwara.words import WORDS

SIDE_LETTERS = "yr"
PARTS = (7, 8)  # of a written position; the last one is optional


def _texts() -> Iterator[str]:
    """Yield the texts of all actions by number."""
    placements = [f"{letter}{space}" for letter in LETTERS for space in SPACES]
    yield from placements
    yield from (f"baboon:{placement}" for placement in placements)
    yield from (f"hyena:{start}-{target}" for start in SPACES for target in SPACES)
    for sign in ("~", "vulture:", "rhinoceros:", "boa:", "porcupine:"):
        yield from (f"{sign}{space}" for space in SPACES)
    for sign in ("T", "+", "-"):
        yield from (f"{sign}{number}" for number in range(structs.POSITIONS))
    for sign in ("keep:", "="):
        yield from (f"{sign}{card}" for card in CARDS)
    yield from ("hyena", "warthog", "giraffe", ".")


TEXTS = tuple(_texts())
ACTIONS = {text: action for action, text in enumerate(TEXTS)}


def parse(text: str, state: Any, setup: Any) -> int:
    """Return the action that a text denotes."""
    if text not in ACTIONS:
        raise InvalidMove("unreadable", WORDS, move=text)
    return ACTIONS[text]


def write(action: int, state: Any, setup: Any) -> str:
    """Return the text of an action."""
    return TEXTS[action]


@dataclass(frozen=True)
class Token:
    """An animal on the board."""

    animal: int
    seat: int
    hidden: bool

    @cached_property
    def described(self) -> dict[str, Any]:
        """The animal, as views have it."""
        return {"animal": LETTERS[self.animal], "seat": self.seat, "hidden": self.hidden}

    @cached_property
    def text(self) -> str:
        """The animal, as positions are written."""
        letter = LETTERS[self.animal] if self.seat == 0 else LETTERS[self.animal].lower()
        return f"{letter}*" if self.hidden else letter

    def __str__(self) -> str:
        return self.text


# By animal, seat, and whether it is hidden
TOKENS = [
    [[Token(animal, seat, hidden) for hidden in (False, True)] for seat in (0, 1)] for animal in range(len(LETTERS))
]


class WrittenPosition(NamedTuple):
    """A position at the start of a turn: `rows totem seat yellow's-cards red's-cards used-cards reinforced force`."""

    tokens: tuple[Token | None, ...]
    totem: int
    seat: int
    held: tuple[tuple[str, ...], tuple[str, ...]]
    used: tuple[str, ...]
    reinforced: int  # the seat that received the card for the first full territory
    force: str  # what restricts this turn: boa:c3, porcupine:c3, warthog or -

    def __str__(self) -> str:
        tokens = [token.text if token else "." for token in self.tokens]
        parts = [
            "/".join([write_row("".join(tokens[at : at + 6])) for at in range(0, structs.SPACES, 6)]),
            "-" if self.totem == structs.NOWHERE else str(self.totem),
            SIDE_LETTERS[self.seat],
            *(",".join(cards) or "-" for cards in (*self.held, self.used)),
            "-" if self.reinforced == structs.NOBODY else SIDE_LETTERS[self.reinforced],
        ]
        return " ".join(parts if self.force == "-" else [*parts, self.force])

    @classmethod
    def of(cls, state: Any) -> "WrittenPosition | None":
        """Return the position of a state; None in the middle of a turn."""
        state = plain(state)
        phase = state.phase
        begins = (
            phase in (structs.SETTING_TOTEM, structs.GAME_OVER)
            or (phase == structs.PLACING and state.hyena == structs.NO_HYENA)
            or (phase == structs.MOVING_TOTEM and state.warthog)
        )
        if not begins or any(state.resting):
            return None
        return cls(
            tokens=tokens_of(state),
            totem=state.totem,
            seat=state.seat,
            held=(names_of(state.cards[0]), names_of(state.cards[1])),
            used=names_of(state.used),
            reinforced=state.reinforced,
            force="-" if state.phase == structs.GAME_OVER else force_of(state),
        )

    def put(self, state: Any) -> None:
        """Copy the position into a state; all animals not on the board are in hand."""
        for space, token in enumerate(self.tokens):
            if token is not None:
                state.own[token.seat] |= 1 << space
                state.kinds[token.animal] |= 1 << space
                state.hidden |= token.hidden << space
                state.hands[token.seat, token.animal] -= 1
        state.totem = self.totem
        state.seat = self.seat
        state.reinforced = self.reinforced
        for cards, seat in zip(self.held, range(2), strict=True):
            state.cards[seat] = set_of(cards)
        state.used = set_of(self.used)
        state.pile &= ~(state.cards[0] | state.cards[1] | state.used)
        card, _, name = self.force.partition(":")
        state.warthog = card == "warthog"
        state.boa = 1 << SPACES.index(name) if card == "boa" else 0
        state.porcupine = 1 << SPACES.index(name) if card == "porcupine" else 0


@lru_cache(maxsize=4096)
def write_row(tokens: str) -> str:
    """Return a row of a position: its tokens, and the lengths of the gaps between them, which are given as points."""
    return re.sub(r"\.+", lambda gap: str(len(gap.group())), tokens)


def tokens_of(state: Any) -> tuple[Token | None, ...]:
    """Return the tokens on the 30 spaces of a state, found once."""
    found: tuple[Token | None, ...] = plain(state).derive(find_tokens)
    return found


def find_tokens(state: Any) -> tuple[Token | None, ...]:
    """Return the tokens on the 30 spaces of a state; a Plain keeps them."""
    red, hidden = state.own[1], state.hidden
    tokens: list[Token | None] = [None] * structs.SPACES
    for animal, standing in enumerate(state.kinds):
        while standing:
            space = standing.bit_length() - 1
            standing ^= 1 << space
            tokens[space] = TOKENS[animal][red >> space & 1][hidden >> space & 1]
    return tuple(tokens)


def force_of(state: Any) -> str:
    """Return the card in force, which restricts this turn."""
    if state.warthog:
        return "warthog"
    for card, single in (("boa", state.boa), ("porcupine", state.porcupine)):
        if single:
            return f"{card}:{space_of(single)}"
    return "-"


def space_of(single: int) -> str | None:
    """Return the name of the space in a set of one; None if the set is empty."""
    return SPACES[int(single).bit_length() - 1] if single else None


def names_of(cards: int) -> tuple[str, ...]:
    """Return the names of a set of cards."""
    return known_names_of(int(cards))


@lru_cache(maxsize=4096)
def known_names_of(cards: int) -> tuple[str, ...]:
    """Return the names of a set of cards, found once."""
    return tuple(card for number, card in enumerate(CARDS) if cards >> number & 1)


def set_of(cards: tuple[str, ...]) -> int:
    """Return cards as a bit set."""
    return sum(1 << CARDS.index(card) for card in cards)


def read_position(text: object) -> WrittenPosition:
    """Parse a position; the error names what is wrong with it."""
    if not isinstance(text, str):
        raise invalid("position", "position-not-text", given=text)
    parts = text.split()
    if len(parts) not in PARTS:
        raise invalid("position", "position-parts", given=len(parts))
    rows, totem, side, yellow, red, used, reinforced, force = (*parts, "-")[: PARTS[1]]
    if side not in ("y", "r"):
        raise invalid("position", "position-side", given=side)
    if reinforced not in ("-", "y", "r"):
        raise invalid("position", "position-reinforced", given=reinforced)
    if totem != "-" and f"T{totem}" not in ACTIONS:
        raise invalid("position", "position-totem", given=totem)
    if not re.fullmatch("-|warthog|(?:boa|porcupine):[a-f][1-5]", force):
        raise invalid("position", "position-force", given=force)
    cards = [read_cards(part) for part in (yellow, red, used)]
    for card in CARDS:
        if sum(card in lying for lying in cards) > 1:
            raise invalid("position", "position-card-twice", card=card)
    return WrittenPosition(
        tokens=read_rows(rows),
        totem=structs.NOWHERE if totem == "-" else int(totem),
        seat=SIDE_LETTERS.index(side),
        held=(cards[0], cards[1]),
        used=cards[2],
        reinforced=structs.NOBODY if reinforced == "-" else SIDE_LETTERS.index(reinforced),
        force=force,
    )


def read_cards(text: str) -> tuple[str, ...]:
    """Parse card names separated by commas, or `-`; return them in the order of CARDS."""
    names = [] if text == "-" else text.split(",")
    for name in names:
        if name not in CARDS:
            raise invalid("position", "position-card", given=name, allowed=", ".join(CARDS))
        if names.count(name) > 1:
            raise invalid("position", "position-card-twice", card=name)
    return tuple(card for card in CARDS if card in names)


def read_rows(text: str) -> tuple[Token | None, ...]:
    """Parse what stands on the 30 spaces."""
    rows = text.split("/")
    if len(rows) != len(ROWS):
        raise invalid("position", "position-rows", given=len(rows))
    tokens: list[Token | None] = []
    for row, name in zip(rows, ROWS, strict=True):
        spaces: list[Token | None] = []
        for sign in re.findall(r"[A-Za-z]\*?|.", row):
            if sign in ("1", "2", "3", "4", "5", "6"):
                spaces += [None] * int(sign)
            elif sign[0].upper() in LETTERS:
                spaces.append(read_token(sign))
            else:
                raise invalid("position", "position-sign", given=sign, row=name)
        if len(spaces) != len(COLUMNS):
            raise invalid("position", "position-row-size", given=len(spaces), row=name)
        tokens += spaces
    for seat, side in enumerate(SIDE_LETTERS):
        for number, animal in enumerate(ANIMALS):
            count = sum(token is not None and (token.seat, token.animal) == (seat, number) for token in tokens)
            if count > animal.count:
                letter = str(Token(number, seat, hidden=False))
                raise invalid("position", "position-too-many", given=count, letter=letter, side=side, most=animal.count)
    return tuple(tokens)


def read_token(sign: str) -> Token:
    """Parse a token: upper case is Yellow's, lower case Red's, and a star means hidden."""
    token = Token(LETTERS.index(sign[0].upper()), int(sign[0].islower()), sign.endswith("*"))
    if token.hidden and token.animal not in (structs.GAZELLE, structs.ZEBRA):
        raise invalid("position", "position-hidden", given=sign)
    return token


def invalid(option: str, key: str, **values: object) -> InvalidSetup:
    """Return the error for a start option."""
    return InvalidSetup(key, WORDS, option=option, **values)
