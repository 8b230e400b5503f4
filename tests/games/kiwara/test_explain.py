"""The error for an illegal move names the rule it breaks, and the position stays unchanged."""

import pytest

import mchezo
from tests.games.kiwara.positions import KIWARA, at, error, play

MIDDLE = "Gz4/6/2L3/6/6 2 r - vulture - -"


@pytest.mark.parametrize("move", ["", "gc3", "Gg3", "Gc6", "G c3", "T22", "T-1", "+22", "-", "+", "..", "okapi", "~"])
def test_text_that_is_not_a_move_is_unreadable(move: str) -> None:
    position = at(MIDDLE)
    assert error(position, move) == "unreadable"
    with pytest.raises(mchezo.InvalidMove):
        position.play(move)


@pytest.mark.parametrize(
    ("move", "key"),
    [
        ("Gd3", "not-in-line"),
        ("Gc3", "occupied"),
        ("T3", "now-place"),
        ("+1", "now-place"),
        (".", "now-place"),
        ("~c2", "now-place"),
        ("keep:boa", "now-place"),
        ("=boa", "only-chance"),
        ("boa:c2", "not-held"),
        ("warthog", "not-held"),
        ("giraffe", "not-held"),
        ("hyena", "not-held"),
        ("vulture:a1", "not-hidden"),
        ("vulture:c1", "nobody-there"),
    ],
)
def test_the_reason_names_the_rule(move: str, key: str) -> None:
    position = at(MIDDLE)
    assert error(position, move) == key
    with pytest.raises(mchezo.IllegalMove):
        position.play(move)


def test_the_totem_is_set_first() -> None:
    assert error(KIWARA.start(), "Gc3") == "now-totem-start"


def test_after_placing_the_totem_has_to_move() -> None:
    position = at(MIDDLE)
    play(position, "Gc1")
    assert error(position, "Gc2") == "now-totem"


def test_nothing_else_can_be_done_while_the_crocodile_swaps() -> None:
    position = at("6/6/1G4/6/6 2 r - - - -")
    play(position, "Cc3")
    assert error(position, "+1") == "now-swap"
    assert error(position, "~c2") == "no-gazelle"


def test_after_the_totem_only_cards_of_that_phase_are_used() -> None:
    position = at("6/6/6/6/6 2 r - boa,vulture - -")
    play(position, "Gc1 +1")
    assert error(position, "vulture:c1") == "now-after"
    assert error(position, "boa:d9") == "unreadable"
    assert error(position, "Gd1") == "now-after"


def test_nothing_else_can_be_done_while_a_card_is_chosen() -> None:
    position = at("6/6/6/6/6 3 y giraffe - - -", reinforcement="pile")
    play(position, "giraffe")
    assert error(position, "Gd1") == "now-keep"


def test_nothing_is_played_after_the_end() -> None:
    position = at("GGGGGG/ZZZZZC/gggggC/zzgzz*E/zecclL 17 r okapi - - y")
    assert error(position, "Gc3") == "game-over"


def test_the_reason_is_given_in_the_words_of_the_game() -> None:
    with pytest.raises(mchezo.IllegalMove) as refused:
        at(MIDDLE).play("Gd3")
    assert refused.value.say("en") == "Gd3: d3 is not in line c, which the totem faces."
    assert refused.value.say("de") == "Gd3: d3 liegt nicht in der Linie c, vor der das Totem steht."
