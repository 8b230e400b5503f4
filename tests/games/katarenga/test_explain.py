"""The error for an illegal move names the rule it breaks."""

import pytest

import mchezo
from mchezo.games.katarenga.components import MOVES_FIGURE

KATARENGA = mchezo.game("katarenga")
MIDDLE = "8/8/8/2w2b2/5w2/8/1b4b1/2w1w1b1 w h -"


@pytest.mark.parametrize(
    ("move", "key"),
    [
        ("", "unreadable"),
        ("d1", "unreadable"),
        ("d1-d9", "unreadable"),
        ("i1-i2", "unreadable"),
        ("d1--d2", "unreadable"),
        ("D1-D2", "unreadable"),
        ("turn45", "unreadable"),
        ("d1-d2 ", "unreadable"),
        ("turn90", "not-choosing"),
        ("@d4", "only-moving"),
        ("d4-d5", "no-pawn"),
        ("b2-a1", "not-your-pawn"),
        ("f4-f4", "no-step"),
        ("f4-g5", "way-R"),
        ("f4-a4", "far-R"),
        ("f4-f7", "blocked"),
        ("f4xe4", "nothing-to-capture"),
        ("c1-c8", "way-B"),
        ("c1-c3", "way-B"),
        ("f4-a9", "camp-from-baseline"),
        ("f4-h9", "camp-taken"),
        ("f4-a0", "own-camp"),
        ("c5-c6", "way-G"),
    ],
)
def test_the_reason_names_the_rule(move: str, key: str) -> None:
    position = KATARENGA.start(board=MOVES_FIGURE, position=MIDDLE)
    before = position.view()
    with pytest.raises(mchezo.UserError) as refused:
        position.play(move)
    assert refused.value.key == key
    assert isinstance(refused.value, mchezo.InvalidMove if key == "unreadable" else mchezo.IllegalMove)
    assert position.view() == before
    assert position.moves == []
    for language in ("en", "de", "fr", "nl"):
        assert refused.value.say(language)


def error(move: str, **options: object) -> str:
    with pytest.raises(mchezo.IllegalMove) as refused:
        KATARENGA.start(**{"board": MOVES_FIGURE, **options}).play(move)  # type: ignore[arg-type]  # options
    return refused.value.key


def test_a_pawn_without_a_legal_move_is_explained() -> None:
    surrounded = {"board": "B" * 64, "position": "bb6/8/8/8/8/8/ww6/ww6 w - -"}
    assert error("a1-a1", **surrounded) == "stuck"
    assert error("a2-a2", **surrounded) == "no-step"
    # White's rook-like pawn goes to b7, the only square that Black's yellow corner pawn sees.
    rows = ["YBBBBBBB", *["BBBBBBBB"] * 6, "BRBBBBBB"]
    for rule, key in ("never", "stuck-first"), ("printed", "no-step"):
        position = KATARENGA.start(board="".join(rows), choose_baseline=False, first_capture=rule)
        position.play("b1-b7")
        with pytest.raises(mchezo.IllegalMove) as refused:
            position.play("a8-a8")
        assert refused.value.key == key


def test_friendly_pawns_block_their_squares() -> None:
    assert error("a1-a2", board="B" * 64, position="bb6/8/8/8/8/8/w7/w7 w - -") == "own-pawn"


def test_a_pawn_on_yellow_moves_diagonally_and_not_too_far() -> None:
    position = "8/8/8/bb6/4w3/8/8/w7 w - -"  # e4 is yellow, and so is d3
    assert error("e4-e5", position=position) == "way-Y"
    assert error("e4-c2", position=position) == "far-Y"


def test_black_chooses_the_baseline_first() -> None:
    assert error("a1-a2", choose_baseline=True) == "choose-first"


def test_by_option_first_captures_are_rejected() -> None:
    board = "/".join(["RRRRRRRR", *["BBBBBBBB"] * 6, "RRRRRRRR"])
    assert error("a1xa8", board=board, first_capture="never") == "no-first-capture"


def test_congress_has_neither_captures_nor_camps() -> None:
    assert error("a7xa8", board="B" * 64, variant="congress", position="b1b5/w7/8/8/8/8/8/w7 w - -") == "no-captures"
    assert error("a8-a9", board="B" * 64, variant="congress", position="w7/8/b7/8/8/b7/8/w7 w - -") == "no-camps"


def test_isolation_places_and_does_not_move() -> None:
    position = "w7/8/8/8/8/8/8/7b w - -"
    options = {"board": "B" * 64, "variant": "isolation", "position": position}
    assert error("a8-a7", **options) == "only-placing"
    assert error("@a8", **options) == "occupied"
    assert error("@b7", **options) == "not-isolated"


def test_moves_may_be_written_without_a_sign() -> None:
    position = KATARENGA.start(board="B" * 64)
    position.play("a1a2")
    assert position.moves == ["a1-a2"]
