"""What a seat may not see makes no difference to any byte that it is sent."""

import random
import re

import pytest

import mchezo
from tests.server.serving import Client, Live
from tests.server.worlds import compare


@pytest.mark.parametrize("game", mchezo.games())
def test_every_byte_is_the_same_in_worlds_that_differ_in_what_is_hidden(game: str) -> None:
    totals = [compare(game, number) for number in range(6)]
    assert sum(compared for compared, _ in totals) > 100_000
    if game == "kitara":
        assert sum(worlds for _, worlds in totals) > 2  # tokens were drawn, and redrawn


def test_over_the_network_a_token_is_seen_by_its_owner_alone(ada: Client, ben: Client) -> None:
    for number in range(20):
        table = ada.make("kitara")["id"]
        ben.do(table, "join")
        dice = random.Random(number)
        with ada.live(table) as first, ben.live(table) as second, Client(ada.address).live(table) as third:
            lives = [first, second, third]
            for live in lives:
                live.wait_for("news")
            while (mover := next((live for live in lives[:2] if live.table["legal"]), None)) is not None:
                before, legal = mover.table["number"], mover.table["legal"]
                eager = [move for move in legal if "H" in move] or [move for move in legal if move != "."]
                mover.ask("move", decision=mover.table["decision"], moves=[dice.choice(eager or legal)])
                for live in lives:
                    while live.table["number"] <= before:
                        live.wait_for("news")
                if first.table["status"] == "running" and (tokens := [drawn_tokens(live) for live in lives])[0]:
                    for seen_by, events in enumerate(tokens):
                        for owner, move in events:
                            assert bool(re.fullmatch("=[2-5]", move)) == (owner == seen_by)
                            assert (move == "=?") == (owner != seen_by)
                    return
    raise AssertionError("no token was ever drawn")


def drawn_tokens(live: Live) -> list[tuple[int, str]]:
    """Whose tokens were drawn, and what was seen of them."""
    return [
        (event["told"][0]["arguments"]["seat"], event["move"])
        for event in live.events
        if event["key"] == "drawn" and event["told"][0]["key"] == "token-drawn"
    ]
