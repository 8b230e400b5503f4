"""What a seat may not see makes no difference to any byte that it is sent."""

import random
import re

import pytest

import mchezo
from tests.server.serving import Client
from tests.server.worlds import compare


@pytest.mark.parametrize("game", mchezo.games())
def test_every_byte_is_the_same_in_worlds_that_differ_in_what_is_hidden(game: str) -> None:
    totals = [compare(game, number) for number in range(6)]
    assert sum(compared for compared, _ in totals) > 100_000
    if game == "kitara":
        assert sum(worlds for _, worlds in totals) > 2  # tokens were drawn, and redrawn


def test_over_the_network_a_token_is_seen_by_its_owner_alone(ada: Client, ben: Client) -> None:
    drawn = 0
    for number in range(20):
        table = ada.make("kitara")["id"]
        ben.do(table, "join")
        dice = random.Random(number)
        with ada.live(table) as first, ben.live(table) as second, Client(ada.address).live(table) as third:
            lives = [first, second, third]
            for live in lives:
                live.wait_for("news")
            for _ in range(150):
                mover = next((live for live in lives[:2] if live.table["legal"]), None)
                if mover is None or mover.table["status"] == "over":
                    break
                number_before = mover.table["number"]
                mover.ask("move", decision=mover.table["decision"], moves=[dice.choice(mover.table["legal"])])
                for live in lives:
                    while live.table["number"] <= number_before:
                        live.wait_for("news")
            tokens = [
                [
                    (event["number"], event["told"][0]["arguments"]["seat"], event["move"])
                    for event in live.events
                    if event["key"] == "drawn" and event["told"][0]["key"] == "token-drawn"
                ]
                for live in lives
            ]
            if lives[0].table["status"] == "running":
                for seen_by, events in enumerate(tokens):
                    for _, owner, move in events:
                        drawn += 1
                        assert bool(re.fullmatch("=[2-5]", move)) == (owner == seen_by)
                        assert (move == "=?") == (owner != seen_by)
        if drawn:
            return
    raise AssertionError("no token was ever drawn")
