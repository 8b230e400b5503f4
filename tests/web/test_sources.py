"""The browser app without a browser: its sentences, its generated files, its size, its structure."""

import re
import tomllib
import wave
from pathlib import Path
from runpy import run_path
from typing import get_args

import numpy as np
import pytest

from mchezo.server import messages

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "web" / "src"
BUILT = ROOT / "src" / "mchezo" / "web"
LANGUAGES = ("en", "de", "fr", "nl")
GAMES = ROOT / "src" / "mchezo" / "games"
FROM_GAMES = re.compile("^(seat|animal|name|card|reason|told|score|why)-")  # as in web/words.js
MAX_SCRIPT = 150_000  # bytes, compressed as they are sent, all pages and one language
RARE = (
    "AccountDialog",
    "AccountSettings",
    "ChallengePlayer",
    "Challenges",
    "Chat",
    "ExplorerPanel",
    "LayRivers",
    "LayTiles",
    "CorrespondencePanel",
    "NewTournament",
    "NoticeLink",
    "NoticeSettings",
    "PackEditor",
    "Packs",
    "Play",
    "PlayFromHere",
    "Profile",
    "Puzzles",
    "RealTable",
    "SavedLines",
    "ScorePad",
    "Statistics",
    "TableClock",
    "Tournament",
    "Tournaments",
    "Vacations",
    "UpdateNotice",
    "YourData",
    "account",
    "local",
    "lobby",
    "notices",
    "packs",
    "pools",
    "profile",
    "puzzles",
    "realtable",
    "serviceWorker.svelte",
    "statistics",
    "tournaments",
    "worker",
)  # pages that nobody needs to play, learn and review here, and what only games on this device load


