"""The documentation site: `make docs` builds it into `site/`."""

import dataclasses
import inspect
import re
from typing import Any

from sphinx.application import Sphinx

from mchezo import __version__

project = "mchezo"
author = "the mchezo contributors"
copyright = "the mchezo contributors, MIT licence"  # noqa: A001, Sphinx's name
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
myst_enable_extensions = ["html_image"]
exclude_patterns = ["check_site.py"]
highlight_language = "none"

default_role = "code"  # docstrings mark code with single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
add_module_names = False
python_display_short_literal_types = True
python_maximum_signature_line_length = 90

CONSTRUCTED = {"mchezo.envs.batch.Batch", "mchezo.envs.gymnasium.GameEnv", "mchezo.arena.matches.Match"}

html_theme = "furo"
html_title = f"mchezo {version}"
html_favicon = "../web/public/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}


def list_fields(app: object, what: str, name: str, found: Any, options: object, lines: list[str]) -> None:
    """Add the fields of a dataclass to its description, each with the comment behind it."""
    if what != "class" or not dataclasses.is_dataclass(found):
        return
    source = inspect.getsource(found)
    for field in dataclasses.fields(found):
        comment = re.search(rf"^    {field.name}: .*?  # (.+)$", source, re.MULTILINE)
        kind = field.type if isinstance(field.type, str) else inspect.formatannotation(field.type)
        kind = re.sub(r"\b(?:\w+\.)+(?=\w)", "", kind)  # without modules
        lines.append(f"* ``{field.name}`` (``{kind}``){f': {comment[1]}' if comment else ''}")
    lines.append("")


def hide_constructor(app: object, what: str, name: str, *rest: object) -> tuple[str, None] | None:
    """Leave out constructors that users do not call."""
    return ("", None) if what == "class" and name not in CONSTRUCTED else None


def setup(app: Sphinx) -> None:
    """Connect the hooks."""
    app.connect("autodoc-process-signature", hide_constructor)
    app.connect("autodoc-process-docstring", list_fields)
