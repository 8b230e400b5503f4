"""The state of a tournament as a fold over its event log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mchezo.server.domain.tournaments import log
from mchezo.server.messages import TournamentPlan

NEW_RATING = 1500  # of players without one, in the initial ranking


@dataclass
class Player:
    """A player in the tournament."""

    number: int
    entrant: log.Entrant
    active: bool = True
    removed: bool = False  # by the organiser
    returns: int = 0  # after a withdrawal


@dataclass
class Game:
    """A game: the players in the order of the seats, and their places once it is over; nobody came if none is first."""

    table: str
    round: int
    players: list[int]
    at: int
    places: list[int] | None = None
    decided: int | None = None  # when
    absent: list[int] = field(default_factory=list)  # players who did not come

    def place_of(self, player: int) -> int | None:
        """Return a player's place; None while the game is being played."""
        return None if self.places is None else self.places[self.players.index(player)]

    def points_of(self, player: int) -> float:
        """Return a player's points: one for everybody behind them, half a point for everybody equal.

        A game to which nobody came is lost for everybody.
        """
        own = self.place_of(player)
        if self.places is None or own is None or 0 not in self.places:
            return 0.0
        return sum(1.0 if place > own else 0.5 for place in self.places if place >= own) - 0.5

    @property
    def met(self) -> list[int]:
        """The players who met: those who came, if they were not alone; while the game is open, all."""
        came = [player for player in self.players if player not in self.absent]
        return came if len(came) > 1 else []

    @property
    def firsts(self) -> list[int]:
        """The players on the first place."""
        return [player for player, place in zip(self.players, self.places or (), strict=False) if place == 0]


@dataclass
class Round:
    """A round of games."""

    number: int
    games: list[Game] = field(default_factory=list)
    byes: list[int] = field(default_factory=list)


class Tournament:
    """A tournament from its first fact to its last."""

    def __init__(self, id: str, facts: Iterable[log.AnyFact] = ()) -> None:
        self.id = id
        self.log: list[log.AnyFact] = []
        self.creation: log.TournamentCreated  # the first fact
        self.players: list[Player] = []
        self.rounds: list[Round] = []
        self.games: dict[str, Game] = {}
        self.open_games: dict[str, Game] = {}
        self.started: int | None = None
        self.first_seeds: list[int] = []
        self.finished: log.TournamentFinished | None = None
        self.last_at = 0
        for fact in facts:
            self.apply(fact)

    @property
    def number(self) -> int:
        """The number of the last fact."""
        return len(self.log) - 1

    @property
    def plan(self) -> TournamentPlan:
        """What was planned."""
        return self.creation.plan

    @property
    def status(self) -> str:
        """Open, running or over."""
        return "over" if self.finished else "open" if self.started is None else "running"

    @property
    def active(self) -> list[int]:
        """The players who have not withdrawn."""
        return [player.number for player in self.players if player.active]

    @property
    def ends(self) -> int | None:
        """When an arena starts no more games."""
        if self.plan.format != "arena" or self.started is None:
            return None
        return self.started + self.plan.minutes * 60_000

    @property
    def seeds(self) -> list[int]:
        """The players in the order of the initial ranking; who entered late is sorted in by rating."""
        if self.plan.format in ("knock-out", "round-robin") and self.first_seeds:
            return self.first_seeds  # brackets and tables are drawn once
        return self.ranked_by_rating()

    def ranked_by_rating(self) -> list[int]:
        """Return all players, the highest rating first."""

        def key(player: Player) -> tuple[int, int]:
            rating = player.entrant.rating
            return (-(NEW_RATING if rating is None else rating), player.number)

        return [player.number for player in sorted(self.players, key=key)]

    def player_of(self, guest: str | None) -> Player | None:
        """Return the player who is this guest."""
        if guest is None:
            return None
        return next((player for player in self.players if player.entrant.holder == guest), None)

    def game_of(self, player: int) -> Game | None:
        """Return the game that a player is to play now."""
        return next((game for game in self.open_games.values() if player in game.players), None)

    def games_of(self, player: int) -> list[Game]:
        """Return all games of a player, oldest first."""
        return [game for game in self.games.values() if player in game.players]

    def after(self, facts: Iterable[log.AnyFact]) -> Tournament:
        """Return the tournament with more facts; this one stays as it is."""
        return Tournament(self.id, [*self.log, *facts])

    def apply(self, fact: log.AnyFact) -> None:
        """Append a fact."""
        self.log.append(fact)
        self.last_at = max(self.last_at, fact.at)
        match fact:
            case log.TournamentCreated():
                self.creation = fact
            case log.PlayerEntered():
                self.players.append(Player(fact.player, fact.entrant))
            case log.PlayerReturned():
                self.players[fact.player].active = True
                self.players[fact.player].returns += 1
            case log.PlayerWithdrew():
                player = self.players[fact.player]
                player.active, player.removed = False, player.removed or fact.removed
            case log.TournamentStarted():
                self.started, self.first_seeds = fact.at, fact.seeds
            case log.RoundPaired():
                self._pair(fact)
            case log.GameDecided():
                game = self.open_games.pop(fact.table)
                game.places, game.decided, game.absent = fact.places, fact.at, fact.absent
                for number in fact.absent:
                    if self.players[number].entrant.kind != "computer":
                        self.players[number].active = False
            case log.TournamentFinished():
                self.finished = fact
                self.open_games.clear()

    def _pair(self, fact: log.RoundPaired) -> None:
        if len(self.rounds) < fact.round:
            self.rounds.append(Round(fact.round))
        paired = self.rounds[fact.round - 1]
        paired.byes += fact.byes
        for one in fact.games:
            game = Game(one.table, fact.round, one.players, fact.at)
            paired.games.append(game)
            self.games[one.table] = self.open_games[one.table] = game


def meetings(games: Iterable[Game]) -> dict[tuple[int, int], int]:
    """Return how often each two players have met, by their numbers in ascending order."""
    found: dict[tuple[int, int], int] = {}
    for game in games:
        ordered = sorted(game.met)
        for index, first in enumerate(ordered):
            for second in ordered[index + 1 :]:
                found[first, second] = found.get((first, second), 0) + 1
    return found


def seats_taken(games: Iterable[Game], seats: int) -> dict[int, list[int]]:
    """Return how often each player has had each seat; games that nobody else came to do not count."""
    found: dict[int, list[int]] = {}
    for game in games:
        for seat, player in enumerate(game.players):
            if player in game.met:
                found.setdefault(player, [0] * seats)[seat] += 1
    return found


def bye_points(seats: int) -> float:
    """Return the points for a bye: a win for two; with more seats, where several sit out, an average game."""
    return 1.0 if seats == 2 else (seats - 1) / 2


def points(tournament: Tournament, players: Sequence[int]) -> dict[int, float]:
    """Return the points of players in a Swiss tournament or a round robin."""
    found = dict.fromkeys(players, 0.0)
    for played in tournament.rounds:
        for player in played.byes:
            if player in found:
                found[player] += bye_points(tournament.plan.seats)
        for game in played.games:
            for player in game.players:
                if game.places is not None and player in found:
                    found[player] += game.points_of(player)
    return found
