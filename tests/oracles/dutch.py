"""A checker of Swiss tournaments for two seats, written from FIDE's rules (C.04.1 and C.04.3) alone.

It knows nothing of how rounds are paired, only what they have to be: it replays the log and derives scores,
colours and byes itself. Points are counted in halves, so that everything is whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import networkx

from mchezo.server.domain.tournaments import log

WHITE, BLACK = 1, -1  # seats 0 and 1
WIN, DRAW = 2, 1
BYE = -1  # the opponent of a player who sits out
NONE, MILD, STRONG, ABSOLUTE = range(4)  # colour preferences


class RuleBroken(AssertionError):
    """A round is not as the rules say."""


@dataclass
class Entry:
    """A player: what the rules look at."""

    number: int
    rating: int
    pairing_number: int = 0  # from 1, by rating, then by order of entry
    active: bool = True
    score: int = 0
    colours: list[int] = field(default_factory=list)  # of played games, oldest first
    met: set[int] = field(default_factory=set)
    unplayed_win: bool = False  # a bye, or an opponent who did not come

    @property
    def difference(self) -> int:
        """Games with White less games with Black."""
        return sum(self.colours)

    @property
    def preference(self) -> tuple[int, int]:
        """How much the player prefers which colour (A.6)."""
        if not self.colours:
            return NONE, 0
        last = self.colours[-1]
        if abs(self.difference) > 1:
            return ABSOLUTE, BLACK if self.difference > 0 else WHITE
        if self.colours[-2:] == [last, last]:
            return ABSOLUTE, -last
        return (MILD, -last) if self.difference == 0 else (STRONG, -self.difference)

    @property
    def rank(self) -> tuple[int, int]:
        """The order of players (A.2)."""
        return -self.score, self.pairing_number


class Checker:
    """Reads the log of a tournament and raises at the first round that breaks a rule."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.players: list[Entry] = []
        self.tables: dict[str, tuple[int, int]] = {}
        self.initial_colour: int | None = None  # drawn at random, so taken from the first game
        self.late = False
        self.checked: Counter[str] = Counter()

    def read(self, facts: Iterable[log.AnyFact]) -> Counter[str]:
        """Check all rounds; return how often each rule was checked."""
        started = False
        for fact in facts:
            match fact:
                case log.PlayerEntered():
                    rating = 1500 if fact.entrant.rating is None else fact.entrant.rating
                    self.players.append(Entry(fact.player, rating))
                    ranked = sorted(self.players, key=lambda one: (-one.rating, one.number))
                    for place, player in enumerate(ranked, start=1):
                        player.pairing_number = place
                    self.late |= started
                case log.PlayerWithdrew():
                    self.players[fact.player].active = False
                case log.PlayerReturned():
                    self.players[fact.player].active = True
                case log.TournamentStarted():
                    started = True
                case log.RoundPaired():
                    self.check_round(fact)
                case log.GameDecided():
                    self.score_game(fact)
                case _:
                    pass
        return self.checked

    def score_game(self, fact: log.GameDecided) -> None:
        """Add the points of a game; one that somebody did not come to is not played (C.04.2)."""
        pair = [self.players[number] for number in self.tables[fact.table]]
        for player, other, place, against in zip(pair, pair[::-1], fact.places, fact.places[::-1], strict=True):
            points = DRAW if place == against else WIN if place < against else 0
            player.score += points
            if not fact.absent:
                player.met.add(other.number)
                player.colours.append(WHITE if player is pair[0] else BLACK)
            elif points == WIN:
                player.unplayed_win = True
        for number in fact.absent:
            self.players[number].active = False

    # A round

    def check_round(self, fact: log.RoundPaired) -> None:
        """Check a round before it is played."""
        active = [player for player in self.players if player.active]
        pairs = [(self.players[game.players[0]], self.players[game.players[1]]) for game in fact.games]
        seen = Counter(number for game in fact.games for number in game.players) + Counter(fact.byes)
        require(seen == Counter(player.number for player in active), fact, "not everybody plays or sits out once")
        require(len(fact.byes) == len(active) % 2, fact, "byes")
        for game in fact.games:
            self.tables[game.table] = (game.players[0], game.players[1])
        last = fact.round == self.rounds
        rules = Rules(active, fact.round - 1, last)
        if not rules.can_be_paired():
            self.checked["rounds that cannot be paired"] += 1
            self.award_byes(fact)
            return
        opponents = {a.number: b.number for pair in pairs for a, b in (pair, pair[::-1])} | dict.fromkeys(
            fact.byes, BYE
        )
        for white, black in pairs:
            require(black.number not in white.met, fact, "two players meet twice")
            require(rules.may_meet(white, black), fact, "two players must have the same colour")
            self.check_colours(fact, rules, white, black)
        for number in fact.byes:
            require(not self.players[number].unplayed_win, fact, "a second bye")
        if fact.round == 1:
            self.check_first_round(fact, active, opponents)
        self.check_brackets(fact, rules, opponents)
        self.checked["rounds"] += 1
        self.award_byes(fact)

    def award_byes(self, fact: log.RoundPaired) -> None:
        """Give players who sit out the points of a win."""
        for number in fact.byes:
            self.players[number].score += WIN
            self.players[number].unplayed_win = True

    def check_first_round(self, fact: log.RoundPaired, active: list[Entry], opponents: dict[int, int]) -> None:
        """Check that the upper half meets the lower half in order, and that the last player has the bye."""
        ranked = sorted(active, key=lambda player: player.rank)
        half = len(ranked) // 2
        for upper, lower in zip(ranked[:half], ranked[half:], strict=False):
            require(opponents[upper.number] == lower.number, fact, "the first round")
        require(len(ranked) % 2 == 0 or opponents[ranked[-1].number] == BYE, fact, "the first bye")

    # Colours

    def check_colours(self, fact: log.RoundPaired, rules: Rules, white: Entry, black: Entry) -> None:
        """Check colour differences, three games in a row, and who of two has White."""
        excused = rules.last and (rules.is_topscorer(white) or rules.is_topscorer(black))
        for player, colour in ((white, WHITE), (black, BLACK)):
            if not excused:
                require(abs(player.difference + colour) <= 2, fact, "a colour difference of three")
                require(player.colours[-2:] != [colour, colour], fact, "a colour three times in a row")
        higher, lower = sorted((white, black), key=lambda player: player.rank)
        given = WHITE if higher is white else BLACK
        expected = colour_of_higher(higher, lower)
        if expected is not None:
            require(given == expected, fact, f"the colours of {white.number} and {black.number}")
            self.checked["colours by preference"] += 1
        elif not self.late:  # pairing numbers change when somebody enters late
            initial = given if higher.pairing_number % 2 else -given
            self.initial_colour = self.initial_colour or initial
            require(initial == self.initial_colour, fact, "the initial colour")
            self.checked["colours by pairing number"] += 1

    # Score groups

    def check_brackets(self, fact: log.RoundPaired, rules: Rules, opponents: dict[int, int]) -> None:
        """Check from the highest score down that few players float, and not far (C.5, C.6).

        A bracket that leaves others that cannot be paired makes all lower ones collapse into one.
        """
        groups = score_groups(rules.players)
        floaters: list[Entry] = []
        before: list[tuple[list[Entry], list[Entry]]] = []  # of each bracket: who floats, and into which rest
        for place, group in enumerate(groups):
            bracket, rest = floaters + group, [player for lower in groups[place + 1 :] for player in lower]
            if rules.is_best(bracket, rest, opponents):
                self.checked["brackets"] += 1
            else:
                collapsed = any(rules.is_best(above + below, [], opponents) for above, below in before)
                require(collapsed, fact, f"the bracket of {[player.number for player in bracket]}")
                self.checked["collapsed brackets"] += 1
                return
            inside = {player.number for player in bracket}
            floats = [player for player in bracket if opponents[player.number] not in inside]
            if not floaters and not floats and fact.round > 1 and not rules.last:
                self.check_closed(fact, rules, bracket, opponents)
            floaters = floats
            before.append((floaters, rest))

    def check_closed(
        self, fact: log.RoundPaired, rules: Rules, bracket: list[Entry], opponents: dict[int, int]
    ) -> None:
        """Check a score group that nobody enters or leaves: colours (C.10, C.11), then the order of pairs (D.1)."""
        ranked = sorted(bracket, key=lambda player: player.rank)
        by_number = {player.number: player for player in ranked}
        actual = sum(clash(player, by_number[opponents[player.number]], len(ranked)) for player in ranked) // 2
        best = rules.fewest_clashes(ranked)
        require(actual == best, fact, f"colour preferences of {[player.number for player in ranked]}")
        self.checked["colour preferences of score groups"] += 1
        half = len(ranked) // 2
        order = rules.first_transposition(ranked[:half], ranked[half:], best)
        if order is not None:
            for upper, lower in order:
                require(opponents[upper.number] == lower.number, fact, f"the order of {list(by_number)}")
            self.checked["order in score groups"] += 1


