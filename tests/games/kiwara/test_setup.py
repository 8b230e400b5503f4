"""Setups: boards, options and positions, and the rejection of everything that is not one."""

import re
from pathlib import Path
from typing import Any

import pytest

import mchezo
from mchezo.games.kiwara.components import BOARDS
from tests.games.kiwara.positions import KIWARA, at, play

CLASSIC = BOARDS["classic"]
START = "6/6/6/6/6 - y - - - -"


def test_the_default_game_is_classic_with_the_face_up_okapi() -> None:
    view = KIWARA.start().view()
    assert (view["board"], view["reinforcement"], view["okapi_open"]) == (CLASSIC, "okapi", True)
    assert view["hands"] == [{"G": 6, "Z": 5, "C": 2, "E": 1, "L": 1}] * 2
    assert (view["rhinoceros"], view["hyena"]) == ("edge", "move")
    assert KIWARA.start().record().options == {}


def test_boards_are_given_by_name_or_as_letters_with_or_without_slashes() -> None:
    for name, letters in BOARDS.items():
        for board in (name, letters, letters.replace("/", "")):
            assert KIWARA.start(board=board).view()["board"] == letters


def test_all_versions_combine() -> None:
    position = KIWARA.start(board="free", reinforcement="pile", handicap=(1, 2), seed=3)
    view = position.view()
    assert (len(view["cards"][1]), view["pile"], view["okapi_open"]) == (2, 8, False)


def test_a_record_contains_the_options_and_replays() -> None:
    options: dict[str, Any] = {"board": "president", "reinforcement": "pile", "handicap": (1, 2), "hyena": "place"}
    position = KIWARA.start(seed=1, **options)
    play(position, "T3 Gd1")
    record = mchezo.Record.parse(str(position.record()))
    assert record.options == {"board": "president", "reinforcement": "pile", "handicap": "1,2", "hyena": "place"}
    replayed = record.replay()
    assert replayed.options["handicap"] == (1, 2)
    assert replayed.view() == position.view()


def test_the_revenge_is_the_same_game_again_with_the_seats_swapped() -> None:
    series = KIWARA.series(swap=True, board="president", seed=1)
    series.end(mchezo.Outcome((0,), (1.0, 0.0), "resignation"))
    following = series.next()
    assert following.options["board"] == "president"
    assert series.players == (1, 0)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"board": 7}, "board-not-text"),
        ({"board": "clasic"}, "board-letter"),
        ({"board": CLASSIC.replace("F", "G")}, "board-letter"),
        ({"board": CLASSIC[:-1]}, "board-size"),
        ({"board": ""}, "board-size"),
        ({"board": "ABCCCCA/BBCDD/AABCCD/EABBBF/EEFFFF"}, "board-rows"),
        ({"board": CLASSIC.replace("D", "C")}, "board-territories"),
        ({"board": "ABCCCC/ABBCCD/AABCCD/EABBBF/EEFFFF"}, "board-territory-size"),
        ({"board": "DBCCCC/ABBCDD/AABCCA/EABBBF/EEFFFF"}, "board-not-connected"),
        ({"reinforcement": "giraffe"}, "not-one-of"),
        ({"rhinoceros": "both"}, "not-one-of"),
        ({"hyena": ""}, "not-one-of"),
        ({"handicap": 1}, "handicap"),
        ({"handicap": (2, 1)}, "handicap"),
        ({"handicap": (0, 3)}, "handicap"),
        ({"handicap": (0, 0)}, "handicap"),
        ({"handicap": (True, 1)}, "handicap"),
        ({"handicap": (0, 1), "position": START}, "position-handicap"),
        ({"variant": "x"}, "unknown-option"),
        ({"position": 7}, "position-not-text"),
        ({"position": "6/6/6/6/6 - y"}, "position-parts"),
        ({"position": "6/6/6/6/6 - y - - - - - -"}, "position-parts"),
        ({"position": "6/6/6/6/6 - w - - - -"}, "position-side"),
        ({"position": "6/6/6/6/6 22 y - - - -"}, "position-totem"),
        ({"position": "6/6/6/6/6 2 y - - - w"}, "position-reinforced"),
        ({"position": "6/6/6/6/6 2 y - - - - boa"}, "position-force"),
        ({"position": "6/6/6/6/6 2 y - - - - warthog:c3"}, "position-force"),
        ({"position": "6/6/6/6 2 y - - - -"}, "position-rows"),
        ({"position": "6/6/6/6/7 2 y - - - -"}, "position-sign"),
        ({"position": "6/6/6/6/X5 2 y - - - -"}, "position-sign"),
        ({"position": "6/6/6/6/*5 2 y - - - -"}, "position-sign"),
        ({"position": "6/6/6/6/G6 2 y - - - -"}, "position-row-size"),
        ({"position": "6/6/6/6/G4 2 y - - - -"}, "position-row-size"),
        ({"position": "6/6/6/6/EE4 2 y - - - -"}, "position-too-many"),
        ({"position": "gggggg/g5/6/6/6 2 y - - - -"}, "position-too-many"),
        ({"position": "6/6/6/6/E*5 2 y - - - -"}, "position-hidden"),
        ({"position": "6/6/6/6/LZ4 2 y - - - -"}, "position-beside-lion"),
        ({"position": "6/6/6/6/6 2 y zebra - - -"}, "position-card"),
        ({"position": "6/6/6/6/6 2 y boa,boa - - -"}, "position-card-twice"),
        ({"position": "6/6/6/6/6 2 y boa boa - -"}, "position-card-twice"),
        ({"position": "6/6/6/6/6 - r - - - -"}, "position-totem-missing"),
        ({"position": "G5/6/6/6/6 - y - - - -"}, "position-totem-missing"),
        ({"position": "6/4gG/5G/6/6 0 y - - - -"}, "position-not-reinforced"),
        ({"position": "6/6/6/6/6 2 y okapi - - -"}, "position-okapi"),
        ({"position": "6/4gG/5G/6/6 0 y - okapi - y"}, "position-okapi"),
        ({"position": "6/4gG/5G/6/6 0 y - - okapi y"}, "position-okapi"),
        ({"position": "6/6/6/6/6 2 y giraffe boa,baboon,vulture,hyena rhinoceros,porcupine -"}, "position-giraffe"),
        ({"position": "GGGGGG/ZZZZZC/gggggC/zzzzzE/3ecL 17 y okapi - - y"}, "position-no-tokens"),
        ({"position": "GgGgGg/6/6/6/6 6 y - - - -"}, "position-line-full"),
        ({"position": "6/6/6/6/6 2 y - boa - - boa:c3"}, "position-force-unused"),
        ({"position": "6/6/6/6/6 2 y - - boa - boa:d3"}, "position-force-space"),
        ({"position": "2G3/6/6/6/6 2 y - - boa - boa:c1"}, "position-force-space"),
        ({"position": "2G3/2g3/2G3/2g3/6 2 y - - porcupine - porcupine:c5"}, "position-force-alone"),
    ],
)
def test_an_impossible_setup_is_rejected_with_its_reason(options: dict[str, Any], key: str) -> None:
    with pytest.raises(mchezo.InvalidSetup) as refused:
        KIWARA.start(**options)
    assert refused.value.key == key
    for language in ("en", "de", "fr", "nl"):
        assert refused.value.say(language)


