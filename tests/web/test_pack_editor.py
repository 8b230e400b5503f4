"""The pack editor: from the reconstruction to a pack of one's own, saved, shared and played with."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from mchezo.games.kitara import pack
from mchezo.games.kitara.read_pack import read
from tests.web.axe import violations
from tests.web.conftest import Visit

pytestmark = pytest.mark.rotating(shares=24)


def edit_the_reconstruction(page: Page) -> None:
    page.get_by_role("button", name="Make or edit a pack here").click()
    page.get_by_role("button", name="Start from the reconstruction").click()
    expect(page.get_by_text("Reconstruction: ready to play.")).to_be_visible()


def saved(page: Page) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download pack").click()
    return download.value.path().read_text("utf-8")


def test_an_edited_pack_is_checked_saved_shared_and_played_with(visit: Visit) -> None:
    page = visit("/packs")
    edit_the_reconstruction(page)
    assert pack.id_of(read(saved(page))) == pack.SHIPPED
    page.get_by_label("Name", exact=True).fill("Ada box")
    card = page.get_by_label("Card 1.1", exact=True).first
    card.fill("Q7")
    expect(page.get_by_role("status")).to_contain_text("decks.blue 1.1")
    card.fill("D1W2M1")
    expect(page.get_by_text("Ada box: ready to play.")).to_be_visible()
    assert violations(page) == []
    own = read(saved(page))
    assert (own.name, own.decks["blue"][0][0].text) == ("Ada box", "D1W2M1")
    # the link carries the pack to somebody else
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link to this pack").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("() => navigator.clipboard.readText()")
    other = visit(link)
    expect(other.get_by_label("Name", exact=True)).to_have_value("Ada box")
    expect(other.get_by_text("Ada box: ready to play.")).to_be_visible()
    other.get_by_role("link", name="Play with it").click()
    expect(other.get_by_text("Ada box: ready to play.")).to_be_visible()
    other.get_by_text("Same screen").click()
    other.locator("form button.primary").click()
    other.wait_for_url("**/t/*")
    expect(other.locator("aside")).to_contain_text("Ada box")


def test_a_map_is_drawn_with_pointer_and_keys(visit: Visit) -> None:
    page = visit("/packs")
    edit_the_reconstruction(page)
    space = page.get_by_role("button", name="a1, savanna", exact=True)
    space.focus()
    before = page.get_by_label("a1, from the left").input_value()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_label("a1, from the left")).to_have_value(str(int(before) - 10))
    box = space.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 30, box["y"] + 5, steps=4)
    page.mouse.up()
    expect(page.get_by_label("a1, from the left")).not_to_have_value(str(int(before) - 10))
    # a1 is selected now: a press with Shift on its neighbour closes the border on both sides
    page.get_by_role("button", name="a2, savanna", exact=True).click(modifiers=["Shift"])
    expect(page.get_by_label("Spaces across the open borders of a1")).not_to_have_value(re.compile(r"\ba2\b"))
    expect(page.get_by_label("Spaces across the open borders of a2")).not_to_have_value(re.compile(r"\ba1\b"))
    page.locator("input[name=map][value='3']").check()
    page.get_by_role("button", name="Remove this map").click()
    page.get_by_role("button", name="Draw a new map").click()
    page.get_by_role("button", name="Add a space").click()
    expect(page.get_by_role("status")).to_contain_text("maps.3")
    expect(page.get_by_label("Kind of s1")).to_have_value("savanna")
    text = saved(page)
    assert '[[maps.3.spaces]]\nid = "s1"' in text
    # what was edited is there when the page is opened again
    page.reload()
    page.locator("input[name=map][value='3']").check()
    expect(page.get_by_label("Kind of s1")).to_have_value("savanna")


def drag(page: Page, grip: Locator, right: float, down: float) -> None:
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=5)
    page.mouse.up()


def shapes(text: str) -> dict[str, str]:
    """Return the territories of the map for two."""
    return {space.id: space.shape for space in read(text).maps[2].spaces}


def bend_borders_of(page: Page, space: str) -> None:
    edit_the_reconstruction(page)
    page.get_by_label("Bend borders").check()
    page.get_by_role("button", name=space, exact=True).click()


def test_borders_are_bent_on_both_sides_with_pointer_and_keys(visit: Visit) -> None:
    page = visit("/packs")
    bend_borders_of(page, "a4, savanna")
    before = shapes(saved(page))
    # the first point of a4's border is the corner that it has in common with a1 and a2
    corner = page.get_by_role("button", name="Point 1 of the border of a4", exact=True)
    drag(page, corner, 20, 15)
    expect(page.get_by_text("Reconstruction: ready to play.")).to_be_visible()
    text = saved(page)
    after = shapes(text)
    assert corners(after["a4"])[0] != corners(before["a4"])[0]
    assert corners(after["a4"])[0] in corners(after["a1"])
    assert corners(after["a4"])[0] in corners(after["a2"])
    assert corners(after["b1"]) == corners(before["b1"])
    assert pack.id_of(read(text)) == pack.SHIPPED  # a drawing does not change the game
    count = page.get_by_role("button", name="Point").count()
    corner.focus()
    page.keyboard.press("Insert")
    expect(page.get_by_role("button", name="Point")).to_have_count(count + 1)
    page.get_by_role("button", name="Point 2 of the border of a4", exact=True).focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="Point")).to_have_count(count)
    corner.focus()
    page.keyboard.press("Delete")  # territories part there, so it stays
    expect(page.get_by_role("button", name="Point")).to_have_count(count)
    assert violations(page) == []
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert shapes(saved(page)) == before


def test_a_space_is_cut_off_another_and_given_back(visit: Visit) -> None:
    page = visit("/packs")
    bend_borders_of(page, "a4, savanna")
    page.get_by_role("button", name="Add a space").click()
    expect(page.get_by_label("Spaces across the open borders of s1")).to_have_value("a4")
    expect(page.get_by_text("Reconstruction: ready to play.")).to_be_visible()
    halves = shapes(saved(page))
    assert len(set(corners(halves["s1"])) & set(corners(halves["a4"]))) == 2
    page.get_by_label("Open or close borders").check()
    page.get_by_role("button", name="a4, savanna", exact=True).click()
    expect(page.get_by_label("Spaces across the open borders of s1")).to_have_value("")
    expect(page.locator(".problem")).to_contain_text("maps.2")
    page.get_by_role("button", name="Remove s1").click()
    whole = shapes(saved(page))
    assert len(whole) == len(halves) - 1
    assert sum(map(area, whole.values())) == pytest.approx(sum(map(area, halves.values())), rel=0.001)
    page.get_by_role("button", name="Reset borders").click()
    assert "shape" not in saved(page).split("[maps.3]")[0]


def area(shape: str) -> float:
    """Return the area of the polygon of a path's corners."""
    points = corners(shape)
    return abs(sum(x * to_y - y * to_x for (x, y), (to_x, to_y) in pairwise([*points, points[0]]))) / 2


