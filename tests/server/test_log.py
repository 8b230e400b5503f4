"""The stored format: facts and summaries of earlier versions are read, and written back byte by byte."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from mchezo.server.domain import log
from mchezo.server.domain.summary import Summary

# One row of each kind, as version 0.1.0 stored it.
STORED: dict[Any, bytes] = {
    log.TableCreated: (
        b'{"fact":"made","game":"kiwara","rules":1,"options":{"board":"x"},"drawn":["board"],"asked_options":{},'
        b'"seed":"5eed","seats":[{"kind":"person","holder":"ada","name":"Ada","clock":{"milliseconds":60000,'
        b'"increment":500}},{"kind":"open","key":"k"},{"kind":"computer","name":"Level 3","level":3,"rating":1200}],'
        b'"settings":{"public":true,"lot":true,"touch_move":false,"series":false,"swap":false,"takeback":true,'
        b'"hints":true,"abandoned":"claim","grace":120000,"stand_in":4,"days":null,"weekends":false,'
        b'"rated":false,"paired":false,"chat":true},"moves":["T0"],"series":{"games":1,"score":[1.0,0.0],"swapped":true},"previous":"PPPPPPPPPPPP","at":1,"by":"ada"}'
    ),
    log.SeatTaken: (
        b'{"fact":"sat","seat":1,"sitter":{"kind":"bot","holder":"ben","name":"Ben"},"at":2,"id":"i1","by":"ben",'
        b'"digest":"d"}'
    ),
    log.SeatLeft: b'{"fact":"stood","seat":1,"key":"k2","at":3}',
    log.GameStarted: b'{"fact":"began","order":[1,0],"at":4}',
    log.MovePlayed: (
        b'{"fact":"decided","seat":0,"move":"T0","delay":20,"first":true,"at":5,"id":"i2","by":"ada","digest":"e"}'
    ),
    log.ChanceResolved: b'{"fact":"chanced","move":"=2","at":5}',
    log.PawnTouched: b'{"fact":"touched","seat":0,"place":"a1","at":6}',
    log.QuestionAsked: b'{"fact":"wanted","seat":0,"what":"draw","at":7}',
    log.QuestionAnswered: b'{"fact":"replied","seat":1,"what":"draw","yes":false,"at":8}',
    log.MovesTakenBack: b'{"fact":"went-back","seat":0,"made":4,"at":9}',
    log.PlayerDroppedOut: b'{"fact":"fell-out","seat":1,"reason":"time-out","level":4,"at":10}',
    log.ClockPaused: b'{"fact":"paused","milliseconds":5000,"at":11}',
    log.VacationSet: b'{"fact":"vacation","seat":1,"vacation":"5eed","since":20,"until":90,"at":17}',
    log.GameEnded: b'{"fact":"finished","winners":[0],"scores":[1.0,0.0],"reason":"resignation","at":12}',
    log.NextTableCreated: b'{"fact":"continued","table":"NNNNNNNNNNNN","at":13}',
}
SUMMARY = (
    b'{"game":"kiwara","status":"over","public":true,"options":{"board":"x"},"seats":[{"kind":"person","holder":"ada",'
    b'"name":"Ada"}],"made":3,"to_move":null,"created":5,"winners":[0],"reason":"resignation"}'
)


@pytest.mark.parametrize("kind", log.AnyFact.__args__)
def test_a_stored_fact_keeps_its_format(kind: type[log.Fact]) -> None:
    fact = log.decode(STORED[kind])
    assert type(fact) is kind
    assert log.encode(fact) == STORED[kind]


def test_a_stored_summary_keeps_its_format() -> None:
    summary = msgspec.json.decode(SUMMARY, type=Summary)
    assert summary.moves_made == 3
    assert msgspec.json.encode(summary) == SUMMARY
