"""Round robins, knock-outs, arenas and tie-breaks, by examples whose results are known."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest

from mchezo.server.domain.log import PlayerDroppedOut
from mchezo.server.domain.table import Table
from mchezo.server.domain.tournaments import log
from mchezo.server.domain.tournaments.arena import arena_scores
from mchezo.server.domain.tournaments.knock_out import bracket, first_matches
from mchezo.server.domain.tournaments.round_robin import berger
from mchezo.server.domain.tournaments.running import TableResult, next_step
from mchezo.server.domain.tournaments.standings import encounters, standings, tie_breaks
from mchezo.server.domain.tournaments.swiss import next_groups
from mchezo.server.domain.tournaments.tables import no_show, table_result, tournament_table
from mchezo.server.domain.tournaments.tournament import Tournament, meetings, seats_taken
from mchezo.server.messages import ClockRules
from mchezo.server.messages.tournaments import TournamentFormat
from mchezo.server.runtime.sessions import SERVER
from mchezo.server.storage.appending import command_context
from tests.server.test_swiss import entered, next_round

# The tables of the FIDE handbook (C.05, annex 1) for four and six players; the first of a pair has White.
FOUR = [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
SIX = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]


def play(tournament: Tournament, *places: Sequence[int]) -> None:
    """End the open games, in the order in which they were paired, with these places."""
    tables = list(tournament.open_games)
    results = {table: TableResult(list(one), []) for table, one in zip(tables, places, strict=True)}
    for fact in next_step(tournament, tournament.last_at + 1, results, str):
        tournament.apply(fact)


def won_by(tournament: Tournament, *winners: int) -> None:
    """End the open games of two with these winners."""
    winning = [next(game for game in tournament.open_games.values() if one in game.players) for one in winners]
    results = {
        game.table: TableResult([int(player != winner) for player in game.players], [])
        for game, winner in zip(winning, winners, strict=True)
    }
    for fact in next_step(tournament, tournament.last_at + 1, results, str):
        tournament.apply(fact)


@pytest.mark.parametrize("printed", [FOUR, SIX])
def test_round_robins_follow_the_printed_tables(printed: list[list[tuple[int, int]]]) -> None:
    players = len(printed) + 1
    for number, pairs in enumerate(printed, start=1):
        assert {(first + 1, second + 1) for first, second in berger(players, number)} == set(pairs)


@pytest.mark.parametrize("players", range(2, 12))
def test_in_a_round_robin_everybody_meets_everybody_once_and_has_both_seats(players: int) -> None:
    tournament = entered(players, "round-robin")
    while (paired := next_round(tournament)) is not None:
        assert len(paired.byes) == players % 2
        play(tournament, *([0, 1] for _ in paired.games))
    met = [tuple(sorted(game.players)) for game in tournament.games.values()]
    assert sorted(met) == list(combinations(range(players), 2))
    for player in range(players):
        first = sum(game.players[0] == player for game in tournament.games.values())
        assert abs(2 * first - (players - 1)) <= 1


def test_a_round_robin_by_correspondence_is_paired_at_once() -> None:
    tournament = entered(4, "round-robin", days=3)
    for number in (1, 2, 3):
        paired = next_round(tournament)
        assert paired is not None
        assert paired.round == number
    assert len(tournament.open_games) == 6
    assert next_step(tournament, tournament.last_at, {}, str) == []


def test_who_withdraws_from_a_round_robin_leaves_byes() -> None:
    tournament = entered(4, "round-robin", clock=ClockRules(60_000))
    next_round(tournament)
    won_by(tournament, 0, 1)
    tournament.apply(log.PlayerWithdrew(at=tournament.last_at, player=3))
    paired = next_round(tournament)
    assert paired is not None
    assert [game.players for game in paired.games] == [[0, 1]]
    assert paired.byes == [2]


def test_the_best_seeds_meet_last_and_have_the_byes() -> None:
    assert first_matches(list(range(8)), 2) == [[0, 7], [3, 4], [1, 6], [2, 5]]
    assert first_matches(list(range(5)), 2) == [[0], [3, 4], [1], [2]]
    assert first_matches(list(range(9)), 4) == [[0, 5, 6], [1, 4, 7], [2, 3, 8]]


def test_a_draw_in_a_knock_out_is_replayed_with_the_seats_reversed_then_the_best_seed_goes_through() -> None:
    tournament = entered(4, "knock-out")
    first = next_round(tournament)
    assert first is not None
    assert [game.players for game in first.games] == [[0, 3], [1, 2]]
    play(tournament, [0, 0], [1, 0])
    replay = next_round(tournament)
    assert replay is not None
    assert (replay.round, [game.players for game in replay.games]) == (1, [[3, 0]])
    play(tournament, [0, 0])
    final = next_round(tournament)
    assert final is not None
    assert (final.round, [game.players for game in final.games]) == (2, [[0, 2]])
    play(tournament, [1, 0])
    assert next_round(tournament) is None
    assert bracket(tournament) == [[[0, 3], [1, 2]], [[0, 2]]]
    assert [(line.player, line.place) for line in standings(tournament)] == [(2, 1), (0, 2), (1, 3), (3, 3)]


def test_who_withdraws_from_a_knock_out_lets_the_opponent_through() -> None:
    tournament = entered(4, "knock-out")
    next_round(tournament)
    won_by(tournament, 0, 1)
    tournament.apply(log.PlayerWithdrew(at=tournament.last_at, player=0))
    final = next_round(tournament)
    assert final is not None
    assert (final.games, final.byes) == ([], [1])
    assert next_round(tournament) is None
    assert standings(tournament)[0].player == 1


def test_those_who_share_the_win_at_a_table_of_four_replay_it() -> None:
    tournament = entered(4, "knock-out", seats=4)
    next_round(tournament)
    play(tournament, [0, 3, 0, 2])
    replay = next_round(tournament)
    assert replay is not None
    assert [game.players for game in replay.games] == [[2, 0]]
    play(tournament, [0, 1])
    assert next_round(tournament) is None
    assert standings(tournament)[0].player == 2


def test_after_two_wins_in_a_row_an_arena_counts_double() -> None:
    tournament = entered(2, "arena", minutes=60)
    for winners in ([0], [0], [0], [0, 1], [0], [1]):
        paired = next_round(tournament)
        assert paired is not None
        (game,) = tournament.open_games.values()
        play(tournament, [0 if player in winners else 1 for player in game.players])
    scores = arena_scores(tournament)
    assert scores[0].points == 2 + 2 + 4 + 2 + 2 + 0
    assert scores[1].points == 1 + 2
    seats = [game.players for game in tournament.games.values()]
    assert all(one != other for one, other in pairwise(seats))  # seats in turn


def test_in_an_arena_the_same_players_wait_a_moment_if_others_are_still_playing() -> None:
    tournament = entered(4, "arena", minutes=60)
    next_round(tournament)
    first, second = tournament.open_games.values()
    done = {first.table: TableResult([0, 1], [])}
    for fact in next_step(tournament, 2, done, str):
        tournament.apply(fact)
    assert next_step(tournament, 3, {}, str) == []
    (again,) = next_step(tournament, 30_000, {}, lambda: "again")
    assert isinstance(again, log.RoundPaired)
    assert sorted(again.games[0].players) == sorted(first.players)
    for fact in next_step(tournament, 4, {second.table: TableResult([0, 1], [])}, str):
        tournament.apply(fact)
    ids = iter(("x", "y"))
    (mixed,) = next_step(tournament, 5, {}, lambda: next(ids))
    assert isinstance(mixed, log.RoundPaired)
    assert all(set(game.players) not in (set(first.players), set(second.players)) for game in mixed.games)


def test_the_tie_breaks_of_a_swiss_tournament_are_those_computed_by_hand() -> None:
    # 0 beats 2, 1 beats 3; then 0 and 1 draw, 2 beats 3.
    tournament = entered(4, rounds=2)
    next_round(tournament)
    won_by(tournament, 0, 1)
    next_round(tournament)
    results = {}
    for game in tournament.open_games.values():
        places = [0, 0] if set(game.players) == {0, 1} else [int(player != 2) for player in game.players]
        results[game.table] = TableResult(places, [])
    for fact in next_step(tournament, 9, results, str):
        tournament.apply(fact)
    assert tie_breaks(tournament) == ["buchholz-cut", "buchholz", "sonneborn-berger", "encounter", "wins"]
    found = {line.player: (line.place, line.points, line.tie_breaks) for line in standings(tournament)}
    # Opponents of 0: 2 (1 point) and 1 (1.5 points); of 1: 3 (0) and 0 (1.5);
    # of 2: 0 (1.5) and 3 (0); of 3: 1 (1.5) and 2 (1).
    assert found[0] == (1, 1.5, [1.5, 2.5, 1.75, 0.0, 1.0])
    assert found[1] == (2, 1.5, [1.5, 1.5, 0.75, 0.0, 1.0])
    assert found[2] == (3, 1.0, [1.5, 1.5, 0.0, 0.0, 1.0])
    assert found[3] == (4, 0.0, [1.5, 2.5, 0.0, 0.0, 0.0])


def missed_by(tournament: Tournament, absent: int) -> None:
    """End the open game of a player who does not come."""
    (game,) = (game for game in tournament.open_games.values() if absent in game.players)
    places = [int(player == absent) for player in game.players]
    for fact in next_step(
        tournament, tournament.last_at + 1, {game.table: TableResult(places, [game.players.index(absent)])}, str
    ):
        tournament.apply(fact)


def test_a_game_that_a_player_missed_counts_as_a_bye_for_the_other_in_tie_breaks() -> None:
    # 0 beats 2, and 3 does not come against 1; then 0 beats 1, and 2 beats 3.
    tournament = entered(4, rounds=2)
    next_round(tournament)
    won_by(tournament, 0)
    missed_by(tournament, 3)
    next_round(tournament)
    won_by(tournament, 0, 2)
    found = {line.player: (line.place, line.points, line.tie_breaks) for line in standings(tournament)}
    # 1 had nobody against them (own points: 1) and 0 (2 points); 3 missed a round and met 2 (1 point).
    assert found[0] == (1, 2.0, [1.0, 2.0, 2.0, 0.0, 2.0])
    assert found[1] == (2, 1.0, [2.0, 3.0, 0.0, 0.0, 1.0])
    assert found[2] == (3, 1.0, [2.0, 2.0, 0.0, 0.0, 1.0])
    assert found[3] == (4, 0.0, [1.0, 1.0, 0.0, 0.0, 0.0])


def missed_by_all(tournament: Tournament, player: int) -> None:
    """End the open game of a player to which nobody comes."""
    (game,) = (game for game in tournament.open_games.values() if player in game.players)
    seats = len(game.players)
    result = TableResult([seats - 1] * seats, list(range(seats)))
    for fact in next_step(tournament, tournament.last_at + 1, {game.table: result}, str):
        tournament.apply(fact)


@pytest.mark.parametrize("format", ["swiss", "round-robin"])
def test_a_game_to_which_nobody_came_is_lost_for_everybody(format: TournamentFormat) -> None:  # noqa: A002, as in the plan
    tournament = entered(4, format, rounds=3)
    next_round(tournament)
    first = tournament.rounds[0].games[0].players
    others = [player for player in range(4) if player not in first]
    missed_by_all(tournament, first[0])
    won_by(tournament, others[0])
    found = {line.player: line for line in standings(tournament)}
    assert [found[player].points for player in first] == [0.0, 0.0]
    assert all(value == 0.0 for player in first for value in found[player].tie_breaks)
    assert found[others[0]].points == 1.0
    next_round(tournament)
    paired = [player for game in tournament.rounds[1].games for player in game.players]
    assert sorted(paired) == [0, 1, 2, 3]
    assert meetings(tournament.rounds[0].games) == {(others[0], others[1]): 1}


def test_nobody_gains_from_a_game_of_an_arena_to_which_nobody_came() -> None:
    tournament = entered(2, "arena")
    next_round(tournament)
    missed_by_all(tournament, 0)
    assert [(one.points, one.wins) for one in arena_scores(tournament).values()] == [(0, 0), (0, 0)]


def test_after_a_game_of_a_knock_out_to_which_nobody_came_the_next_opponent_has_a_bye() -> None:
    tournament = entered(4, "knock-out")
    next_round(tournament)
    won_by(tournament, 1)
    missed_by_all(tournament, 0)
    for player in (0, 3):
        tournament.apply(log.PlayerWithdrew(at=tournament.last_at, player=player))
    for _ in range(3):
        for fact in next_step(tournament, tournament.last_at + 1, {}, str):
            tournament.apply(fact)
    assert tournament.finished is not None
    found = {line.player: (line.place, line.points) for line in standings(tournament)}
    assert found[1] == (1, 1.0)
    assert found[0][1] == found[3][1] == 0.0


@pytest.mark.parametrize(
    ("missing", "out", "result"),
    [
        ([], 1, None),
        ([1], 2, None),
        ([1, 2], 3, TableResult([1, 1, 1, 0], [0, 1, 2])),
        ([1, 2, 3], 4, TableResult([3, 3, 3, 3], [0, 1, 2, 3])),
    ],
)
def test_all_who_are_not_at_a_table_of_four_drop_out_together(
    missing: list[int], out: int, result: TableResult | None
) -> None:
    tournament = entered(4, seats=4, rounds=1, clock=ClockRules(60_000, 0))
    people = [log.Entrant("person", f"holder {seat}", f"P{seat}") for seat in range(4)]
    facts = tournament_table(tournament.id, tournament.creation, people, "t" * 12, "0" * 64, 0)
    table = Table("t" * 12, facts)
    first = table.to_move
    assert first is not None
    away = {(first + seat) % 4: 60_000 for seat in missing}
    change = no_show(table, 0, 60_000, command_context(SERVER, 60_000, table, away=away))
    assert change is not None
    dropped = [fact.seat for fact in change.facts if isinstance(fact, PlayerDroppedOut)]
    assert dropped == [first, *sorted(away)]
    assert len(dropped) == out
    found = table_result([*facts, *change.facts])
    if result is None or found is None:
        assert result == found
    else:
        assert [found.places[(first + seat) % 4] for seat in range(4)] == result.places
        assert found.absent == sorted((first + seat) % 4 for seat in result.absent)


def test_direct_encounters_of_a_swiss_tournament_are_games_that_took_place() -> None:
    tournament = entered(2, rounds=1)
    next_round(tournament)
    missed_by(tournament, 1)
    assert standings(tournament)[0].tie_breaks[2] == 0.0  # Sonneborn-Berger
    robin = entered(2, "round-robin")
    next_round(robin)
    missed_by(robin, 1)
    assert [len(encounters(one, list(one.games.values()))) for one in (tournament, robin)] == [0, 1]


def test_rounds_that_the_dutch_system_cannot_pair_do_not_count_games_that_a_player_missed() -> None:
    tournament = entered(4, rounds=2)
    next_round(tournament)
    won_by(tournament, 1)
    missed_by(tournament, 0)
    assert meetings(tournament.games.values()) == {(1, 3): 1}
    assert set(seats_taken(tournament.games.values(), 2)) == {1, 3}
    tournament.apply(log.PlayerWithdrew(at=tournament.last_at, player=3))
    # 2 has had a point without a game, so the next in the ranking sits out.
    assert next_groups(tournament, by_score=False).byes == [1]


def test_at_a_table_of_three_those_who_came_have_met() -> None:
    tournament = entered(3, seats=3, rounds=1)
    next_round(tournament)
    (game,) = tournament.open_games.values()
    here, there, away = game.players
    result = TableResult([0, 1, 2], [2])
    for fact in next_step(tournament, 9, {game.table: result}, str):
        tournament.apply(fact)
    assert set(meetings(tournament.games.values())) == {tuple(sorted((here, there)))}
    found = {line.player: line.tie_breaks[2] for line in standings(tournament)}
    assert found == {here: 1.0 + 2.0, there: 2.0 + 1.0, away: 0.0}


def test_direct_encounters_decide_a_round_robin_only_if_all_who_are_tied_have_met() -> None:
    tournament = entered(4, "round-robin")
    wins = [(0, 1), (3, 0), (1, 2)]  # 0 beats 3 and 1 beats 2; 3 beats 2 and 0 beats 1; 1 beats 3 and 2 beats 0
    for winners in wins:
        next_round(tournament)
        won_by(tournament, *winners)
    next_round(tournament)
    lines = {line.player: line for line in standings(tournament)}
    assert {player: line.points for player, line in lines.items()} == {0: 2.0, 1: 2.0, 2: 1.0, 3: 1.0}
    assert [lines[player].tie_breaks[0] for player in (0, 1)] == [1.0, 0.0]  # 0 won against 1
    assert [lines[player].place for player in range(4)] == [1, 2, 4, 3]


def test_at_tables_of_four_points_are_the_players_left_behind() -> None:
    tournament = entered(4, seats=4, rounds=1)
    next_round(tournament)
    play(tournament, [1, 0, 1, 3])
    order = next(iter(tournament.games.values())).players
    found = {line.player: line.points for line in standings(tournament)}
    assert [found[player] for player in order] == [1.5, 3.0, 1.5, 0.0]
