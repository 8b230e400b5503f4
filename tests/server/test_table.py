"""A table follows from its log; commands lead to facts, or to an error with its own code."""

import random
from typing import Any

import pytest

import mchezo
from mchezo.core.chance import Seed
from mchezo.server import messages
from mchezo.server.domain import commands, log, playing
from mchezo.server.domain.creation import create_table
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.messages import (
    Answer,
    Ask,
    Claim,
    ClockRules,
    CreateTable,
    Join,
    Leave,
    Move,
    Resign,
    SeatPlan,
    Touch,
)
from mchezo.server.projection.events import project_event
from mchezo.server.projection.records import export_record
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.trial import try_moves
from mchezo.server.projection.viewers import AUTO
from tests.server.contexts import (
    ADA,
    BEN,
    CAY,
    OPEN,
    YOU,
    computer,
    context,
    do,
    make,
    new_id,
    owner,
    play,
    play_random,
    refused,
    stored,
    two,
)

BLITZ = ClockRules(180_000, 2_000)


def move(table: Table, *moves: str) -> Move:
    assert table.decision is not None
    return Move(new_id(), table.decision, list(moves))


# Before the game


def test_a_table_starts_by_itself_when_the_last_seat_is_taken() -> None:
    table = make("katarenga")
    assert (table.status, table.to_move) == ("open", None)
    table = do(table, BEN, Join(new_id()))
    assert (table.status, table.to_move) == ("running", 1)  # Black chooses the baseline
    assert [occupant.name for occupant in table.seats] == ["Ada", "Ben"]


def test_seats_are_drawn_from_the_seed_unless_they_are_chosen() -> None:
    orders = set()
    for number in range(8):
        seed = f"{number:064x}"
        table = do(make("kitara", (YOU, OPEN, computer()), seed=seed, lot=True), BEN, Join(new_id()))
        began = next(fact for fact in table.log if isinstance(fact, log.GameStarted))
        first = Seed(seed).draw("lot", 0, 3)
        assert began.order[0] == first
        assert [occupant.name for occupant in table.seats] == [["Ada", "Ben", "Level 1"][old] for old in began.order]
        orders.add(tuple(began.order))
    assert len(orders) > 2


def test_clocks_follow_their_players_when_seats_are_drawn() -> None:
    seats = (SeatPlan("you", clock=ClockRules(60_000)), SeatPlan("open", clock=ClockRules(300_000)))
    for number in range(6):
        table = do(make("kiwara", seats, seed=f"{number:064x}", lot=True), BEN, Join(new_id()))
        assert table.clock is not None
        assert dict(zip([occupant.name for occupant in table.seats], table.clock.left, strict=True)) == {
            "Ada": 60_000,
            "Ben": 300_000,
        }


def test_a_private_table_is_joined_with_the_key_of_a_seat() -> None:
    table = make(public=False)
    key = table.seats[1].key
    assert key is not None
    assert refused(table, BEN, Join(new_id())) == ("bad-key", "key-needed")
    for wrong in ("x" * 24, "schlüssel", key[:-1], key.lower()):
        assert refused(table, BEN, Join(new_id(), key=wrong)) == ("bad-key", "bad-key")
    assert refused(table, BEN, Join(new_id(), key=key, name=" \t ")) == ("bad-request", "name-empty")
    assert do(table, BEN, Join(new_id(), key=key)).status == "running"


def test_a_seat_that_is_given_back_has_a_new_link() -> None:
    table = do(make("kitara", (YOU, OPEN, OPEN)), BEN, Join(new_id(), seat=2))
    key = table.seats[1].key
    again = do(table, BEN, Leave(new_id(), 2))
    assert again.seats[2].kind == "open"
    assert again.seats[2].key not in (None, key)
    assert again.seats_of("ben") == []


def test_one_guest_may_hold_all_seats_on_a_shared_screen() -> None:
    table = make(seats=(SeatPlan("you", "Mum"), SeatPlan("you", "Kid")))
    assert table.status == "running"
    assert table.seats_of("ada") == [0, 1]
    table = play(table, "turn0")
    assert project_table(table, "ada", AUTO, 0).seat == 0


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"seats": (computer(), computer())}, ("invalid-setup", "only-computers")),
        ({"seats": (YOU, SeatPlan("computer"))}, ("invalid-setup", "level-missing")),
        ({"seats": (YOU, OPEN, OPEN)}, ("invalid-setup", "seats-count")),
        ({"game": "kiwara", "touch_move": True}, ("not-possible", "no-touch-move")),
        ({"game": "kitara", "series": True}, ("not-possible", "no-series")),
    ],
)
def test_an_impossible_setup_is_refused(given: dict[str, Any], expected: tuple[str, str]) -> None:
    with pytest.raises(TableError) as caught:
        make(**given)
    assert (caught.value.code, caught.value.key) == expected


