"""Katarenga in the terminal: coloured squares, each with a symbol for how pawns move from it."""

from collections.abc import Mapping
from typing import Any

from rich.style import Style
from rich.text import Text

from mchezo.games.katarenga.words import WORDS

# Background, foreground and symbol: a cross for rooks, x for bishops, a horse for knights, a star for kings.
SQUARES = {
    "R": ("#8c1f28", "#d9868a", "╋"),
    "Y": ("#c98a12", "#7a5200", "x"),
    "G": ("#1d6b4f", "#7fc8a4", "♞"),
    "B": ("#234a8f", "#8fb2ea", "✶"),
}
FRAME = Style(color="#b59a6a")
PAWNS = {"white": Style(color="#ffffff", bold=True), "black": Style(color="#000000", bold=True)}
PAWN_SIGNS = {"white": "○", "black": "●"}
GOAL_SIGNS = {"white": "△", "black": "▲"}  # the squares that a side wants to fill
CAMP_SIGN = "□"


def board(view: Mapping[str, Any], language: str) -> Text:
    """Return the board with White's baseline at the bottom and the camps in the corners."""
    pawns: dict[str, list[str]] = {}
    for side, squares in view["pawns"].items():
        for square in squares:
            pawns.setdefault(square, []).append(side)
    goals = {square: GOAL_SIGNS[side] for side, squares in view["goals"].items() for square in squares}
    lines = [camps(view, "9")]
    for number, colours in zip("87654321", view["board"].split("/"), strict=True):
        upper, lower = Text("     "), Text(f"   {number} ", FRAME)
        for file, colour in zip("abcdefgh", colours, strict=True):
            ground, ink, sign = SQUARES[colour]
            square = f"{file}{number}"
            moved = square in (view["last"] or ())
            tint = Style(color=ink, bgcolor=ground)
            goal = goals.get(square, " ")
            played = view["area"] is None or square in view["area"]
            upper.append(f"{sign if played else ' '} {goal} {'·' if moved else ' '}", tint)
            standing = pawns.get(square, [])
            free = 5 - len(standing)
            lower.append(" " * (free - free // 2), tint)
            for side in standing:
                lower.append(PAWN_SIGNS[side], tint + PAWNS[side])
            lower.append(" " * (free // 2), tint)
        lines += [upper, lower.append(f" {number}", FRAME)]
    lines.append(camps(view, "0"))
    lines += [Text(f"     {PAWN_SIGNS[side]} {count}") for side, count in view["in_hand"].items() if count]
    if view["most"] is not None:
        key = "score-most" if view["most_proven"] else "score-most-known"
        lines.append(Text(f"     {WORDS.say(key, language, most=view['most'])}"))
    return Text("\n").join([*lines, Text(legend(view, language), Style(dim=True))])


def legend(view: Mapping[str, Any], language: str) -> str:
    """Return the legend: the pawns of each side, the camps, and how pawns move from each colour."""
    lines = [" · ".join(f"{sign} {WORDS.say(f'seat-{side}', language)}" for side, sign in PAWN_SIGNS.items())]
    if view["variant"] == "katarenga":
        lines.append(WORDS.say("legend-camps", language, camp=CAMP_SIGN))
    signs = {colour: sign for colour, (_, _, sign) in SQUARES.items()}
    return "\n".join([*lines, WORDS.say("legend", language, **signs)])


def camps(view: Mapping[str, Any], rank: str) -> Text:
    """Return the two camps of a side with the file letters between them; an occupied camp shows its pawn."""
    left, right = (PAWN_SIGNS.get(view["camps"][f"{file}{rank}"], CAMP_SIGN) for file in "ah")
    shown = view["variant"] == "katarenga"
    files = "".join(f"  {file}  " for file in "abcdefgh")
    return Text(f"   {left if shown else ' '} {files} {right if shown else ' '}", FRAME)
