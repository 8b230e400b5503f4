"""Check the links of the built site and of the Markdown pages beside it, without a network.

`python docs/check_site.py site` fails if a link leads nowhere, if an anchor does not exist, or if a page would load
anything from another host.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
MARKDOWN_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
EXTERNAL_CSS = re.compile(r"@import|url\(\s*[\"']?(?:https?:)?//")


class Page(HTMLParser):
    """What an HTML page links to, what it loads, and the anchors it has."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the links, loads and anchors of an element."""
        given = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        target = given.get("href") or given.get("src")
        if target and not (tag == "link" and given.get("rel") == "canonical"):
            (self.links if tag == "a" else self.loads).append(target)


def broken(site: Path) -> list[str]:
    """Return what is wrong with the built site, a line for each."""
    pages = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    found = []
    for file, page in pages.items():
        for target in page.links + page.loads:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    found.append(f"{file}: loads {target}")
                continue
            path = (file.parent / unquote(parts.path)).resolve() if parts.path else file.resolve()
            path = path / "index.html" if path.is_dir() else path
            if not path.exists():
                found.append(f"{file}: {target} does not exist")
            elif parts.fragment and path.suffix == ".html":
                known = pages.get(site / path.relative_to(site.resolve()))
                if known is None or unquote(parts.fragment) not in known.anchors:
                    found.append(f"{file}: {target} has no such anchor")
    styles = [file for file in site.rglob("*.css") if EXTERNAL_CSS.search(file.read_text(encoding="utf-8"))]
    return found + [f"{file}: loads something from elsewhere" for file in styles]


def broken_markdown(root: Path) -> list[str]:
    """Return the relative links of README and the other pages at the top that lead nowhere."""
    found = []
    for page in sorted(root.glob("*.md")):
        for target in (one or other for one, other in MARKDOWN_LINK.findall(page.read_text(encoding="utf-8"))):
            parts = urlsplit(target)
            if not parts.scheme and parts.path and not (root / parts.path).exists():
                found.append(f"{page.name}: {target} does not exist")
    return found


def main() -> None:
    """Check, and say what is wrong."""
    found = broken(Path(sys.argv[1])) + broken_markdown(ROOT)
    sys.exit("\n".join(found) if found else 0)


if __name__ == "__main__":
    main()
