"""Katarenga by David Parlett, with thirteen more games that are played with the same board and pawns."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mchezo.core.data import read_toml
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
from mchezo.games.katarenga import alone, effects, evaluate, evaluate_variants, rules, structs, tactics
from mchezo.games.katarenga.components import SEAT_NAMES, SINGLE_SEAT, tile_code, turn_board
from mchezo.games.katarenga.explain import explain
from mchezo.games.katarenga.key import key, key_after
from mchezo.games.katarenga.legal import announce, draw_legal, legal
from mchezo.games.katarenga.measure import measure
from mchezo.games.katarenga.notation import parse, write, write_several
from mchezo.games.katarenga.observe import ENCODING
from mchezo.games.katarenga.picture import draw
from mchezo.games.katarenga.puzzles import PUZZLES
from mchezo.games.katarenga.schema import KatarengaView
from mchezo.games.katarenga.setup import OPTIONS, fair, prepare
from mchezo.games.katarenga.view import view
from mchezo.games.katarenga.why import why
from mchezo.games.katarenga.words import WORDS

if TYPE_CHECKING:
    from rich.console import RenderableType


def svg(seen: Mapping[str, Any]) -> str:
    """Draw the board from the viewer's side."""
    return draw(seen, flip=seen["seat"] == structs.BLACK)


def revenge(position: Position, swap: bool) -> dict[str, Any]:
    """Play the same game on the same board, turned by half; Black does not choose again."""
    board = turn_board(position.view()["board"], 2)
    return {**position.options, "board": board, "choose_baseline": False}


def terminal(seen: Mapping[str, Any], language: str) -> "RenderableType":
    """Draw a view in the terminal."""
    from mchezo.games.katarenga.terminal import board  # the browser has no Rich

    return board(seen, language)


RATED = tuple(name for name in structs.VARIANTS if name != structs.VARIANTS[structs.ISOLATION_ALONE])

GAME = Game(
    name="katarenga",
    title="Katarenga",
    author="David Parlett",
    version=1,
    words=WORDS,
    setup=GameSetup(
        options=OPTIONS,
        prepare=prepare,
        fair=fair,
        seats=lambda options: SINGLE_SEAT if options["variant"] == "isolation-alone" else SEAT_NAMES,
        extras=lambda options: {"code": tile_code(options["board"])},
    ),
    rules=Rules(
        state=structs.STATE,
        most_choices=structs.MOST_MOVES,
        reasons=structs.REASONS,
        draws=structs.DRAWS,
        to_move=rules.to_move,
        legal=legal,
        apply=rules.apply,
        ending=rules.ending,
        returns=rules.returns,
        scores=rules.scores,
        key=key,
        draw_legal=draw_legal,
        key_after=key_after,
        announce=announce,
    ),
    notation=Notation(parse, write, explain, write_several=write_several),
    view=View(view, KatarengaView),
    effects=Effects(effects.effects, effects.preview, effects.score_lines, others=effects.others),
    pictures=Rendering(svg, terminal=terminal, background="#2f180b"),
    evaluation=Evaluation(
        features=evaluate.features,
        weights=evaluate.weights,
        evaluate=evaluate.evaluate,
        noisy=evaluate.noisy,
        noisy_only=evaluate.noisy_only,
        tables=tactics.tables,
        assess=tactics.assess,
        look=tactics.look,
        gains=tactics.gains,
        may_pass=tactics.may_pass,
        pass_turn=tactics.pass_turn,
        measure=measure,
        why=why,
        training={
            "katarenga": Training(evaluate.FEATURES["katarenga"], ({"choose_baseline": False},), opening=8),
            "congress": Training(evaluate.FEATURES["congress"], ({"variant": "congress"},), opening=10),
            "quebec": Training(evaluate.FEATURES["quebec"], ({"variant": "quebec"},), opening=10),
            "isolation": Training(
                evaluate.FEATURES["isolation"],
                ({"variant": "isolation"}, {"variant": "isolation", "isolation": "opposite"}),
                opening=4,
            ),
            **{
                kind: Training(evaluate.FEATURES[kind], ({"variant": kind},), opening=2)
                for kind in evaluate_variants.FEATURES
            },
        },
        attainable=alone.attainable,
        weights_file=Path(__file__).with_name("weights.toml"),
    ),
    encoding=ENCODING,
    computers=Engines(
        levels=read_toml(__name__, "levels.toml"),
        signature={
            "katarenga": {},
            "congress": {"variant": "congress"},
            "quebec": {"variant": "quebec"},
            "isolation": {"variant": "isolation"},
        },
        conformance=({"variant": "isolation"}, {"choose_baseline": True}),
    ),
    guide=files(__name__) / "guide",
    rated=Rated(  # what the rules leave to chance is drawn: nobody chooses a board for themselves
        choices={"variant": RATED, "board": (None, "balanced"), "swap": (True,), "choose_baseline": (True,)},
        kinds=dict.fromkeys(RATED, 0) | {"katarenga": 6},
        kind=lambda options: str(options.get("variant", "katarenga")),
    ),
    revenge=Revenge(revenge, swaps_seats=False),
    puzzles=PUZZLES,
    touch=effects.touch,
    sketch=effects.sketch,
)
