"""The picture is a valid drawing of everything on the table."""

import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import mchezo
from mchezo.games.kiwara.artwork import HELPERS
from mchezo.games.kiwara.components import CARDS, COLUMNS, PATH
from tests.games.kiwara.positions import KIWARA, at, play

SVG = "{http://www.w3.org/2000/svg}"
VERSIONS = [
    {"board": board, "reinforcement": reinforcement, "rhinoceros": rhinoceros, "hyena": hyena}
    for board, reinforcement, rhinoceros, hyena in product(
        ("classic", "president", "free"), ("okapi", "pile"), ("edge", "neighbour"), ("move", "place")
    )
]


def random_positions(options: dict[str, Any], seed: int) -> Iterator[mchezo.Position]:
    """Yield some positions of a random game, including the first and the last; one player starts with cards."""
    generator = random.Random(seed)
    position = KIWARA.start(**options, handicap=(seed % 2, 2), seed=seed)
    yield position
    while position.to_move is not None:
        position.play(generator.choice(position.legal_moves))
        if generator.random() < 0.2 or position.to_move is None:
            yield position


def shapes(root: ET.Element) -> Counter[str]:
    """Count the shapes on the table by name, without those inside other shapes."""
    defined = {inside for definitions in root.iter(f"{SVG}defs") for inside in definitions.iter()}
    names = (use.get("href", "") for use in root.iter(f"{SVG}use") if use not in defined)
    return Counter(name.removeprefix("#kiwara-") for name in names)


def described(root: ET.Element) -> str:
    """Return the picture in words."""
    return root.findtext(f"{SVG}desc") or ""


@pytest.mark.parametrize(("seed", "options"), list(enumerate(VERSIONS)))
def test_the_picture_shows_every_animal_and_the_place_of_the_totem(seed: int, options: dict[str, Any]) -> None:
    for position in random_positions(options, seed):
        svg, view = position.svg(), position.view()
        assert svg == position.svg() == position.svg(0) == position.svg(1)
        root = ET.fromstring(svg)
        put = shapes(root)
        standing = Counter(
            f"{'hidden' if token['hidden'] else 'token'}-{token['seat']}-{token['animal']}"
            for token in view["animals"].values()
        )
        assert {name: count for name, count in put.items() if name.startswith(("token-", "hidden-"))} == standing
        assert put["totem"] == 1
        assert f"The totem {place(view['totem'])}." in described(root)


def place(totem: int | None) -> str:
    """Return the place of the totem in words."""
    if totem is None:
        return "is not yet on the path"
    side = ("above", "right of", "below", "left of")[(totem >= 6) + (totem >= 11) + (totem >= 17)]
    return f"stands {side} {'column' if PATH[totem] in COLUMNS else 'row'} {PATH[totem]}"


def test_the_totem_is_drawn_elsewhere_on_each_of_the_22_stones() -> None:
    places = set()
    for totem in range(22):
        root = ET.fromstring(at(f"6/6/6/6/6 {totem} y - - - -").svg())
        (drawn,) = (use for use in root.iter(f"{SVG}use") if use.get("href") == "#kiwara-totem")
        places.add((drawn.get("x"), drawn.get("y")))
    assert len(places) == 22


@pytest.mark.parametrize("options", [{}, {"reinforcement": "pile"}])
def test_every_id_has_the_prefix_of_the_game_is_unique_and_exists_if_used(options: dict[str, Any]) -> None:
    for position in random_positions(options, 5):
        root = ET.fromstring(position.svg())
        ids = [name for element in root.iter() if (name := element.get("id"))]
        assert len(ids) == len(set(ids))
        assert all(name.startswith("kiwara-") for name in ids)
        used = {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")}
        used |= {
            value[len("url(#") : -1]
            for element in root.iter()
            for value in element.attrib.values()
            if value[:4] == "url("
        }
        assert used <= set(ids)


def test_hidden_tokens_are_drawn_with_their_back() -> None:
    root = ET.fromstring(at("2Lg*2/6/6/1Z*l3/6 7 r - - - -").svg())
    put = shapes(root)
    assert (put["hidden-1-G"], put["hidden-0-Z"], put["token-0-L"], put["token-1-L"]) == (1, 1, 1, 1)
    drawn = {
        element.get("id"): [use.get("href") for use in element.iter(f"{SVG}use")] for element in root.iter(f"{SVG}g")
    }
    for seat in range(2):
        for animal in "GZ":
            assert f"#kiwara-back-{seat}" in drawn[f"kiwara-hidden-{seat}-{animal}"]
            assert f"#kiwara-face-{seat}" not in drawn[f"kiwara-hidden-{seat}-{animal}"]
            assert f"#kiwara-face-{seat}" in drawn[f"kiwara-hand-{seat}-{animal}"]


def test_cards_that_act_on_a_space_are_drawn_there() -> None:
    position = at("6/6/6/6/6 0 y boa - - -", reinforcement="pile")
    play(position, "Ga1 +1 boa:b2")
    root = ET.fromstring(position.svg())
    assert shapes(root)["boa"] == 1
    assert "The Boa demands b2." in described(root)


def test_every_reinforcement_card_has_its_own_drawing() -> None:
    assert tuple(HELPERS) == CARDS
    assert len(set(HELPERS.values())) == len(CARDS)
    for drawing in HELPERS.values():
        assert len(ET.fromstring(f"<g>{drawing}</g>")) > 0
