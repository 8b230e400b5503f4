"""The pack editor: from the reconstruction to a pack of one's own, saved, shared and played with."""

import re

import pytest
from playwright.sync_api import Page, expect

from mchezo.games.kitara import pack
from mchezo.games.kitara.read_pack import read
from tests.web.axe import violations
from tests.web.conftest import Visit

pytestmark = pytest.mark.rotating(shares=4)


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


@pytest.mark.parametrize("width", [1440, 360])
def test_the_editor_fits_the_screen(visit: Visit, width: int) -> None:
    page = visit("/packs", viewport={"width": width, "height": 800})
    edit_the_reconstruction(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
