"""Kiwara in the terminal: tinted territories with rivers between them, the hands, and a legend."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.constrain import Constrain
from rich.style import Style
from rich.text import Text

from mchezo.games.kiwara.components import ANIMALS, COLUMNS, LETTERS, PATH, ROWS, SEAT_NAMES, TERRITORIES
from mchezo.games.kiwara.words import WORDS

GROUNDS = dict(zip(TERRITORIES, ("#e8d8a0", "#b7ca80", "#e0b48a", "#a0cdb8", "#d6bdd6", "#c6c2b8"), strict=True))
INK = "#5a4726"
WATER = Style(color="#ffffff", bgcolor="#2f86c1")
FRAME = Style(color="#b59a6a")
TOTEM = Style(color="#ff8c1a", bold=True)
# The colours of a token, face up and hidden; the case of its letter also shows the owner.
TOKENS = (
    (Style(color="#3a2600", bgcolor="#ffd23f", bold=True), Style(color="#ffe9a8", bgcolor="#7a5c00")),
    (Style(color="#ffffff", bgcolor="#c22f26", bold=True), Style(color="#ffc9c4", bgcolor="#661510")),
)
SPACE = 5  # width of a space in characters
MARGIN = "    "  # left of the savanna, where the path runs
PANEL = 34  # width of the panel beside the board
WIDTH = 80  # width of the text below it
TERRITORY = 12  # width of a territory and its leader
# How to type the use of a card; the Okapi has none.
TYPED = {
    "boa": "boa:c3",
    "baboon": "baboon:Gc3",
    "vulture": "vulture:c3",
    "rhinoceros": "rhinoceros:c3",
    "porcupine": "porcupine:c3",
    "wildebeest": "-2",
    "hyena": "hyena:c3-c5",
    "warthog": "warthog",
    "giraffe": "giraffe",
}
# Cards that work differently under an option, and how to type them then.
OTHERWISE = {("rhinoceros", "neighbour"): "rhinoceros:c3", ("hyena", "place"): "hyena"}


def board(view: Mapping[str, Any], language: str) -> Group:
    """Return the savanna with hands and territories beside or below it, followed by card texts and a legend."""
    below = Text("\n").join([*cards(view, language), *legend(language)])
    return Group(Columns([savanna(view), panel(view, language)], padding=(0, 1)), "", Constrain(below, WIDTH))


def savanna(view: Mapping[str, Any]) -> Text:
    """Return the spaces, the rivers between territories, and the path with the totem."""
    rows = view["board"].split("/")
    lines = [path(view, range(6)), frame()]
    for number, row in enumerate(rows):
        if number:
            lines.append(between(rows[number - 1], row))
        lines += spaces(view, number, row)
    return Text("\n").join([*lines, frame(), path(view, range(16, 10, -1))])


def path(view: Mapping[str, Any], positions: range) -> Text:
    """Return the path above or below the columns."""
    text = Text(MARGIN + "  ")
    for position in positions:
        text.append_text(stone(view, position, "▼" if position < 6 else "▲")).append("   ")
    return text


def stone(view: Mapping[str, Any], position: int, arrow: str) -> Text:
    """Return a position of the path: its number, or the totem as an arrow towards the line that it faces."""
    if view["totem"] == position:
        return Text(f"{arrow * 3}", TOTEM)
    return Text(f"{position:^3}", FRAME)


def frame() -> Text:
    """Return the upper or lower edge of the savanna."""
    return Text(f"{MARGIN}+{'-' * (6 * SPACE + 5)}+", FRAME)


def between(above: str, below: str) -> Text:
    """Return the line between two rows: a river wherever the territories differ."""
    text = Text(MARGIN).append("|", FRAME)
    for column, (upper, lower) in enumerate(zip(above, below, strict=True)):
        if column:
            text.append_text(ground(above[column - 1] + below[column - 1] + upper + lower, 1))
        text.append_text(ground(upper + lower, SPACE))
    return text.append("|", FRAME)


def ground(around: str, width: int) -> Text:
    """Return ground inside a territory, otherwise a river."""
    if len(set(around)) == 1:
        return Text(" " * width, Style(bgcolor=GROUNDS[around[0]]))
    return Text("~" * width, WATER)


def spaces(view: Mapping[str, Any], number: int, row: str) -> Iterator[Text]:
    """Yield the two lines of a row: the names of spaces and territories, then the animals."""
    names = Text(MARGIN).append("|", FRAME)
    animals = Text().append_text(stone(view, 21 - number, "▶")).append(" ").append("|", FRAME)
    for column, territory in enumerate(row):
        if column:
            names.append_text(ground(row[column - 1] + territory, 1))
            animals.append_text(ground(row[column - 1] + territory, 1))
        soil = Style(color=INK, bgcolor=GROUNDS[territory])
        name = COLUMNS[column] + ROWS[number]
        names.append(f"{name} {territory:>2}", soil)
        animals.append(" ", soil).append_text(standing(view, name, soil)).append(" ", soil)
    yield names.append("|", FRAME)
    yield animals.append("|", FRAME).append(" ").append_text(stone(view, 6 + number, "◀"))


def standing(view: Mapping[str, Any], name: str, soil: Style) -> Text:
    """Return the animal on a space, the mark of a card in force, or a dot in the totem's line."""
    animal = view["animals"].get(name)
    if animal:
        return token(animal["animal"], animal["seat"], animal["hidden"])
    if name == view["boa"]:
        return Text(">!<", soil)
    if name == view["porcupine"]:
        return Text(" x ", soil)
    faced = view["totem"] is not None and PATH[view["totem"]] in name
    return Text(" · " if faced else "   ", soil)


