"""The engine and the plain rule books of the games from Troika on agree on everything, game after game."""

import random
from collections.abc import Callable
from typing import Any, Self

import pytest

import mchezo
from mchezo import Outcome, Position
from mchezo.games.katarenga.components import ASSEMBLIES, assemble, assembly
from tests.games.katarenga.test_oracle import random_board
from tests.oracles.compare import Oracle, play_both
from tests.oracles.katarenga_placing import BattleStations, Cornered, IsolationAlone, Quartermaster, Troika
from tests.oracles.katarenga_racing import CentralPark, Colorado, Greengage, NorthWestPassage
from tests.oracles.katarenga_variants import Game

KATARENGA = mchezo.game("katarenga")
POSITIONS = 5_000
# What the rule books call a draw by the name of a loss.
REASONS = {"stuck": ("no-place", "no-move"), "wiped-out": ("no-pawns",)}


class TwoDecisions:
    """Central Park's rule book, with a capture and the corner of entry as two decisions."""

    def __init__(self, game: CentralPark) -> None:
        self.game = game
        self.capture = ""  # of which the corner is still to be chosen

    @property
    def to_move(self) -> int | None:
        return self.game.to_move

    @property
    def outcome(self) -> Any:
        return self.game.outcome

    def legal_moves(self) -> list[str]:
        moves = self.game.legal_moves()
        if self.capture:
            return sorted(move.removeprefix(self.capture) for move in moves if move.startswith(self.capture))
        return sorted({move.partition("@")[0] for move in moves})

    def play(self, move: str) -> None:
        whole = self.capture + move
        self.capture = "" if whole in self.game.legal_moves() else whole
        if not self.capture:
            self.game.play(whole)

    def copy(self) -> Self:
        raise NotImplementedError


Options = dict[str, Any]
SETUPS: dict[str, tuple[Callable[..., Game], list[tuple[Options, Options]]]] = {
    # variant: rule book, and options of the engine and of the rule book
    "troika": (
        Troika,
        [({}, {}), ({"line": "straight"},) * 2, ({"after_all": "move"},) * 2],
    ),
    "isolation-alone": (IsolationAlone, [({}, {})]),
    "battle-stations": (BattleStations, [({}, {})]),
    "cornered": (Cornered, [({"quarter": quarter},) * 2 for quarter in ("a1", "h1", "a8", "h8")]),
    "quartermaster": (Quartermaster, [({}, {})]),
    "central-park": (CentralPark, [({}, {})]),
    "colorado": (Colorado, [({}, {}), ({"wipeout": "loss"},) * 2, ({"choose_baseline": True},) * 2]),
    "north-west-passage": (NorthWestPassage, [({}, {})]),
    "greengage": (Greengage, [({}, {})]),
    "chameleon": (
        Greengage,
        [
            (
                {"start_colour": start, "goal_colour": goal},
                {"from_colour": start, "to_colour": goal},
            )
            for start, goal in (("red", "green"), ("yellow", "yellow"), ("blue", "green"), ("green", "red"))
        ],
    ),
}
NEED_EIGHT_OF_A_COLOUR = ("greengage", "chameleon")


def compare_game(variant: str, generator: random.Random, board: str | None = None, position: str | None = None) -> int:
    """Play one random game on both; return the number of positions."""
    if board is None:
        official = assemble(assembly(generator.randrange(ASSEMBLIES)))
        board = official if variant in NEED_EIGHT_OF_A_COLOUR else random_board(generator)
    book, setups = SETUPS[variant]
    options, book_options = generator.choice(setups if position is None else setups[:1])
    given: dict[str, Any] = {} if position is None else {"position": position}
    game = book(board, **book_options, **given)
    oracle: Oracle = TwoDecisions(game) if isinstance(game, CentralPark) else game

    def views() -> dict[int | None, dict[str, object]]:
        if getattr(oracle, "capture", "") or "turn0" in game.legal_moves():
            return {}
        return {None: {"position": game.position()}}

    return play_both(
        KATARENGA.start(variant=variant, board=board, **options, **given),
        oracle,
        generator,
        views=views,
        as_oracle=lambda outcome: as_oracle(outcome, game),
        choose=purposeful if generator.random() < 0.5 else lambda at, by: by.choice(at.legal_moves),
    )


def as_oracle(outcome: Outcome, game: Game) -> tuple[tuple[int, ...], str]:
    """Return an outcome in the words of the rule books."""
    assert game.outcome is not None
    reason = game.outcome[1]
    same = reason in REASONS.get(outcome.reason, (outcome.reason,))
    return outcome.winners, reason if same else outcome.reason


def purposeful(position: Position, generator: random.Random) -> str:
    """Return a random move, preferably one that comes to a goal: otherwise nobody ever fills them."""
    view = position.view()
    side = ("white", "black")[position.to_move or 0]
    goals = set(view["goals"][side])
    if view["variant"] == "central-park":
        goals = goals or {"d4", "d5", "e4", "e5"}
    if view["variant"] == "colorado":
        goals = {f"{file}{'8' if side == 'white' else '1'}" for file in "abcdefgh"}
    arriving = [move for move in position.legal_moves if move[-2:] in goals and move[:2] not in goals]
    staying = [move for move in position.legal_moves if move[:2] not in goals]
    return generator.choice(arriving or staying or position.legal_moves)


@pytest.mark.rotating(shares=8)
@pytest.mark.parametrize("variant", SETUPS)
@pytest.mark.parametrize("share", range(8))
def test_five_thousand_random_positions_agree(variant: str, share: int) -> None:
    generator = random.Random(share)
    positions = 0
    while positions < POSITIONS // 8:
        positions += compare_game(variant, generator)


@pytest.mark.parametrize("variant", ["central-park", "colorado", "battle-stations"])
def test_given_positions_agree(variant: str) -> None:
    generator = random.Random(1)
    for _ in range(20):
        squares = generator.sample([f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)], 8)
        squares = [square for square in squares if square not in ("d4", "d5", "e4", "e5")]
        ranks = "/".join(
            "".join(
                "1" if square not in squares else "wb"[squares.index(square) % 2]
                for square in (f"{file}{rank}" for file in "abcdefgh")
            )
            for rank in range(8, 0, -1)
        )
        rest = {"central-park": "4 4 - -", "colorado": "-", "battle-stations": "0 0"}[variant]
        compare_game(variant, generator, position=f"{ranks} {generator.choice('wb')} {rest}")


@pytest.mark.parametrize("variant", ["troika", "cornered", "quartermaster"])
def test_a_swap_changes_the_roles_and_nothing_else(variant: str) -> None:
    generator = random.Random(3)
    for _ in range(20):
        board = random_board(generator)
        book, _ = SETUPS[variant]
        game, position = book(board), KATARENGA.start(variant=variant, board=board, swap=True)
        first = generator.choice(position.legal_moves)
        position.play(first)
        game.play(first)
        assert sorted(position.legal_moves) == sorted([*game.legal_moves(), "swap"])
        position.play("swap")
        while game.outcome is None:
            assert sorted(position.legal_moves) == game.legal_moves()
            assert game.to_move is not None
            assert position.to_move == 1 - game.to_move
            move = generator.choice(position.legal_moves)
            position.play(move)
            game.play(move)
        assert position.outcome is not None
        assert [1 - seat for seat in position.outcome.winners] == list(game.outcome[0])
