"""Packs while they are edited: as contents, as TOML, and drawn before they are complete."""

import tomllib
from typing import Any

import pytest

from mchezo.core.errors import InvalidSetup
from mchezo.games.kitara import edit_pack, pack
from mchezo.games.kitara.read_pack import read


def test_the_reconstruction_written_from_its_contents_is_the_reconstruction() -> None:
    text = edit_pack.write(edit_pack.contents(None))
    written = read(text)
    assert pack.id_of(written) == pack.SHIPPED
    assert written.maps == pack.shipped().maps  # drawings included
    assert (written.name, written.note) == (pack.shipped().name, pack.shipped().note)
    assert edit_pack.write(edit_pack.contents(text)) == text


def test_the_template_is_opened_and_written_with_the_same_entries() -> None:
    given = edit_pack.contents(pack.template())
    assert tomllib.loads(edit_pack.write(given)) == given


def test_what_is_unfinished_is_written_and_named_by_the_check() -> None:
    given = edit_pack.contents(None)
    given["decks"]["blue"][1][2] = "Q1"
    error = edit_pack.refusal(edit_pack.write(given))
    assert error is not None
    assert "decks.blue 2.3" in error.say("en")
    assert edit_pack.refusal(edit_pack.write(edit_pack.contents(None))) is None


def test_a_map_is_drawn_before_its_borders_are_right() -> None:
    spaces: list[dict[str, Any]] = [
        {"id": "a1", "kind": "savanna", "start": True, "borders": ["zz"], "at": [100, 100]},
        {"id": "a2", "kind": "lake", "borders": ["a1"], "at": [300, 100]},
        {"id": "", "kind": "sea", "at": [200, 50], "shape": "<script>"},
        {"id": "a4", "kind": "ruin"},
    ]
    drawn = edit_pack.draw_sketch({"maps": {"2": {"size": [400, 200], "spaces": spaces}, "3": {"size": [0, 1]}}})
    assert list(drawn) == ["2"]
    found = drawn["2"].spaces
    assert [(space.id, space.kind) for space in found] == [("a1", "savanna"), ("a2", "lake"), ("", "savanna")]
    assert all(space.shape.startswith("M") for space in found)
    assert len({space.shape for space in found}) == 3


def test_the_borders_of_a_space_follow_when_it_moves() -> None:
    def shapes(x: int) -> list[str]:
        spaces = [{"id": "a", "kind": "savanna", "at": [x, 50]}, {"id": "b", "kind": "savanna", "at": [90, 50]}]
        return [
            space.shape
            for space in edit_pack.draw_sketch({"maps": {"2": {"size": [100, 100], "spaces": spaces}}})["2"].spaces
        ]

    assert shapes(10) != shapes(30)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"name": 1, "decks": [], "maps": {"2": 3}},
        {"maps": {"2": {"size": ["x"], "spaces": [1, {"at": [1e99, 0]}]}}},
    ],
)
def test_nonsense_is_refused_by_the_check_and_draws_nothing(given: dict[str, Any]) -> None:
    assert isinstance(edit_pack.refusal(edit_pack.write(given)), InvalidSetup)
    assert edit_pack.draw_sketch(given) == {}


def test_texts_are_quoted() -> None:
    given = edit_pack.contents(None) | {"name": "Ada's box", "note": 'a "quoted" \\ line\nand \x7f \u2028 another'}
    assert edit_pack.contents(edit_pack.write(given))["note"] == given["note"]
