"""Parts of the app that cannot be loaded: the server has a newer version, or the connection is cut."""

from playwright.sync_api import expect

from tests.web.conftest import Visit


def test_a_page_whose_file_cannot_be_loaded_is_loaded_again(visit: Visit) -> None:
    page = visit("/", forgiven="Failed to load resource: net::ERR_FAILED")
    page.route("**/assets/RulesIndex-*.js", lambda route: route.abort(), times=1)
    page.get_by_role("link", name="Rules").first.click()
    expect(page.get_by_role("heading", level=1, name="Rules")).to_be_visible()
