"""What axe-core finds wrong with a page for people who use it by other means than a mouse and eyes."""

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


# Colours on their way to another one are not what anybody reads; what pulses for ever is.
SETTLED = """Promise.allSettled(
  document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
    .map((one) => one.finished))"""


def violations(page: Page) -> list[str]:
    page.locator("h1").first.wait_for(state="attached")  # the page is there
    page.evaluate(SETTLED)
    page.evaluate(AXE)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [f"{one['id']}: {node['html'][:120]}" for one in found["violations"] for node in one["nodes"]]