def test_joining_is_refused_to_seated_players_and_once_the_game_is_running() -> None:
    assert refused(make(), ADA, Join(new_id())) == ("not-open", "already-seated")
    assert refused(make("kitara", (YOU, OPEN, OPEN)), BEN, Join(new_id(), seat=0)) == ("not-open", "seat-taken")
    assert refused(two(), CAY, Join(new_id())) == ("not-open", "already-started")
    assert refused(two(), ADA, Leave(new_id(), 0)) == ("not-open", "already-started")


# Moves


@pytest.mark.parametrize("game", mchezo.games())
def test_replaying_the_log_of_a_game_gives_the_same_table(game: str) -> None:
    table = play_random(two(game), random.Random(1))
    assert table.status == "over"
    again = Table(table.id, stored(table.log))
    for guest in ("ada", "ben", None):
        assert messages.encode(project_table(again, guest, AUTO, 5)) == messages.encode(
            project_table(table, guest, AUTO, 5)
        )
        events = [project_event(table, number, None) for number in range(table.number + 1)]
        assert events == [project_event(again, number, None) for number in range(table.number + 1)]


@pytest.mark.parametrize("game", mchezo.games())
def test_a_finished_game_can_be_verified_with_its_seed(game: str) -> None:
    table = play_random(two(game), random.Random(2))
    record = mchezo.Record.parse(str(export_record(table)))
    assert record.verify() is not None
    assert record.seed == table.creation.seed
    assert record.seed_hash == project_table(table, None, None, 0).seed_hash


def test_every_reason_to_refuse_a_move_has_its_own_code() -> None:
    table = play(two(), "turn0")
    assert table.decision is not None
    assert refused(make(), ADA, Move(new_id(), 0, ["a1-a2"])) == ("not-running", "not-started")
    assert refused(table, CAY, move(table, "a1-a2")) == ("not-your-seat", "not-seated")
    assert refused(table, ADA, Move(new_id(), table.decision, ["a1-a2"], seat=1)) == ("not-your-seat", "not-your-seat")
    assert refused(table, BEN, move(table, "a8-a7")) == ("not-your-turn", "not-your-turn")
    assert refused(table, ADA, Move(new_id(), table.decision - 1, ["a1-a2"])) == ("stale", "stale")
    assert refused(table, ADA, Move(new_id(), table.decision + 1, ["a1-a2"])) == ("stale", "stale")
    assert refused(table, ADA, move(table, "castle")) == ("unreadable", "unreadable")
    assert refused(table, ADA, move(table, "a8-a7"))[0] == "illegal"
    legal = table.legal[0]
    assert refused(table, ADA, move(table, legal, legal)) == ("illegal", "beyond-turn")
    over = do(table, ADA, Resign(new_id()))
    assert refused(over, ADA, Move(new_id(), table.decision, [legal])) == ("not-running", "over")


def test_a_turn_of_several_decisions_is_one_submission_and_never_crosses_chance() -> None:
    table = two("kitara")
    table = play(table, table.legal[0])
    table = play(table, table.legal[0])
    draft = table.legal[0]
    assert refused(table, owner(table), move(table, draft, "W@a1")) == ("illegal", "beyond-chance")
    table = play(table, draft)
    assert any(isinstance(fact, log.ChanceResolved) for fact in table.log[-6:])
    kiwara = play(two("kiwara"), "T0")
    kiwara = play(kiwara, "Za1", "+1")
    assert kiwara.to_move == 0
    assert [submission.seat for submission in kiwara.submissions] == [0, 1]


def test_a_draw_offer_does_not_make_a_move_stale() -> None:
    table = play(two(), "turn0")
    answer = move(table, table.legal[0])
    table = do(table, BEN, Ask(new_id(), "draw"))
    assert do(table, ADA, answer).moves_made == 2


# Clocks


