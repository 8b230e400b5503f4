"""Why a move was bad, in the words of the games: from the difference between the best line and the one played."""

import pytest

import mchezo
from mchezo.cli.analyse import sentence
from mchezo.core.effects import Effect, Value
from mchezo.core.reasons import Line, Reason, gaps
from mchezo.games.katarenga.evaluate import FEATURES, weights
from mchezo.games.katarenga.why import THEMES
from mchezo.search.analysis import analyst
from mchezo.search.players import WORDS
from mchezo.search.reasons import why
from mchezo.search.thought import Thought

ALIKE = "RGBYRGBY/" * 7 + "RGBYRGBY"  # a board of Katarenga whose files are all of one colour
MIXED = "BYGRRYBG/GYRYGYGR/RBGBBBRY/YRBGYRGB/BGRYYBGR/YRGBRBYY/RBYGBGRG/GBYRGRYB"
TURNED = "GRYBRYGB/BGRGGYRY/YYBRBBGR/RGBYYRBG/RYBGYBGR/GRGBRGYY/YYBRGRBB/BGRYBYRG"
OTHER = "BYRGRYBG/GRBBGRGB/RGYYYYBR/YBGRBGRY/YRGBRGBY/BBRYYYBR/GYGRGRGB/RYBGBYRG"


def reasons(at: mchezo.Position, best: str, played: str) -> list[Reason]:
    """Return the advantages of one line over another, the greatest first."""

    def line(moves: str) -> Line:
        end = at.copy()
        for move in moves.split():
            end.play(move)
        return Line(end, len(at.steps))

    assert at.to_move is not None
    found = at.game.evaluation.why(line(best), line(played), at.setups, at.to_move)
    return sorted((one for one in found if one.value > 0), key=lambda one: -one.value)


def katarenga(position: str, board: str = TURNED) -> mchezo.Position:
    return mchezo.game("katarenga").start(board=board, position=position, choose_baseline=False)


def kiwara(moves: str) -> mchezo.Position:
    """Return a game of Kiwara on the board of the box."""
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


def test_a_capture_that_is_missed_is_not_called_a_lost_pawn() -> None:
    at = katarenga("1bb1bb2/2b3b1/1b5b/8/8/6w1/1w2w3/w1ww1ww1 w - -")
    reason = reasons(at, "d1-b3 b6xg1 b3xb8 g1-a0 c1xc7", "d1-c2 c7xc2 c1xc2 c8-a6 b2-e5")[0]
    assert (reason.key, reason.arguments["count"]) == ("won-pawn", 1)


def test_a_pawn_that_is_left_to_the_enemy_is_lost() -> None:
    at = katarenga("b1b5/7w/7b/8/8/8/5ww1/b6w w - -", OTHER)
    reason = reasons(at, "h7xh6 c8-c3 f2-e2 c3-d3", "f2-f6 h6xh7 h1-f2 a1-h0")[0]
    assert (reason.key, reason.arguments["count"]) == ("pawn", 1)


def test_an_enemy_who_enters_a_camp_at_once_is_the_reason_and_much_later_is_not() -> None:
    soon = katarenga("1bb1bb2/6b1/7b/4w3/8/8/1wb1w3/w1w2wb1 w - -")
    assert reasons(soon, "e5xb8 g1xf1 c1xf1 c8-h3", "e2-f4 g1-a0 f1-d3 c2xc1")[0].key == "camp-other"
    late = katarenga("1bb1bb2/6b1/1b5b/8/8/6w1/1wb1w3/w1w2ww1 w - -")
    found = reasons(late, "c1xc2 g7xg3 g1xg3 c8-a6 b2-e5 f8-b4", "g3-e5 c2xc1 e2xc1 b6xg1 e5xb8 g1-a0")
    assert found[0].key == "won-pawn"
    assert "camp-other" not in {one.key for one in found}


def test_a_camp_that_could_have_been_entered_at_once_is_named() -> None:
    board = "GRYBGBRY/BBRGRGBB/YYGRYRYG/RGBYBGYR/RGYBBYRG/YRYGGRGB/BGBRRBYY/GBRYYBGR"
    at = katarenga("3w1bb1/1bb5/1b6/8/8/1w6/3ww3/b6w w - -", board)
    lines = "d8-a9 a1xb3 d2-a2 c7-c2 e2-e6 b3-b1", "e2-e6 a1xb3 d8-a9 b3-b1 d2-d6 b1-a0"
    assert reasons(at, *lines)[0].key == "camp-own"


def test_a_choice_of_side_is_explained_by_the_side() -> None:
    at = mchezo.game("katarenga").start(board=MIXED, choose_baseline=True)
    assert [one.key for one in reasons(at, "turn90", "turn270")] == ["side"]


def test_a_territory_is_named_with_the_points_that_are_seen_in_it() -> None:
    at = kiwara("T5 Gf5 +2")
    (reason,) = (one for one in reasons(at, "Zd2 +3", "Za2 +3") if one.arguments.get("territory") == "C")
    assert reason.key == "territory-missed"
    assert (reason.arguments["points"], reason.arguments["seat"]) == (6, at.to_move)
    (left,) = (one for one in reasons(at, "Zd2 +3", "Za2 +3 Zd5 +2") if one.arguments.get("territory") == "C")
    assert left.key == "territory-missed"  # after one turn, as much as can be compared


