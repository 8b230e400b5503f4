"""The board in the terminal: everything important is readable without colours, and fits."""

import pytest
from rich.console import Console
from rich.text import Text

from mchezo.core.words import LANGUAGES
from mchezo.games.kiwara.components import ANIMALS, CARDS
from mchezo.games.kiwara.notation import ACTIONS
from mchezo.games.kiwara.terminal import OTHERWISE, TYPED, board, cards
from mchezo.games.kiwara.words import WORDS
from tests.games.kiwara.positions import KIWARA, at, play

MIDDLE = "Gz2Lg*/1Ze1g*1/2C3/Zz4/G1g1c1 7 r giraffe boa,vulture baboon,porcupine - porcupine:f2"


def shown(position: str, width: int = 80, language: str = "en") -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(board(at(position, reinforcement="pile").view(), language))
    return captured.get()


def test_animals_owners_hidden_sides_rivers_and_totem_are_readable_without_colours() -> None:
    lines = shown(MIDDLE).splitlines()
    assert "|a1  A~b1  B~c1  C d1  C e1  C f1  C|" in lines[2]
    assert "|  G  ~  z  ~              L     g* |" in lines[3]
    assert "|  ·  ~  Z     e  ~  ·  ~  g*    x  | ◀◀◀" in lines[6]


def test_hands_cards_and_territories_are_shown_next_to_the_board() -> None:
    text = shown(MIDDLE)
    for part in ("Yellow   points: 8", "G 4  Z 3  C 1  E 1  L 0", "cards: Boa, Vulture", "Porcupine: not f2"):
        assert part in text
    rows = [line[46:].rstrip() for line in text.splitlines()]
    assert "territory    animals/spaces points" in rows
    assert " B              2:2 / 7         17" in rows
    assert " E   Yellow     2:0 / 3          8" in rows


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_names_every_animal_with_its_value_and_both_sides(language: str) -> None:
    text = " ".join(shown(MIDDLE, language=language).split())
    for kind in ANIMALS:
        assert f"{kind.letter} {WORDS.say(f'animal-{kind.name}', language)} {kind.value}" in text
    assert WORDS.say("seat-yellow", language) + "," in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card", CARDS)
def test_a_card_held_says_what_to_type_and_what_it_does(card: str, language: str) -> None:
    text = " ".join(shown(f"6/6/6/6/6 7 r - {card} - -", language=language).split())
    assert " ".join(WORDS.say(f"card-{card}", language).split()) in text
    assert WORDS.say(f"name-{card}", language) + (f" ({TYPED[card]})" if card in TYPED else "") in text


def test_every_card_but_the_okapi_is_typed_as_a_move() -> None:
    assert {*TYPED} == {*CARDS} - {"okapi"}
    assert {*TYPED.values(), *OTHERWISE.values()} <= ACTIONS.keys()


def test_card_texts_follow_the_options() -> None:
    options = {"reinforcement": "pile", "rhinoceros": "neighbour", "hyena": "place"}
    position = at("6/6/6/6/6 7 r rhinoceros hyena - -", **options)
    text = Text("\n").join(cards(position.view(), "en")).plain
    assert "Rhinoceros (rhinoceros:c3): After placing, send" in text
    assert "Hyena (hyena): Place two animals" in text


def test_cards_that_may_be_kept_are_explained() -> None:
    position = at("6/5G/1G3G/6/6 4 r - giraffe,warthog - -", reinforcement="pile", chance="manual")
    play(position, "Ge2 =boa +1 giraffe =okapi =hyena =vulture")
    assert "Okapi (keep:okapi): Worth 5 points" in Text("\n").join(cards(position.view(), "en")).plain


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_it_fits_any_width_in_every_language(width: int, language: str) -> None:
    text = shown(MIDDLE, width, language)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= min(width, 80)
    assert "a1  A~b1  B" in text


def test_every_position_of_a_game_can_be_shown() -> None:
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
