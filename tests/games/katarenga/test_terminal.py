"""The legend of the board in the terminal."""

import pytest

import mchezo
from mchezo.core.words import LANGUAGES
from mchezo.games.katarenga.terminal import board
from mchezo.games.katarenga.words import WORDS

KATARENGA = mchezo.game("katarenga")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_names_the_sides_and_their_camps(language: str) -> None:
    text = board(KATARENGA.start().view(), language).plain
    white, black = (WORDS.say(f"seat-{side}", language) for side in ("white", "black"))
    assert f"○ {white} · ● {black}" in text
    assert WORDS.say("legend-camps", language, camp="□") in text


def test_the_legend_of_a_variant_without_camps_does_not_mention_them() -> None:
    assert "□" not in board(KATARENGA.start(variant="congress").view(), "en").plain
