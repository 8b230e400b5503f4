"""Kitara in the terminal, laid out for 100 columns: the row, the spaces as a table and as a map, the kingdoms."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from mchezo.games.kitara.components import ALONE_NAMES, CARD_POINTS, PAWNS, SEAT_NAMES, Map, Space
from mchezo.games.kitara.pack import INCLUDED, known
from mchezo.games.kitara.read_pack import read_card
from mchezo.games.kitara.words import WORDS

WIDTH = 100
MAP_WIDTH, LEAST_MAP_WIDTH = 46, 24
GAP = 2  # between the list of spaces and the map
CARD_WIDTH = 15

# The colour and the mark of each seat.
SEATS = (("cyan", "●"), ("magenta", "■"), ("yellow", "▲"), ("green", "◆"))
STYLES = tuple(Style(color=colour, bold=True) for colour, _ in SEATS)
KIND_STYLES = {"savanna": Style(color="#cdbb90"), "ruin": Style(color="#c07a55"), "lake": Style(color="#5a8fc0")}
FRAME = Style(color="bright_black")
QUIET = Style(dim=True)
MARKED = Style(bold=True)
PLAIN = Style()
HUNGRY = Style(color="red", bold=True)


def board(view: Mapping[str, Any], language: str) -> RenderableType:
    """Return the whole table as the viewer sees it."""
    return Sheet(view, language)


class Sheet:
    """One view, in one language."""

    def __init__(self, view: Mapping[str, Any], language: str) -> None:
        self.view, self.language = view, language
        self.map: Map = known(view["pack_id"]).maps[view["players"]]

    def say(self, key: str, **values: object) -> str:
        """Return a label."""
        return WORDS.say(f"show-{key}", self.language, **values)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield everything from top to bottom; in a narrow terminal without the map."""
        yield self.head()
        yield self.row()
        listing = self.spaces()
        width_left = options.max_width - console.measure(listing, options=options).maximum - GAP
        middle = Table.grid(padding=(0, GAP))
        if width_left >= LEAST_MAP_WIDTH:
            middle.add_row(listing, self.picture(min(width_left, MAP_WIDTH)))
        else:
            middle.add_row(listing)
        yield middle
        yield self.kingdoms()
        yield Text(f"{self.say('legend')}\n{self.say('map-legend')}", QUIET)

    def head(self) -> Text:
        """Return round, deck, bag and pack, followed by the state of the turn."""
        view = self.view
        last = view["last_round"]
        known = [
            self.say("last-round", round=view["round"], last=last) if last else self.say("round", round=view["round"]),
            self.say("deck", cards=view["deck_left"]),
            *([self.rival()] if view["rival"] else []),
            self.say("bag", tokens=view["bag"]),
            self.say("reconstruction") if view["pack_id"] in INCLUDED else self.say("pack", pack=view["pack"]),
        ]
        text = Text(" · ".join(known), Style(bold=True))
        if view["outcome"] is None:
            text.append("\n").append_text(self.seat(view["turn"]))
            for part in self.turn():
                text.append(" · ", QUIET).append(part)
        return text.append("\n")

    def rival(self) -> str:
        """Return the difficulty of the rival, and the ages of the cards in its deck."""
        rival = self.view["rival"]
        return self.say("rival", difficulty=rival["difficulty"], cards=" ".join(map(str, rival["deck"])) or "-")

    def turn(self) -> Iterator[str]:
        """Yield the state of the turn."""
        view = self.view
        if view["choices"] is not None:
            yield self.say("choices", choices=view["choices"])
        if view["to_recruit"]:
            yield self.say("to-recruit", pawns=count(view["to_recruit"]))
        if view["moves_left"] is not None:
            yield self.say("moves-left", moves=view["moves_left"])
        if view["crossing"]:
            start, target = view["crossing"]
            yield self.say("crossing", start=start, target=target)
        if view["fleeing"]:
            yield self.say("fleeing", pawns=count(view["fleeing"]))
        if view["capacity"] is not None:
            yield self.say("capacity", capacity=view["capacity"])
        if view["to_remove"]:
            yield self.say("to-remove", pawns=count(view["to_remove"]))
        if drawn := view["tokens"][view["turn"]]["drawn"]:
            own = view["own_tokens"] or {"drawn": []}
            yield self.say("drawn", tokens=" ".join(map(str, own["drawn"])) or drawn)

    def seat(self, seat: int) -> Text:
        """Return a seat's mark and name in its colour."""
        names = ALONE_NAMES if self.view["rival"] else SEAT_NAMES
        return Text(f"{SEATS[seat][1]} {WORDS.say(f'seat-{names[seat]}', self.language)}", STYLES[seat])

    def row(self) -> RenderableType:
        """Return the row, oldest card first; cards that may be drafted are highlighted."""
        grid = Table.grid(padding=(0, 1))
        cards = []
        for place, card in enumerate(self.view["row"]):
            near = place < (self.view["choices"] or 0)
            symbols = " ".join(symbol for symbol in rows(self.view["cards"][card]) if symbol)
            cards.append(
                Panel(
                    Text(symbols, MARKED if near else PLAIN, justify="center"),
                    title=Text(f"+{card}" if near else card, MARKED if near else PLAIN),
                    box=box.HEAVY if near else box.ROUNDED,
                    width=CARD_WIDTH,
                    padding=0,
                    border_style=STYLES[self.view["turn"]] if near else FRAME,
                )
            )
        grid.add_row(*cards)
        return grid

    def spaces(self) -> Table:
        """Return the land, space by space: kind, pawns, and the spaces across its borders."""
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
        for heading in ("space", "kind", "pawns", "borders"):
            table.add_column(self.say(heading), no_wrap=True)
        for space in self.map.spaces:
            if space.kind != "lake":
                kind = Text(self.say("start" if space.start else space.kind), KIND_STYLES[space.kind])
                borders = Text(" ").join(Text(border, self.style(border)) for border in space.borders)
                table.add_row(Text(space.id, self.style(space.id)), kind, self.standing(space.id), borders)
        return table

    def standing(self, space: str) -> Text:
        """Return the owner and the pawns of a space."""
        held = self.view["spaces"].get(space)
        if held is None:
            return Text("")
        return Text(f"{SEATS[held['seat']][1]} {count(held)}", STYLES[held["seat"]])

    def style(self, space: str) -> Style:
        """Return the colour of a space's owner."""
        held = self.view["spaces"].get(space)
        return PLAIN if held is None else STYLES[held["seat"]]

    def picture(self, width: int) -> Text:
        """Return the map, each space with its owner's mark and number of pawns."""
        height = max(12, len(self.map.spaces) - self.map.count("lake") + 1)
        lines = [[(" ", PLAIN)] * width for _ in range(height)]
        for space in self.map.spaces:
            label, style = self.label(space)
            across = round(space.at[0] / self.map.size[0] * (width - 1) - len(label) / 2)
            across = min(max(across, 0), width - len(label))
            line = lines[round(space.at[1] / self.map.size[1] * (height - 1))]
            for number, letter in enumerate(label):
                line[across + number] = (letter, style)
        return Text("\n").join(Text.assemble(*line) for line in lines)

    def label(self, space: Space) -> tuple[str, Style]:
        """Return the label and style of a space on the map."""
        held = self.view["spaces"].get(space.id)
        if held is not None:
            pawns = sum(held[letter] for letter in PAWNS)
            ruin = "⌂" if space.kind == "ruin" else ""
            return f"{space.id}{ruin}{SEATS[held['seat']][1]}{pawns}", STYLES[held["seat"]]
        if space.kind == "lake":
            return f"≈{space.id}≈", KIND_STYLES["lake"]
        sign = "⌂" if space.kind == "ruin" else "◌" if space.start else ""
        return f"{space.id}{sign}", KIND_STYLES[space.kind]

    def kingdoms(self) -> RenderableType:
        """Return the players, two in a row."""
        grid = Table.grid()
        panels = [self.kingdom(seat) for seat in range(self.view["players"])]
        for first in range(0, len(panels), 2):
            grid.add_row(*panels[first : first + 2])
        return grid

    def kingdom(self, seat: int) -> Panel:
        """Return what a player has: cards by rows of symbols, with sums; supply, tokens, feeding."""
        cards = self.view["kingdoms"][seat]
        symbols = [rows(self.view["cards"][card]) for card in cards]
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_row("    ", *(Text(card, QUIET) for card in cards))
        for number, letter in enumerate("D MV"):
            total = sum(symbol_count(card[number]) for card in symbols)
            sums = "" if letter == " " else f"{letter} {total}"
            table.add_row(Text(sums, MARKED), *(card[number] for card in symbols))
        if any(card[4] for card in symbols):
            table.add_row("", *(card[4] for card in symbols))
        title = self.seat(seat).append(" · ").append(self.say("points", points=self.view["points"][seat]))
        frame = STYLES[seat] if seat == self.view["turn"] and self.view["outcome"] is None else FRAME
        inside = Group(table, self.stock(seat))
        return Panel(inside, title=title, title_align="left", width=WIDTH // 2, border_style=frame)

    def stock(self, seat: int) -> Text:
        """Return supply, tokens as far as the viewer knows them, and the feeding forecast or the final points."""
        view = self.view
        known = view["all_tokens"][seat] if view["all_tokens"] else []
        if view["seat"] == seat:
            known = view["own_tokens"]["kept"]
        tokens = f"{view['tokens'][seat]['kept']} {' '.join(f'[{value}]' for value in known)}".rstrip()
        text = Text(f"{self.say('supply', supply=count(view['supply'][seat]))} · {self.say('tokens', tokens=tokens)}\n")
        if view["outcome"] is None:
            feeding = view["forecast"][seat]
            return text.append(self.say("fed", **feeding), PLAIN if feeding["fed"] == feeding["cards"] else HUNGRY)
        points, tokens = view["points"][seat], sum(view["all_tokens"][seat])
        cards = CARD_POINTS * len(view["kingdoms"][seat])
        return text.append(self.say("final", points=points, track=points - tokens - cards, tokens=tokens, cards=cards))


def count(pawns: Mapping[str, int]) -> str:
    """Return pawns in the notation of moves; a dash for none."""
    return "".join(f"{letter}{pawns[letter]}" for letter in PAWNS if pawns[letter]) or "-"


def rows(text: str) -> tuple[str, str, str, str, str]:
    """Return the five rows of symbols of a card."""
    card = read_card(text, "")
    pawns = "".join(letter * number for letter, number in zip(PAWNS, card.pawns, strict=True))
    return repeat("D", card.draft), pawns, repeat("M", card.moves), repeat("V", card.prosperity), "N" * card.marked


def repeat(letter: str, number: int) -> str:
    """Return a symbol repeated, or with a number if there are more than three."""
    return letter * number if number <= 3 else f"{letter}{number}"


def symbol_count(row: str) -> int:
    """Return the number of symbols in a row."""
    return int(row[1:]) if row[1:].isdecimal() else len(row)
