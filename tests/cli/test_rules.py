"""`mchezo rules`: the rules page in the terminal."""

import pytest
from rich.pager import SystemPager

import mchezo
from mchezo.cli.common import OUT
from mchezo.core import guide
from tests.cli.running import run


@pytest.mark.parametrize("game", mchezo.games())
def test_the_rules_are_printed_with_every_section_example_and_answer(game: str) -> None:
    shown = run("rules", game)
    assert shown.returncode == 0
    printed = " ".join(shown.stdout.split())
    for section in guide.page(game, "en").sections:
        assert section.title in printed
    for example in guide.examples(game).values():
        assert example.title["en"] in printed
        assert " ".join(example.answers[0]) in printed
    assert printed.count("Our ruling") >= 8
    assert "**" not in printed


def test_the_language_can_be_asked_for_after_the_game() -> None:
    shown = run("rules", "kiwara", "--language", "nl")
    assert "De krokodil" in shown.stdout
    assert "Door ons beslist" in shown.stdout


def test_rules_of_an_unknown_game_are_refused_in_a_sentence() -> None:
    shown = run("rules", "chess")
    assert shown.returncode == 1
    assert "There is no game called chess" in shown.stderr


def test_on_a_terminal_the_rules_are_shown_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    paged: list[str] = []
    monkeypatch.setattr(OUT, "_force_terminal", True)
    monkeypatch.setattr(SystemPager, "show", lambda self, content: paged.append(content))
    shown = run("rules", "kiwara")
    assert shown.stdout == ""
    (content,) = paged
    assert guide.page("kiwara", "en").sections[0].title in content
