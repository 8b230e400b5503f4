"""Matches: fair rotations, budgets by the turn, the same games for any number of workers."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any, Unpack

import numpy as np
import pytest

import mchezo
from mchezo.arena.matches import (
    Match,
    PlayedGame,
    Stopped,
    TurnBudget,
    play,
    play_game,
    replay,
    rotation_scores,
    score,
    wilson_interval,
)
from mchezo.arena.opponents import Random
from mchezo.arena.players import Contestant, find
from mchezo.core import verbs
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.core.structs import CHANCE
from mchezo.search.thought import SearchOptions, Thought


def match(game: str, first: str = "greedy", second: str = "random", **options: Any) -> Match:
    """Return a short match."""
    return Match(game, find(first, game), find(second, game), options, seed=3)


@pytest.mark.parametrize(
    ("name", "options"), [("katarenga", {}), ("kiwara", {"reinforcement": "pile"}), ("kitara", {"players": 3})]
)
def test_in_a_rotation_the_first_player_sits_in_every_seat_of_the_same_table(
    name: str, options: dict[str, Any]
) -> None:
    played = match(name, **options)
    games = list(play(played, range(2)))
    assert [(game.rotation, game.seat) for game in games] == [(r, s) for r in range(2) for s in range(played.seats)]
    for game in games:
        record = Record.parse(game.record)
        names = [record.tags[f"Player{seat}"] for seat in range(played.seats)]
        assert names == ["greedy" if seat == game.seat else "random" for seat in range(played.seats)]
        assert record.verify() is not None
        assert replay(game).outcome == record.outcome
    seeds = [Record.parse(game.record).seed for game in games]
    assert len(set(seeds[: played.seats])) == len(set(seeds[played.seats :])) == 1
    assert len(set(seeds)) == 2
    boards = [Record.parse(game.record).options.get("board") for game in games]
    assert len(set(boards[: played.seats])) == 1


def test_games_of_a_rotation_begin_with_the_same_random_decisions_and_rotations_differ() -> None:
    openings = [tuple(match("kiwara").start(rotation).moves) for rotation in (0, 0, 1, 2)]
    assert [len(moves) for moves in openings] == [3] * 4
    assert openings[0] == openings[1]
    assert len(set(openings)) == 3
    assert replace(match("kiwara"), opening=0).start(0).moves == []


@pytest.mark.parametrize("name", ["katarenga", "kitara"])
def test_games_do_not_depend_on_the_number_of_workers(name: str) -> None:
    alone, together = (list(play(match(name, "flat:20"), range(2), workers)) for workers in (1, 4))
    assert alone == together
    assert alone != list(play(replace(match(name, "flat:20"), seed=4), range(2)))


def test_known_games_are_not_played_again() -> None:
    games = list(play(match("kiwara"), range(3)))
    known = {(game.rotation, game.seat) for game in games[:3]}
    assert list(play(match("kiwara"), range(3), known=known)) == games[3:]


def test_equal_players_score_one_half_whatever_the_seats_are_worth() -> None:
    # Random players with the same thoughts in the same seats: what one wins in a seat the other wins there too.
    @dataclass
    class Stubborn:
        name: str = "stubborn"

        def think(self, position: Position, **_: object) -> Thought:
            return Random().think(position, seed=len(position.steps))

    one = Contestant("one", Stubborn)
    games = list(play(Match("kiwara", one, replace(one, name="other")), range(4)))
    assert rotation_scores(games) == [0.5] * 4


@dataclass
class Spender:
    """Plays at random, uses its budget (or a share of it), and records it."""

    given: list[tuple[int, int | None]] = field(default_factory=list)
    name: str = "spender"
    uses: float = 1.0

    def think(self, position: Position, *, nodes: int | None = None, seed: int = 0, **_: object) -> Thought:
        """Return a random decision."""
        self.given.append((len(position.steps), nodes))
        thought = Random().think(position, seed=seed)
        return replace(thought, nodes=int((nodes or 0) * self.uses))


def test_a_turn_has_one_budget_and_thoughts_after_chance_or_an_answer_get_half_of_the_rest() -> None:
    spender = Spender()
    played = Match("kitara", Contestant("spender", lambda: spender, nodes=1_600), find("random", "kitara"), seed=2)
    position = replay(play_game(played, 0, 0))
    turns: dict[int, list[int]] = {}
    by_steps = dict(spender.given)
    turn, mover = 0, -1
    for index, step in enumerate(position.steps):
        if step.by not in (CHANCE, mover) and verbs.turn_of(step.before[0]) == step.by:
            turn, mover = turn + 1, step.by
        if index in by_steps and step.by == 0 and verbs.turn_of(step.before[0]) == 0:
            turns.setdefault(turn, []).append(by_steps[index] or 0)
    assert len(turns) >= 7
    for given in turns.values():
        assert given[:5] == [800, 400, 200, 100, 100][: len(given)]


def test_what_a_thought_does_not_use_stays_for_the_turn() -> None:
    position = mchezo.game("kitara").start(seed=1)
    spender = Spender(uses=0.25)
    budget = TurnBudget(Contestant("spender", lambda: spender, nodes=1_000), 0.5)
    for _ in range(3):
        budget.think(spender, position, 0, None)
    assert [nodes for _, nodes in spender.given] == [500, 437, 383]
    budget.reset()
    budget.think(spender, position, 0, None)
    assert spender.given[-1][1] == 500
    whole = TurnBudget(Contestant("spender", lambda: spender, nodes=1_000), 1.0)
    whole.think(spender, position, 0, None)
    assert spender.given[-1][1] == 1_000


def test_all_decisions_of_a_thought_are_played_before_the_player_is_asked_again() -> None:
    asked: list[int] = []

    class Whole(Random):
        def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
            seed = options.get("seed", 0)
            asked.append(len(position.steps))
            seat, line = position.to_move, position.copy()
            moves: list[str] = []
            while line.to_move == seat and len(moves) < 2:
                moves += Random().think(line, seed=seed).moves
                line.play(moves[-1])
            return replace(Random().think(position, seed=seed), moves=tuple(moves), turn=len(moves))

    game = play_game(Match("kiwara", Contestant("whole", Whole), find("random", "kiwara")), 0, 0)
    own = [index for index, step in enumerate(replay(game).steps) if step.by == 0 and index >= 3]
    assert len(asked) < len(own)
    assert set(asked) <= set(own)


def test_a_match_that_nobody_asks_for_any_more_ends_the_games_under_way() -> None:
    begun, ended = threading.Event(), threading.Event()

    class Ponderer(Random):
        """Plays the first rotation quickly, then thinks until a stop is requested."""

        def think(self, position: Position, **options: Unpack[SearchOptions]) -> Thought:
            stop = options.get("stop")
            if position.seed.bytes != quick:
                begun.set()
                assert stop is not None
                while not stop():
                    assert not ended.wait(0.001)
            return super().think(position, **options)

    ponderer = Contestant("ponderer", Ponderer)
    asked = Match("kiwara", ponderer, ponderer)
    quick = asked.start(0).seed.bytes
    games = play(asked, range(10_000))
    assert [next(games).rotation, next(games).rotation] == [0, 0]
    assert begun.wait(600)
    giving_up = threading.Timer(600, ended.set)
    giving_up.start()
    games.close()
    giving_up.cancel()
    assert not ended.is_set()
    with pytest.raises(Stopped):
        play_game(match("kiwara"), 0, 0, lambda: True)


def games_of(shares: Sequence[Sequence[float]]) -> list[PlayedGame]:
    return [
        PlayedGame(rotation, seat, share, "") for rotation, row in enumerate(shares) for seat, share in enumerate(row)
    ]


def test_scores_count_wins_draws_and_losses() -> None:
    result = score(games_of([[1, 0.5], [0, 1], [1, 1]]))
    assert (result.games, result.wins, result.losses) == (6, 4, 1)
    assert result.mean == pytest.approx(0.75)
    assert result.low < 0.75 < result.high


def test_intervals_of_single_games_are_wilsons() -> None:
    # 8 of 10: Wilson's interval is 0.4902 to 0.9433; a variance over n - 1 makes it those of 9 games.
    mean, trials, z = 0.8, 9, 1.96
    centre = (mean + z * z / 2 / trials) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(mean * (1 - mean) / trials + z * z / 4 / trials**2)
    assert wilson_interval([1.0] * 8 + [0.0] * 2, 10) == pytest.approx((centre - half, centre + half))
    low, high = wilson_interval([1.0] * 60, 60)
    assert (low, high) == pytest.approx((60 / (60 + z * z), 1.0))


def test_pairs_in_which_the_seat_decides_scatter_less() -> None:
    seat_decides = score(games_of([[1, 0]] * 18 + [[1, 1]] * 2))
    lucky = score(games_of([[1, 1]] * 11 + [[0, 0]] * 9))
    assert seat_decides.mean == lucky.mean == pytest.approx(0.55)
    assert seat_decides.high - seat_decides.low < (lucky.high - lucky.low) / 2


def test_intervals_hold_the_truth_nineteen_times_of_twenty() -> None:
    generator = np.random.default_rng(1)
    for chance in (0.5, 0.8, 0.95):
        held = 0
        for _ in range(1_000):
            pairs = generator.binomial(2, chance, 50) / 2
            low, high = wilson_interval(pairs.tolist(), 100)
            held += low <= chance <= high
        assert 925 <= held <= 985