class Rules:
    """What is allowed among the players of a round."""

    def __init__(self, players: list[Entry], played: int, last: bool) -> None:
        self.players = players
        self.played = played  # rounds
        self.last = last

    def is_topscorer(self, player: Entry) -> bool:
        """Return whether a player has more than half of the points before the last round (A.7)."""
        return self.last and player.score > self.played * WIN / 2

    def may_meet(self, one: Entry, other: Entry) -> bool:
        """Return whether two may meet: for the first time, and not both bound to the same colour (C.1, C.3)."""
        if other.number in one.met:
            return False
        (strength, colour), (other_strength, other_colour) = one.preference, other.preference
        bound = strength == other_strength == ABSOLUTE and colour == other_colour
        return not bound or self.is_topscorer(one) or self.is_topscorer(other)

    def legal_edges(self, players: Sequence[Entry]) -> Iterator[tuple[Entry, Entry | None]]:
        """Yield all pairs that may meet, and with None those who may have the bye if there is one."""
        for index, one in enumerate(players):
            for other in players[index + 1 :]:
                if self.may_meet(one, other):
                    yield one, other
            if len(self.players) % 2 and not one.unplayed_win:
                yield one, None

    def can_be_paired(self) -> bool:
        """Return whether there is a pairing at all."""
        graph = networkx.Graph()
        graph.add_nodes_from(player.number for player in self.players)
        graph.add_edges_from((one.number, number_of(other)) for one, other in self.legal_edges(self.players))
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        return 2 * len(matching) >= len(self.players)

    def is_best(self, bracket: list[Entry], rest: list[Entry], opponents: dict[int, int]) -> bool:
        """Return whether a bracket has as many pairs, and as small score differences, as the whole round allows."""
        players = bracket + rest
        inside = {player.number for player in bracket}
        lowest = min(player.score for player in bracket)
        base = len(players) + 2
        pair = int(base ** (2 * self.rounds_of_points(players) + 4))  # more than all differences together

        def value(one: Entry, other: Entry | None) -> int:
            upper = [player for player in (one, other) if player is not None and player.number in inside]
            if len(upper) == 2:
                return pair - int(base ** abs(upper[0].score - upper[1].score))
            return -int(base ** (upper[0].score - lowest + WIN)) if upper else 0

        graph = networkx.Graph()
        for one, other in self.legal_edges(players):
            graph.add_edge(one.number, number_of(other), weight=value(one, other))
        if BYE in graph and not any(opponents[player.number] == BYE for player in players):
            graph.remove_node(BYE)
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        best = sum(graph.edges[edge]["weight"] for edge in matching)
        by_number = {player.number: player for player in players}
        actual = sum(
            value(player, by_number.get(opponents[player.number]))
            for player in players
            if opponents[player.number] < player.number
        )
        return bool(actual == best)

    def rounds_of_points(self, players: list[Entry]) -> int:
        """Return the largest difference of scores."""
        return max(player.score for player in players) - min(player.score for player in players)

    def fewest_clashes(self, players: list[Entry]) -> int:
        """Return the least value of clashing colours with which all of these players can meet each other."""
        graph = networkx.Graph()
        for index, one in enumerate(players):
            for other in players[index + 1 :]:
                if self.may_meet(one, other):
                    graph.add_edge(one.number, other.number, weight=-clash(one, other, len(players)))
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        return -sum(int(graph.edges[edge]["weight"]) for edge in matching)

    def first_transposition(
        self, upper: list[Entry], lower: list[Entry], clashes: int
    ) -> list[tuple[Entry, Entry]] | None:
        """Return the first order of the lower half with this value of clashes; None if halves have to be mixed."""
        found: list[tuple[Entry, Entry]] = []
        if self.best_between(upper, lower, len(upper) * 2) != clashes:
            return None
        left = list(lower)
        for place, one in enumerate(upper):
            for other in left:
                if not self.may_meet(one, other):
                    continue
                remaining = [player for player in left if player is not other]
                after = self.best_between(upper[place + 1 :], remaining, len(upper) * 2)
                if after is not None and after + clash(one, other, len(upper) * 2) == clashes:
                    found.append((one, other))
                    clashes, left = after, remaining
                    break
        return found

    def best_between(self, upper: list[Entry], lower: list[Entry], size: int) -> int | None:
        """Return the least value of clashes if each of one list meets one of the other; None if that cannot be."""
        graph = networkx.Graph()
        graph.add_nodes_from(player.number for player in upper)
        for one in upper:
            for other in lower:
                if self.may_meet(one, other):
                    graph.add_edge(one.number, other.number, weight=-clash(one, other, size))
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        if len(matching) < len(upper):
            return None
        return -sum(int(graph.edges[edge]["weight"]) for edge in matching)


