"""Kitara by Eric B. Vogel, with a reconstruction of its maps and cards."""

from collections.abc import Mapping
from dataclasses import asdict
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
    Packs,
    Rated,
    Rendering,
    Rules,
    View,
)
from mchezo.games.kitara import edit_pack, effects, evaluate, pack, rules, structs
from mchezo.games.kitara.candidates import candidates
from mchezo.games.kitara.chance import chance
from mchezo.games.kitara.determinize import determinize
from mchezo.games.kitara.explain import explain
from mchezo.games.kitara.key import key
from mchezo.games.kitara.legal import legal
from mchezo.games.kitara.measure import POINTS, measure
from mchezo.games.kitara.notation import parse, secret, write, write_several
from mchezo.games.kitara.observe import ENCODING
from mchezo.games.kitara.pack_map import describe, draw_map
from mchezo.games.kitara.picture import draw
from mchezo.games.kitara.puzzles import PUZZLES
from mchezo.games.kitara.read_pack import read
from mchezo.games.kitara.schema import KitaraMap, KitaraView
from mchezo.games.kitara.setup import OPTIONS, prepare, rivals, seat_names
from mchezo.games.kitara.view import own, view
from mchezo.games.kitara.why import why
from mchezo.games.kitara.words import WORDS

if TYPE_CHECKING:
    from rich.console import RenderableType


def svg(seen: Mapping[str, Any]) -> str:
    """Draw the table, on the map of the pack that is played with."""
    return draw(seen, asdict(pack.known(seen["pack_id"]).maps[seen["players"]]))


def terminal(seen: Mapping[str, Any], language: str) -> "RenderableType":
    """Draw a view in the terminal."""
    from mchezo.games.kitara.terminal import board  # the browser has no Rich

    return board(seen, language)


GAME = Game(
    name="kitara",
    title="Kitara",
    author="Eric B. Vogel",
    version=2,
    former=pack.former_options,
    words=WORDS,
    setup=GameSetup(options=OPTIONS, prepare=prepare, seats=seat_names, rivals=rivals),
    rules=Rules(
        state=structs.STATE,
        most_choices=structs.MOST_CHOICES,
        reasons=structs.REASONS,
        has_points=True,
        to_move=rules.to_move,
        legal=legal,
        apply=rules.apply,
        chance=chance,
        ending=rules.ending,
        returns=rules.returns,
        scores=rules.scores,
        key=key,
        determinize=determinize,
        turn_of=rules.turn_of,
    ),
    notation=Notation(parse, write, explain, secret, write_several),
    view=View(
        view,
        KitaraView,
        own,
        reveal=lambda views: {"all_tokens": [seen["own_tokens"]["kept"] for seen in views]},
    ),
    effects=Effects(effects.effects, effects.preview, effects.score_lines, rival=effects.rival),
    pictures=Rendering(svg, terminal=terminal, background="#8c5a2c", gif_width=640),  # its cards and figures are small
    evaluation=Evaluation(
        features=evaluate.features,
        weights=evaluate.weights,
        candidates=candidates,
        estimate=evaluate.estimate,
        measure=measure,
        lead_unit=evaluate.unit_of_lead,
        why=why,
        points=POINTS,
        training={
            kind: Training(
                evaluate.FEATURES[kind],
                ({"players": players, "deck": "blue"}, {"players": players, "deck": "red"}),
                whole_turns=True,
            )
            for players, kind in evaluate.KINDS_OF_GAME.items()
        },
        weights_file=Path(__file__).with_name("weights.toml"),
    ),
    encoding=ENCODING,
    computers=Engines(
        levels=read_toml(__name__, "levels.toml"),
        analysis_nodes=40_000,  # a game has ten times as many decisions as others
        budget_share=0.5,  # retreats interrupt most turns
        benchmark={"players": 4},
        conformance=({"players": 3},),
    ),
    guide=files(__name__) / "guide",
    rated=Rated(
        choices={"players": (2, 3, 4), "deck": ("blue", "red")},
        kinds={"kitara-2": 5, "kitara-3": 0, "kitara-4": 0},
        kind=lambda options: f"kitara-{options.get('players', 2)}",
    ),
    packs=Packs(
        option="pack",
        shipped=pack.SHIPPED,
        included=pack.INCLUDED,
        template=pack.template,
        read=read,
        known=pack.known,
        id=pack.id_of,
        describe=describe,
        check=pack.check,
        draw=draw_map,
        map_schema=KitaraMap,
        open=edit_pack.contents,
        write=edit_pack.write,
        sketch=edit_pack.draw_sketch,
    ),
    puzzles=PUZZLES,
)