def test_clocks_start_with_the_first_move_and_run_for_the_player_to_decide() -> None:
    table = two(clock=BLITZ)
    assert table.clock is not None
    assert table.clock.running is None
    table = play(table, "turn0", now=2_000_000)
    assert (table.clock and table.clock.running) == 0
    table = play(table, table.legal[0], now=2_010_000)
    assert table.clock is not None
    assert (table.clock.left, table.clock.running) == ((172_000, 180_000), 1)


def test_a_move_after_the_time_is_up_is_refused_and_the_time_out_follows() -> None:
    table = play(two(clock=BLITZ), "turn0")
    late = 1_000_000 + 180_000 + 600
    assert refused(table, ADA, move(table, table.legal[0]), now=late) == ("not-possible", "time-is-up")
    assert playing.time_out(table, context(now=1_000_000 + 180_000)) is None
    change = playing.time_out(table, context(now=late))
    assert change is not None
    end = change.facts[-1]
    assert isinstance(end, log.GameEnded)
    assert (end.winners, end.reason) == ([1], "time-out")


def test_in_a_retreat_the_retreating_players_clock_runs() -> None:
    for number in range(30):
        table = two("kitara", clock=ClockRules(3_600_000), seed=f"{number:064x}")
        rng = random.Random(number)
        while table.to_move is not None:
            assert table.position is not None
            view = table.position.view()
            if view["decision"] == "retreat":
                assert table.clock is not None
                assert table.clock.running == table.to_move == view["retreating"] != view["turn"]
                return
            table = play(table, rng.choice(table.legal))
    raise AssertionError("nobody ever had to choose a retreat")


# Leaving the game


def test_of_two_players_the_other_wins_by_resignation() -> None:
    table = do(play(two(), "turn0"), BEN, Resign(new_id()))
    assert table.ending is not None
    assert (table.ending.winners, table.ending.reason) == ([0], "resignation")
    record = mchezo.Record.parse(str(export_record(table)))
    record.verify()
    assert record.outcome is not None
    assert record.outcome.reason == "resignation"


def test_of_three_players_a_computer_replaces_one_and_ranks_last() -> None:
    table = do(make("kitara", (YOU, OPEN, OPEN), stand_in=3), BEN, Join(new_id()))
    table = do(table, CAY, Join(new_id()))
    table = do(table, BEN, Resign(new_id()))
    assert (table.status, table.computer_level(1), table.dropped_out) == ("running", 3, {1: "resignation"})
    assert refused(table, BEN, Resign(new_id())) == ("not-your-seat", "not-seated")
    rng = random.Random(5)
    while table.to_move is not None:
        assert table.decision is not None
        legal = table.legal
        if table.computer_level(table.to_move):
            change = playing.computer_move(table, table.decision, table.to_move, [rng.choice(legal)], context())
            for fact in change.facts:
                table.apply(fact)
        else:
            table = play(table, rng.choice(legal))
    assert table.ending is not None
    assert 1 not in table.ending.winners
    assert table.ending.winners
    mchezo.Record.parse(str(export_record(table))).verify()


def test_the_last_player_left_wins() -> None:
    table = do(do(make("kitara", (YOU, OPEN, OPEN)), BEN, Join(new_id())), CAY, Join(new_id()))
    table = do(do(table, BEN, Resign(new_id())), ADA, Resign(new_id()))
    assert table.ending is not None
    assert table.ending.winners == [2]


def test_an_abandoned_seat_can_be_claimed_only_after_the_grace_period() -> None:
    table = play(two(grace=60_000), "turn0")
    claim = Claim(new_id(), 0)
    assert refused(table, BEN, claim, away={0: 59_000}) == ("not-possible", "not-claimable")
    assert refused(table, ADA, Claim(new_id(), 0), away={0: 99_000}) == ("not-possible", "not-claimable")
    assert refused(table, BEN, Claim(new_id(), 1), away={1: 99_000}) == ("not-possible", "not-claimable")
    assert refused(table, CAY, claim, away={0: 99_000}) == ("not-your-seat", "not-seated")
    won = do(table, BEN, claim, away={0: 60_000})
    assert won.ending is not None
    assert (won.ending.winners, won.ending.reason) == ([1], "abandoned")


def test_a_computer_takes_over_an_abandoned_seat_if_the_table_says_so() -> None:
    table = do(play(two(abandoned="computer"), "turn0"), BEN, Claim(new_id(), 0), away={0: 999_999})
    assert (table.status, table.computer_level(0)) == ("running", 4)