def corners(shape: str) -> list[tuple[float, float]]:
    """Return the ends of the lines and curves of a path with relative ones, to the nearest unit."""
    x = y = 0.0
    found: list[tuple[float, float]] = []
    for letter, given in re.findall(r"([Mcl])([^McZlz]*)", shape):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", given)]
        x, y = (0.0 if letter == "M" else x) + numbers[-2], (0.0 if letter == "M" else y) + numbers[-1]
        if not found or (round(x), round(y)) != found[0]:
            found.append((round(x), round(y)))
    return found


@pytest.mark.parametrize("width", [1440, 360])
def test_the_editor_fits_the_screen(visit: Visit, width: int) -> None:
    page = visit("/packs", viewport={"width": width, "height": 800})
    edit_the_reconstruction(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 768])
def test_all_cards_of_a_deck_are_in_view(visit: Visit, width: int) -> None:
    page = visit("/packs", viewport={"width": width, "height": 800})
    edit_the_reconstruction(page)
    for deck in ("Blue deck", "Red deck"):
        fields = page.get_by_role("group", name=deck).get_by_role("textbox").all()
        assert len(fields) == 32
        for field in fields:
            box = field.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            # The longest card of the reconstruction is readable whole.
            assert field.evaluate("input => input.scrollWidth <= input.clientWidth")
