"""The drawings and printed facts that the browser shares with mchezo's pictures, written as TypeScript.

Run it after a change in a game's picture.py, animals.py, symbols.py or components.py: python web/make_art.py
"""

import json
from importlib import import_module
from pathlib import Path

GAMES = Path(__file__).parent / "src" / "games"


def art() -> dict[str, dict[str, object]]:
    """For each game the constants of its art.ts."""
    tiles = import_module("mchezo.games.katarenga.components")
    katarenga = import_module("mchezo.games.katarenga.picture")
    kiwara = import_module("mchezo.games.kiwara.picture")
    animals = import_module("mchezo.games.kiwara.animals")
    boards = import_module("mchezo.games.kiwara.components")
    kitara = import_module("mchezo.games.kitara.picture")
    symbols = import_module("mchezo.games.kitara.symbols")
    printed = import_module("mchezo.games.kitara.components")
    return {
        "katarenga": {
            "DEFINITIONS": katarenga.DEFINITIONS,
            "TILES": {side: list(rows) for side, rows in tiles.TILES.items()},
            "START_FIGURE": tiles.START_FIGURE,
        },
        "kiwara": {
            "DEFINITIONS": kiwara.DEFINITIONS,
            "TINTS": {letter: ground.tint for letter, ground in animals.GROUNDS.items()},
            "VALUES": {animal.letter: animal.value for animal in boards.ANIMALS},
            "TOKENS": {animal.letter: animal.count for animal in boards.ANIMALS},
            "OKAPI_POINTS": boards.OKAPI_POINTS,
            "BOARDS": dict(boards.BOARDS),
            "SIZES": list(boards.SIZES),
            "HELPERS": animals.HELPERS,
        },
        "kitara": {
            "DEFINITIONS": symbols.DEFINITIONS,
            "LAND": {kind: list(tints) for kind, tints in kitara.LAND.items()},
            "STANDS": {str(kinds): [list(stand) for stand in stands] for kinds, stands in kitara.STANDS.items()},
            "COLOURS": [dict(colours) for colours in symbols.COLOURS],
            "GROWTH": {kind: list(names) for kind, names in symbols.GROWTH.items()},
            "TREES": symbols.TREES,
            "CARD_ROWS": symbols.CARD_ROWS,
            "CARD_POINTS": printed.CARD_POINTS,
            "TOKEN_VALUES": list(printed.VALUES),
        },
    }


def module(constants: dict[str, object]) -> str:
    """Constants as the text of a TypeScript module."""
    lines = ["// Made by web/make_art.py from the Python sources; do not edit."]
    lines += [f"export const {name} = {json.dumps(value, ensure_ascii=False)};" for name, value in constants.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for game, constants in art().items():
        (GAMES / game / "art.ts").write_text(module(constants), encoding="utf-8")
