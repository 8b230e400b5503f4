"""Accessibility violations found by axe-core."""

from pathlib import Path

from playwright.sync_api import Page

AXE = (Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


# Colours are measured after finite transitions have ended.
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
