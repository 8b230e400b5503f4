"""The error for an illegal action names the rule it breaks, in every language."""

import pytest

from mchezo.core.errors import IllegalMove, InvalidMove, UserError
from mchezo.core.position import Position
from mchezo.core.words import LANGUAGES
from mchezo.games.kitara import structs
from mchezo.games.kitara.words import WORDS
from tests.games.kitara.positions import arranged, play, start, to_start

ROW = "1.1 1.2 1.3 1.4 1.5 1.6"
AGES = ("W1A1H1 V1N W1 W1 W1 W1 W1", "W1", "W1", "W1", "W1")


def refusal_of(position: Position, move: str) -> UserError:
    """Return the error for a move, which has a sentence in every language and changes nothing."""
    before = position.states.copy()
    with pytest.raises((InvalidMove, IllegalMove)) as caught:
        position.play(move)
    for language in LANGUAGES:
        assert move in caught.value.say(language)
    assert position.states == before
    return caught.value


@pytest.mark.parametrize(
    "move", ["", "a", "a1a2", "+", "@", "=6", "=1", "W", "W1H1A1", "X@a", "xX@a", "-", "+1.x", "..", "A1W1"]
)
def test_text_that_is_not_an_action_is_unreadable(move: str) -> None:
    position = to_start(start(), ROW, "a f")
    with pytest.raises(InvalidMove) as caught:
        position.play(move)
    assert caught.value.key == "unreadable"


@pytest.mark.parametrize(
    ("move", "key"),
    [("@zz", "no-such-space"), ("a-zz", "no-such-space"), ("+1.9", "no-such-card"), ("W11", "no-such-group")],
)
def test_spaces_cards_and_groups_that_do_not_exist_are_unreadable(move: str, key: str) -> None:
    assert refusal_of(to_start(start(), ROW, "a f"), move).key == key


ALL_MOVES = ("=1.1", "=2", "@a", "+1.1", "W@a", "a-b", ".", "W1", ">b", "-1.1", "xW@a")
PHASES = {
    "start": (structs.CHOOSING_START, {"@a"}),
    "draft": (structs.DRAFTING, {"+1.1"}),
    "recruit": (structs.RECRUITING, {"W@a"}),
    "move": (structs.MOVING, {"a-b", "."}),
    "pawns": (structs.CHOOSING_PAWNS, {"W1"}),
    "token": (structs.DRAWING_TOKEN, {"=2"}),
    "retreat": (structs.RETREATING, {">b"}),
    "discard": (structs.DISCARDING, {"-1.1"}),
    "remove": (structs.REMOVING, {"xW@a"}),
    "card": (structs.REFILLING_AFTER_DRAFT, {"=1.1"}),
}


@pytest.mark.parametrize("decision", PHASES)
def test_the_error_for_an_action_of_another_phase_says_what_to_decide_now(decision: str) -> None:
    phase, right = PHASES[decision]
    for move in ALL_MOVES:
        if move not in right:
            assert refusal_of(arranged({"b": (1, "W1")}, phase=phase), move).key == f"now-{decision}"


def test_start_spaces_that_are_not_free_are_explained() -> None:
    position = to_start(start(), ROW, "a")
    assert refusal_of(position, "@b").key == "not-a-start"
    assert refusal_of(position, "@a").key == "start-taken"


def test_cards_out_of_reach_are_explained() -> None:
    position = to_start(start(), ROW, "a f")
    assert refusal_of(position, "+1.7").key == "not-in-row"
    error = refusal_of(position, "+1.3")
    assert (error.key, error.values["choices"]) == ("too-far", 2)


def test_chance_outcomes_that_cannot_happen_are_explained() -> None:
    position = to_start(start(), "1.1 1.2 1.3 1.4 1.5", "")
    assert refusal_of(position, "=1.1").key == "not-next"
    assert refusal_of(position, "=2.1").key == "not-next"
    position = arranged({"a": (0, "H2"), "b": (1, "W1"), "f": (1, "W1")}, bag=[1, 0, 0, 0])
    assert refusal_of(play(position, "a-b H2"), "=5").key == "no-such-token"


