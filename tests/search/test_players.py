"""The levels: legal, reproducible, in character, and refused with a sentence where they cannot play."""

import random

import pytest

import mchezo
from mchezo.search.players import LEVELS, choose_softly, levels, log_odds
from mchezo.search.thought import Thought


def thought(move: str, chance: float) -> Thought:
    """Return a thought of seat 0."""
    return Thought((move,), 1, (chance, 1.0 - chance), (), 1, 1, False)


@pytest.mark.parametrize("name", mchezo.games())
def test_every_game_has_eight_levels_with_names_in_four_languages(name: str) -> None:
    found = levels(name)
    assert [level.number for level in found] == list(range(1, LEVELS + 1))
    for language in ("en", "de", "fr", "nl"):
        assert len({level.name(language) for level in found}) == LEVELS


@pytest.mark.parametrize("name", mchezo.games())
@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_a_level_plays_legal_turns(name: str, level: int) -> None:
    position = mchezo.game(name).start(seed=level)
    player = mchezo.player(name, level, seed=level, share=0.1)
    for _ in range(12):
        if position.outcome is not None:
            break
        seat = position.to_move
        moves = player.turn(position)
        assert moves
        for move in moves:
            assert position.to_move == seat
            position.play(move)


@pytest.mark.parametrize("name", mchezo.games())
@pytest.mark.parametrize("level", [1, 5])
def test_equal_seeds_choose_equal_moves(name: str, level: int) -> None:
    position = mchezo.game(name).start(seed=3)
    first = mchezo.player(name, level, seed=8, share=0.2).turn(position)
    assert mchezo.player(name, level, seed=8, share=0.2).turn(position) == first


def test_the_weakest_level_varies_its_play() -> None:
    position = mchezo.game("katarenga").start(seed=3, choose_baseline=False)
    moves = {mchezo.player("katarenga", 1, seed=seed).choose(position) for seed in range(20)}
    assert len(moves) > 3


def test_a_soft_choice_prefers_good_moves_and_a_hard_one_takes_the_best() -> None:
    thoughts = [thought("good", 0.6), thought("fair", 0.5), thought("bad", 0.1)]
    chance = random.Random(1)
    chosen = [choose_softly(thoughts, 0, 0.3, chance).moves[0] for _ in range(500)]
    assert chosen.count("good") > chosen.count("fair") > chosen.count("bad")
    assert choose_softly(thoughts, 0, 0.0, chance).moves[0] == "good"
    assert log_odds(1.0) == -log_odds(0.0) > log_odds(0.9) > 0


@pytest.mark.parametrize("level", [0, 9, "5", True, None])
def test_other_levels_are_refused(level: object) -> None:
    with pytest.raises(mchezo.UserError, match="1 to 8"):
        mchezo.player("kiwara", level)  # type: ignore[arg-type]  # what is refused here


def test_a_player_of_another_game_is_refused() -> None:
    with pytest.raises(mchezo.UserError, match="plays Kiwara, not Katarenga"):
        mchezo.player("kiwara", 1).choose(mchezo.game("katarenga").start(seed=1))


def test_a_finished_game_is_refused() -> None:
    position = mchezo.game("kiwara").start(seed=1)
    while position.outcome is None:
        position.play(position.legal_moves[0])
    with pytest.raises(mchezo.IllegalMove):
        mchezo.player("kiwara", 1).choose(position)