# Questions


def test_a_draw_needs_the_other_players_agreement() -> None:
    table = do(play(two(), "turn0"), ADA, Ask(new_id(), "draw"))
    assert refused(table, ADA, Answer(new_id(), "draw", True)) == ("not-possible", "already-asked")
    assert refused(table, CAY, Answer(new_id(), "draw", True)) == ("not-your-seat", "not-seated")
    drawn = do(table, BEN, Answer(new_id(), "draw", True))
    assert drawn.ending is not None
    assert (drawn.ending.winners, drawn.ending.reason) == ([], "agreement")
    declined = do(table, BEN, Answer(new_id(), "draw", False))
    assert refused(declined, ADA, Ask(new_id(), "draw")) == ("too-often", "declined-already")
    assert refused(declined, BEN, Answer(new_id(), "draw", True)) == ("not-possible", "not-asked")
    assert do(table, BEN, Ask(new_id(), "draw")).status == "over"


def test_questions_are_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MAX_FACTS", 20)
    table = two()
    while table.number < 20:
        player, other = (ADA, BEN) if owner(table) == ADA else (BEN, ADA)
        table = play(table, table.legal[0])
        table = do(table, player, Ask(new_id(), "takeback"))
        table = do(table, other, Answer(new_id(), "takeback", yes=True))
    assert refused(table, ADA, Ask(new_id(), "draw")) == ("not-possible", "log-full")
    table = play(table, table.legal[0])
    assert do(table, BEN, Resign(new_id())).status == "over"


def test_an_open_table_is_not_joined_and_left_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "MAX_FACTS", 20)
    table = make("kitara", (YOU, OPEN, OPEN), options={"players": 3})
    while table.number < 20:
        table = do(table, BEN, Join(new_id()))
        table = do(table, BEN, Leave(new_id(), seat=1))
    assert refused(table, BEN, Join(new_id())) == ("not-possible", "log-full")


def test_draws_are_offered_only_where_the_game_has_them() -> None:
    assert refused(two("kiwara"), ADA, Ask(new_id(), "draw")) == ("not-possible", "no-draws")
    against = make(seats=(YOU, computer()))
    assert refused(against, ADA, Ask(new_id(), "draw")) == ("not-possible", "computer-no-draw")


def test_a_takeback_needs_agreement_and_undoes_the_last_submission() -> None:
    table = play(two(), "turn0")
    table = play(table, table.legal[3])
    assert table.position is not None
    before = play(two(), "turn0").position
    assert before is not None
    table = do(table, ADA, Ask(new_id(), "takeback"))
    assert table.moves_made == 2
    back = do(table, BEN, Answer(new_id(), "takeback", True))
    assert back.position is not None
    assert back.position.view() == before.view()
    assert back.to_move == 0
    assert back.decision is not None
    assert table.decision is not None
    assert back.decision > table.decision  # a move for the earlier decision comes too late
    again = play(back, back.legal[0])
    assert Table(again.id, stored(again.log)).position is not None


def test_against_computers_a_move_is_taken_back_at_once() -> None:
    table = make(seats=(computer(), YOU))
    table = play(table, "turn90")
    assert do(table, ADA, Ask(new_id(), "takeback")).moves_made == 0


def test_what_was_revealed_cannot_be_taken_back() -> None:
    table = two("kitara")
    while not (isinstance(table.log[-1], log.ChanceResolved) and table.submissions):
        table = play(table, table.legal[0])
    asker = next(who for who in (ADA, BEN) if table.seats[table.submissions[-1].seat].holder == who.guest)
    assert refused(table, asker, Ask(new_id(), "takeback")) == ("revealed", "revealed")


def test_takebacks_are_refused_where_the_table_does_not_allow_them() -> None:
    assert refused(play(two(takeback=False), "turn0"), BEN, Ask(new_id(), "takeback")) == (
        "not-possible",
        "no-takeback",
    )
    assert refused(two(), ADA, Ask(new_id(), "takeback")) == ("not-possible", "nothing-to-take-back")
    touching = play(two(touch_move=True), "turn0")
    assert refused(touching, BEN, Ask(new_id(), "takeback")) == ("not-possible", "no-takeback")


