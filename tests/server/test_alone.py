"""A table of one player and a rival that the rules play."""

import random
from dataclasses import replace

import msgspec
import pytest

import mchezo
from mchezo.server import messages
from mchezo.server.domain import log
from mchezo.server.domain.creation import create_from_record
from mchezo.server.domain.summary import result_row
from mchezo.server.domain.table import Table
from mchezo.server.errors import TableError
from mchezo.server.projection.events import project_event
from mchezo.server.projection.records import export_record
from mchezo.server.projection.replay import replay_steps
from mchezo.server.projection.table_view import project_table
from mchezo.server.projection.viewers import AUTO
from tests.server.contexts import ADA, YOU, computer, context, do, make, new_id, play, play_random, stored


def alone(**options: object) -> Table:
    return make("kitara", (YOU,), options=options, lot=True)


def test_a_table_for_one_starts_at_once_with_a_rival_in_the_second_seat() -> None:
    table = alone(rival=4, scenario="heirs")
    assert (table.status, table.to_move) == ("running", 0)
    assert [(occupant.kind, occupant.holder) for occupant in table.seats] == [("person", "ada"), ("rival", None)]
    assert table.creation.options["players"] == 1
    assert Table(table.id, stored(table.log)).seats == table.seats
    shown = project_table(table, "ada", AUTO, 1_000_000)
    seats = msgspec.json.decode(messages.encode(shown))["seats"]
    assert [seat["side"] for seat in seats] == ["first", "rival"]
    assert seats[1]["here"]
    assert "hint" in shown.may


def test_what_the_rival_does_is_told_as_moves_of_its_seat() -> None:
    table = play_random(alone(), random.Random(1))
    assert table.status == "over"
    facts = [number for number, fact in enumerate(table.log) if isinstance(fact, log.ChanceResolved)]
    events = [project_event(table, number, None) for number in facts]
    moved = [event for event in events if isinstance(event, messages.Moved)]
    assert {event.seat for event in moved} == {1}
    assert any(message.key == "rival-card" for event in moved for message in event.told)
    revealed = [event for event in events if isinstance(event, messages.Drawn)]
    assert {message.key for event in revealed for message in event.told} >= {"card-revealed"}
    assert table.position is not None
    assert {step.seat for step in replay_steps(table.position, "all")} == {0, 1, None}


def test_a_game_alone_has_a_record_but_no_part_in_the_statistics() -> None:
    table = play_random(alone(rival=5), random.Random(2))
    assert result_row(table) is None
    record = export_record(table)
    assert record.tags["First"] == "Ada"
    assert "Rival" not in record.tags
    again = mchezo.Record.parse(str(record))
    assert again.verify()
    uploaded = Table("U" * 12, create_from_record(again, context()))
    assert [occupant.kind for occupant in uploaded.seats] == ["person", "rival"]
    assert result_row(uploaded) is None


def test_a_player_who_resigns_loses_to_the_rival_and_may_play_again() -> None:
    table = do(play(alone(rival=3), "@a1"), ADA, messages.Resign(new_id()))
    assert table.ending is not None
    assert table.ending.winners == [1]
    table = do(table, ADA, messages.Ask(new_id(), "rematch"))
    assert table.next_table is not None


@pytest.mark.parametrize(("game", "seats"), [("kiwara", (YOU,)), ("katarenga", (YOU,)), ("kitara", (computer(),))])
def test_other_tables_for_one_are_refused(game: str, seats: tuple[messages.SeatPlan, ...]) -> None:
    with pytest.raises(TableError):
        make(game, seats)


def test_the_record_of_a_game_alone_is_continued_by_one_player() -> None:
    table = play_random(alone(rival=1), random.Random(3))
    record = export_record(table)
    last = max(at for at, move in enumerate(record.moves) if move.startswith("+"))
    text = str(replace(record, moves=record.moves[:last], outcome=None, seed=None))
    continued = make("kitara", (YOU,), record=text)
    assert (continued.status, continued.to_move) == ("running", 0)
    assert continued.creation.options["rival"] == 1
    assert [occupant.kind for occupant in continued.seats] == ["person", "rival"]
    assert play_random(continued, random.Random(4)).status == "over"
