"""Somebody who plays by keys and by ear: what can be done is known by its spoken name, reached by Tab and arrows."""

from playwright.sync_api import Page

# From every place of the board to the places that the four arrow keys lead to.
EXPLORE = """() => {
  const places = [...document.querySelectorAll("svg.board [data-place]")];
  const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  return Object.fromEntries(places.map((place) => [place.dataset.place, Object.fromEntries(arrows.map((key) => {
    place.focus();
    place.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return [key, document.activeElement.dataset.place ?? place.dataset.place];
  }))]));
}"""
# What is offered now: places by their spoken names, and buttons below the board by theirs.
OFFERED = """() => {
  const named = (element) => element.getAttribute("aria-label") ?? element.innerText.trim();
  const places = [...document.querySelectorAll("svg.board [data-place]:not([aria-disabled])")]
    .map((place) => ({ place: place.dataset.place, name: named(place), pressed: place.hasAttribute("aria-pressed") }));
  const buttons = [...document.querySelectorAll(
      ".play .primary:enabled, .play .paper:enabled, .play .helper:enabled:not([aria-pressed=true])")]
    .map((button) => ({ place: null, name: named(button), pressed: false }));
  return [...places, ...buttons].filter((one) => !one.pressed);
}"""
FOCUSED = """() => {
  const now = document.activeElement;
  return { place: now.dataset?.place ?? null, name: now.getAttribute("aria-label") ?? now.innerText?.trim() ?? "" };
}"""
SPOKEN = "[aria-live=polite]"
# What has the focus, by its words; before anything has it, the body has, with all words of the page.
LABEL = """() => {
  const focused = document.activeElement;
  return focused === document.body ? "" : (focused.labels?.[0] ?? focused).innerText;
}"""
# Whether the radio buttons that have the focus are those with the thing of that name.
AMONG = """(name) => document.activeElement.type === "radio"
  && [...document.getElementsByName(document.activeElement.name)]
    .some((radio) => radio.labels[0].innerText.includes(name))"""
# The spoken name of a place is all that a player by ear has; where it lies says which arrows lead there.
TOWARDS = """([wanted, turn]) => {
  const places = [...document.querySelectorAll("svg.board [data-place]")]
    .filter((place) => place.getAttribute("aria-label").match(wanted));
  if (!places.length) return "nowhere";
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(document.activeElement), [toX, toY] = middle(places[turn % places.length]);
  if (Math.abs(toX - x) > 8) return toX > x ? "ArrowRight" : "ArrowLeft";
  return Math.abs(toY - y) > 8 ? (toY > y ? "ArrowDown" : "ArrowUp") : "there";
}"""


def press_on(page: Page, name: str, key: str) -> None:
    """Tab until the thing of that name has the focus, then press."""
    for _ in range(80):
        page.keyboard.press("Tab")
        label = page.evaluate(LABEL)
        if name in (label or ""):
            page.keyboard.press(key)
            return
        # radio buttons are one stop: arrows go on inside
        if page.evaluate(AMONG, name):
            for _ in range(4):
                page.keyboard.press("ArrowDown")
                if name in page.evaluate("document.activeElement.labels[0].innerText"):
                    return
    raise AssertionError(f"{name} cannot be reached")


def walk(page: Page, wanted: str, turn: int) -> bool:
    """Go over the board by arrow keys to a place whose spoken name says what is wanted."""
    for _ in range(60):
        if page.evaluate("document.activeElement.hasAttribute('data-place')"):
            break
        page.keyboard.press("Shift+Tab" if page.evaluate("!!document.activeElement.closest('aside')") else "Tab")
    for _ in range(60):
        way = page.evaluate(TOWARDS, [wanted, turn])
        if way in ("there", "nowhere"):
            return bool(way == "there")
        page.keyboard.press(way)
    raise AssertionError(f"the arrows do not lead to a place where one {wanted}")


class ByKeys:
    """A person at a table, without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.ways: dict[str, dict[str, str]] = page.evaluate(EXPLORE)
        self.presses = 0

    def unreachable(self) -> set[str]:
        """Places to which no arrows lead from the first one."""
        first = next(iter(self.ways))
        return {place for place in self.ways if self.path(first, place) is None}

    def path(self, start: str, goal: str) -> list[str] | None:
        """The arrow keys from one place to another, as few as can be."""
        came: dict[str, tuple[str, str]] = {}
        edge = [start]
        while edge and goal not in (*came, start):
            further = []
            for place in edge:
                for key, beside in self.ways[place].items():
                    if beside != start and beside not in came:
                        came[beside] = place, key
                        further.append(beside)
            edge = further
        if goal not in (*came, start):
            return None
        keys: list[str] = []
        while goal != start:
            goal, key = came[goal]
            keys.append(key)
        return keys[::-1]

    def press(self, key: str) -> None:
        self.presses += 1
        self.page.keyboard.press(key)

    def tab_to(self, place: bool, name: str = "") -> None:
        """Tab until the board, or the button of that name, has the focus."""
        for _ in range(120):
            now = self.page.evaluate(FOCUSED)
            if (now["place"] is not None) if place else (now["place"] is None and now["name"] == name):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {name or 'the board'}")

    def choose(self, place: str | None, name: str) -> None:
        """Go to a place or a button, and press Enter there."""
        self.tab_to(place is not None, name)
        if place is not None:
            keys = self.path(self.page.evaluate(FOCUSED)["place"], place)
            assert keys is not None, f"no arrows lead to {place}"
            for key in keys:
                self.press(key)
            assert self.page.evaluate(FOCUSED)["place"] == place
        self.press("Enter")

    def play(self, most: int = 600) -> int:
        """Play to the end; how many things were chosen."""
        for turn in range(most):
            self.page.wait_for_function(f"() => document.querySelector(\"a[href$='/record']\") || ({OFFERED})().length")
            if self.page.locator("a[href$='/record']").count():
                return turn
            offered = self.page.evaluate(OFFERED)
            if offered:
                one = offered[turn * 7 % len(offered)]
                self.choose(one["place"], one["name"])
                self.page.wait_for_timeout(20)
        raise AssertionError("the game did not end")
