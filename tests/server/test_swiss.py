"""Random Swiss tournaments, checked by the rules of FIDE and compared with another implementation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, count
from typing import Literal

import pytest
from caissify_pairings import generate_pairings

from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.groups import make_tables, table_cost
from mchezo.server.domain.tournaments.running import TableResult, next_step, planned_rounds, start
from mchezo.server.domain.tournaments.swiss import dutch
from mchezo.server.domain.tournaments.tournament import Tournament, meetings, points, seats_taken
from mchezo.server.messages import TournamentFormat, TournamentPlan
from tests.oracles.swiss import Checker, Played

BLOCKS, BLOCK = 24, 42  # 1,008 tournaments


def entered(
    players: int,
    format: TournamentFormat = "swiss",  # noqa: A002, as in the plan
    seats: int = 2,
    **plan: object,
) -> Tournament:
    """Return a tournament that has started; player 0 is the first seed."""
    given = TournamentPlan(name="Open", format=format, game="kitara", seats=seats, **plan)  # type: ignore[arg-type]  # as the plan takes them
    tournament = Tournament("T" * 12, [log.TournamentCreated(at=0, plan=given, organiser="Ada")])
    for number in range(players):
        kind: Literal["bot", "computer"] = "bot" if format == "arena" else "computer"
        entrant = log.Entrant(kind, f"holder {number}", name=f"P{number}", rating=2000 - number)
        tournament.apply(log.PlayerEntered(at=0, player=number, entrant=entrant))
    for fact in start(tournament, 1):
        tournament.apply(fact)
    return tournament


def next_round(tournament: Tournament) -> log.RoundPaired | None:
    """Pair the next round; None if the tournament is over."""
    ids = count(len(tournament.games))
    (fact,) = next_step(tournament, tournament.last_at + 1, {}, lambda: f"t{next(ids)}")
    tournament.apply(fact)
    return fact if isinstance(fact, log.RoundPaired) else None


def decide(tournament: Tournament, rng: random.Random) -> None:
    """Play all open games with random results."""
    results = {}
    for game in tournament.open_games.values():
        draws = [rng.choice((0, 0, 1, 1, 2)) for _ in game.players]
        results[game.table] = TableResult([sorted(draws).index(one) for one in draws], [])
    for fact in next_step(tournament, tournament.last_at + 1, results, str):
        tournament.apply(fact)


def played(paired: log.RoundPaired, tournament: Tournament) -> Played:
    pairs = []
    for one in paired.games:
        white, black = one.players
        pairs.append((white, black, tournament.games[one.table].points_of(white)))
    return Played(pairs, list(paired.byes))


def random_rounds(seed: int, *, withdrawals: float = 0.03) -> Iterator[tuple[Tournament, list[int], log.RoundPaired]]:
    """Yield the rounds of a random tournament before they are played: the tournament, who is there, the pairing."""
    rng = random.Random(seed)
    tournament = entered(rng.randint(3, 26), rounds=rng.randint(2, 9))
    while True:
        for player in tournament.active:
            if rng.random() < withdrawals:
                tournament.apply(log.PlayerWithdrew(at=tournament.last_at, player=player))
        present = tournament.active
        paired = next_round(tournament)
        if paired is None:
            return
        yield tournament, present, paired
        decide(tournament, rng)


@pytest.mark.rotating(shares=24)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_swiss_tournaments_keep_every_rule(block: int) -> None:
    rounds = unpairable = 0
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        checker: Checker | None = None
        before: log.RoundPaired | None = None
        for tournament, present, paired in random_rounds(seed):
            planned = planned_rounds(tournament) or 0
            if checker is None:
                checker = Checker(len(tournament.players), planned)
            elif before is not None:
                checker.play(played(before, tournament))
            rounds += 1
            proposed = Played([(*game.players, 0.0) for game in paired.games], list(paired.byes))  # type: ignore[misc]  # two players
            if checker.can_be_paired(present):
                assert list(checker.faults(present, proposed)) == [], f"seed {seed}, round {paired.round}"
            else:
                unpairable += 1
                seen = [player for white, black, _ in proposed.pairs for player in (white, black)] + proposed.byes
                assert sorted(seen) == sorted(present)
            before = paired
    assert rounds > 2 * BLOCK
    assert unpairable < rounds / 10


def test_the_checker_finds_every_kind_of_fault() -> None:
    checker = Checker(4, 3)
    assert list(checker.faults([0, 1, 2, 3], Played([(0, 2, 0.0), (3, 1, 0.0)], []))) == []
    assert any("half" in one for one in checker.faults([0, 1, 2, 3], Played([(0, 1, 0.0), (2, 3, 0.0)], [])))
    assert any("exactly once" in one for one in checker.faults([0, 1, 2, 3], Played([(0, 2, 0.0)], [])))
    checker.play(Played([(0, 2, 1.0), (3, 1, 1.0)], []))
    assert any("meet twice" in one for one in checker.faults([0, 1, 2, 3], Played([(2, 0, 0.0), (1, 3, 0.0)], [])))
    assert any("highest" in one for one in checker.faults([0, 1, 2, 3], Played([(1, 0, 0.0), (2, 3, 0.0)], [])))
    small = Checker(3, 5)
    small.play(Played([(0, 1, 1.0)], [2]))
    assert any("second bye" in one for one in small.faults([0, 1, 2], Played([(1, 0, 0.0)], [2])))
    assert any("lower score" in one for one in small.faults([0, 1, 2], Played([(2, 1, 0.0)], [0])))
    colors = Checker(6, 9)
    colors.play(Played([(0, 3, 1.0), (1, 4, 0.0), (2, 5, 0.0)], []))
    assert any("prefer" in one for one in colors.faults(range(6), Played([(0, 4, 0.0), (1, 3, 0.0), (2, 5, 0.0)], [])))
    colors.play(Played([(0, 4, 1.0), (1, 5, 0.0), (2, 3, 0.0)], []))
    found = list(colors.faults(range(6), Played([(0, 1, 0.0), (5, 4, 0.0), (2, 3, 0.0)], [])))
    assert any("three times in a row" in one for one in found)
    assert any("difference of three" in one for one in found)
    assert any("same colour" in one for one in colors.faults(range(6), Played([(0, 1, 0), (4, 3, 0), (2, 5, 0)], [])))


@pytest.mark.rotating(shares=6)
@pytest.mark.parametrize("block", range(6))
def test_another_implementation_mostly_pairs_the_same_players(block: int) -> None:
    # It follows the edition of 2026, in which some rules about byes are different, hence tournaments without byes.
    same = rounds = 0
    for seed in range(10_000 + 15 * block, 10_015 + 15 * block):
        for tournament, present, paired in random_rounds(seed, withdrawals=0.0):
            if len(present) % 2 or paired.round > len(present) // 2:
                continue
            rounds += 1
            same += {frozenset(game.players) for game in paired.games} == other_pairing(tournament)
    assert rounds > 20
    assert same / rounds > 0.9


def other_pairing(tournament: Tournament) -> set[frozenset[int]]:
    """Return who meets in the last round, whose games are not over, by the other implementation."""
    earlier = tournament.rounds[:-1]
    scores = dict.fromkeys(range(len(tournament.players)), 0.0)
    people = [
        {"id": number, "rating": 0, "starting_number": number + 1, "pairing_number": number + 1, "bye_count": 0,
         "color_hist": [], "float_history": []}
        for number in scores
    ]  # fmt: skip
    for one in earlier:
        before = dict(scores)
        for game in one.games:
            for player, other in (game.players, game.players[::-1]):
                higher = before[player] - before[other]
                people[player]["color_hist"].append("white" if game.players[0] == player else "black")  # type: ignore[attr-defined]  # a list
                people[player]["float_history"].append("down" if higher > 0 else "up" if higher < 0 else "none")  # type: ignore[attr-defined]  # a list
                scores[player] += game.points_of(player)
    for person in people:
        person["score"] = scores[person["id"]]  # type: ignore[index]  # a number
    met = set(meetings(game for one in earlier for game in one.games))
    found = generate_pairings("dutch", people, met, len(earlier) + 1, planned_rounds(tournament) or 1)
    return {frozenset((one["white_id"], one["black_id"])) for one in found}


def test_nothing_is_paired_twice_from_the_same_facts() -> None:
    for tournament, present, paired in random_rounds(7):
        again = dutch(tournament.seeds, set(present), tournament.rounds[:-1], planned_rounds(tournament) or 1)
        if again is not None:
            assert [game.players for game in paired.games] == again.tables


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_tables_of_three_and_four_bring_new_opponents_equal_scores_and_every_seat(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    tournament = entered(rng.randint(3 * seats, 40), seats=seats, rounds=4)
    players = len(tournament.players)
    while True:
        met, scores = meetings(tournament.games.values()), points(tournament, tournament.active)
        paired = next_round(tournament)
        if paired is None:
            break
        seen = [player for game in paired.games for player in game.players] + paired.byes
        assert sorted(seen) == list(range(players))
        assert len(paired.byes) == players % seats
        assert len(set(paired.byes)) == len(paired.byes)
        tables = [game.players for game in paired.games]
        cost = sum(table_cost(table, met, scores) for table in tables)
        for one, other in combinations(range(len(tables)), 2):  # no exchange of two players is better
            for first in range(seats):
                for second in range(seats):
                    left, right = list(tables[one]), list(tables[other])
                    left[first], right[second] = right[second], left[first]
                    rest = [table for index, table in enumerate(tables) if index not in (one, other)]
                    assert sum(table_cost(table, met, scores) for table in (left, right, *rest)) >= cost
        decide(tournament, rng)
    byes = [player for one in tournament.rounds for player in one.byes]
    assert max((byes.count(player) for player in byes), default=0) <= 1 + len(byes) // players
    for taken in seats_taken(tournament.games.values(), seats).values():
        assert max(taken) <= 2
    repeated = sum(number - 1 for number in meetings(tournament.games.values()).values())
    assert repeated <= len(tournament.games) // 2


def test_tables_keep_the_ranking_where_nobody_has_met() -> None:
    assert make_tables(range(8), 4, {}, {player: 8.0 - player for player in range(8)}) == [[0, 1, 2, 3], [4, 5, 6, 7]]
