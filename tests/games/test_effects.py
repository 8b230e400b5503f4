"""Effects, previews and score lines: they follow from the states, have their words, and reveal nothing hidden."""

import random
from string import Formatter
from typing import Any

import pytest

import mchezo
from mchezo.core.structs import CHANCE

KINDS = [
    ("katarenga", {}),
    ("katarenga", {"variant": "congress"}),
    ("katarenga", {"variant": "isolation"}),
    ("katarenga", {"variant": "troika", "after_all": "move", "swap": True}),
    ("katarenga", {"variant": "battle-stations", "points": True}),
    ("katarenga", {"variant": "cornered", "points": True}),
    ("katarenga", {"variant": "central-park"}),
    ("katarenga", {"variant": "colorado"}),
    ("katarenga", {"variant": "north-west-passage", "points": True}),
    ("kiwara", {"reinforcement": "pile", "handicap": (1, 2)}),
    ("kiwara", {"board": "president", "hyena": "place", "handicap": (0, 2)}),
    ("kitara", {"players": 2, "deck": "red"}),
    ("kitara", {"players": 4}),
]


@pytest.mark.rotating(shares=4)
@pytest.mark.parametrize(("name", "options"), KINDS)
def test_every_effect_has_its_words_and_the_points_add_up(name: str, options: dict[str, Any]) -> None:
    game = mchezo.game(name)
    rng = random.Random(4)
    for seed in range(6):
        position = game.start(seed=seed, **options)
        while position.to_move is not None:
            position.play(rng.choice(position.legal_moves))
        after = [step.before for step in position.steps[1:]] + [position.states]
        setup = position.setups[0]
        for step, states in zip(position.steps, after, strict=True):
            action = game.notation.parse(step.text, step.before[0], setup)
            found = list(game.effects.of(action, step.before[0], states[0], setup, True))
            assert found
            for effect in found:
                words = game.words.sentences[f"told-{effect.key}"]["en"]
                assert {gap for _, gap, _, _ in Formatter().parse(words) if gap} <= effect.arguments.keys()
            if step.by != CHANCE:
                game.effects.preview(action, step.before[0], states[0], setup)
        outcome = position.outcome
        assert outcome is not None
        points = [0.0] * len(position.seats)
        for line in game.effects.score_lines(position.states[0], setup):
            points[line.seat] += line.points
            assert f"score-{line.key}" in game.words.sentences
        assert tuple(points) == outcome.scores


def test_the_effect_of_drawing_a_hidden_token_omits_its_value() -> None:
    game = mchezo.game("kitara")
    rng = random.Random(1)
    found = 0
    for seed in range(20):
        position = game.start(seed=seed)
        while position.to_move is not None:
            position.play(rng.choice(position.legal_moves))
        for step in position.steps:
            if step.only is not None:
                found += 1
                before, setup = step.before[0], position.setups[0]
                action = game.notation.parse(step.text, before, setup)
                for seen in (True, False):
                    effect = next(iter(game.effects.of(action, before, before, setup, seen)))
                    assert ("value" in effect.arguments) == seen
    assert found


def test_the_preview_of_katarenga_agrees_with_the_moves_that_follow() -> None:
    game = mchezo.game("katarenga")
    position = game.start(board="A0B0C0D0", seed=1)
    rng = random.Random(2)
    for _ in range(30):
        for text in position.legal_moves:
            action = game.notation.parse(text, position.states[0], position.setups[0])
            after = position.copy()
            after.play(text)
            if after.outcome is not None or text[3:] in ("a9", "h9", "a0", "h0"):
                continue
            foreseen = game.effects.preview(action, position.states[0], after.states[0], position.setups[0])
            takers = [reply[:2] for reply in after.legal_moves if reply.endswith(f"x{text[3:]}")]
            assert foreseen["takers"] == takers
        position.play(rng.choice(position.legal_moves))


def test_regions_are_checked_while_rivers_are_drawn() -> None:
    sketch = mchezo.game("kiwara").sketch
    assert sketch is not None
    begun = sketch({"rivers": ["a1-b1"]})
    assert (begun["complete"], begun["loose"], len(begun["regions"])) == (False, ["a1-b1"], 1)
    board = mchezo.game("kiwara").start(board="free", seed=3).options["board"]
    letters = dict(
        zip([f"{column}{row}" for row in "12345" for column in "abcdef"], board.replace("/", ""), strict=True)
    )
    rivers = [
        f"{first}-{second}"
        for first in letters
        for second in (f"{chr(ord(first[0]) + 1)}{first[1]}", f"{first[0]}{int(first[1]) + 1}")
        if second in letters and letters[first] != letters[second]
    ]
    whole = sketch({"rivers": rivers})
    assert whole["complete"]
    assert whole["board"] == board
    with pytest.raises(mchezo.InvalidSetup, match="neighbouring"):
        sketch({"rivers": ["a1-c1"]})
