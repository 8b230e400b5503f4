"""The board in the terminal: everything that counts is told in letters, not in colours alone, and fits."""

import pytest
from rich.console import Console

from mchezo.core.words import LANGUAGES
from mchezo.games.kiwara.terminal import board
from tests.games.kiwara.table import KIWARA, at, play

MIDDLE = "Gz2Lg*/1Ze1g*1/2C3/Zz4/G1g1c1 7 r giraffe boa,vulture baboon,porcupine - porcupine:f2"


def shown(position: str, width: int = 80, language: str = "en") -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(board(at(position, reinforcement="pile").view(), language))
    return captured.get()


def test_animals_owners_hidden_sides_rivers_and_totem_are_told_in_letters() -> None:
    lines = shown(MIDDLE).splitlines()
    assert "|a1  A~b1  B~c1  C d1  C e1  C f1  C|" in lines[2]
    assert "|  G  ~  z  ~              L     g* |" in lines[3]
    assert "|  ·  ~  Z     e  ~  ·  ~  g*    x  | ◀◀◀" in lines[6]


def test_hands_cards_and_territories_stand_beside_the_board() -> None:
    text = shown(MIDDLE)
    for part in ("Yellow   points: 8", "G 4  Z 3  C 1  E 1  L 0", "cards: Boa, Vulture", "B  2:2 / 7  17"):
        assert part in text
    assert "Porcupine: not f2" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_it_fits_any_width_in_every_language(width: int, language: str) -> None:
    text = shown(MIDDLE, width, language)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= min(width, 80)
    assert "a1  A~b1  B" in text


def test_every_moment_of_a_game_can_be_shown() -> None:
    console = Console(width=80)
    position = at("6/5G/1G3G/6/6 4 r - giraffe,warthog - -", reinforcement="pile", chance="manual")
    for move in ["Ge2", "=boa", "+1", "giraffe", "=okapi", "=hyena", "=vulture", "keep:okapi", "boa:f1", "."]:
        play(position, move)
        with console.capture() as captured:
            console.print(board(position.view(), "en"))
        assert captured.get()
        if position.to_move == 0:
            break
    with console.capture() as captured:
        console.print(board(KIWARA.start().view(), "en"))
    assert "Okapi" in captured.get()
