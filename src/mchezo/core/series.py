"""A series of games between two players: pairs of games until one player leads after a pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mchezo.core.errors import IllegalMove, InvalidSetup
from mchezo.core.outcome import Outcome, check_outside

if TYPE_CHECKING:
    from mchezo.core.game import Game
    from mchezo.core.position import Position


class Series:
    """Games in pairs; a win scores a point, a draw half a point each. `position` is the current game."""

    def __init__(self, game: Game, swap: bool, options: dict[str, Any]) -> None:
        if game.revenge is None:
            raise InvalidSetup("no-series", game=game.title)
        self.revenge = game.revenge.options
        self.swap = swap
        self.chance = options.get("chance", "seed")
        self.position = game.start(**options)
        self.finished: list[Outcome] = []
        self._ended: Outcome | None = None  # of the current game, if it was not decided on the board

    @property
    def players(self) -> tuple[int, int]:
        """The players by seat in the current game."""
        return self._players(len(self.finished))

    def _players(self, number: int) -> tuple[int, int]:
        return (1, 0) if self.swap and number % 2 else (0, 1)

    def end(self, outcome: Outcome) -> None:
        """End the current game by resignation, time or agreement."""
        if self.outcome is not None:
            raise IllegalMove("series-game-over")
        check_outside(outcome, len(self.position.seats))
        self._ended = outcome

    @property
    def outcome(self) -> Outcome | None:
        """How the current game ended; None while it goes on."""
        return self._ended or self.position.outcome

    @property
    def score(self) -> tuple[float, float]:
        """The points of both players, including the current game once it is over."""
        points = [0.0, 0.0]
        for number, outcome in enumerate(self._outcomes()):
            players = self._players(number)
            for seat in outcome.winners or (0, 1):
                points[players[seat]] += 1 / (len(outcome.winners) or 2)
        return points[0], points[1]

    @property
    def winner(self) -> int | None:
        """The player who leads after complete pairs; None while the series goes on."""
        first, second = self.score
        if len(self._outcomes()) % 2 or first == second:
            return None
        return 0 if first > second else 1

    def next(self) -> Position:
        """Start the next game of the series, with the options of the game's revenge."""
        outcome = self.outcome
        if outcome is None:
            raise IllegalMove("series-game-goes-on")
        if self.winner is not None:
            raise IllegalMove("series-decided")
        options = self.revenge(self.position, self.swap)
        following = self.position.game.start(**options, seed=self.position.seed.successor(), chance=self.chance)
        self.finished.append(outcome)
        self._ended = None
        self.position = following
        return following

    def _outcomes(self) -> list[Outcome]:
        outcome = self.outcome
        return self.finished if outcome is None else [*self.finished, outcome]
