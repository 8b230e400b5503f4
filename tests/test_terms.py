"""Sentences for players use the terms of docs/terms.md, those that the boxes print."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LANGUAGES = {"English": "en", "German": "de", "French": "fr", "Dutch": "nl"}
GAMES = ("katarenga", "kiwara", "kitara")
PAGES_OF_A_GAME = {"packs": "kitara"}  # words of the browser app that belong to a game but are not named after it


def avoided() -> Iterator[tuple[str, str, str]]:
    """Yield the language, the game (empty for all) and each term to avoid."""
    language = ""
    for line in (ROOT / "docs" / "terms.md").read_text("utf-8").splitlines():
        if line.startswith("## "):
            language = LANGUAGES[line.removeprefix("## ")]
        elif line.startswith("| ") and not line.startswith(("| term", "| ---")):
            _, game, _, terms = (cell.strip() for cell in line.strip("|").split("|"))
            assert game == "All games" or game.lower() in GAMES, line
            for term in terms.split(";"):
                if term.strip() != "—":
                    yield language, "" if game == "All games" else game.lower(), term.strip()


def texts(value: Any, language: str) -> Iterator[str]:
    """Yield the sentences of one language in a words file, an example or a lesson."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == language and isinstance(inner, str):
                yield inner
            else:
                yield from texts(inner, language)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, language)


@cache
def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


@cache
def sentences(language: str, game: str) -> list[tuple[str, str]]:
    """Return the file and the text of every sentence of a game, or of everything."""
    found: list[tuple[str, str]] = []
    source = ROOT / "src" / "mchezo"
    patterns = ("*/words.toml", "games/*/words.toml", "games/*/themes.toml", "games/*/guide/*.toml")
    words = [path for pattern in patterns for path in source.glob(pattern)]
    for path in (*words, *(ROOT / "web" / "src" / "words").glob("*.toml")):
        owner = PAGES_OF_A_GAME.get(path.stem) or next((name for name in GAMES if name in (*path.parts, path.stem)), "")
        if game in ("", owner):
            found += [(str(path.relative_to(ROOT)), text) for text in texts(read(path), language)]
    for path in source.glob(f"games/{game or '*'}/guide/{language}.md"):
        for text in path.read_text("utf-8").splitlines():
            if not text.startswith("{#"):  # the name of a section
                found.append((str(path.relative_to(ROOT)), text))
    return found


@pytest.mark.parametrize(("language", "game", "term"), list(avoided()))
def test_no_sentence_uses_a_term_to_avoid(language: str, game: str, term: str) -> None:
    found = re.compile(rf"(?<![\w-]){re.escape(term)}(?![\w-])", re.IGNORECASE)
    assert [(file, text) for file, text in sentences(language, game) if found.search(text)] == []


def test_every_language_has_terms_to_avoid_and_sentences_to_check() -> None:
    assert {language for language, _, _ in avoided()} == set(LANGUAGES.values())
    assert all(len(sentences(language, "")) > 1_000 for language in LANGUAGES.values())
    assert all(len(sentences("en", game)) > 100 for game in GAMES)
