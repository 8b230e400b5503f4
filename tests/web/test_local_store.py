"""Local tables in IndexedDB: appends are atomic, in order, and refused if another tab was faster."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.web.test_kernels import ROOT, answered_page, javascript

STORE = "/web/src/local/store.ts"
LISTED = {"game": "kiwara", "changed": 1}


@pytest.fixture(scope="module")
def script() -> str:
    return javascript(ROOT / STORE.lstrip("/"))


@pytest.fixture
def page(chromium: Browser, script: str) -> Iterator[Page]:
    def answer(route: Route) -> None:
        wanted = route.request.url.endswith(".ts")
        kind = "text/javascript" if wanted else "text/html"
        route.fulfill(body=script if wanted else "<!doctype html>", content_type=kind)

    with answered_page(chromium, answer) as page:
        yield page


def call(page: Page, function: str, *arguments: Any) -> Any:
    """Call a function of the store; an error is returned by the name of its class."""
    return page.evaluate(
        f"""async ([name, given]) => {{
          const store = await import("{STORE}");
          try {{
            return (await store[name](...given)) ?? null;
          }} catch (error) {{
            return error.constructor.name;
          }}
        }}""",
        [function, list(arguments)],
    )


def addition(table: str, count: int, *facts: str, changed: int = 1) -> dict[str, Any]:
    return {"id": table, "count": count, "facts": list(facts), "listed": {**LISTED, "id": table, "changed": changed}}


def test_facts_come_back_in_order_after_the_page_was_closed(page: Page) -> None:
    facts = [f"fact {number}" for number in range(12)]  # more than ten: numbers are not sorted as texts
    call(page, "append", [addition("La", 0, *facts[:5])])
    call(page, "append", [addition("La", 5, *facts[5:])])
    call(page, "append", [addition("Lb", 0, "other")])
    page.reload()
    found = call(page, "read", "La")
    assert found["facts"] == facts
    assert (found["table"]["count"], found["table"]["replay"]) == (12, None)
    assert call(page, "read", "Lc")["facts"] == []


def test_whoever_has_not_seen_the_last_fact_changes_nothing(page: Page) -> None:
    call(page, "append", [addition("La", 0, "first")])
    other = page.context.new_page()
    other.goto("http://games.test/other")
    call(other, "append", [addition("La", 1, "second")])
    outdated = call(page, "append", [addition("Lnew", 0, "never"), addition("La", 1, "another second")])
    assert outdated == "Outdated"
    assert call(page, "read", "La")["facts"] == ["first", "second"]
    assert [table["id"] for table in call(page, "list")] == ["La"]
    assert call(page, "append", [addition("La", 0, "from the start")]) == "Outdated"


def test_tables_are_listed_noted_and_removed(page: Page) -> None:
    call(page, "append", [addition("La", 0, "a", changed=1), addition("Lb", 0, "b", changed=2)])
    assert [table["id"] for table in call(page, "list")] == ["Lb", "La"]
    call(page, "note", "La", {"replay": "abcdefghijkl"})
    call(page, "append", [addition("La", 1, "more", changed=3)])
    assert [(table["id"], table["replay"]) for table in call(page, "list")] == [("La", "abcdefghijkl"), ("Lb", None)]
    call(page, "remove", "La")
    call(page, "note", "La", {"replay": "again"})  # it does not come back
    assert [table["id"] for table in call(page, "list")] == ["Lb"]
    assert call(page, "read", "La")["facts"] == []
    assert call(page, "read", "Lb")["facts"] == ["b"]
