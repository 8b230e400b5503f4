"""What stopped people who had never seen the games: the tutorial on a phone, hints, explanations."""

from playwright.sync_api import Locator, Page, expect

from tests.web import player
from tests.web.conftest import Visit

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def learn(page: Page, game: str) -> None:
    page.locator(".intro button.primary").click()
    page.locator(".play svg.board").wait_for()
    page.locator(f".play [data-place].open, [data-game={game}] .paper:enabled").first.wait_for()


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def test_after_a_tapped_step_is_taken_back_nothing_of_it_is_left(visit: Visit) -> None:
    page = visit("/learn/kiwara", **PHONE)
    learn(page, "kiwara")
    tokens = page.locator(".play svg.board use[href^='#kiwara-token']")
    before = tokens.count()
    space = page.locator(".play [data-place=c1].open")
    space.tap()
    page.get_by_role("button", name="Undo").tap()
    expect(space).to_be_visible()
    expect(tokens).to_have_count(before)


def test_the_board_stays_in_place_whatever_the_coach_says(visit: Visit) -> None:
    page = visit("/learn/kiwara", **PHONE)
    learn(page, "kiwara")
    board, words = page.locator(".play svg.board"), set()
    place = top(board)
    for animal in page.locator(".play .animal:enabled").all():
        animal.tap()
        words.add(page.locator(".word").inner_text())
        assert top(board) == place
    assert len(words) == 5


def test_the_tutorial_says_why_a_space_is_closed_and_what_the_computer_did(visit: Visit) -> None:
    page = visit("/learn/kiwara")
    learn(page, "kiwara")
    page.locator(".play [data-place=f1]").click(force=True)
    expect(page.locator(".prompt")).to_have_text("f1 is not in line c, which the totem faces.")
    page.locator(".play .animal:enabled").nth(1).click()
    expect(page.locator(".prompt")).to_contain_text("Choose an animal")
    page.locator(".play [data-place=c1].open").click()
    page.locator(".play [data-place='15'].open").click()
    expect(page.locator(".told")).to_contain_text("Red")


def test_pressing_the_marked_space_plays_the_hint(visit: Visit) -> None:
    page = visit("/learn/kiwara")
    learn(page, "kiwara")
    page.goto(page.url.replace("/learn/kiwara/", "/t/"))
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".prompt")).to_contain_text("Hint: place the ")
    animal = page.locator(".prompt").inner_text().split()[3]
    expect(page.locator(".play .animal[aria-pressed=true] .name")).to_have_text(animal)


def test_an_explanation_stays_until_another_pawn_is_chosen_and_so_does_the_selection(visit: Visit) -> None:
    page = visit("/")
    player.one_screen(page, "katarenga")
    page.locator(".play button.primary").click()  # Black's side
    page.locator(".play [data-place].open").first.wait_for()
    movable = page.locator(".play [data-place].open").evaluate_all("(all) => all.map((one) => one.dataset.place)")
    first, second = (page.locator(f".play [data-place={place}]") for place in movable[:2])
    first.click()
    page.locator(".play [data-place=a0]").click(force=True)
    expect(page.locator(".prompt")).to_contain_text("camp")
    expect(page.locator(".prompt")).not_to_contain_text("a0")
    expect(first).to_have_attribute("aria-pressed", "true")
    second.click()
    expect(page.locator(".prompt")).to_contain_text("Choose a pawn")
