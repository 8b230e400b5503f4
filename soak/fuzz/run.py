"""Fuzz everything that clients send, each kind for some time: `python -m soak.fuzz.run SECONDS [KIND ...]`.

Inputs that reach new code are kept in `.fuzz/` and are where the next run begins. Without Atheris nothing is fuzzed,
and a message says so.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import mchezo
from mchezo.games.kitara.pack import FOLDER
from tests.games.kitara.positions import pack_text

CORPUS = Path(".fuzz")
DICTIONARY = [
    "[[maps.2.spaces]]",
    "[maps.2]",
    "[tokens]",
    "[decks]",
    '[Game \\"kiwara\\"]',
    '[Rules \\"1\\"]',
    "boa:c3",
]
FIGURES = ("number_of_executed", "Done", "cov:")
MOVE = {"type": "move", "id": "a", "decision": 2, "moves": ["turn0"], "seat": 1}
TABLE = {
    "game": "kiwara",
    "seats": [{"kind": "you"}, {"kind": "computer", "level": 3}],
    "options": {"handicap": [0, 1]},
}


def seeds() -> dict[str, list[str]]:
    """Return valid inputs of every kind."""
    records = []
    for game in mchezo.games():
        position = mchezo.game(game).start(seed=1)
        for _ in range(8):
            position.play(position.legal_moves[0])
        records.append(str(position.record()))
    drawn = pack_text().replace("at = [1, 1]", "at = [1, 1]\nshape = 'M0,0 h9.5 V1e1 l-3 2 Z'")
    return {
        "records": records,
        "packs": [pack_text(), drawn, (FOLDER / "template.toml").read_text("utf-8")],
        "positions": [" bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -", "kG5/6/2z*3/6/6 3 r boa - okapi y porcupine:c3"],
        "messages": [
            json.dumps(MOVE),
            json.dumps(TABLE),
            json.dumps({"type": "try", "decision": 1, "moves": ["a1-b2"]}),
        ],
    }


def fuzz(kind: str, texts: list[str], seconds: int) -> None:
    """Run one harness; stop at a failure."""
    folder = CORPUS / kind
    folder.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(texts):
        (folder / f"seed-{number}").write_text(text, encoding="utf-8")
    words = CORPUS / "words.dict"
    words.write_text("".join(f'"{word}"\n' for word in DICTIONARY), encoding="utf-8")
    program = [sys.executable, "-m", "soak.fuzz.harness", kind, str(folder), f"-dict={words}", "-print_final_stats=1"]
    limits = [f"-max_total_time={seconds}", f"-artifact_prefix={CORPUS}/{kind}-"]
    ended = subprocess.run([*program, *limits], capture_output=True, text=True)
    lines = [line for line in ended.stderr.splitlines() if any(figure in line for figure in FIGURES)]
    print(f"fuzzed {kind}:", *lines[-3:], sep="\n  ", flush=True)
    if ended.returncode:
        print(ended.stdout[-3_000:], ended.stderr[-3_000:], sep="\n")
        sys.exit(f"fuzzing {kind} found a failure; its input is in {CORPUS}/")


def main() -> None:
    """Fuzz all kinds, or those named."""
    if importlib.util.find_spec("atheris") is None:
        print("nothing was fuzzed: Atheris is not installed (pip install 'mchezo[fuzz]')")
        return
    seconds, kinds = int(sys.argv[1]), sys.argv[2:]
    for kind, texts in seeds().items():
        if not kinds or kind in kinds:
            fuzz(kind, texts, seconds)


if __name__ == "__main__":
    main()