def token(letter: str, seat: int, hidden: bool = False) -> Text:
    """Return a token: upper case is Yellow's, lower case Red's, a star means hidden."""
    shown = letter if seat == 0 else letter.lower()
    return Text(f" {shown}{'*' if hidden else ' '}", TOKENS[seat][hidden])


def panel(view: Mapping[str, Any], language: str) -> Text:
    """Return the players' hands, points and cards, the territories, and the other cards."""
    parts = (players(view, language), territories(view, language), table(view, language))
    return Text("\n\n").join(Text("\n").join(part) for part in parts)


def players(view: Mapping[str, Any], language: str) -> Iterator[Text]:
    """Yield what each player has."""
    for seat, points in enumerate(view["scores"]):
        yield plate(seat, language).append("  " + WORDS.say("label-points", language, points=points))
        hand = view["hands"][seat]
        yield Text().join(token(letter, seat).append(f"{hand[letter]} ") for letter in LETTERS)
        if view["cards"][seat]:
            yield note("label-cards", language, cards=names(view["cards"][seat], language))
    resting = [letter for letter in LETTERS for _ in range(view["resting"][letter])]
    if resting:
        yield note("label-resting", language, animals=" ".join(resting))


def territories(view: Mapping[str, Any], language: str) -> Iterator[Text]:
    """Yield the leader, the tokens of both seats, the spaces and the points of each territory."""
    territory_head, animals, points = (
        WORDS.say(f"head-{head}", language) for head in ("territory", "animals", "points")
    )
    yield Text(f"{territory_head:{TERRITORY}} {animals} {points}")
    for letter, territory in view["territories"].items():
        first, second = territory["tokens"]
        line = Text(f" {letter} ", Style(color=INK, bgcolor=GROUNDS[letter])).append(" ")
        if territory["leader"] is not None:
            line.append_text(plate(territory["leader"], language))
        line.pad_right(TERRITORY - len(line))
        filled = f"{first}:{second} / {territory['spaces']}"
        yield line.append(f" {filled:^{len(animals)}} {territory['points']:>{len(points)}}")


def table(view: Mapping[str, Any], language: str) -> Iterator[Text]:
    """Yield the cards that no player holds, and those in force."""
    if view["okapi_open"]:
        yield note("label-okapi-open", language)
    if view["reinforcement"] == "pile":
        yield note("label-pile", language, count=view["pile"])
    for key in ("drawn", "used"):
        if view[key]:
            yield note(f"label-{key}", language, cards=names(view[key], language))
    for key in ("boa", "porcupine"):
        if view[key]:
            yield note(f"label-{key}", language, space=view[key])
    if view["warthog"]:
        yield note("label-warthog", language)


def cards(view: Mapping[str, Any], language: str) -> Iterator[Text]:
    """Yield what each held or drawn card does and how to type it."""
    for seat, held in enumerate(view["cards"]):
        for card in held:
            key, typed = use(card, view)
            yield plate(seat, language).append(f" {described(card, key, typed, language)}")
    for card in view["drawn"]:
        yield Text(described(card, use(card, view)[0], f"keep:{card}", language))


def use(card: str, view: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the key for what a card does under the options of this game, and how to type its use."""
    reading = str(view.get(card))
    if (card, reading) in OTHERWISE:
        return f"card-{card}-{reading}", OTHERWISE[card, reading]
    return f"card-{card}", TYPED.get(card)


def described(card: str, key: str, typed: str | None, language: str) -> str:
    """Return a card's name, what to type, and what it does."""
    name = WORDS.say(f"name-{card}", language)
    return WORDS.say("label-card", language, card=f"{name} ({typed})" if typed else name, does=WORDS.say(key, language))


def legend(language: str) -> Iterator[Text]:
    """Yield the meaning of the letters of animals and of their case."""
    animals = [f"{kind.letter} {WORDS.say(f'animal-{kind.name}', language)} {kind.value}" for kind in ANIMALS]
    sides = {side: WORDS.say(f"seat-{side}", language) for side in SEAT_NAMES}
    yield Text(WORDS.say("label-kinds", language, animals=", ".join(animals)), Style(dim=True))
    yield Text(WORDS.say("label-letters", language, **sides), Style(dim=True))


def plate(seat: int, language: str) -> Text:
    """Return a player's name on the player's colour."""
    return Text(f" {WORDS.say(f'seat-{SEAT_NAMES[seat]}', language)} ", TOKENS[seat][False])


def note(key: str, language: str, **values: object) -> Text:
    """Return a sentence wrapped to fit beside the board."""
    return Text(textwrap.fill(WORDS.say(key, language, **values), PANEL))


def names(cards: list[str], language: str) -> str:
    """Return the names of cards."""
    return ", ".join(WORDS.say(f"name-{card}", language) for card in cards)
