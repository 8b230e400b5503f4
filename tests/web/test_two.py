"""Two browsers at one table: lost connections, requests, and hidden information."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

import mchezo
from tests.web.conftest import Visit
from tests.web.player import LOG, choose_from_menu, invite, press, resign
from tests.web.proxy import Proxy
from tests.web.records import reach, set_table
from tests.web.waiting import attempts

pytestmark = pytest.mark.rotating(shares=24)

NOTICE = "Reconnecting…"
OVER = "a[href$='/record']"
OPEN = "svg.board [data-place].open"


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    proxy = Proxy(server)
    yield proxy
    proxy.close()


def play_both(one: Page, other: Page) -> None:
    """Press in both browsers until the game is over in both."""
    for turn in attempts(one):
        states = {press(page, turn) for page in (one, other)}
        if states == {"over"}:
            return


def move(page: Page) -> None:
    """Press until the other player is to move."""
    page.locator(OPEN).first.wait_for(state="attached")
    before = page.locator(LOG).count()
    for turn in attempts(page):
        if press(page, turn) == "waiting" and page.locator(LOG).count() > before:
            return


def invite_to_a_late_position(page: Page) -> str:
    """Invite to a game of Katarenga with few, far advanced pawns, which will be short."""
    page.goto("/new/katarenga")
    page.get_by_text("A friend").click()
    page.get_by_text("Build your own").click()
    page.get_by_text("Start from a position").click()
    page.get_by_label("Position", exact=True).fill("8/1w1w2w1/8/8/8/8/1b1b2b1/8 w - -")
    page.get_by_role("button", name="Create game").click()
    return page.locator(".waiting input").input_value()


def mover(one: Page, other: Page) -> Page:
    """Return the page of the player to move."""
    return next(page for _ in attempts(one) for page in (one, other) if page.locator(OPEN).count())


@pytest.mark.parametrize("game", ["katarenga", "kiwara"])
def test_a_player_who_loses_the_connection_is_notified_misses_nothing_and_plays_on(
    visit: Visit, proxy: Proxy, game: str
) -> None:
    one = visit()
    link = (invite(one, game) if game == "kiwara" else invite_to_a_late_position(one)).split("/", 3)[3]
    other = visit(f"/{link}", line=proxy.address, forgiven="WebSocket|ERR_|Failed to load")
    for page in (one, other):
        page.locator("svg.board").wait_for()
    for _ in range(3):
        move(mover(one, other))
    if mover(one, other) is other:
        move(other)
    one.locator(OPEN).first.wait_for(state="attached")
    seen = other.locator(LOG).count()

    proxy.cut()
    expect(other.get_by_text(NOTICE)).to_be_visible()
    move(one)
    logged = one.locator(LOG).count()
    assert logged > seen
    assert any(proxy.refused for _ in attempts(other)), "nobody tries to reconnect"
    assert other.locator(LOG).count() == seen  # truly cut off
    expect(other.get_by_text(NOTICE)).to_be_visible()

    proxy.restore()
    expect(other.get_by_text(NOTICE)).to_be_hidden()
    expect(other.locator(LOG)).to_have_count(logged)
    play_both(one, other)
    assert one.locator(LOG).all_inner_texts() == other.locator(LOG).all_inner_texts()


def test_a_move_made_offline_is_sent_once_the_connection_is_back(visit: Visit, proxy: Proxy) -> None:
    one = visit()
    one.goto("/new/katarenga")
    one.get_by_text("A friend").click()
    one.get_by_text("Black chooses a side").click()
    one.locator("input[name=side][value='1']").check()
    one.get_by_role("button", name="Create game").click()
    link = one.locator(".waiting input").input_value().split("/", 3)[3]
    white = visit(f"/{link}", line=proxy.address, confirm="always", forgiven="WebSocket|ERR_|Failed to load")
    white.locator("[data-place=d1].open").click()
    white.locator(f"{OPEN}[aria-label*='can go here']").first.click()
    confirm = white.get_by_role("button", name="Confirm")
    expect(confirm).to_be_visible()
    proxy.cut()
    expect(white.get_by_text(NOTICE)).to_be_visible()
    confirm.click()  # sent while disconnected
    proxy.restore()
    expect(white.get_by_text(NOTICE)).to_be_hidden()
    expect(one.locator(LOG)).to_have_count(3)  # sat down, began, moved
    expect(one.locator(OPEN).first).to_be_attached()


@pytest.fixture
def pair(visit: Visit) -> tuple[Page, Page]:
    """Return the pages of White and Black at a table of Katarenga, joined by link."""
    white = visit("/new/katarenga")
    white.get_by_text("A friend").click()
    white.get_by_text("Black chooses a side").click()
    white.locator("input[name=side][value='0']").check()
    white.get_by_role("button", name="Create game").click()
    black = visit(white.locator(".waiting input").input_value())
    for page in (white, black):
        page.locator("svg.board").wait_for()
    return white, black


def test_a_draw_is_offered_declined_offered_again_and_agreed(pair: tuple[Page, Page]) -> None:
    white, black = pair
    choose_from_menu(white, "Offer draw")
    expect(black.get_by_text("offers a draw").first).to_be_visible()
    black.get_by_role("button", name="Decline").click()
    expect(white.locator(LOG).last).to_have_text("Black declined.")
    move(white)
    move(black)
    choose_from_menu(black, "Offer draw")
    white.get_by_role("button", name="Accept").click()
    for page in pair:
        expect(page.get_by_role("heading", name="Draw")).to_be_visible()


def test_a_move_is_taken_back_if_the_other_agrees(pair: tuple[Page, Page]) -> None:
    white, black = pair
    standing = white.locator("svg.board [aria-label*=pawn]").evaluate_all("all => all.map((one) => one.dataset.place)")
    move(white)
    white.get_by_role("button", name="Take back move").click()
    expect(black.get_by_text("wants to take back a move").first).to_be_visible()
    black.get_by_role("button", name="Accept").click()
    for page in pair:
        expect(page.locator(LOG).last).to_have_text("A move was taken back.")
    white.locator(OPEN).first.wait_for(state="attached")
    now = white.locator("svg.board [aria-label*=pawn]").evaluate_all("all => all.map((one) => one.dataset.place)")
    assert sorted(now) == sorted(standing)


@pytest.mark.parametrize("what", ["Same board, sides swapped", "Rematch"])
def test_both_go_to_the_next_game_once_they_agree(pair: tuple[Page, Page], what: str) -> None:
    white, black = pair
    first = white.url
    resign(white)
    expect(black.get_by_role("heading", name="You won!")).to_be_visible()
    black.get_by_role("button", name=what).click()
    white.get_by_role("button", name="Accept").click()
    for page in pair:
        page.wait_for_url(lambda url: url != first)
        page.locator("svg.board").wait_for()
        expect(page.locator(LOG).first).to_contain_text("The game has started.")
    assert white.url == black.url


def test_a_spectator_sees_the_board_and_cannot_play(visit: Visit, pair: tuple[Page, Page]) -> None:
    white, _ = pair
    watcher = visit(white.url)
    watcher.locator("svg.board").wait_for()
    assert watcher.locator(OPEN).count() == 0
    assert watcher.locator(".menu .danger").count() == 0
    expect(white.get_by_text("Spectators: 1")).to_be_visible()
    move(white)
    expect(watcher.locator(LOG)).to_have_count(white.locator(LOG).count())


def own_tokens(position: mchezo.Position) -> bool:
    """Return whether the first player has kept a hero token and is to draft a card."""
    seen = position.view(position.to_move)
    return position.to_move == 0 and seen["decision"] == "draft" and len(seen["own_tokens"]["kept"]) > 0


def test_hero_tokens_are_seen_by_their_owner_only(visit: Visit) -> None:
    record = reach("kitara", own_tokens)
    one = visit()
    table = set_table(one, "kitara", record, [{"kind": "you"}, {"kind": "open"}])
    other = visit(f"/join/{table['id']}/{table['keys']['1']}")
    one.goto(f"/t/{table['id']}")
    for page in (one, other):
        page.locator("svg.board").wait_for()
    watcher = visit(f"/t/{table['id']}")
    watcher.locator("svg.board").wait_for()
    expect(one.get_by_text("Points of your hero tokens:")).to_be_visible()
    assert other.get_by_text("Points of your hero tokens:").count() == 0
    assert watcher.get_by_text("Points of your hero tokens:").count() == 0
    play_both(one, other)
    # at the end all are revealed
    expect(other.locator(".score")).to_contain_text("Hero tokens")


def test_the_attacked_player_is_asked_where_to_retreat(visit: Visit) -> None:
    record = reach("kitara", lambda position: position.view(position.to_move)["decision"] == "retreat")
    attacked = mchezo.Record.parse(record).replay().to_move
    assert attacked is not None
    seats = [{"kind": "open"}, {"kind": "open"}]
    seats[attacked] = {"kind": "you"}
    one = visit()
    table = set_table(one, "kitara", record, seats)
    other = visit(f"/join/{table['id']}/{table['keys'][str(1 - attacked)]}")
    one.goto(f"/t/{table['id']}")
    expect(one.locator(".prompt")).to_contain_text("under attack")
    expect(one.locator(OPEN).first).to_be_attached()
    assert other.locator(OPEN).count() == 0
    move(one)
    expect(one.locator(LOG).filter(has_text="retreats from")).to_have_count(1)
    play_both(one, other)


@pytest.mark.parametrize(("abandoned", "offer"), [("claim", "claim the win"), ("computer", "let a computer take over")])
def test_the_seat_of_an_absent_player_can_be_claimed(visit: Visit, abandoned: str, offer: str) -> None:
    white = visit()
    plan = {"game": "katarenga", "seats": [{"kind": "you"}, {"kind": "open"}], "lot": False}
    plan |= {"options": {"choose_baseline": False}, "abandoned": abandoned, "grace": 10_000}
    white.request.get("/api/me")  # for the cookie
    made = white.request.post("/api/tables", data=plan, headers={"Origin": white.evaluate("location.origin")}).json()
    black = visit(f"/join/{made['id']}/{made['table']['keys']['1']}")
    black.locator("svg.board").wait_for()
    white.goto(f"/t/{made['id']}")
    move(white)
    expect(white.locator(".others")).not_to_contain_text("away")
    black.context.close()
    expect(white.locator(".others")).to_contain_text("away")
    white.get_by_role("button", name=offer).click()
    if abandoned == "claim":
        expect(white.locator(".prompt")).to_contain_text("the opponent left")
    else:
        expect(white.locator(OPEN).first).to_be_attached()  # it has moved
