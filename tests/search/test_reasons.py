"""Why a move was bad, in the words of the games: from the difference between the best line and the one played."""

import pytest

import mchezo
from mchezo.core.reasons import gaps
from mchezo.games.katarenga.evaluate import FEATURES, weights
from mchezo.games.katarenga.why import THEMES
from mchezo.search.players import WORDS


def position(moves: str) -> mchezo.Position:
    found = mchezo.game("kiwara").start(board="classic", chance="manual")
    for move in moves.split():
        found.play(move)
    return found


def test_a_lost_pawn_is_counted() -> None:
    board = "RGBYRGBY/" * 7 + "RGBYRGBY"
    start = mchezo.game("katarenga").start(board=board, position="bbbbbbbb/8/8/8/8/8/8/wwwwwwww w - -")
    poorer = mchezo.game("katarenga").start(board=board, position="bbbbbbbb/8/8/8/8/8/8/wwwwww2 w - -")
    found = gaps(
        start.states,
        poorer.states,
        start.setups,
        0,
        FEATURES["katarenga"],
        weights(start.setups[0]),
        THEMES["katarenga"],
    )
    pawns = next(gap for gap in found if gap.theme == "pawns")
    assert pawns.number == 2
    assert pawns.value > 0


def test_a_territory_that_is_given_up_is_named_with_its_points() -> None:
    start = position("T0")
    spaces = [move[1:] for move in start.legal_moves if move.startswith("Z")]
    mover = start.to_move
    assert mover is not None
    mine = start.copy()
    mine.play(f"Z{spaces[0]}")
    letter = start.view()["board"].split("/")[int(spaces[0][1]) - 1]["abcdef".index(spaces[0][0])]
    # The same zebra, seen by the other side: the player who places it leads the territory.
    (reason,) = [
        one
        for one in start.game.evaluation.why(mine.states, start.states, start.setups, mover)
        if one.key.startswith("territory") and one.arguments["territory"] == letter
    ]
    assert reason.key == "territory-not-won"
    assert reason.arguments["points"] == 6
    assert reason.value > 0
    (reason,) = [
        one
        for one in start.game.evaluation.why(start.states, mine.states, start.setups, 1 - mover)
        if one.key.startswith("territory") and one.arguments["territory"] == letter
    ]
    assert reason.key == "territory-left"
    assert reason.arguments["other"] == mover


def test_where_only_winning_counts_a_forced_end_is_the_reason() -> None:
    at = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h a")
    played = next(move for move in at.legal_moves if move.startswith("e1-"))
    at.play(played)
    (moment,) = mchezo.analyse(at, nodes=5_000).moments
    assert moment.why is not None
    assert moment.why.key in ("misses-now", "loses-now")
    assert moment.why.arguments["moves"] == 1


def test_an_even_exchange_costs_no_pawn_and_a_lost_one_does() -> None:
    board = "RGBYRGBY/" * 7 + "RGBYRGBY"
    full, even, poorer = (
        mchezo.game("katarenga").start(board=board, position=f"{black}/8/8/8/8/8/8/{white} w - -")
        for black, white in (("bbbbbbbb", "wwwwwwww"), ("bbbbbbb1", "wwwwwww1"), ("bbbbbbb1", "wwwww3"))
    )

    def keys(played: mchezo.Position) -> dict[str, object]:
        reasons = full.game.evaluation.why(full.states, played.states, full.setups, 0)
        return {one.key: one.arguments["count"] for one in reasons if one.key.startswith("pawn")}

    assert keys(even) == {}
    assert keys(poorer) == {"pawns": 2}


@pytest.mark.parametrize("name", mchezo.games())
def test_every_reason_has_a_sentence_with_its_gaps_filled(name: str) -> None:
    game = mchezo.game(name)
    best, played = game.start(seed=1), game.start(seed=1)
    for number in range(12):
        best.play(best.legal_moves[0])
        played.play(played.legal_moves[-1 if number > 8 else 0])
    for reason in game.evaluation.why(best.states, played.states, best.setups, 0):
        assert game.words.say(f"why-{reason.key}", "de", **reason.arguments)


def test_the_players_own_reasons_have_sentences() -> None:
    assert WORDS.say("why-less")
    assert WORDS.say("why-less-points", seat="White", points=2.5)
    assert WORDS.say("why-loses", other="Black", moves=2)
    assert WORDS.say("why-loses-now", other="Black")
    assert WORDS.say("why-misses", seat="White", moves=2)
    assert WORDS.say("why-misses-now", seat="White")
