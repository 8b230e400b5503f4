"""A player who uses only the keyboard and a screen reader: things are found by their accessible names."""

from playwright.sync_api import Page

# Every place of the board, with the places that the four arrow keys lead to.
EXPLORE = """() => {
  const places = [...document.querySelectorAll("svg.board [data-place]")];
  const arrows = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  return Object.fromEntries(places.map((place) => [place.dataset.place, Object.fromEntries(arrows.map((key) => {
    place.focus();
    place.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return [key, document.activeElement.dataset.place ?? place.dataset.place];
  }))]));
}"""
# What can be chosen now: places and buttons below the board, by their accessible names.
CHOICES = """() => {
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
LIVE_REGIONS = "[aria-live=polite]"
# The text of the focused element; empty while the body has the focus.
LABEL = """() => {
  const focused = document.activeElement;
  return focused === document.body ? "" : (focused.labels?.[0] ?? focused).innerText;
}"""
# Whether the focused group of radio buttons has an option of that name.
IN_RADIO_GROUP = """(name) => document.activeElement.type === "radio"
  && [...document.getElementsByName(document.activeElement.name)]
    .some((radio) => radio.labels[0].innerText.includes(name))"""
# The arrow key towards a place with that accessible name.
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
    """Tab to the element of that name and press a key there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        label = page.evaluate(LABEL)
        if name in (label or ""):
            page.keyboard.press(key)
            return
        # a group of radio buttons is one tab stop: arrows move inside it
        if page.evaluate(IN_RADIO_GROUP, name):
            for _ in range(4):
                page.keyboard.press("ArrowDown")
                if name in page.evaluate("document.activeElement.labels[0].innerText"):
                    return
    raise AssertionError(f"{name} cannot be reached")


def walk(page: Page, wanted: str, turn: int) -> bool:
    """Move over the board by arrow keys to a place whose accessible name matches; return whether there is one."""
    for _ in range(60):
        if page.evaluate("document.activeElement.hasAttribute('data-place')"):
            break
        page.keyboard.press("Shift+Tab" if page.evaluate("!!document.activeElement.closest('aside')") else "Tab")
    for _ in range(60):
        way = page.evaluate(TOWARDS, [wanted, turn])
        if way in ("there", "nowhere"):
            return bool(way == "there")
        page.keyboard.press(way)
    raise AssertionError(f"arrow keys do not lead to a place named {wanted}")


class KeyboardPlayer:
    """A player without a mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.ways: dict[str, dict[str, str]] = page.evaluate(EXPLORE)
        self.presses = 0

    def unreachable(self) -> set[str]:
        """Return the places that arrow keys cannot reach from the first one."""
        first = next(iter(self.ways))
        return {place for place in self.ways if self.path(first, place) is None}

    def path(self, start: str, goal: str) -> list[str] | None:
        """Return the shortest sequence of arrow keys from one place to another."""
        previous: dict[str, tuple[str, str]] = {}
        edge = [start]
        while edge and goal not in (*previous, start):
            further = []
            for place in edge:
                for key, beside in self.ways[place].items():
                    if beside != start and beside not in previous:
                        previous[beside] = place, key
                        further.append(beside)
            edge = further
        if goal not in (*previous, start):
            return None
        keys: list[str] = []
        while goal != start:
            goal, key = previous[goal]
            keys.append(key)
        return keys[::-1]

    def press(self, key: str) -> None:
        self.presses += 1
        self.page.keyboard.press(key)

    def tab_to(self, place: bool, name: str = "") -> None:
        """Tab to the board, or to the button of that name."""
        for _ in range(120):
            now = self.page.evaluate(FOCUSED)
            if (now["place"] is not None) if place else (now["place"] is None and now["name"] == name):
                return
            self.press("Tab")
        raise AssertionError(f"Tab does not lead to {name or 'the board'}")

    def choose(self, place: str | None, name: str) -> None:
        """Move to a place or a button and press Enter."""
        self.tab_to(place is not None, name)
        if place is not None:
            keys = self.path(self.page.evaluate(FOCUSED)["place"], place)
            assert keys is not None, f"no arrows lead to {place}"
            for key in keys:
                self.press(key)
            assert self.page.evaluate(FOCUSED)["place"] == place
        self.press("Enter")

    def play(self, limit: int = 2_000) -> int:
        """Play to the end and return the number of choices made."""
        for turn in range(limit):
            self.page.wait_for_function(f"() => document.querySelector(\"a[href$='/record']\") || ({CHOICES})().length")
            if self.page.locator("a[href$='/record']").count():
                return turn
            choices = self.page.evaluate(CHOICES)
            if choices:
                one = choices[turn * 7 % len(choices)]
                self.choose(one["place"], one["name"])
                self.page.wait_for_timeout(20)
        raise AssertionError("the game did not end")
