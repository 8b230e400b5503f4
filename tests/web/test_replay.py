"""Finished games in the browser: replay, variations, analysis, playing on, export and upload."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import mchezo
from tests.web.axe import violations
from tests.web.conftest import Visit
from tests.web.player import one_screen, resign

pytestmark = pytest.mark.rotating(shares=24)

PLANTED = Path(__file__).parents[1] / "search" / "planted" / "katarenga-03.txt"


def record_of(game: str, moves: int = 10_000, seed: int = 3) -> str:
    """Return the record of a random game."""
    position = mchezo.game(game).start(seed=seed)
    rng = random.Random(seed)
    while position.outcome is None and len(position.moves) < moves:
        eager = [move for move in position.legal_moves if "H" in move]
        position.play(rng.choice(eager or [move for move in position.legal_moves if move != "."] or ["."]))
    return str(position.record())


def upload(page: Page, record: str) -> None:
    """Paste a record and open its page."""
    page.goto("/replay")
    page.locator("textarea").fill(record)
    page.locator("form button.primary").click()
    page.locator("svg.board").wait_for()


def test_a_record_is_pasted_and_stepped_through_with_keys_slider_and_list(visit: Visit) -> None:
    record = record_of("katarenga", 30)
    page = visit("/replay")
    upload(page, record)
    count = page.locator(".controls .count")
    expect(count).to_have_text("30 of 30")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text("29 of 30")
    page.keyboard.press("Home")
    expect(count).to_have_text("0 of 30")
    expect(page.locator(".now")).to_have_text("Start of the game")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    move = mchezo.Record.parse(record).moves[1]
    current = page.locator(".moves [aria-current]")
    expect(current).to_contain_text(re.compile("White moves from .. to .."))
    expect(current.locator(".text")).to_have_attribute("title", move)
    page.keyboard.press("End")
    expect(count).to_have_text("30 of 30")
    page.locator(".controls input").fill("12")
    expect(count).to_have_text("12 of 30")
    page.locator(".moves button").nth(4).click()
    expect(count).to_have_text("5 of 30")
    page.reload()
    expect(count).to_have_text("5 of 30")


def test_a_finished_table_leads_to_its_replay_with_the_times_of_moves(visit: Visit) -> None:
    page = visit()
    one_screen(page, "katarenga")
    page.get_by_role("button", name="Play from this side").click()
    page.locator("svg.board [data-place='d1'].open").click()
    page.locator("svg.board [data-place].open[aria-label*='can go here']").first.click()
    resign(page)
    page.locator(".overlay a[href^='/replay']").click()
    expect(page.locator(".moves li")).to_have_count(2)
    expect(page.locator(".moves .took").first).to_have_text(re.compile(r"\d s$"))
    expect(page.locator(".seed")).to_contain_text(re.compile(r"published before the game: \w{20,}"))


def test_the_explorer_shows_what_was_played_and_plays_it(visit: Visit) -> None:
    page = visit("/replay")
    upload(page, record_of("kiwara", 12))
    panel = page.locator("details", has_text="Explorer")
    panel.locator("summary").click()
    expect(panel).to_contain_text("No game has reached this position yet.")
    page.keyboard.press("Home")
    rows = panel.locator("tbody tr")
    expect(rows.first).to_be_visible()
    expect(panel.locator("caption")).to_have_text("Computer against computer")
    move = rows.first.locator("code").inner_text()
    assert move in mchezo.game("kiwara").start(seed=1).legal_moves
    expect(rows.first.locator("td").nth(2)).to_have_text(re.compile(r"\d+\s?%"))
    rows.first.get_by_role("button").click()
    expect(page.locator(".now")).not_to_have_text("Start of the game")
    expect(rows.first.locator("code")).not_to_have_text(move)
    assert violations(page) == []


def test_a_replay_shows_everything_or_what_one_seat_saw(visit: Visit) -> None:
    text = next(text for seed in range(1, 30) if re.search(r"\s=[2-5]\s", text := record_of("kitara", seed=seed)))
    page = visit("/replay")
    upload(page, text)
    page.keyboard.press("ArrowLeft")
    first = page.locator(".players article").first
    tokens = page.locator(".players span", has_text=re.compile(r"\([2-5]( \+ [2-5])*\)$"))
    expect(first).to_be_visible()
    expect(tokens.first).to_be_visible()
    page.get_by_label("View").select_option("1")
    expect(tokens).to_have_count(0)
    unknown = page.locator(".moves ol [title='=?']")
    expect(unknown).not_to_have_count(0)
    page.get_by_label("View").select_option("all")
    expect(unknown).to_have_count(0)


def upload_up_to_the_blunder(page: Page) -> tuple[int, str]:
    """Upload a game whose last move is a planted blunder; return the number and the text of that move."""
    record = mchezo.Record.parse(PLANTED.read_text("utf-8"))
    planted = int(record.tags["Planted"])
    head, _, _ = str(record).partition("\n\n")
    head = re.sub(r"\[(Winners|Scores|Reason|Seed\w*|Drawn) .*\n", "", head)
    upload(page, f"{head}\n\n{' '.join(record.moves[: planted + 1])}\n")
    return planted, record.moves[planted]


def test_a_blunder_is_marked_explained_and_shown_on_the_board(visit: Visit) -> None:
    page = visit("/replay")
    planted, blunder = upload_up_to_the_blunder(page)
    page.get_by_role("button", name="Analyse game").click()
    expect(page.get_by_role("columnheader", name="Accuracy")).to_be_visible()
    graph = page.get_by_role("slider", name="Winning chances")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"White \d+%, Black \d+%"))
    page.keyboard.press("End")
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text(f"from {' to '.join(re.split('[-x]', blunder))}.")
    expect(verdict).to_contain_text(re.compile("Blunder:|Missed win:"))
    expect(page.locator("svg.board path.hint")).to_have_count(0)  # the answer to it would be taken for the better move
    expect(verdict).to_contain_text(re.compile("can (force a )?win"))
    page.get_by_role("button", name="Show on the board").click()
    expect(page.locator("svg.board path.hint").first).to_be_attached()
    graph.focus()
    page.keyboard.press("Home")
    expect(page.locator(".controls .count")).to_contain_text("0 of")
    box = graph.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 10)
    expect(page.locator(".controls .count")).to_contain_text(f"{planted + 1} of")
    assert violations(page) == []
    page.reload()
    expect(page.get_by_role("columnheader", name="Accuracy")).to_be_visible()  # it is kept


def test_variations_are_tried_saved_and_survive_a_reload(visit: Visit) -> None:
    page = visit("/replay")
    upload(page, record_of("kiwara", 40))
    page.locator(".moves button").nth(20).click()
    page.get_by_role("button", name="Try other moves").click()
    variation = page.locator(".variation li")
    for _ in range(4):
        before = variation.count()
        page.locator("svg.board [data-place].open").first.wait_for(state="attached")
        page.locator("svg.board [data-place].open").first.dispatch_event("click")
        expect(variation.nth(before)).to_be_attached()
    moves = variation.all_inner_texts()
    page.get_by_role("button", name="Ask the computer").click()
    expect(page.locator(".variation")).to_contain_text("Best now")
    page.reload()
    expect(variation.nth(len(moves) - 1)).to_be_attached()
    assert variation.all_inner_texts() == moves
    page.get_by_role("button", name="Save variation").click()
    page.get_by_role("button", name="Back to game").click()
    expect(variation).to_have_count(0)
    page.reload()
    page.locator(".kept button").first.click()
    expect(variation).to_have_count(len(moves))
    page.get_by_role("button", name="Delete variation").click()
    expect(page.locator(".kept")).to_have_count(0)


@pytest.mark.parametrize("against", ["Against the computer", "On this screen"])
def test_a_game_is_played_on_from_a_moment(visit: Visit, against: str) -> None:
    page = visit("/replay")
    upload(page, record_of("katarenga", 21))
    page.locator(".moves button").nth(15).click()
    page.get_by_role("button", name="Play from here").click()
    page.get_by_role("dialog").get_by_text(against).click()
    page.get_by_role("dialog").get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("/t/"))
    page.locator("svg.board [data-place].open").first.wait_for(state="attached")


def test_a_game_is_exported_as_record_pictures_and_animation(visit: Visit) -> None:
    page = visit("/replay", accept_downloads=True)
    upload(page, record_of("katarenga", 3))
    for name, begin in {
        "Game record": b"[Game",
        "SVG": b"<svg",
        "PNG": b"\x89PNG",
        "Animation (GIF)": b"GIF89a",
    }.items():
        control = page.get_by_role("link", name=name, exact=True).or_(page.get_by_role("button", name=name, exact=True))
        with page.expect_download() as download:
            control.click()
        assert Path(download.value.path()).read_bytes().startswith(begin)


def test_a_record_is_uploaded_as_a_file_as_other_systems_write_it(visit: Visit) -> None:
    record = record_of("kiwara", 12)
    page = visit("/replay")
    file = page.locator("input[type=file]")
    show = page.get_by_role("button", name="Import")
    expect(show).to_be_disabled()
    file.set_input_files({"name": "long.txt", "mimeType": "text/plain", "buffer": b" " * 300_000})
    expect(page.get_by_role("alert")).to_contain_text("too long")
    written = b"\xef\xbb\xbf" + record.replace("\n", "\r\n").encode()
    file.set_input_files({"name": "mine.txt", "mimeType": "text/plain", "buffer": written})
    expect(page.get_by_role("alert")).to_have_count(0)
    show.click()
    expect(page.locator(".controls .count")).to_have_text("12 of 12")


def test_text_that_is_no_record_is_refused_with_an_explanation(chromium: Browser, server: str) -> None:
    # Without the `visit` fixture: the browser itself logs a response of 400.
    with chromium.new_context(base_url=server, locale="de-DE") as context:
        page = context.new_page()
        page.goto("/replay")
        page.locator("textarea").fill("Guten Tag")
        page.locator("form button.primary").click()
        expect(page.get_by_role("alert")).to_contain_text("Game")
        page.goto("/replay/aaaaaaaaaaaa")
        expect(page.locator("h1")).to_contain_text("Tisch")


@pytest.mark.parametrize("game", ["kiwara", "kitara"])
def test_the_replay_is_accessible_and_fits_a_phone(visit: Visit, game: str) -> None:
    page = visit("/replay", viewport={"width": 360, "height": 740}, color_scheme="dark", language="fr-FR")
    assert violations(page) == []
    upload(page, record_of(game, 60))
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
    assert "{" not in page.locator("main").inner_text()


def test_every_position_of_a_replay_marks_the_turn_that_led_to_it(visit: Visit) -> None:
    page = visit("/replay")
    upload(page, record_of("kiwara"))
    last = page.locator("svg.board .last")
    expect(last).to_have_count(1)
    place = "mark => [mark.getAttribute('x'), mark.getAttribute('y')]"
    at_the_end = last.evaluate(place)
    page.keyboard.press("Home")
    expect(last).to_have_count(0)
    page.locator(".controls input").fill("12")
    expect(last).to_have_count(1)
    assert last.evaluate(place) != at_the_end