def sentences() -> dict[str, dict[str, str]]:
    """Return all sentences of the browser app by FILE.KEY."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(GAMES.glob("*/words.toml")):
        words = tomllib.loads(path.read_text("utf-8"))
        found |= {f"{path.parent.name}.{key}": texts for key, texts in words.items() if FROM_GAMES.match(key)}
    levels = tomllib.loads((ROOT / "src" / "mchezo" / "search" / "words.toml").read_text("utf-8"))
    found |= {f"search.{key}": texts for key, texts in levels.items() if re.match(r"level-\d|why-|when-", key)}
    puzzles = tomllib.loads((ROOT / "src" / "mchezo" / "puzzles" / "words.toml").read_text("utf-8"))
    found |= {f"puzzles.{key}": texts for key, texts in puzzles.items() if not key.startswith("terminal-")}
    for path in sorted(GAMES.glob("*/themes.toml")):
        themes = tomllib.loads(path.read_text("utf-8"))
        found |= {f"puzzles.{path.parent.name}.{key}": texts for key, texts in themes.items()}
    for path in sorted((SOURCE / "words").glob("*.toml")):
        own = {f"{path.stem}.{key}": texts for key, texts in tomllib.loads(path.read_text("utf-8")).items()}
        assert not own.keys() & found.keys()
        found |= own
    return found


def parameters(sentence: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", sentence))


def used_keys() -> tuple[set[str], set[str]]:
    """Return the keys in the sources, and patterns for those that are completed at run time."""
    whole, patterns = set(), set()
    for path in (*SOURCE.rglob("*.svelte"), *SOURCE.rglob("*.ts")):
        if path.name == "messages.ts":
            continue  # generated, without sentences
        text = path.read_text("utf-8")
        whole |= set(re.findall(rf"""["']((?:{files()})\.[a-z][\w-]*)["']""", text))
        for key in re.findall(rf"`((?:{files()}|\$\{{[\w.]+\}})\.[^`]*)`", text):
            patterns.add(".*".join(map(re.escape, re.split(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", key))))
    return whole, {pattern for pattern in patterns if r"\." in pattern}


def files() -> str:
    return "|".join(["search", *(path.stem for path in (SOURCE / "words").glob("*.toml"))])


def test_no_sentence_is_missing_in_any_language() -> None:
    missing = [
        (key, language) for key, texts in sentences().items() for language in LANGUAGES if not texts.get(language)
    ]
    assert missing == []


def test_a_sentence_has_the_same_parameters_in_all_languages() -> None:
    differ = [
        key for key, texts in sentences().items() if len({tuple(parameters(texts[lang])) for lang in LANGUAGES}) > 1
    ]
    assert differ == []


def test_every_sentence_that_is_used_exists() -> None:
    known, (whole, patterns) = sentences(), used_keys()
    assert whole - known.keys() == set()
    assert [pattern for pattern in patterns if not any(re.fullmatch(pattern, key) for key in known)] == []


def test_every_sentence_of_the_browser_is_used() -> None:
    whole, patterns = used_keys()
    own = {
        f"{path.stem}.{key}" for path in (SOURCE / "words").glob("*.toml") for key in tomllib.loads(path.read_text())
    }
    unused = {key for key in own - whole if not any(re.fullmatch(pattern, key) for pattern in patterns)}
    assert unused == set()


def test_drawings_and_printed_facts_are_those_of_the_python_sources() -> None:
    make_art = run_path(str(ROOT / "web" / "make_art.py"))
    for game, constants in make_art["art"]().items():
        assert (SOURCE / "games" / game / "art.ts").read_text("utf-8") == make_art["module"](constants)
    for game, definitions in make_art["drawings"]().items():
        assert (SOURCE / "games" / game / "art.svg").read_text("utf-8") == make_art["picture"](definitions)
    drawn = make_art["avatars"]()
    assert (SOURCE / "avatars.svg").read_text("utf-8") == drawn
    assert set(re.findall('<view id="(.*?)"', drawn)) == set(get_args(messages.Avatar))


def test_sounds_are_small_and_neither_clip_nor_click() -> None:
    make_sounds = run_path(str(ROOT / "web" / "make_sounds.py"))
    files = {path.stem: path for path in (SOURCE / "sounds").glob("*.wav")}
    assert files.keys() == make_sounds["sounds"]().keys()
    for path in files.values():
        assert path.stat().st_size < 15_000
        with wave.open(str(path)) as sound:
            wide, data = sound.getsampwidth() == 2, sound.readframes(sound.getnframes())
        samples = np.frombuffer(data, "<i2") / 32768 if wide else np.frombuffer(data, np.uint8) / 128 - 1
        assert 0.5 < np.abs(samples).max() < 0.95
        assert np.abs(samples[[0, -1]]).max() < 0.01
        assert abs(samples.mean()) < 0.005


def test_message_types_are_those_of_the_server() -> None:
    from mchezo.server.transport.typescript import write

    assert (SOURCE / "messages.ts").read_text("utf-8") == write()


def test_only_the_registration_names_games_outside_their_folders() -> None:
    names = re.compile("|".join(path.parent.name for path in GAMES.glob("*/words.toml")))
    naming = {
        path.relative_to(SOURCE).as_posix()
        for pattern in ("*.ts", "*.svelte", "*.css")
        for path in SOURCE.rglob(pattern)
        if names.search(path.read_text("utf-8")) and not names.fullmatch(path.parent.name)
    }
    assert naming == {"games/index.ts", "messages.ts"}  # messages.ts is generated and has the views of all games


def test_no_file_of_the_browser_is_long() -> None:
    written = {path for pattern in ("*.ts", "*.svelte") for path in SOURCE.rglob(pattern)} - {SOURCE / "messages.ts"}
    lengths = {str(path.relative_to(SOURCE)): len(path.read_text("utf-8").splitlines()) for path in written}
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (ROOT / "web" / "package-lock.json").read_text("utf-8")


def test_the_script_is_small() -> None:
    if not (BUILT / "index.html").exists():
        pytest.fail("the browser app is not built: pip install --editable . does it")
    scripts = {path.stem: path.stat().st_size for path in (BUILT / "assets").glob("*.js.br")}
    languages = [name for name in scripts if re.match("(en|de|fr|nl)-", name)]
    assert len(languages) == len(LANGUAGES)
    rare = [name for name in scripts if name.partition("-")[0] in RARE]
    assert {name.partition("-")[0] for name in rare} == set(RARE)
    rest = sum(size for name, size in scripts.items() if name not in [*languages, *rare])
    assert rest + max(scripts[name] for name in languages) < MAX_SCRIPT