def test_the_error_for_a_board_names_the_territory_and_what_is_wrong() -> None:
    with pytest.raises(mchezo.InvalidSetup, match="Territory C has 8 spaces"):
        KIWARA.start(board="ABCCCC/ABBCCD/AABCCD/EABBBF/EEFFFF")
    with pytest.raises(mchezo.InvalidSetup, match="there is no path inside it from a2 to f3"):
        KIWARA.start(board="DBCCCC/ABBCDD/AABCCA/EABBBF/EEFFFF")
    with pytest.raises(mchezo.InvalidSetup, match="This one has 5; missing: D"):
        KIWARA.start(board=CLASSIC.replace("D", "C"))


def test_the_start_position_in_notation_is_the_start_of_a_game() -> None:
    assert at(START).view() == KIWARA.start().view()
    assert KIWARA.start().view()["position"] == START


def test_a_position_has_only_one_notation() -> None:
    position = at("6/6/2Zg*L1/6/6 7 r vulture,boa - giraffe - -", reinforcement="pile")
    assert position.options["position"] == "6/6/2Zg*L1/6/6 7 r boa,vulture - giraffe -"
    assert position.view()["position"] == position.options["position"]


def test_a_full_board_is_a_finished_game() -> None:
    position = at("GGGGGG/ZZZZZC/gggggC/zzgzz*E/zecclL 17 r okapi - - y")
    assert position.to_move is None
    assert position.outcome is not None


def test_a_card_may_be_in_force_in_a_position() -> None:
    assert at("6/6/6/6/6 3 y - - warthog - warthog").view()["decision"] == "totem"
    assert at("6/6/6/6/6 3 y - - boa - boa:d2").view()["boa"] == "d2"


def test_the_positions_on_the_page_about_kiwara_can_be_played() -> None:
    page = Path(mchezo.__file__).parents[2] / "docs" / "kiwara.md"
    positions = re.findall(r"^    (\S+(?:/\S+){4} .*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    texts = [text for text in positions if not text.startswith("classic")]
    assert len(texts) == 2
    for text in texts:
        assert at(text).view()["position"] == text
