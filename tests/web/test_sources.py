"""What can be said of the browser app without a browser: its sentences, its drawings, its size."""

import gzip
import re
import tomllib
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "web" / "src"
BUILT = ROOT / "src" / "mchezo" / "web"
LANGUAGES = ("en", "de", "fr", "nl")
SHARED = re.compile("^(seat|animal|name|card|reason|told|score|why)-")  # as in web/words.js
MOST_SCRIPT = 150_000  # bytes, compressed, all pages and one language


def sentences() -> dict[str, dict[str, str]]:
    """All sentences of the browser app by FILE.KEY."""
    found: dict[str, dict[str, str]] = {}
    for game in ("katarenga", "kiwara", "kitara"):
        words = tomllib.loads((ROOT / "src" / "mchezo" / "games" / game / "words.toml").read_text("utf-8"))
        found |= {f"{game}.{key}": said for key, said in words.items() if SHARED.match(key)}
    levels = tomllib.loads((ROOT / "src" / "mchezo" / "search" / "words.toml").read_text("utf-8"))
    found |= {f"search.{key}": said for key, said in levels.items() if re.match(r"level-\d|why-", key)}
    for path in sorted((SOURCE / "words").glob("*.toml")):
        own = {f"{path.stem}.{key}": said for key, said in tomllib.loads(path.read_text("utf-8")).items()}
        assert not own.keys() & found.keys()
        found |= own
    return found


def gaps(sentence: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", sentence))


def asked_for() -> tuple[set[str], set[str]]:
    """The keys that the sources name, whole, and as patterns where a part is only known when it is said."""
    whole, patterns = set(), set()
    for path in (*SOURCE.rglob("*.svelte"), *SOURCE.rglob("*.ts")):
        if path.name == "messages.ts":
            continue  # its comments speak of fields
        text = path.read_text("utf-8")
        whole |= set(re.findall(rf"""["']((?:{files()})\.[a-z][\w-]*)["']""", text))
        for key in re.findall(rf"`((?:{files()}|\$\{{[\w.]+\}})\.[^`]*)`", text):
            patterns.add(".*".join(map(re.escape, re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", key))))
    return whole, {pattern for pattern in patterns if r"\." in pattern}


def files() -> str:
    return "|".join(["search", *(path.stem for path in (SOURCE / "words").glob("*.toml"))])


def test_no_sentence_is_missing_in_any_language() -> None:
    missing = [(key, language) for key, said in sentences().items() for language in LANGUAGES if not said.get(language)]
    assert missing == []


def test_a_sentence_has_the_same_gaps_in_all_languages() -> None:
    differ = [key for key, said in sentences().items() if len({tuple(gaps(said[lang])) for lang in LANGUAGES}) > 1]
    assert differ == []


def test_every_sentence_that_is_asked_for_exists() -> None:
    known, (whole, patterns) = sentences(), asked_for()
    assert whole - known.keys() == set()
    assert [pattern for pattern in patterns if not any(re.fullmatch(pattern, key) for key in known)] == []


def test_every_sentence_of_the_browser_is_asked_for() -> None:
    whole, patterns = asked_for()
    own = {
        f"{path.stem}.{key}" for path in (SOURCE / "words").glob("*.toml") for key in tomllib.loads(path.read_text())
    }
    idle = {key for key in own - whole if not any(re.fullmatch(pattern, key) for pattern in patterns)}
    assert idle == set()


def test_drawings_and_printed_facts_are_those_of_the_python_sources() -> None:
    make_art = run_path(str(ROOT / "web" / "make_art.py"))
    for game, constants in make_art["art"]().items():
        assert (SOURCE / "games" / game / "art.ts").read_text("utf-8") == make_art["module"](constants)


def test_message_types_are_those_of_the_server() -> None:
    from mchezo.server.typescript import write

    assert (SOURCE / "messages.ts").read_text("utf-8") == write()


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (ROOT / "web" / "package-lock.json").read_text("utf-8")


def test_the_script_is_small() -> None:
    if not (BUILT / "index.html").exists():
        pytest.fail("the browser app is not built: pip install --editable . does it")
    scripts = {path.name: len(gzip.compress(path.read_bytes())) for path in (BUILT / "assets").glob("*.js")}
    languages = [name for name in scripts if re.match("(en|de|fr|nl)-", name)]
    assert len(languages) == len(LANGUAGES)
    rest = sum(size for name, size in scripts.items() if name not in languages)
    assert rest + max(scripts[name] for name in languages) < MOST_SCRIPT
