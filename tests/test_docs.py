"""The check of the documentation site notices what it is there to notice."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHECK = ROOT / "docs" / "check_site.py"
OTHER = '<h1 id="there">Other</h1>'


def check(site: Path, page: str) -> str:
    (site / "index.html").write_text(page)
    (site / "other.html").write_text(OTHER)
    return subprocess.run([sys.executable, str(CHECK), str(site)], capture_output=True, text=True, check=False).stderr


def test_links_that_lead_somewhere_pass(tmp_path: Path) -> None:
    page = '<a href="other.html#there">x</a> <a href="#here" id="here">y</a> <a href="https://example.org">z</a>'
    assert check(tmp_path, page) == ""


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        ('<a href="missing.html">x</a>', "missing.html does not exist"),
        ('<a href="other.html#nowhere">x</a>', "other.html#nowhere has no such anchor"),
        ('<a href="#nowhere">x</a>', "#nowhere has no such anchor"),
        ('<img src="missing.png">', "missing.png does not exist"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css"),
    ],
)
def test_what_is_broken_or_comes_from_elsewhere_is_named(tmp_path: Path, page: str, complaint: str) -> None:
    assert complaint in check(tmp_path, page)


def test_the_picture_of_the_packages_has_all_of_them() -> None:
    picture = (ROOT / "docs/pictures/packages.svg").read_text(encoding="utf-8")
    packages = {init.parent.name for init in (ROOT / "src/mchezo").glob("*/__init__.py")}
    assert "server" in packages
    assert {name for name in packages if f">{name}/<" not in picture} == set()
