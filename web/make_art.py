"""Generate art.svg and art.ts of each game, avatars.svg and icons: drawings and printed values shared with Python.

Run it after a change of a game's picture.py, artwork.py or components.py: python web/make_art.py
"""

import json
import re
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

SOURCES = Path(__file__).parent / "src"
GAMES = SOURCES / "games"
PUBLIC = Path(__file__).parent / "public"
SIZES = (192, 512)  # of icons, in pixels
SHORTCUTS = {"katarenga": "red", "kiwara": "lion", "kitara": "centaur"}  # avatars that stand for games
DISCS = ("#f2dcae", "#cfe3c0", "#bcd9e6", "#f0c9a8", "#d9cbe8")  # behind the avatars, in turn


def art() -> dict[str, dict[str, object]]:
    """Return the constants of every game's art.ts."""
    tiles = import_module("mchezo.games.katarenga.components")
    animals = import_module("mchezo.games.kiwara.artwork")
    boards = import_module("mchezo.games.kiwara.components")
    kitara = import_module("mchezo.games.kitara.picture")
    symbols = import_module("mchezo.games.kitara.artwork")
    printed = import_module("mchezo.games.kitara.components")
    return {
        "katarenga": {"TILES": {side: list(rows) for side, rows in tiles.TILES.items()}},
        "kiwara": {
            "TINTS": {letter: ground.tint for letter, ground in animals.GROUNDS.items()},
            "VALUES": {animal.letter: animal.value for animal in boards.ANIMALS},
            "TOKENS": {animal.letter: animal.count for animal in boards.ANIMALS},
            "OKAPI_POINTS": boards.OKAPI_POINTS,
            "BOARDS": dict(boards.BOARDS),
            "TERRITORY_SIGNS": animals.TERRITORY_SIGNS,
        },
        "kitara": {
            "LAND": {kind: list(tints) for kind, tints in kitara.LAND.items()},
            "STANDS": {str(kinds): [list(stand) for stand in stands] for kinds, stands in kitara.STANDS.items()},
            "COLOURS": [dict(colours) for colours in symbols.COLOURS],
            "GROWTH": {kind: list(names) for kind, names in symbols.GROWTH.items()},
            "TREES": symbols.TREES,
            "CARD_ROWS": symbols.CARD_ROWS,
            "SCENES": len(symbols.SCENES),
            "AGES": list(symbols.AGES),
            "CARD_POINTS": printed.CARD_POINTS,
            "TOKEN_VALUES": list(printed.VALUES),
            "DIFFICULTIES": {str(number): asdict(one) for number, one in printed.DIFFICULTIES.items()},
            "SCENARIOS": {name: asdict(one) for name, one in printed.SCENARIOS.items()},
        },
    }


def drawings() -> dict[str, str]:
    """Return the definitions of every game's art.svg."""
    katarenga = import_module("mchezo.games.katarenga.artwork")
    kiwara = import_module("mchezo.games.kiwara.picture")
    animals = import_module("mchezo.games.kiwara.artwork")
    kitara = import_module("mchezo.games.kitara.artwork")
    helpers = "".join(f'<g id="kiwara-helper-{name}">{drawing}</g>' for name, drawing in animals.HELPERS.items())
    return {
        "katarenga": katarenga.DEFINITIONS + katarenga.PATTERN_DEFINITIONS,
        "kiwara": f'{kiwara.DEFINITIONS}{helpers}<g id="kiwara-dust">{animals.DUST}</g>',
        "kitara": kitara.DEFINITIONS,
    }


def avatars() -> str:
    """Return an SVG document with all avatars in a row; `#NAME` shows one."""
    animals = import_module("mchezo.games.kiwara.artwork")
    tiles = import_module("mchezo.games.katarenga.artwork")
    pawns = import_module("mchezo.games.kitara.artwork")
    names = {animal.letter: animal.name for animal in import_module("mchezo.games.kiwara.components").ANIMALS}
    faces = {names[letter]: drawing for letter, drawing in animals.ANIMALS.items()} | animals.HELPERS
    pen = f'stroke="{animals.INK}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"'
    drawn = {name: f'<g transform="scale(1.1)" {pen}>{face}</g>' for name, face in faces.items()}
    drawn["centaur"] = f'<g transform="translate(0 2)scale(1.35)">{pawns.pawn("A", "plain", pawns.CLAY)}</g>'
    discs = {name: DISCS[number % len(DISCS)] for number, name in enumerate(drawn)}
    for colour in tiles.COLOURS.values():
        drawn[colour] = f'<use href="#katarenga-patterned-{colour}" transform="scale(1.7)"/>'
        discs[colour] = tiles.FIELDS[colour]
    views, shown = "", ""
    for number, (name, drawing) in enumerate(drawn.items()):
        views += f'<view id="{name}" viewBox="{80 * number} 0 80 80"/>'
        shown += (
            f'<g transform="translate({80 * number + 40} 40)"><g clip-path="url(#disc)">'
            f'<circle r="39" fill="{discs[name]}"/>{drawing}</g></g>'
        )
    clip = '<clipPath id="disc"><circle r="39"/></clipPath>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {80 * len(drawn)} 80">'
        f"<defs>{clip}{tiles.PATTERN_DEFINITIONS}</defs>{views}{shown}</svg>\n"
    )


def icons() -> dict[str, bytes]:
    """Return the icons of the installed app and of its shortcuts."""
    from resvg_py import svg_to_bytes

    icon = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    # A maskable icon fills its square and keeps to the middle four fifths, which every mask shows.
    background, emblem = icon.replace(' rx="10"', "").split("/>", 1)
    smaller = emblem.replace("</svg>", "</g></svg>")
    maskable = f'{background}/><g transform="translate(24 24)scale(.78)translate(-24 -24)">{smaller}'
    drawn = {
        f"{name}-{size}": (text, size) for name, text in (("icon", icon), ("maskable", maskable)) for size in SIZES
    }
    row = avatars()
    names = re.findall(r'<view id="(\w+)"', row)
    for game, avatar in SHORTCUTS.items():
        box = f'viewBox="{80 * names.index(avatar)} 0 80 80"'
        drawn[f"icon-{game}"] = re.sub('viewBox="[^"]*"', box, row, count=1), SIZES[0]
    return {
        f"{name}.png": svg_to_bytes(svg_string=text, width=size, height=size) for name, (text, size) in drawn.items()
    }


def picture(definitions: str) -> str:
    """Return definitions as an SVG document, which the browser puts into its page."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{definitions}</defs></svg>\n'


def module(constants: dict[str, object]) -> str:
    """Return constants as the text of a TypeScript module."""
    lines = ["// Made by web/make_art.py from the Python sources; do not edit."]
    lines += [f"export const {name} = {json.dumps(value, ensure_ascii=False)};" for name, value in constants.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for game, constants in art().items():
        (GAMES / game / "art.ts").write_text(module(constants), encoding="utf-8")
    for game, definitions in drawings().items():
        (GAMES / game / "art.svg").write_text(picture(definitions), encoding="utf-8")
    (SOURCES / "avatars.svg").write_text(avatars(), encoding="utf-8")
    for name, image in icons().items():
        (PUBLIC / name).write_bytes(image)
