"""Katarenga in the terminal: coloured squares, each also with the sign of its way to move."""

from collections.abc import Mapping
from typing import Any

from rich.style import Style
from rich.text import Text

from mchezo.games.katarenga.notation import WORDS

# Colour of the ground, colour of the sign, and the sign: rook +, bishop x, knight's heads, king's star.
SQUARES = {
    "R": ("#8c1f28", "#d9868a", "╋"),
    "Y": ("#c98a12", "#7a5200", "x"),
    "G": ("#1d6b4f", "#7fc8a4", "♞"),
    "B": ("#234a8f", "#8fb2ea", "✶"),
}
FRAME = Style(color="#b59a6a")
PAWNS = {"white": Style(color="#ffffff", bold=True), "black": Style(color="#000000", bold=True)}
PAWN_SIGNS = {"white": "○", "black": "●"}
NO_PAWN = Style()
CAMP_SIGN = "□"


def board(view: Mapping[str, Any], language: str) -> Text:
    """The board with White's baseline below, camps in the corners."""
    pawns = {square: side for side, squares in view["pawns"].items() for square in squares}
    lines = [camps(view, "9")]
    for number, colours in zip("87654321", view["board"].split("/"), strict=True):
        upper, lower = Text("     "), Text(f"   {number} ", FRAME)
        for file, colour in zip("abcdefgh", colours, strict=True):
            ground, ink, sign = SQUARES[colour]
            square = f"{file}{number}"
            moved = square in (view["last"] or ())
            tint = Style(color=ink, bgcolor=ground)
            upper.append(f"{sign}   {'·' if moved else ' '}", tint)
            side = pawns.get(square)
            pawn = PAWN_SIGNS[side] if side else " "
            lower.append(f"  {pawn}  ", tint + (PAWNS[side] if side else NO_PAWN))
        lines += [upper, lower.append(f" {number}", FRAME)]
    lines.append(camps(view, "0"))
    lines += [Text(f"     {PAWN_SIGNS[side]} {count}") for side, count in view["in_hand"].items() if count]
    return Text("\n").join([*lines, Text(legend(view, language), Style(dim=True))])


def legend(view: Mapping[str, Any], language: str) -> str:
    """Whose the pawns are, where the camps lie, and how the colours move."""
    lines = [" · ".join(f"{sign} {WORDS.say(f'seat-{side}', language)}" for side, sign in PAWN_SIGNS.items())]
    if view["variant"] == "katarenga":
        lines.append(WORDS.say("legend-camps", language, camp=CAMP_SIGN))
    signs = {colour: sign for colour, (_, _, sign) in SQUARES.items()}
    return "\n".join([*lines, WORDS.say("legend", language, **signs)])


def camps(view: Mapping[str, Any], rank: str) -> Text:
    """The two camps of a side, with the file letters between them; a held camp shows its pawn."""
    left, right = (PAWN_SIGNS.get(view["camps"][f"{file}{rank}"], CAMP_SIGN) for file in "ah")
    shown = view["variant"] == "katarenga"
    files = "".join(f"  {file}  " for file in "abcdefgh")
    return Text(f"   {left if shown else ' '} {files} {right if shown else ' '}", FRAME)
