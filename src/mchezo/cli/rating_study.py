"""`mchezo ratings levels` and `report`: the strengths of the levels, and a comparison of rating systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from mchezo.arena import charts
from mchezo.arena.markdown import table
from mchezo.arena.ratings import PairResult, PlayerRating
from mchezo.arena.statistics import Z95
from mchezo.cli.common import WORDS, echo, say
from mchezo.cli.reports import ReportPage, ResultFile, progress_bar
from mchezo.core.errors import UserError
from mchezo.studies import levels
from mchezo.studies.rating_systems import POPULATIONS, SYSTEMS, Predictions, Result, compare, farmed, shuffled, simulate

FARMED = 100  # new accounts
SHOWN = ("Glicko-2 as used", "Plackett-Luce, defaults")


def gather(files: Sequence[Path]) -> None:
    """Keep the scores of the games in these files, and print the ratings that follow."""
    scores = levels.read() if levels.FILE.exists() else {}
    for file in files:
        terms, lines = ResultFile(file).read()
        if terms.get("part") != 1 or terms.get("nodes") or terms.get("seconds") or terms.get("options"):
            raise UserError("resume-other", WORDS, file=file, term="part")
        scores[terms["game"]] = levels.merged(scores.get(terms["game"], []), levels.tally(lines, terms["seed"]))
    levels.write(scores)
    for game, found in scores.items():
        for level, one in levels.ratings(levels.counted(game, found)).items():
            echo(say("levels-rated", game=game, level=level, rating=round(one.rating), half=round(one.half)))


def write_report(page: Path, seeds: int) -> None:
    """Write the comparison of systems and the strengths of the levels into a page."""
    charts.require()
    systems, strengths = ReportPage(page, "systems"), ReportPage(page, "levels")
    worlds: dict[str, Callable[[int], list[Result]]] = {
        name: partial(simulate, population) for name, population in POPULATIONS.items()
    }
    scores = {game: levels.counted(game, found) for game, found in levels.read().items()}
    worlds |= {f"levels of {game}": partial(shuffled, games_of(pairs)) for game, pairs in scores.items()}
    found = {}
    with progress_bar(len(worlds), "systems") as show:
        for name, world in worlds.items():
            found[name] = compare(SYSTEMS, world, range(1, seeds + 1))
            show.advance(show.task_ids[0])
    losses = [[system, *(loss(found[world][system][1]) for world in worlds)] for system in SYSTEMS]
    errors = [
        [system, *(f"{100 * found[world][system][0].calibration_error:.1f}" for world in worlds)]
        for system in SYSTEMS
        if system != "constant"
    ]
    text = [
        f"Log-loss of the predictions, mean of {seeds} seeds ± 95 % interval; lower is better.\n",
        table(["system", *worlds], losses),
        "Calibration error in percentage points: how far predictions are from the scores, on average over ten bins.\n",
        table(["system", *worlds], errors),
        systems.link("calibration"),
        f"Beating {FARMED} new accounts, one game each, an 1800 gains {farmed(FARMED, rule=False):.0f} points by plain "
        f"Glicko-2 and {farmed(FARMED, rule=True):.0f} as used.\n",
    ]
    first = next(iter(POPULATIONS))
    systems.write("\n".join(text), {"calibration": calibration_chart({one: found[first][one][0] for one in SHOWN})})
    rows = []
    for level in range(1, 9):
        row = [str(level)]
        for pairs in scores.values():
            one = levels.ratings(pairs).get(level)
            row.append("" if one is None else level_cell(one))
        rows.append(row)
    strengths.write(
        "\n".join([table(["level", *scores], rows), strengths.link("levels")]), {"levels": level_chart(scores)}
    )


def level_cell(one: PlayerRating) -> str:
    """Format a level's rating with half its 95 % interval and its standard error."""
    return f"{one.rating:.0f} ± {one.half:.0f} (SE {one.half / Z95:.0f}, {one.games:,} games)"


def loss(losses: Sequence[float]) -> str:
    """Format the mean loss of several seeds with its interval."""
    half = Z95 * float(np.std(losses, ddof=1)) / len(losses) ** 0.5 if len(losses) > 1 else 0.0
    return f"{np.mean(losses):.4f} ± {half:.4f}"


def games_of(pairs: Sequence[PairResult], most: int = 150) -> list[Result]:
    """Return the results of games between levels, up to a maximum per pairing; a level is a player, by its number."""
    games = []
    for pair in pairs:
        one, other = (int(name.partition(":")[2]) for name in (pair.first, pair.second))
        count = min(pair.games, most)
        won = round(pair.points * count / pair.games)
        games += [Result((one, other), (0, 1) if number < won else (1, 0), 0) for number in range(count)]
    return games


def calibration_chart(predictions: dict[str, Predictions]) -> str:
    """Draw predicted against found scores."""
    figure, axes = charts.panels(len(predictions), 3.2, 3.2, "Predicted and found scores")
    for axis, (name, one) in zip(axes, predictions.items(), strict=True):
        bins = one.calibration()
        axis.plot([0, 1], [0, 1], color=charts.PALE)
        axis.plot([chance for chance, *_ in bins], [score for _, score, _ in bins], "o-", color=charts.BLUE)
        axis.set_title(name)
        axis.set_xlabel("predicted")
        charts.percent_axis(axis)
        charts.percent_axis(axis, "x")
    return charts.svg(figure)


def level_chart(scores: dict[str, list[PairResult]]) -> str:
    """Draw the ratings of the levels with their intervals."""
    figure, axes = charts.panels(len(scores), 3.0, 3.0, "Ratings of the levels")
    for axis, (game, pairs) in zip(axes, scores.items(), strict=True):
        rated = levels.ratings(pairs)
        axis.errorbar(
            list(rated), [one.rating for one in rated.values()], yerr=[one.half for one in rated.values()],
            fmt="o-", color=charts.BLUE, ecolor=charts.INK, capsize=3,
        )  # fmt: skip
        axis.set_title(game.capitalize())
        axis.set_xlabel("level")
        axis.grid(axis="y")
    return charts.svg(figure)