def require(holds: bool, fact: log.RoundPaired, rule: str) -> None:
    """Raise if a rule does not hold in a round."""
    if not holds:
        raise RuleBroken(f"round {fact.round}: {rule}")


def number_of(player: Entry | None) -> int:
    """Return the number of a player, or that of the bye."""
    return BYE if player is None else player.number


def score_groups(players: list[Entry]) -> list[list[Entry]]:
    """Return the players by score, highest first."""
    scores = sorted({player.score for player in players}, reverse=True)
    return [[player for player in players if player.score == score] for score in scores]


def clash(one: Entry, other: Entry, size: int) -> int:
    """Return a number for a pair in which both prefer the same colour; one strong preference more weighs less."""
    (strength, colour), (other_strength, other_colour) = one.preference, other.preference
    if not colour or colour != other_colour:
        return 0
    return size + (min(strength, other_strength) >= STRONG)


def colour_of_higher(higher: Entry, lower: Entry) -> int | None:
    """Return the colour of the higher-ranked player by E.1 to E.4, or None if E.5 applies (pairing numbers)."""
    (strength, colour), (other_strength, other_colour) = higher.preference, lower.preference
    if colour != other_colour or not colour:
        return colour or -other_colour or None
    if strength != other_strength:
        return colour if strength > other_strength else -colour
    if strength == ABSOLUTE and abs(higher.difference) != abs(lower.difference):
        return colour if abs(higher.difference) > abs(lower.difference) else -colour
    for mine, theirs in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if mine != theirs:
            return -mine
    return colour
