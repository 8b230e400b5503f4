"""What self-played games of Kitara say: which cards are drafted, where points come from, and which plans win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mchezo.arena.balance import Games, Player, interval, play_batch
from mchezo.core import registry
from mchezo.core.compiled import compiled
from mchezo.core.position import Position
from mchezo.core.structs import Actions, Numbers, Structs, bits, wide
from mchezo.games.kitara.choices import draft_choices
from mchezo.games.kitara.components import CARD_POINTS, VALUES
from mchezo.games.kitara.evaluate import IN_POINTS
from mchezo.games.kitara.rules import apply
from mchezo.games.kitara.structs import ANIMAL, CARDS, DRAFT, DRAFT_CARD, HERO, WARRIOR

# What is counted for each seat of each game: symbols drafted, then points by where they came from.
SYMBOLS = ("draft", "warriors", "master-animals", "heroes", "moves", "prosperity", "need not be fed")
SOURCES = ("prosperity", "ruins", "hero tokens", "cards held")
QUANTITIES = len(SYMBOLS) + len(SOURCES)

# Players with a plan of their own: what they value how many times as much as the usual player.
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
class Match:
    """What is played: a deck, so many players, and the plan that one of them follows among usual ones."""

    deck: str
    players: int
    plan: str = USUAL

    def start(self, pack: str) -> Position:
        """The game before its first card is dealt."""
        game = registry.find("kitara")
        return game.start(seed=0, chance="manual", pack=pack, deck=self.deck, players=self.players)

    def seats(self, tries: int, number: int) -> list[Player]:
        """The players of a batch; from batch to batch the plan goes round the seats."""
        usual = Player(tuple(worth for _, _, worth in IN_POINTS), tries)
        seats = [usual] * self.players
        times = PLANS[self.plan]
        seats[number % self.players] = Player(
            tuple(worth * times.get(name, 1.0) for name, _, worth in IN_POINTS), tries
        )
        return seats


@dataclass(frozen=True)
class Batch:
    """What came of one batch of games: rows are games, columns seats; cards by number; sums of the quantities."""

    match: Match
    number: int
    wins: list[list[float]]
    scores: list[list[float]]
    offered: list[int]  # games in which somebody could draft the card
    drafted: list[int]  # games in which somebody did
    by_all: list[float]  # the quantities of all seats together
    by_winners: list[float]  # of the winners

    @property
    def games(self) -> int:
        """How many games it has."""
        return len(self.wins)


def run_batch(position: Position, match: Match, games: int, tries: int, seed: int, number: int) -> Batch:
    """Play the first games of a batch and count."""
    played = play_batch(position, match.seats(tries, number), games, seed, number)
    return count(position, match, number, played)


def count(position: Position, match: Match, number: int, played: Games) -> Batch:
    """Replay the games of a batch and count."""
    offered, drafted = np.zeros(CARDS, np.int32), np.zeros(CARDS, np.int32)
    quantities = np.zeros((*played.wins.shape, QUANTITIES))
    tally(position.states, position.setups, played.actions, offered, drafted, quantities)
    # Every point has a source: what does not come from elsewhere comes from ruins.
    sources = quantities[:, :, len(SYMBOLS) :]
    sources[:, :, SOURCES.index("ruins")] = played.scores - sources.sum(axis=2)
    cards = int(position.setups[0].cards)
    return Batch(
        match,
        number,
        played.wins.tolist(),
        played.scores.tolist(),
        offered[1 : cards + 1].tolist(),
        drafted[1 : cards + 1].tolist(),
        quantities.sum(axis=(0, 1)).tolist(),
        (quantities * played.wins[:, :, None]).sum(axis=(0, 1)).tolist(),
    )


@compiled
def tally(
    starts: Structs, setups: Structs, made: Actions, offered: Actions, drafted: Actions, quantities: Numbers
) -> None:
    """Replay games; count in how many each card could be and was drafted, and the quantities of each seat."""
    setup = setups[0]
    states = np.repeat(starts, 1)
    state = states[0]
    points = len(SYMBOLS)
    for game in range(made.shape[0]):
        states[0] = starts[0]
        seen = bits(0)
        for index in range(made.shape[1]):
            action = wide(made[game, index])
            if action < 0:
                break
            if state.step == DRAFT_CARD:
                for place in range(draft_choices(state, setup)):
                    seen |= bits(1) << bits(state.row[place])
                card = action - DRAFT
                drafted[card] += 1
                mine = quantities[game, state.turn]
                mine[0] += setup.draft[card]
                mine[1] += setup.pawns[card, WARRIOR]
                mine[2] += setup.pawns[card, ANIMAL]
                mine[3] += setup.pawns[card, HERO]
                mine[4] += setup.moves[card]
                mine[5] += setup.prosperity[card]
                mine[6] += setup.marked[card]
                # No card leaves the kingdom between the draft and the scoring of a turn.
                mine[points] += setup.prosperity[card]
                for place in range(wide(state.kingdom_count[state.turn])):
                    mine[points] += setup.prosperity[state.kingdoms[state.turn, place]]
            apply(state, setup, action)
        for card in range(CARDS):
            offered[card] += wide(seen >> bits(card) & bits(1))
        for seat in range(wide(setup.players)):
            for value in range(len(VALUES)):
                quantities[game, seat, points + 2] += VALUES[value] * wide(state.kept[seat, value])
            quantities[game, seat, points + 3] = CARD_POINTS * wide(state.kingdom_count[seat])


@dataclass(frozen=True)
class Figures:
    """The figures of one match; a rate comes with half the width of its 95 % interval."""

    match: Match
    games: int
    seats: list[tuple[float, float]]  # victories
    gap: tuple[float, float]  # between the seats that win most and least often
    plan: tuple[float, float]  # victories of the seat that follows the plan
    scores: npt.NDArray[np.float64]
    drafted: list[float]  # of the games in which somebody could draft the card, the share in which somebody did
    by_all: list[float]  # the quantities of a seat in a game, on average
    by_winners: list[float]


def figures(batches: list[Batch]) -> Figures:
    """The figures of all the batches of a match."""
    match = batches[0].match
    wins = np.concatenate([np.array(batch.wins) for batch in batches])
    seats = [interval(column) for column in wins.T]
    rates = [rate for rate, _ in seats]
    most, least = int(np.argmax(rates)), int(np.argmin(rates))
    planned = np.concatenate([np.array(batch.wins)[:, batch.number % match.players] for batch in batches])
    offered = np.sum([batch.offered for batch in batches], axis=0)
    drafted = np.sum([batch.drafted for batch in batches], axis=0)
    return Figures(
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
    """The cards of the deck, by age and place, with their symbols: `1.3 W1M1`."""
    from mchezo.games.kitara.setup import table_of

    table = table_of(setup)
    return [f"{name} {card.text}" for name, card in zip(table.names[1:], table.cards[1:], strict=True)]
