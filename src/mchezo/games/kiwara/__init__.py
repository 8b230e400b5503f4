"""Kiwara by Bruno Cathala: classic, on free boards, with open or hidden reinforcements, with a handicap."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mchezo.core.data import read_toml
from mchezo.core.effects import Value
from mchezo.core.features import Training
from mchezo.core.game import (
    Effects,
    Engines,
    Evaluation,
    Game,
    GameSetup,
    Notation,
    Rated,
    Rendering,
    Revenge,
    Rules,
    View,
)
from mchezo.core.position import Position
from mchezo.games.kiwara import book, effects, evaluate, network, rules, structs
from mchezo.games.kiwara.components import ANIMALS, SEAT_NAMES
from mchezo.games.kiwara.expected import expected
from mchezo.games.kiwara.explain import explain
from mchezo.games.kiwara.key import key
from mchezo.games.kiwara.legal import legal
from mchezo.games.kiwara.measure import measure
from mchezo.games.kiwara.notation import TEXTS, parse, write
from mchezo.games.kiwara.observe import ENCODING
from mchezo.games.kiwara.picture import draw
from mchezo.games.kiwara.puzzles import PUZZLES
from mchezo.games.kiwara.schema import KiwaraView
from mchezo.games.kiwara.setup import OPTIONS, prepare
from mchezo.games.kiwara.view import view
from mchezo.games.kiwara.why import why
from mchezo.games.kiwara.words import WORDS

if TYPE_CHECKING:
    from rich.console import RenderableType

ANIMAL_NAMES = {animal.letter: animal.name for animal in ANIMALS}


def name_of(argument: str, value: Value) -> str | None:
    """Return the word that names an animal or a card in a sentence."""
    if argument == "animal":
        return f"animal-{ANIMAL_NAMES[str(value)]}"
    return f"name-{value}" if argument == "card" else None


def revenge(position: Position, swap: bool) -> dict[str, Any]:
    """Play the same game again; with `swap` the other player sets the totem, and each player keeps the handicap."""
    options = dict(position.options)
    if swap and options["handicap"] is not None:
        seat, cards = options["handicap"]
        options["handicap"] = (1 - seat, cards)
    return options


def terminal(seen: Mapping[str, Any], language: str) -> "RenderableType":
    """Draw a view in the terminal."""
    from mchezo.games.kiwara.terminal import board  # the browser has no Rich

    return board(seen, language)


GAME = Game(
    name="kiwara",
    title="Kiwara",
    author="Bruno Cathala",
    version=1,
    words=WORDS,
    setup=GameSetup(options=OPTIONS, prepare=prepare, seats=lambda options: SEAT_NAMES),
    rules=Rules(
        state=structs.STATE,
        most_choices=structs.MOST_CHOICES,
        reasons=structs.REASONS,
        has_points=True,
        to_move=rules.to_move,
        legal=legal,
        apply=rules.apply,
        chance=rules.chance,
        ending=rules.ending,
        returns=rules.returns,
        scores=rules.scores,
        key=key,
        turn_of=rules.turn_of,
    ),
    notation=Notation(parse, write, explain, texts=TEXTS),
    view=View(view, KiwaraView),
    effects=Effects(effects.effects, effects.preview, effects.score_lines, name_of),
    pictures=Rendering(draw, terminal=terminal, background="#6d7a2c"),
    evaluation=Evaluation(
        features=evaluate.features,
        weights=evaluate.weights,
        evaluate=evaluate.evaluate,
        network=network.NETWORK,
        inputs=network.inputs,
        stage=network.stage,
        noisy=evaluate.noisy,
        measure=measure,
        why=why,
        expected=expected,
        training={
            "kiwara": Training(
                evaluate.FEATURES["kiwara"],
                # Most games are played with the rules and the board of the box.
                (
                    *({},) * 3,
                    {"board": "free"},
                    {"reinforcement": "pile"},
                    {"board": "free", "reinforcement": "pile"},
                ),
                opening=24,
            )
        },
        weights_file=Path(__file__).with_name("weights.toml"),
    ),
    encoding=ENCODING,
    computers=Engines(
        levels=read_toml(__name__, "levels.toml"),
        opening=3,  # the first line, the first animal and the totem's first move
        benchmark={"reinforcement": "pile"},
        signature={"kiwara": {}, "kiwara with the pile": {"reinforcement": "pile", "handicap": (1, 2)}},
        conformance=({"reinforcement": "pile"},),
        book=book.turns,
    ),
    guide=files(__name__) / "guide",
    rated=Rated(choices={"board": ("classic", "free")}, kinds={"kiwara": 6}, kind=lambda options: "kiwara"),
    revenge=Revenge(revenge),
    puzzles=PUZZLES,
    explored=files(__name__) / "explored.tsv",
    sketch=effects.sketch,
)