def test_a_touched_pawn_must_move_if_it_can() -> None:
    table = play(two(touch_move=True, options={"board": "A0B0C0D0", "choose_baseline": True}), "turn0")
    assert table.decision is not None
    place = table.legal[0][:2]
    table = do(table, ADA, Touch(new_id(), table.decision, place))
    assert table.touched == place
    assert {text[:2] for text in table.legal} == {place}
    assert table.position is not None
    other = next(text for text in table.position.legal_moves if text[:2] != place)
    assert refused(table, ADA, move(table, other)) == ("illegal", "touched-must-move")
    assert refused(table, ADA, Touch(new_id(), table.decision or 0, "h1")) == ("illegal", "touched-must-move")
    assert play(table, table.legal[0]).touched is None
    assert refused(play(two(touch_move=True), "turn0"), ADA, Touch(new_id(), 3, "d5")) == (
        "not-possible",
        "touch-nothing",
    )


# Rematches and series


def resigned(table: Table) -> Table:
    return do(table, ADA, Resign(new_id()))


def test_a_rematch_needs_everybody_and_keeps_the_players() -> None:
    table = resigned(two())
    assert refused(two(), ADA, Ask(new_id(), "rematch")) == ("not-running", "not-over")
    asked = do(table, BEN, Ask(new_id(), "rematch"))
    change = commands.decide(asked, Answer(new_id(), "rematch", True), context(ADA, seed="ab" * 32))
    assert change.new_table is not None
    id, facts = change.new_table
    following = Table(id, facts)
    assert following.status == "running"
    assert {occupant.holder for occupant in following.seats} == {"ada", "ben"}
    assert following.creation.previous == table.id
    for fact in change.facts:
        asked.apply(fact)
    assert asked.next_table == id
    assert refused(asked, ADA, Ask(new_id(), "rematch")) == ("not-possible", "continued")


def test_revenge_turns_the_board_of_katarenga_and_swaps_the_seats_of_kiwara() -> None:
    table = play(two(), "turn0")
    assert table.position is not None
    board = table.position.view()["board"]
    table = do(resigned(table), ADA, Ask(new_id(), "revenge"))
    change = commands.decide(table, Answer(new_id(), "revenge", True), context(BEN))
    assert change.new_table is not None
    new = Table(*change.new_table)
    assert [occupant.name for occupant in new.seats] == ["Ada", "Ben"]
    assert new.creation.options["board"] == board[::-1]
    kiwara = do(resigned(two("kiwara")), ADA, Ask(new_id(), "revenge"))
    change = commands.decide(kiwara, Answer(new_id(), "revenge", True), context(BEN))
    assert change.new_table is not None
    assert [occupant.name for occupant in Table(*change.new_table).seats] == ["Ben", "Ada"]
    kitara = resigned(two("kitara"))
    assert refused(kitara, ADA, Ask(new_id(), "revenge")) == ("not-possible", "no-revenge")


@pytest.mark.parametrize("swap", [False, True])
def test_a_series_is_played_in_pairs_until_one_player_leads(swap: bool) -> None:
    table = two(series=True, swap=swap)
    losers = [ADA, BEN, ADA, ADA]
    for number, loser in enumerate(losers, start=1):
        change = commands.decide(table, Resign(new_id()), context(loser))
        for fact in change.facts:
            table.apply(fact)
        score = project_table(table, None, None, 0).series
        assert score is not None
        assert score.game == number
        if number == len(losers):
            assert change.new_table is None
            assert (score.score, score.winner) == ([1.0, 3.0], 1)
        else:
            assert score.winner is None
            assert change.new_table is not None
            table = Table(*change.new_table)
            expected = ["Ben", "Ada"] if swap and number % 2 else ["Ada", "Ben"]
            assert [occupant.name for occupant in table.seats] == expected


def test_a_record_can_be_continued_from_any_move() -> None:
    table = play_random(two("kiwara"), random.Random(3))
    text = str(export_record(table))
    request = CreateTable("kiwara", [YOU, OPEN], record=text, at=9, public=True)
    facts = create_table(request, {}, None, lambda game, level: ("", None), context(), "N" * 12)
    on = do(Table("N" * 12, facts), BEN, Join(new_id()))
    assert on.position is not None
    assert table.position is not None
    assert on.position.moves == table.position.moves[:9]
    assert project_table(on, None, None, 0).seed_hash is None  # its first draws do not follow from our seed
    with pytest.raises(TableError, match="game is over"):
        create_table(
            CreateTable("kiwara", [YOU, OPEN], record=text), {}, None, lambda g, n: ("", None), context(), "N" * 12
        )


