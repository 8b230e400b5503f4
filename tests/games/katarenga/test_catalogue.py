"""The rated boards: every line is a board of the box, and equivalent boards share a rating."""

from importlib import resources
from typing import Any

import pytest

import mchezo
from mchezo.core.errors import InvalidSetup
from mchezo.games.katarenga import catalogue
from mchezo.games.katarenga.components import (
    START_FIGURE,
    assemble,
    assembly,
    canonical,
    equivalents,
    mirror_board,
    tile_code,
    turn_board,
)

KATARENGA = mchezo.game("katarenga")


def test_every_back_is_the_mirror_image_of_its_front_so_every_mirrored_board_can_be_built() -> None:
    for number in range(0, 98_304, 997):
        board = assemble(assembly(number))
        images = list(equivalents(board))
        assert len(set(images)) == 8
        assert all(tile_code(image) for image in images)
        assert len({canonical(image) for image in images}) == 1


def test_a_board_that_the_tiles_cannot_build_has_no_canonical_code_and_no_rating() -> None:
    letters = "/".join(["RGBYRGBY"] * 8)
    assert canonical(letters) is None
    assert catalogue.find(letters) is None


def test_every_line_of_the_catalogue_is_a_different_playable_board() -> None:
    text = resources.files("mchezo.games.katarenga").joinpath(catalogue.FILE).read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert "# mchezo balance katarenga" in text
    found = list(catalogue.read(lines))
    assert len(found) == len({board for board, _ in found}) == len(lines) > 0
    for (board, rating), line in zip(found, lines, strict=True):
        assert canonical(assemble(board)) == board
        assert catalogue.write(board, rating) == line
        assert 0 <= rating.chosen < 4
        assert len(rating.turns) == 4
        assert all(0 <= score <= 100 and 0 < half < 50 for score, half in rating.turns)
    KATARENGA.start(board=found[0][0]).play(KATARENGA.start(board=found[0][0]).legal_moves[0])


def test_turned_and_mirrored_boards_share_their_ratings() -> None:
    code, known = next(iter(catalogue.ratings().items()))
    board = assemble(code)
    assert catalogue.find(board) == known
    for quarters in range(4):
        turned = catalogue.find(turn_board(board, quarters))
        assert turned is not None
        assert turned.white == known.white
        assert turned.turns == tuple(known.turns[(turn + quarters) % 4] for turn in range(4))
        mirrored = catalogue.find(mirror_board(turn_board(board, quarters)))
        assert mirrored is not None
        # A reflection swaps left and right, so the direction of a turn changes.
        assert mirrored.turns == tuple(known.turns[(quarters - turn) % 4] for turn in range(4))


def test_a_balanced_board_is_drawn_from_the_seed_and_the_record_contains_the_board() -> None:
    drawn = [KATARENGA.start(board="balanced", seed=seed) for seed in range(12)]
    boards = [position.options["board"] for position in drawn]
    assert len(set(boards)) > 1
    assert boards[3] == KATARENGA.start(board="balanced", seed=3).options["board"]
    for position in drawn:
        rating = catalogue.find(position.options["board"])
        assert rating is not None
        assert rating.balanced
        assert position.legal_moves == ["turn0", "turn90", "turn180", "turn270"]
    record = str(drawn[0].record())
    assert "balanced" not in record
    assert boards[0] in record
    assert mchezo.Record.parse(record).replay().options["board"] == boards[0]


def test_if_black_does_not_choose_the_board_lies_in_its_balanced_turn() -> None:
    for seed in range(6):
        rating = catalogue.find(KATARENGA.start(board="balanced", choose_baseline=False, seed=seed).options["board"])
        assert rating is not None
        assert rating.turns[0] == rating.white


@pytest.mark.parametrize(
    "options", [{"variant": "congress"}, {"position": "bb6/8/8/8/8/8/8/ww6 w - -"}], ids=["variant", "position"]
)
def test_balanced_boards_are_for_katarenga_from_the_start_array_only(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetup) as refused:
        KATARENGA.start(board="balanced", **options)
    assert refused.value.key == "board-balanced-only"


def test_a_catalogue_without_balanced_boards_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "balanced", tuple)
    with pytest.raises(InvalidSetup, match="no balanced board"):
        KATARENGA.start(board="balanced", seed=1)


def test_the_board_builder_shows_the_rating() -> None:
    assert KATARENGA.sketch is not None
    code = next(iter(catalogue.ratings()))
    assert KATARENGA.sketch({"board": code})["rating"] == catalogue.find(assemble(code))
    assert KATARENGA.sketch({"board": START_FIGURE})["rating"] == catalogue.find(START_FIGURE)