def test_wrong_recruits_are_explained() -> None:
    position = arranged({"a": (0, "W1")}, phase=structs.DRAFTING, row=["1.1"], ages=AGES)
    play(position, "+1.1")
    assert refusal_of(position, "H@a").key == "recruit-W"
    assert refusal_of(position, "W@b").key == "recruit-elsewhere"
    play(position, "W@a")
    assert refusal_of(position, "W@a").key == "recruit-A"
    play(position, "A@a")
    assert refusal_of(position, "A@a").key == "recruit-H"


def test_wrong_entries_are_explained() -> None:
    position = arranged({"a": (1, "W1")}, phase=structs.DRAFTING, row=["1.3"])
    play(position, "+1.3")
    assert refusal_of(position, "W@a").key == "enter-taken"
    assert refusal_of(position, "W@c").key == "enter-start"
    position = arranged({"a": (1, "W1"), "f": (1, "W1")}, phase=structs.DRAFTING, row=["1.3"])
    assert refusal_of(play(position, "+1.3"), "W@r").key == "enter-savanna"
    position = arranged(dict.fromkeys("abcdef", (1, "W1")), phase=structs.DRAFTING, row=["1.3"])
    assert refusal_of(play(position, "+1.3"), "W@l").key == "enter-land"


def test_borders_that_cannot_be_crossed_are_explained() -> None:
    position = arranged({"a": (0, "W2"), "b": (1, "W2"), "f": (1, "W1")})
    assert refusal_of(position, "c-d").key == "not-your-space"
    assert refusal_of(position, "b-c").key == "not-your-space"
    assert refusal_of(position, "a-l").key == "lake"
    assert refusal_of(position, "a-c").key == "no-border"
    assert refusal_of(position, "a-a").key == "no-border"
    error = refusal_of(position, "a-b")
    assert (error.key, error.values["attackers"], error.values["defenders"]) == ("too-few", 2, 2)
    assert refusal_of(arranged({"a": (0, "W2"), "b": (1, "W1")}), "a-b").key == "only-space"


def test_groups_that_cannot_cross_are_explained() -> None:
    position = play(arranged({"a": (0, "W3"), "b": (1, "W1"), "f": (1, "W1")}), "a-b")
    assert refusal_of(position, "W4").key == "not-so-many"
    assert refusal_of(position, "H1").key == "not-so-many"
    assert refusal_of(position, "W1").key == "too-few"
    with pytest.raises(IllegalMove) as caught:
        position.play("W0")
    assert caught.value.key == "no-pawns"


def test_wrong_retreats_are_explained() -> None:
    spaces = {"a": (0, "W2"), "b": (1, "W1"), "d": (1, "W1"), "f": (1, "W1")}
    position = play(arranged(spaces), "a-b W2")
    assert refusal_of(position, ">c").key == "retreat-elsewhere"
    assert refusal_of(position, ">b").key == "retreat-elsewhere"
    assert refusal_of(position, ">f").key == "not-nearest"


def test_wrong_discards_and_removals_are_explained() -> None:
    spaces = {"r": (0, "W1A1H1"), "s": (0, "A1")}
    position = play(arranged(spaces, kingdoms=[["1.1", "1.2"]], ages=AGES), ".")
    assert refusal_of(position, "-1.2").key == "marked"
    assert refusal_of(position, "-1.3").key == "not-in-kingdom"
    play(position, "-1.1")
    assert refusal_of(position, "xA@r").key == "remove-W"
    assert refusal_of(position, "xW@s").key == "none-there-W"
    play(position, "xW@r")
    assert refusal_of(position, "xH@r").key == "remove-A"
    assert refusal_of(position, "xA@c").key == "none-there-A"
    play(position, "xA@r")
    assert refusal_of(position, "xA@s").key == "remove-H"
    assert refusal_of(position, "xH@s").key == "none-there-H"


def test_every_sentence_has_the_same_gaps_in_four_languages() -> None:
    import string

    for key, sentences in WORDS.sentences.items():
        gaps = {
            frozenset(field for _, field, _, _ in string.Formatter().parse(text) if field)
            for text in sentences.values()
        }
        assert tuple(sentences) == LANGUAGES, key
        assert len(gaps) == 1, key
