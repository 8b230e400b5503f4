"""Kitara alone: the engine and the plain rule book agree, and games alone are games like others."""

import random
import tomllib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mchezo
from mchezo.core.errors import IllegalMove, InvalidSetup
from mchezo.core.structs import CHANCE
from mchezo.games.kitara.components import DIFFICULTIES, SCENARIOS
from tests.oracles.compare import play_both
from tests.oracles.kitara_alone import KitaraAlone

KITARA = mchezo.game("kitara")
PACK = tomllib.loads(files("mchezo.games.kitara").joinpath("packs", "reconstruction.toml").read_text(encoding="utf-8"))


def random_options(generator: random.Random) -> dict[str, Any]:
    """Return a random difficulty, scenario, deck and number of turns."""
    return {
        "rival": generator.choice(list(DIFFICULTIES)),
        "scenario": generator.choice(list(SCENARIOS)),
        "deck": generator.choice(["blue", "red"]),
        "turns": generator.choice(["7/9", "7/9", "6/8"]),
    }


def compare_game(options: dict[str, Any], generator: random.Random) -> int:
    """Play one random game on both; return the number of positions."""
    oracle = KitaraAlone(PACK, **options)
    return play_both(
        KITARA.start(chance="manual", players=1, **options),
        oracle,
        generator,
        views=lambda: {None: oracle.view(None), 0: oracle.view(0)},
        as_oracle=lambda outcome: (outcome.winners, outcome.scores, outcome.reason),
    )


def random_game(seed: int, **options: Any) -> mchezo.Position:
    """Play a game at random."""
    position, generator = KITARA.start(seed=seed, players=1, **options), random.Random(seed)
    while position.to_move is not None:
        position.play(generator.choice(position.legal_moves))
    return position


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize("number", range(4))
def test_three_thousand_random_positions_alone_agree(number: int) -> None:
    generator = random.Random(number)
    positions = 0
    while positions < 3_000:
        positions += compare_game(random_options(generator), generator)


@settings(max_examples=10)
@given(generator=st.randoms(use_true_random=False))
def test_games_alone_chosen_by_hypothesis_agree(generator: random.Random) -> None:
    compare_game(random_options(generator), generator)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_record_of_a_game_alone_replays_to_the_same_game(scenario: str) -> None:
    position = random_game(5, rival=4, scenario=scenario)
    record = mchezo.Record.parse(str(position.record()))
    again = record.replay()
    assert record.verify()
    assert again.moves == position.moves
    assert again.outcome == position.outcome
    assert again.view(0) == position.view(0)


def test_a_game_alone_has_seven_rounds_and_a_card_of_the_rivals_deck_in_each() -> None:
    position = random_game(8, rival=3)
    view = position.view(0)
    assert (view["round"], view["last_round"]) == (7, 7)
    assert view["rival"] == {"difficulty": 3, "scenario": "open", "deck": []}
    turned = [step for step in position.steps if step.before[0].phase == 2 and step.by == CHANCE]
    assert [int(step.text[1]) for step in turned] == list(DIFFICULTIES[3].ages)


def test_only_the_player_decides() -> None:
    position = random_game(2)
    assert {step.by for step in position.steps} == {0, CHANCE}
    assert position.seats == ("first", "rival")
    assert all(step.only is None for step in position.steps)


def test_undo_takes_the_rivals_turn_back_with_ones_own_move() -> None:
    position = KITARA.start(seed=4, players=1)
    generator = random.Random(4)
    while position.view()["round"] == 1:
        before = position.moves
        position.play(generator.choice(position.legal_moves))
    position.undo()
    assert position.moves == before


def test_the_rivals_start_follows_difficulty_and_scenario() -> None:
    position = KITARA.start(seed=1, players=1, rival=5, scenario="empire")
    position.play(position.legal_moves[0])
    view = position.view(0)
    (space,) = [held for held in view["spaces"].values() if held["seat"] == 1]
    assert space == {"seat": 1, "W": 4, "A": 1, "H": 1}
    assert view["supply"][1] == {"W": 6, "A": 4, "H": 2}
    assert view["points"] == [0, 24]


@pytest.mark.parametrize("option", [{"rival": 3}, {"scenario": "raiders"}])
def test_a_rival_is_refused_where_others_play(option: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetup, match=next(iter(option))):
        KITARA.start(players=2, **option)


@pytest.mark.parametrize("option", [{"rival": 0}, {"rival": 6}, {"rival": "2"}, {"rival": True}, {"scenario": "no"}])
def test_an_unknown_rival_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetup, match=next(iter(option))):
        KITARA.start(players=1, **option)


def test_what_the_rival_does_cannot_be_chosen() -> None:
    position = KITARA.start(players=1, chance="manual")
    while position.to_move == CHANCE:
        position.play(position.legal_moves[0])
    position.play("@a1")
    with pytest.raises(IllegalMove, match="rival's rules"):
        position.play("@a1")


def test_a_pack_with_few_cards_gives_the_rival_what_there_is() -> None:
    text = files("mchezo.games.kitara").joinpath("packs", "reconstruction.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    whole = "[" + ", ".join(f'"{card}"' for card in data["decks"]["blue"][3]) + "]"
    assert whole in text
    position = KITARA.start(seed=1, players=1, rival=5, pack=text.replace(whole, '["W2A1M2"]', 1))
    assert position.view()["rival"]["deck"] == [1, 2, 3, 3, 4]
    generator = random.Random(1)
    while position.to_move is not None:
        position.play(generator.choice(position.legal_moves))


def test_a_strong_player_beats_a_random_one_against_the_rival() -> None:
    player = mchezo.player("kitara", 3)
    margins = []
    for seed in range(3):
        position = KITARA.start(seed=seed, players=1, rival=1)
        while position.to_move is not None:
            thought = player.think(position, seed=len(position.steps))
            for move in thought.moves[: thought.turn]:
                position.play(move)
        assert position.outcome is not None
        chosen = random_game(seed, rival=1).outcome
        assert chosen is not None
        margins.append(position.outcome.scores[0] - chosen.scores[0])
    assert sum(margins) > 0