# Views


def test_the_available_commands_are_exactly_those_that_would_be_accepted() -> None:
    table = play(two(), "turn0")
    table = play(table, table.legal[0])
    assert project_table(table, "ada", AUTO, 0).may == ["resign", "ask-draw", "ask-takeback"]
    assert project_table(table, "cay", AUTO, 0).may == []
    table = do(table, ADA, Ask(new_id(), "draw"))
    assert "answer-draw" in project_table(table, "ben", AUTO, 0).may
    assert "withdraw-draw" in project_table(table, "ada", AUTO, 0).may
    assert project_table(make(), "cay", AUTO, 0).may == ["join"]
    assert project_table(resigned(two()), "ben", AUTO, 0).may == ["ask-rematch", "ask-revenge"]
    alone = make(seats=(computer(), YOU))
    assert "hint" in project_table(alone, "ada", AUTO, 0).may


def test_nobody_gets_the_view_of_a_seat_that_is_not_theirs() -> None:
    with pytest.raises(TableError, match="not yours"):
        project_table(two("kitara"), "ada", 1, 0)
    with pytest.raises(TableError, match="not yours"):
        project_table(two("kitara"), None, 0, 0)
    assert project_table(two("kitara"), "cay", AUTO, 0).seat is None


def test_only_the_creator_sees_the_keys_of_open_seats() -> None:
    table = make(public=False)
    assert list(project_table(table, "ada", AUTO, 0).keys) == ["1"]
    assert project_table(table, "ben", AUTO, 0).keys == {}
    assert project_table(table, None, None, 0).keys == {}


def test_a_trial_stores_nothing_and_stops_before_chance() -> None:
    table = two("kiwara")
    table = play(table, "T0")
    number = table.number
    tried = try_moves(table, "ben", messages.Try(table.decision or 0, ["Za1"], previews=True))
    assert table.number == number
    assert (tried.turn_over, tried.chance, tried.legal[:1]) == (False, False, ["+1"])
    assert tried.previews is not None
    assert tried.previews["+1"].told[0].key == "totem-moved"
    done = try_moves(table, "ben", messages.Try(table.decision or 0, ["Za1", "+2"]))
    assert (done.turn_over, done.legal) == (True, [])
    kitara = two("kitara")
    kitara = play(play(kitara, kitara.legal[0]), kitara.legal[1])
    waiting = try_moves(kitara, "ada", messages.Try(kitara.decision or 0, [kitara.legal[0]]))
    assert (waiting.chance, waiting.legal) == (True, [])
    for asked, guest, key in (
        (messages.Try(kitara.decision or 0, [kitara.legal[0], "."]), "ada", "beyond-chance"),
        (messages.Try(0), "ada", "stale"),
        (messages.Try(kitara.decision or 0), "ben", "not-your-turn"),
        (messages.Try(kitara.decision or 0), "cay", "not-seated"),
    ):
        with pytest.raises(TableError) as caught:
            try_moves(kitara, guest, asked)
        assert caught.value.key == key


def test_previews_show_what_a_lion_would_do() -> None:
    table = two("kiwara", options={"position": "1G4/Z1z3/6/6/6 1 y - - - -"})
    tried = try_moves(table, "ada", messages.Try(table.decision or 0, previews=True))
    assert tried.previews is not None
    told = [(told.key, told.arguments.get("space")) for told in tried.previews["Lb2"].told]
    assert told == [("placed", "b2"), ("hid", "a2"), ("hid", "c2"), ("went-home", "b1")]


def test_a_casual_game_against_computers_ends_without_a_result_when_its_player_wants_that() -> None:
    table = make(seats=(YOU, computer()))
    ended = table.after(playing.break_off(table, context()).facts)
    assert ended.ending is not None
    assert (ended.status, ended.ending.winners, ended.ending.reason) == ("over", [], "unfinished")
    assert Table(ended.id, stored(ended.log)).ending == ended.ending
    for other, who in ((table, BEN), (two(), ADA), (make(), ADA), (ended, ADA)):
        with pytest.raises(TableError):
            playing.break_off(other, context(who))


@pytest.mark.parametrize("given", [{"series": True}, {"days": 3}])
def test_a_game_on_which_more_depends_does_not_end_without_a_result(given: dict[str, Any]) -> None:
    table = make(seats=(YOU, computer()), **given)
    with pytest.raises(TableError):
        playing.break_off(table, context())
