"""The balance of Kitara by self-play: seats, drafted cards, sources of points, and strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mchezo.arena.statistics import Rate, interval
from mchezo.core import registry
from mchezo.core.compiled import kernel
from mchezo.core.position import Position
from mchezo.core.structs import ActionRows, Actions, Setups, States, bits, wide
from mchezo.games.kitara.components import CARD_POINTS, VALUES
from mchezo.games.kitara.evaluate import IN_POINTS
from mchezo.games.kitara.legal import draft_choices
from mchezo.games.kitara.rules import apply
from mchezo.games.kitara.structs import ANIMAL, CARDS, DRAFT, DRAFTING, HERO, WARRIOR
from mchezo.search.turnplay import Quantities
from mchezo.studies.self_play import GameResults, PlannerSettings, play_batch

# Quantities counted for each seat of each game: symbols drafted, then points by source.
SYMBOLS = ("draft", "warriors", "master-animals", "heroes", "moves", "prosperity", "need not be fed")
SOURCES = ("prosperity", "ruins", "hero tokens", "cards held")
QUANTITIES = len(SYMBOLS) + len(SOURCES)

# Strategies: factors on the usual weights.
USUAL = "usual"
PLANS: dict[str, dict[str, float]] = {
    USUAL: {},
    "prosperity": {"prosperity": 1.5},
    "ruins": {"ruins": 1.5, "animals": 2.5},
    "heroes": {"heroes": 3.0, "raid": 2.0},
    "savannas": {"unfed": 1.5, "reserve": 2.0, "warriors": 2.0, "spaces": 2.0},
    "moves": {"moves": 3.0, "draft": 3.0},
}


@dataclass(frozen=True)
class Matchup:
    """A deck, a number of players, and the plan that one of them follows among usual ones."""

    deck: str
    players: int
    plan: str = USUAL

    def start(self, pack: str) -> Position:
        """Return the position before the first card is dealt."""
        game = registry.find("kitara")
        return game.start(seed=0, chance="manual", pack=pack, deck=self.deck, players=self.players)

    def seats(self, tries: int, number: int) -> list[PlannerSettings]:
        """Return the players of a batch; the seat with the plan rotates from batch to batch."""
        usual = PlannerSettings(tuple(weight for _, _, weight in IN_POINTS), tries)
        seats = [usual] * self.players
        factors = PLANS[self.plan]
        seats[number % self.players] = PlannerSettings(
            tuple(weight * factors.get(name, 1.0) for name, _, weight in IN_POINTS), tries
        )
        return seats


@dataclass(frozen=True)
class BatchResult:
    """The result of one batch: wins and scores by game and seat, counts by card, and sums of the quantities."""

    match: Matchup
    number: int
    wins: list[list[float]]
    scores: list[list[float]]
    offered: list[int]  # games in which somebody could draft the card
    drafted: list[int]  # games in which somebody did
    by_all: list[float]  # the quantities of all seats together
    by_winners: list[float]  # of the winners

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.wins)


def run_batch(position: Position, match: Matchup, games: int, tries: int, seed: int, number: int) -> BatchResult:
    """Play the first games of a batch and collect its statistics."""
    played = play_batch(position, match.seats(tries, number), games, seed, number)
    return count(position, match, number, played)


def count(position: Position, match: Matchup, number: int, played: GameResults) -> BatchResult:
    """Replay the games of a batch and collect its statistics."""
    offered, drafted = np.zeros(CARDS, np.int32), np.zeros(CARDS, np.int32)
    quantities = np.zeros((*played.wins.shape, QUANTITIES))
    tally(position.states, position.setups, played.actions, offered, drafted, quantities)
    # Points without another source come from ruins.
    sources = quantities[:, :, len(SYMBOLS) :]
    sources[:, :, SOURCES.index("ruins")] = played.scores - sources.sum(axis=2)
    cards = int(position.setups[0].cards)
    return BatchResult(
        match,
        number,
        played.wins.tolist(),
        played.scores.tolist(),
        offered[1 : cards + 1].tolist(),
        drafted[1 : cards + 1].tolist(),
        quantities.sum(axis=(0, 1)).tolist(),
        (quantities * played.wins[:, :, None]).sum(axis=(0, 1)).tolist(),
    )


@kernel
def tally(
    starts: States, setups: Setups, made: ActionRows, offered: Actions, drafted: Actions, quantities: Quantities
) -> None:
    """Replay games; count the games in which each card was offered and drafted, and the quantities of each seat."""
    setup = setups[0]
    states = np.empty(1, starts.dtype)
    state = states[0]
    points = len(SYMBOLS)
    for game in range(made.shape[0]):
        states[0] = starts[0]
        seen = bits(0)
        for index in range(made.shape[1]):
            action = wide(made[game, index])
            if action < 0:
                break
            if state.phase == DRAFTING:
                for place in range(draft_choices(state, setup)):
                    seen |= bits(1) << bits(state.row[place])
                card = action - DRAFT
                drafted[card] += 1
                mine = quantities[game, state.seat]
                mine[0] += setup.draft[card]
                mine[1] += setup.pawns[card, WARRIOR]
                mine[2] += setup.pawns[card, ANIMAL]
                mine[3] += setup.pawns[card, HERO]
                mine[4] += setup.moves[card]
                mine[5] += setup.prosperity[card]
                mine[6] += setup.marked[card]
                # No card leaves the kingdom between the draft and the scoring of a turn.
                mine[points] += setup.prosperity[card]
                for place in range(wide(state.kingdom_count[state.seat])):
                    mine[points] += setup.prosperity[state.kingdoms[state.seat, place]]
            apply(state, setup, action)
        for card in range(CARDS):
            offered[card] += wide(seen >> bits(card) & bits(1))
        for seat in range(wide(setup.players)):
            for value in range(len(VALUES)):
                quantities[game, seat, points + 2] += VALUES[value] * wide(state.kept[seat, value])
            quantities[game, seat, points + 3] = CARD_POINTS * wide(state.kingdom_count[seat])


@dataclass(frozen=True)
class MatchupStatistics:
    """The statistics of one matchup."""

    match: Matchup
    games: int
    seats: list[Rate]  # wins
    gap: Rate  # between the seats that win most and least often
    plan: Rate  # wins of the seat that follows the plan
    scores: npt.NDArray[np.float64]
    drafted: list[float]  # share of the games with the card on offer in which somebody drafted it
    by_all: list[float]  # mean quantities per seat and game
    by_winners: list[float]


def statistics(batches: list[BatchResult]) -> MatchupStatistics:
    """Return the statistics of all batches of a matchup."""
    match = batches[0].match
    wins = np.concatenate([np.array(batch.wins) for batch in batches])
    seats = [interval(column) for column in wins.T]
    rates = [rate for rate, _ in seats]
    most, least = int(np.argmax(rates)), int(np.argmin(rates))
    planned = np.concatenate([np.array(batch.wins)[:, batch.number % match.players] for batch in batches])
    offered = np.sum([batch.offered for batch in batches], axis=0)
    drafted = np.sum([batch.drafted for batch in batches], axis=0)
    return MatchupStatistics(
        match,
        len(wins),
        seats,
        interval(wins[:, most] - wins[:, least]),
        interval(planned),
        np.concatenate([np.array(batch.scores) for batch in batches]),
        (drafted / np.maximum(offered, 1)).tolist(),
        (np.sum([batch.by_all for batch in batches], axis=0) / wins.size).tolist(),
        (np.sum([batch.by_winners for batch in batches], axis=0) / len(wins)).tolist(),
    )


def card_names(setup: Any) -> list[str]:
    """Return the names of the deck's cards, by age and place with their symbols: `1.3 W1M1`."""
    from mchezo.games.kitara.setup import material_of

    material = material_of(setup)
    return [f"{name} {card.text}" for name, card in zip(material.names[1:], material.cards[1:], strict=True)]
