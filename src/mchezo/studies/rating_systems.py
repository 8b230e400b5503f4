"""Which rating system predicts best: populations with known strengths, and games between levels.

Every system predicts each game before it sees the result. The loss is counted over the second half of the games, with
newcomers among the players. With more than two players a prediction is one for every two of them. Simulated results
follow the logistic curve of Elo's scale, as Glicko-2 assumes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import exp, log, pi, sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np

from mchezo.ratings import games, glicko
from mchezo.ratings.games import Entrant
from mchezo.ratings.glicko import DAY, Rating

ELO = 400 / log(10)
HOUR = 3_600_000
BINS = 10


class Result(NamedTuple):
    """A game: who played and in which place (0 is best, equal places are shared), when."""

    players: tuple[int, ...]
    places: tuple[int, ...]
    at: int


class System(Protocol):
    """A rating system."""

    def predict(self, one: int, other: int, at: int) -> float:
        """Return the expected score of one player against another."""

    def learn(self, result: Result) -> None:
        """Take a result into account."""


class Constant:
    """The floor: everybody is equal."""

    def predict(self, one: int, other: int, at: int) -> float:
        """Return one half."""
        return 0.5

    def learn(self, result: Result) -> None:
        """Learn nothing."""


class Glicko:
    """Glicko-2 as the server uses it; `weight` is that of a pair at a table of more than two."""

    def __init__(self, volatility: float = glicko.START_VOLATILITY, weight: float | None = None) -> None:
        self.fresh = Rating(volatility=round(volatility * glicko.VOLATILITY_UNIT))
        self.weight = weight
        self.ratings: dict[int, Rating] = {}

    def of(self, player: int) -> Rating:
        """Return a player's rating."""
        return self.ratings.get(player, self.fresh)

    def predict(self, one: int, other: int, at: int) -> float:
        """Return the expected score, with the uncertainty of both ratings."""
        return glicko.predicted(self.of(one).at_time(at), self.of(other).at_time(at))

    def learn(self, result: Result) -> None:
        """Update everybody after the game."""
        entrants = [
            Entrant(self.of(player), place) for player, place in zip(result.players, result.places, strict=True)
        ]
        for number, player in enumerate(result.players):
            met = [games.opponent(entrants[number], one, result.at) for one in entrants if one is not entrants[number]]
            weight = games.pair_weight(len(entrants)) if self.weight is None else self.weight
            self.ratings[player] = glicko.update(self.of(player), met, result.at, weight)


class Counting(Glicko):
    """Glicko-2 with the server's rule that a sure rating does not change by a game against a provisional one."""

    def learn(self, result: Result) -> None:
        """Update those whom the game changes."""
        entrants = [
            Entrant(self.of(player), place) for player, place in zip(result.players, result.places, strict=True)
        ]
        for player, rating in zip(result.players, games.rate_game(entrants, result.at), strict=True):
            if rating is not None:
                self.ratings[player] = rating


class WengLin:
    """Weng and Lin's Bayesian approximation, as PyPI's `openskill` has it, on the same scale."""

    def __init__(self, model: str, beta: float, tau: float) -> None:
        from openskill import models

        self.beta = beta
        self.model: Any = getattr(models, model)(mu=glicko.START, sigma=350.0, beta=beta, tau=tau)
        self.ratings: dict[int, Any] = {}

    def of(self, player: int) -> Any:
        """Return a player's rating."""
        return self.ratings.setdefault(player, self.model.rating())

    def predict(self, one: int, other: int, at: int) -> float:
        """Return the chance by the model's own logistic curve, flattened by the uncertainty of both."""
        first, second = self.of(one), self.of(other)
        unit = sqrt(2) * self.beta
        spread = sqrt(first.sigma**2 + second.sigma**2) / unit
        difference = (first.mu - second.mu) / unit
        return 1 / (1 + exp(-difference / sqrt(1 + 3 * spread**2 / pi**2)))

    def learn(self, result: Result) -> None:
        """Update everybody after the game."""
        teams = [[self.of(player)] for player in result.players]
        for player, (rating,) in zip(result.players, self.model.rate(teams, ranks=list(result.places)), strict=True):
            self.ratings[player] = rating


SYSTEMS: dict[str, Callable[[], System]] = {
    "constant": Constant,
    "Glicko-2": lambda: Glicko(weight=1.0),
    "Glicko-2, a pair counts 2/3": lambda: Glicko(weight=2 / 3),
    "Glicko-2, a pair counts 1/2": lambda: Glicko(weight=1 / 2),
    "Glicko-2 as used": Counting,
    "Plackett-Luce, defaults": lambda: WengLin("PlackettLuce", 175.0, 3.5),
    "Plackett-Luce, beta 123, tau 10": lambda: WengLin("PlackettLuce", 123.0, 10.0),
    "Plackett-Luce, beta 250, tau 3.5": lambda: WengLin("PlackettLuce", 250.0, 3.5),
    "Bradley-Terry full, defaults": lambda: WengLin("BradleyTerryFull", 175.0, 3.5),
}


# Predicting


