"""The messages, their TypeScript, and the types of the views."""

import random
import re
from pathlib import Path

import msgspec
import pytest

import mchezo
from mchezo.server import messages
from mchezo.server.errors import KINDS
from mchezo.server.errors import WORDS as SERVER_WORDS
from mchezo.server.messages import CODES
from mchezo.server.transport import typescript

SERVER = Path(mchezo.__file__).parent / "server"


@pytest.mark.parametrize(
    ("name", "options"),
    [("katarenga", {}), ("kiwara", {"reinforcement": "pile", "handicap": (0, 2)}), ("kitara", {"players": 3})],
)
def test_views_match_their_types(name: str, options: dict[str, object]) -> None:
    rng = random.Random(6)
    for seed in range(3):
        position = mchezo.game(name).start(seed=seed, **options)  # type: ignore[arg-type]  # options
        while True:
            for seat in (None, 0, 1):
                view = msgspec.json.decode(messages.encode(position.view(seat)))
                msgspec.convert(view, messages.View)
            if position.to_move is None:
                break
            position.play(rng.choice(position.legal_moves))


def test_every_type_is_defined_once_and_none_is_unknown() -> None:
    text = typescript.write()
    names = re.findall(r"export (?:interface|type) (\S+) ", text)
    assert len(names) == len(set(names))
    assert all(re.fullmatch("[A-Z][A-Za-z]*", name) for name in names)
    used = set(re.findall(r"\b([A-Z][A-Za-z]+)\b", re.sub(r"/\*\*.*?\*/|//.*|\"[^\"]*\"", "", text)))
    assert used - set(names) <= {"Array", "Record"}


def test_every_error_of_the_server_has_a_code_and_a_text() -> None:
    used = set()
    for file in SERVER.rglob("*.py"):
        for code, key in re.findall(r'TableError\(\s*"([a-z-]+)", "([a-z-]+)"', file.read_text(encoding="utf-8")):
            assert code in CODES
            used.add(key)
    assert len(used) > 50
    assert used <= SERVER_WORDS.sentences.keys()
    assert {code for _, code in KINDS} <= CODES.keys()


def test_every_event_has_a_text() -> None:
    variants = {"asked": ("draw", "takeback", "rematch", "revenge"), "answered": ("yes", "no")}
    variants["out"] = ("resignation", "time-out", "abandoned")
    for kind in messages.Events.__args__:
        key = kind.__struct_config__.tag
        for name in [f"{key}-{variant}" for variant in variants.get(key, ())] or [key]:
            assert f"event-{name}" in SERVER_WORDS.sentences
