"""`mchezo tune`: learns from games of the computer against itself what features are worth, and measures the gain."""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mchezo import __version__
from mchezo.arena.balance import interval
from mchezo.cli.common import ERR, WORDS, prepare, read_file, say, tell, write_file
from mchezo.core import registry
from mchezo.core.errors import Refusal
from mchezo.core.features import Feature, hand_set
from mchezo.core.game import Game, one_of
from mchezo.core.structs import Numbers
from mchezo.search import selfplay, tuning, turnplay

BATCH = 25  # games
PRACTICES = {**selfplay.PRACTICES, **turnplay.PRACTICES}
MATCH_SEED = 1 << 20  # openings of matches are none of those that were learned from


@dataclass(frozen=True)
class Lesson:
    """What is asked for: rounds of so many games of one kind, each decision with so many nodes, then a match."""

    game: Game
    kind: str
    rounds: int
    games: int
    nodes: int
    pairs: int
    seed: int
    threads: int

    @property
    def features(self) -> tuple[Feature, ...]:
        """What is to be weighed."""
        return features_of(self.game)[self.kind]

    @property
    def whole_turns(self) -> bool:
        """Whether the games are played by planned turns; else by alpha-beta."""
        return self.game.name == "kitara"

    @property
    def command(self) -> str:
        """The command that does the same again."""
        figures = f"--rounds {self.rounds} --games {self.games} --nodes {self.nodes} --pairs {self.pairs}"
        return f"mchezo tune {self.game.name} --kind {self.kind} {figures} --seed {self.seed}"

    @property
    def terms(self) -> dict[str, Any]:
        """What must be the same for games to be learned from together."""
        return {
            "version": __version__,
            "rules": self.game.rules,
            "kind": self.kind,
            "games": BATCH,
            "nodes": self.nodes,
            "seed": self.seed,
            "worth": {feature.name: feature.worth for feature in self.features},
        }

    def play(self, weights: Numbers, round_number: int, number: int) -> tuning.Samples:
        """One batch of games."""
        seed = (self.seed << 24) + (round_number << 16) + number
        practise = turnplay.practise if self.whole_turns else selfplay.practise
        return practise(self.game, PRACTICES[self.kind], weights, self.nodes, BATCH, seed)

    def match(self, weights: Numbers, number: int) -> Numbers:
        """What learned worths score against hand-set ones in a batch of pairs."""
        seed = (self.seed << 24) + MATCH_SEED + number
        compare = turnplay.compare if self.whole_turns else selfplay.compare
        return compare(self.game, PRACTICES[self.kind], weights, hand_set(self.features), self.nodes, BATCH, seed)


def features_of(game: Game) -> dict[str, tuple[Feature, ...]]:
    """The features of a game, for each kind of game that is learned by itself."""
    found: dict[str, tuple[Feature, ...]] = import_module(f"{registry.MODULES[game.name]}.evaluate").FEATURES
    return found


def ask(
    name: str,
    kind: str | None,
    rounds: int,
    games: int,
    nodes: int,
    pairs: int,
    seed: int,
    threads: int,
    folder: Path | None,
    out: Path | None,
) -> None:
    """The lessons that the command line asks for."""
    game = prepare(name)
    kinds = tuple(features_of(game))
    if out is None:
        out = Path(str(resources.files(registry.MODULES[name]) / "weights.toml"))
    chosen_kinds = kinds if kind is None else (one_of("kind", kind, kinds),)
    check_file(out)
    for chosen in chosen_kinds:
        run(Lesson(game, chosen, rounds, games, nodes, pairs, seed, threads), folder and folder / chosen, out)


def check_file(out: Path) -> None:
    """Refuse a file that could not be written in the end, before hours are spent."""
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        reason = os.strerror(errno.EACCES if out.parent.exists() else errno.ENOENT)
        raise Refusal("file-error", WORDS, file=out, reason=reason)
    try:
        tomllib.loads(read_file(out) if out.exists() else "")
    except tomllib.TOMLDecodeError as error:
        raise Refusal("file-error", WORDS, file=out, reason=error) from error


def run(lesson: Lesson, folder: Path | None, out: Path) -> None:
    """Learn, measure what it gained, tell it and write it down."""
    batches = -(-lesson.games // BATCH)
    matches = -(-lesson.pairs // BATCH)
    kept = tuning.Kept(folder, lesson.terms)
    with progress_bar(lesson.kind, BATCH * (lesson.rounds * batches + 2 * matches)) as show:
        weights, figures = tuning.learn(
            lesson.features,
            lesson.rounds,
            batches,
            lesson.play,
            kept,
            lesson.threads,
            lambda samples: show.advance(show.task_ids[0], len(samples.games)),
        )
        scored = []
        with ThreadPoolExecutor(lesson.threads) as pool:
            for part in pool.map(lambda number: lesson.match(weights, number), range(matches)):
                scored.append(part)
                show.advance(show.task_ids[0], 2 * len(part))
    mean, error = interval(np.concatenate(scored))
    score = f"{100 * mean:.1f} ± {100 * error:.1f} % of {2 * BATCH * matches} games"
    tell(
        say(
            "tuned",
            kind=lesson.kind,
            games=figures.games,
            positions=figures.positions,
            before=figures.log_loss_hand_set,
            after=figures.log_loss_learned,
            score=score,
        )
    )
    if mean - error <= 0.5:
        # Foretelling results well is not yet playing well.
        tell(say("tuned-in-vain", kind=lesson.kind), "yellow")
        return
    before = read_file(out) if out.exists() else ""
    write_file(
        out,
        tuning.weights_text(before, lesson.kind, lesson.features, weights, lesson.command, figures, score),
    )
    tell(say("saved", file=out))


@contextmanager
def progress_bar(kind: str, games: int) -> Iterator[Progress]:
    """How many games are played, of those to learn from and those of the match."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=ERR, transient=True) as progress:
        progress.add_task(kind, total=games)
        yield progress
