"""The board in the terminal says which pawns are whose, and where the camps lie."""

import pytest

import mchezo
from mchezo.core.words import LANGUAGES
from mchezo.games.katarenga.notation import WORDS
from mchezo.games.katarenga.terminal import board

KATARENGA = mchezo.game("katarenga")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_names_the_sides_and_their_camps(language: str) -> None:
    text = board(KATARENGA.start().view(), language).plain
    white, black = (WORDS.say(f"seat-{side}", language) for side in ("white", "black"))
    assert f"○ {white} · ● {black}" in text
    assert WORDS.say("legend-camps", language, camp="□") in text


def test_a_game_without_camps_does_not_speak_of_them() -> None:
    assert "□" not in board(KATARENGA.start(variant="congress").view(), "en").plain