def test_what_only_the_reply_brings_is_said_to_come_after_it() -> None:
    at = kiwara("T5 Gf5 +2 Za2")  # where Yellow sets the totem decides what Red can take
    found = reasons(at, "+3 Gd5 +1", "+2 Zf4 +1")
    assert found
    assert all(one.arguments["when"] == "next" for one in found if one.key.startswith("territory"))
    assert "when" not in reasons(kiwara("T5 Gf5 +2"), "Zd2 +3 Zd5 +2", "Za2 +3 Zd5 +3")[0].arguments


def test_a_territory_with_more_points_is_never_called_poorer() -> None:
    at = kiwara("T5 Gf5 +2 Za2 +3 Zb5 +1 Zf4 +1 Ge1 +3 Gb3 +1 Ea4 +2 Cd4 +1 Ze3 +1")
    for better, worse in (("Zb2 +3 Gb4 +1", "Gc2 +3 Gb2 +1"), ("Gc2 +3 Gb2 +1", "Zb2 +3 Gb4 +1")):
        for one in reasons(at, better, worse):
            if one.key in ("territory-poorer", "territory-richer"):
                assert one.arguments["points"] >= 4  # type: ignore[operator]


def test_the_animal_that_is_named_is_the_one_that_the_move_places() -> None:
    at = kiwara("T5 Gf5 +2 Za2 +3 Zb5 +1 Zf4 +1 Ge1 +3 Gb3 +1 Ea4 +2")
    # In the second line a crocodile is used, too, but later.
    lines = reasons(at, "Gd4 +1 Zd3 +2 Gd1 +2 Gb2 +2", "Zd4 +1 Ze3 +2 Cf1 +2 Gb2 +1")
    assert {one.arguments["animal"] for one in lines if one.key == "animal-own"} <= {"Z"}
    assert reasons(at, "Gd4 +1", "Cd4 +1")[0].arguments["animal"] == "C"


def test_a_card_that_is_not_gained_is_missed_and_not_wasted() -> None:
    at = mchezo.game("kiwara").start(position="2Z3/3e2/6/E1C3/g3l1 1 r - - - -")
    found = {one.key: one.arguments for one in reasons(at, "Gb5", "Gb3")}
    assert found["card-missed"]["card"] == "okapi"
    assert "card-own" not in found


def test_a_kingdom_that_loses_one_card_is_told_so() -> None:
    words = mchezo.game("kitara").words
    assert words.say("why-card", seat="Red", points=2) == "Red keeps one card fewer: about 2 points by the end."


def test_a_reason_that_explains_little_is_not_given() -> None:
    at = kiwara("T5 Gf5 +2")

    def thought(moves: str, chance: float, points: tuple[float, float]) -> Thought:
        return Thought(tuple(moves.split()), 2, (chance, 1 - chance), points, 1, 1, False)

    best = thought("Zd2 +3 Zd5 +2", 0.9, (50.0, 30.0))
    made = thought("Za2 +3 Zd5 +3", 0.05, (40.0, 45.0))
    found = why(at, best, made, analyst("kiwara"))
    assert found == Effect("less-points", {"seat": 0, "points": 25})  # of the lead


def test_a_later_position_is_announced_in_the_sentence() -> None:
    at = kiwara("T5 Gf5 +2")
    given: dict[str, Value] = {"territory": "C", "points": 6, "seat": 0, "other": 1}
    now = sentence(at, Effect("territory-missed", given))
    later = sentence(at, Effect("territory-missed", {**given, "when": "next"}))
    assert later == f"After the expected reply: {now}"


def test_where_only_winning_counts_a_forced_end_is_the_reason() -> None:
    at = mchezo.game("katarenga").start(seed=1, position="w7/4b3/8/8/8/8/8/b3w3 w h a")
    played = next(move for move in at.legal_moves if move.startswith("e1-"))
    at.play(played)
    (moment,) = mchezo.analyse(at, nodes=5_000).moments
    assert moment.why is not None
    assert moment.why.key in ("misses-now", "loses-now")
    assert moment.why.arguments["moves"] == 1


def test_an_even_exchange_costs_no_pawn() -> None:
    at = katarenga("1bb1bb2/6b1/1b5b/8/8/6w1/1wb1w3/w1w2ww1 w - -")
    keys = {one.key for one in reasons(at, "b2-e5", "c1xc2 g7xg3")}
    assert not keys & {"pawn", "pawns"}


@pytest.mark.parametrize("name", mchezo.games())
def test_every_reason_has_a_sentence_with_its_gaps_filled(name: str) -> None:
    game = mchezo.game(name)
    best, played = game.start(seed=1), game.start(seed=1)
    for number in range(12):
        best.play(best.legal_moves[0])
        played.play(played.legal_moves[-1 if number > 8 else 0])
    for reason in game.evaluation.why(Line(best, 9), Line(played, 9), best.setups, 0):
        assert game.words.say(f"why-{reason.key}", "de", **reason.arguments)


def test_the_players_own_reasons_have_sentences() -> None:
    assert WORDS.say("why-less")
    assert WORDS.say("why-less-points", seat="White", points=2.5)
    assert WORDS.say("why-loses", other="Black", moves=2)
    assert WORDS.say("why-loses-now", other="Black")
    assert WORDS.say("why-misses", seat="White", moves=2)
    assert WORDS.say("why-misses-now", seat="White")
    assert WORDS.say("when-end", reason="So it goes.") == "At the end of the game: So it goes."
