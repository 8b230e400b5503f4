"""Positions and records in notebooks: pictures that show no more than a spectator may see."""

import base64
import random
import re
from xml.etree import ElementTree

import pytest

import mchezo
from mchezo.core import animation
from tests.games.kitara.positions import with_hidden_token

SVG = "{http://www.w3.org/2000/svg}"


def random_game(name: str, turns: int) -> mchezo.Position:
    generator = random.Random(name)
    position = mchezo.game(name).start(seed=11)
    while position.outcome is None and len(position.record().turns) < turns:
        position.play(generator.choice(position.legal_moves))
    return position


def drawn(root: ElementTree.Element) -> list[str]:
    return [animation.write(child) for child in root if child.tag not in (f"{SVG}title", f"{SVG}desc", f"{SVG}defs")]


def drawn_at(root: ElementTree.Element, moment: float) -> list[str]:
    """Return what an animated picture shows at a moment from 0 to 1."""
    found = []
    for child in root:
        timing = child.find(f"{SVG}animate") if child.tag == f"{SVG}g" else None
        if timing is None:
            found += [] if child.tag in (f"{SVG}title", f"{SVG}desc", f"{SVG}defs") else [animation.write(child)]
            continue
        starts = [float(text) for text in timing.attrib["keyTimes"].split(";")]
        values = timing.attrib["values"].split(";")
        assert starts[0] == 0
        assert starts == sorted(starts)
        if values[sum(start <= moment for start in starts) - 1] == "inline":
            found += [animation.write(part) for part in child if part is not timing]
    return found


@pytest.mark.parametrize("name", mchezo.games())
def test_every_picture_of_an_animation_is_the_picture_of_that_turn(name: str) -> None:
    position = random_game(name, turns=12)
    pictures = animation.frames(position, None)
    times = animation.timeline(len(pictures), 1.0)
    root = ElementTree.fromstring(position.record().animation(seconds=1.0))
    assert len(pictures) > 8
    for number, picture in enumerate(pictures):
        moment = (times[number] + times[number + 1]) / 2 / times[-1]
        assert drawn_at(root, moment) == drawn(ElementTree.fromstring(picture))
    assert pictures[-1] == position.svg()


@pytest.mark.parametrize("name", mchezo.games())
def test_an_animation_needs_nothing_but_itself_and_stays_small(name: str) -> None:
    position = random_game(name, turns=100)
    picture = position.record().animation()
    assert not re.findall(r"(?:href|src)=\"(?!#)|url\((?!#)|<script", picture)
    used = set(re.findall(r"href=\"#([^\"]+)|url\(#([^)]+)", picture))
    known = set(re.findall(r"id=\"([^\"]+)\"", picture))
    assert {one or other for one, other in used} <= known
    assert len(picture) < 600_000


def test_notebooks_show_a_position_as_a_spectator_sees_it() -> None:
    position = with_hidden_token()
    holder = next(step.only for step in position.steps if step.only is not None)
    assert position._repr_svg_() == position.svg(None) != position.svg(holder)
    assert position.record().animation() != position.record().animation(holder)


def test_a_record_that_cannot_be_replayed_is_shown_as_text() -> None:
    record = random_game("katarenga", turns=3).record()
    shown = record._repr_html_()
    assert shown is not None
    encoded = shown.partition("base64,")[2].partition('"')[0]
    assert base64.b64decode(encoded).decode() == record.animation()
    broken = mchezo.Record(record.game, record.rules, record.options, ("nonsense",))
    assert broken._repr_html_() is None