@dataclass
class Predictions:
    """The predictions for the second half of the games: expected and found scores."""

    expected: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)

    @property
    def loss(self) -> float:
        """The mean log-loss; a draw is half a victory each."""
        chance = np.clip(np.array(self.expected), 1e-6, 1 - 1e-6)
        score = np.array(self.found)
        return float(-(score * np.log(chance) + (1 - score) * np.log(1 - chance)).mean())

    def calibration(self) -> list[tuple[float, float, int]]:
        """Return the mean prediction, the mean score and the number of games of every bin that is not empty."""
        # Every pair twice, from both sides: the bins are symmetric.
        chance = np.array(self.expected + [1 - one for one in self.expected])
        score = np.array(self.found + [1 - one for one in self.found])
        bins = np.minimum((chance * BINS).astype(int), BINS - 1)
        return [
            (float(chance[bins == one].mean()), float(score[bins == one].mean()), int((bins == one).sum()))
            for one in range(BINS)
            if (bins == one).any()
        ]

    @property
    def calibration_error(self) -> float:
        """The mean distance between prediction and score over the bins, weighted by their games."""
        bins = self.calibration()
        return sum(abs(chance - score) * count for chance, score, count in bins) / sum(count for *_, count in bins)


def predict_results(system: System, results: Sequence[Result], predictions: Predictions) -> Predictions:
    """Let a system predict and learn all results in order; add its predictions for the second half."""
    for number, result in enumerate(results):
        if number >= len(results) // 2:
            for one, other in combinations(range(len(result.players)), 2):
                places = result.places
                predictions.expected.append(system.predict(result.players[one], result.players[other], result.at))
                predictions.found.append(0.5 if places[one] == places[other] else float(places[one] < places[other]))
        system.learn(result)
    return predictions


# Populations with known strengths


@dataclass(frozen=True)
class Population:
    """How simulated people play: some improve, new ones arrive, and most games are between neighbours."""

    people: int = 80
    games: int = 2_000
    seats: int = 2
    spread: float = 300.0  # standard deviation of strengths, in points
    improving: float = 0.0  # share of the people who gain 300 points in the course of the games
    draws: float = 0.05
    newcomers: float = 0.5  # share of the people who arrive in the course of the games


POPULATIONS = {
    "two players, constant strengths": Population(),
    "two players, a third improve": Population(improving=1 / 3),
    "two players, a fifth draws": Population(draws=0.2),
    "four players": Population(seats=4, games=1_000),
    "three players, a third improve": Population(seats=3, games=1_200, improving=1 / 3),
}


def simulate(population: Population, seed: int) -> list[Result]:
    """Return the results of a population, over a year."""
    random = np.random.default_rng(seed)
    people = population.people
    strengths = random.normal(glicko.START, population.spread, people)
    improves = random.random(people) < population.improving
    arrival = np.where(random.random(people) < population.newcomers, random.random(people) * 0.9, 0.0)
    activity = random.exponential(1.0, people)
    results = []
    for number in range(population.games):
        time = number / population.games
        present = np.flatnonzero(arrival <= time)
        now = strengths + improves * 300.0 * time
        host = random.choice(present, p=activity[present] / activity[present].sum())
        others = present[present != host]
        # Neighbours are preferred, as quick pairing does, though nobody's strength is known exactly.
        near = np.exp(-(((now[others] - now[host]) / 250.0) ** 2)) + 0.05
        met = random.choice(others, population.seats - 1, replace=False, p=near / near.sum())
        players = [int(host), *(int(one) for one in met)]
        random.shuffle(players)
        # The order of logistic performances: with two players exactly the curve of Elo's scale.
        performance = now[players] + ELO * random.gumbel(size=len(players))
        order = np.argsort(-performance)
        places = np.empty(len(players), int)
        places[order] = range(len(players))
        if random.random() < population.draws:  # the best two share the first place
            places[places == 1] = 0
        results.append(Result(tuple(players), tuple(int(place) for place in places), int(time * 365) * DAY))
    return results


def compare(
    names: Iterable[str], draw: Callable[[int], list[Result]], seeds: Iterable[int]
) -> dict[str, tuple[Predictions, list[float]]]:
    """Return every system's predictions over all seeds, and its loss for each seed."""
    found: dict[str, tuple[Predictions, list[float]]] = {name: (Predictions(), []) for name in names}
    for seed in seeds:
        results = draw(seed)
        for name, (predictions, losses) in found.items():
            one = predict_results(SYSTEMS[name](), results, Predictions())
            losses.append(one.loss)
            predictions.expected += one.expected
            predictions.found += one.found
    return found


def shuffled(results: Sequence[Result], seed: int) -> list[Result]:
    """Return games between levels in random order, ten a day."""
    order = np.random.default_rng(seed).permutation(len(results))
    return [results[old]._replace(at=number * DAY // 10) for number, old in enumerate(order)]


# Farming


def farmed(games_played: int, rule: bool) -> float:
    """Return how many points a sure 1800 gains by beating one new account after another."""
    farmer = Rating(180_000, 6_000, games=100)
    for _ in range(games_played):
        fresh = Entrant(Rating(), 1)
        if rule:
            farmer = games.rate_game([Entrant(farmer, 0), fresh], farmer.at)[0] or farmer
        else:
            farmer = glicko.update(farmer, [games.opponent(Entrant(farmer, 0), fresh, farmer.at)], farmer.at)
    return farmer.points - 1800
