"""The stored playthroughs are reproduced exactly."""

import pytest

from tests.envs.playthrough import FOLDER, PLAYTHROUGHS, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_game_goes_as_it_always_went(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text().splitlines()
    for number, line in enumerate(playthrough(PLAYTHROUGHS[name])):
        assert number < len(kept), line
        assert line == kept[number]
    assert number == len(kept) - 1


def test_every_playthrough_is_compared() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PLAYTHROUGHS)
