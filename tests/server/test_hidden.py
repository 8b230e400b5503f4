"""What is hidden from a seat does not change any byte that the seat is sent."""

import random
import re

import pytest

import mchezo
from tests.server.serving import Client, Live
from tests.server.worlds import compare

pytestmark = pytest.mark.rotating(shares=4)


@pytest.mark.parametrize("game", mchezo.games())
def test_every_byte_is_the_same_in_worlds_with_different_secrets(game: str) -> None:
    totals = [compare(game, number) for number in range(6)]
    assert sum(compared for compared, _ in totals) > 100_000
    if game == "kitara":
        assert sum(worlds for _, worlds in totals) > 2  # tokens were drawn, and redrawn


def before_a_token() -> tuple[str, int, str]:
    """Return the record of a game in which a token is drawn, the number of moves before that, and the move itself."""
    for number in range(100):
        rng = random.Random(number)
        position = mchezo.game("kitara").start(players=2, seed=number)
        while position.to_move is not None:
            legal = position.legal_moves
            eager = [move for move in legal if "H" in move] or [move for move in legal if move != "."]
            before = len(position.steps)
            position.play(rng.choice(eager or legal))
            if any(step.only is not None for step in position.steps[before:]):
                return str(position.record()), before, position.steps[before].text
    raise AssertionError("no token was ever drawn")


def test_over_the_network_only_the_owner_sees_a_token(ada: Client, ben: Client) -> None:
    record, before, move = before_a_token()
    table = ada.make("kitara", record=record, at=before)["id"]
    ben.do(table, "join")
    with ada.live(table) as first, ben.live(table) as second, Client(ada.address).live(table) as third:
        lives = [first, second, third]
        for live in lives:
            live.wait_for("news")
        mover = first if first.table["legal"] else second
        number = mover.ask("move", decision=mover.table["decision"], moves=[move])["number"]
        for live in lives:
            while live.table["number"] < number:
                live.wait_for("news")
        tokens = [drawn_tokens(live) for live in lives]
    assert tokens[0]
    for seen_by, events in enumerate(tokens):
        for owner, text in events:
            assert bool(re.fullmatch("=[2-5]", text)) == (owner == seen_by)
            assert (text == "=?") == (owner != seen_by)


def drawn_tokens(live: Live) -> list[tuple[int, str]]:
    """Return whose tokens were drawn, and what this client saw of them."""
    return [
        (event["told"][0]["arguments"]["seat"], event["move"])
        for event in live.events
        if event["key"] == "drawn" and event["told"][0]["key"] == "token-drawn"
    ]
