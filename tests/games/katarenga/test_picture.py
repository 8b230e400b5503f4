"""The picture is a valid drawing of everything on the board."""

import random
import xml.etree.ElementTree as ET

import mchezo
from mchezo.games.katarenga.components import START_FIGURE

KATARENGA = mchezo.game("katarenga")
SVG = "{http://www.w3.org/2000/svg}"


def uses(svg: str, name: str) -> int:
    return sum(use.get("href") == f"#katarenga-{name}" for use in ET.fromstring(svg).iter(f"{SVG}use"))


def test_every_square_and_pawn_is_drawn() -> None:
    generator = random.Random(1)
    position = KATARENGA.start(board=START_FIGURE)
    while position.outcome is None:
        svg = position.svg()
        view = position.view()
        assert sum(uses(svg, name) for name in ("red", "green", "blue", "yellow")) == 64
        for side in ("white", "black"):
            held = list(view["camps"].values()).count(side)
            assert uses(svg, f"{side}-pawn") == len(view["pawns"][side]) + held
        position.play(generator.choice(position.legal_moves))


def test_a_position_always_gives_the_same_picture_and_black_sees_it_rotated() -> None:
    position = KATARENGA.start(board=START_FIGURE)
    assert position.svg() == KATARENGA.start(board=START_FIGURE).svg() == position.svg(0)
    assert position.svg(1) != position.svg(0)


def test_the_picture_has_a_description_in_words() -> None:
    root = ET.fromstring(KATARENGA.start(board=START_FIGURE).svg())
    assert root.find(f"{SVG}title") is not None
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert "a1" in (description.text or "")
