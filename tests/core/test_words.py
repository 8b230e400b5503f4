"""Every sentence exists in four languages with the same gaps, and every game has the sentences it needs."""

from string import Formatter

import pytest

import mchezo
from mchezo.core.outcome import OUTSIDE_REASONS
from mchezo.core.words import LANGUAGES, Words

PACKAGES = [
    *(f"mchezo.{package}" for package in ("core", "search", "protocol", "arena", "server", "cli")),
    *(f"mchezo.games.{name}" for name in mchezo.games()),
]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_sentence_lacks_a_language_or_a_gap(package: str) -> None:
    for key, sentence in Words(package).sentences.items():
        assert tuple(sentence) == LANGUAGES, key
        gaps = [{field for _, field, _, _ in Formatter().parse(text) if field} for text in sentence.values()]
        assert gaps == [gaps[0]] * len(LANGUAGES), key
        assert all(text.strip() == text and text for text in sentence.values()), key


@pytest.mark.parametrize("name", mchezo.games())
def test_a_game_can_speak_of_its_options_and_endings(name: str) -> None:
    game = mchezo.game(name)
    sentences = game.words.sentences
    assert {f"option-{option.name}" for option in game.setup.options} <= sentences.keys()
    assert {f"reason-{reason}" for reason in game.rules.reasons if reason} <= sentences.keys()


def test_the_terminal_can_speak_of_every_end_at_the_table() -> None:
    assert {f"outside-{reason}" for reason in OUTSIDE_REASONS} <= Words("mchezo.cli").sentences.keys()
