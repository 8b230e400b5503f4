"""A game that is over, step by step. Like sight.py a door to what seats see, and open only after the end.

Then nothing is hidden any more: whoever looks chooses a seat's view as it was, a spectator's, or everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from mchezo.core import verbs
from mchezo.core.chance import Seed, new_seed
from mchezo.core.outcome import Outcome
from mchezo.core.position import Position
from mchezo.core.record import HIDDEN, Record
from mchezo.core.structs import CHANCE
from mchezo.server import facts as log
from mchezo.server import messages, sight
from mchezo.server.commands import Scene
from mchezo.server.refusals import TableRefusal
from mchezo.server.table import Table

MOST_VIEWS = 50  # told at once
MOST_MOVES = 2_000  # of a record that is given a page
UNFINISHED = "unfinished"  # a record that ends before its game does
LONGEST_NAME = 40

Whose = int | None | str  # a seat, a spectator, or "all"


def whose(text: str) -> Whose:
    """`0` to `3`, `none` or `all`."""
    return int(text) if text.isdigit() else None if text == "none" else text


def finished(table: Table) -> Position:
    """The game, which must be over."""
    if table.position is None or not table.finished:
        raise TableRefusal("not-running", "not-over")
    return table.position


def at(position: Position, made: int) -> Position:
    """The game after so many moves."""
    if not 0 <= made <= len(position.steps):
        raise TableRefusal("not-possible", "no-such-move", last=len(position.steps))
    moment = position.copy()
    if made < len(position.steps):
        moment.steps, moment.states = position.steps[:made], position.steps[made].before
    return moment


def view(position: Position, eyes: Whose) -> dict[str, Any]:
    """What these eyes see; of everything, also the values of all tokens."""
    if eyes != "all":
        return position.view(cast(int | None, eyes))
    seen = position.view()
    if position.game.secret is not None:
        seen["all_tokens"] = [position.view(seat)["own_tokens"]["kept"] for seat in range(len(position.seats))]
    return seen


def views(table: Table, eyes: Whose, first: int, count: int) -> messages.ReplayViews:
    """The views after `first` moves and after those that follow."""
    position = finished(table)
    last = min(first + min(count, MOST_VIEWS), len(position.steps) + 1)
    return messages.ReplayViews(first, [cast(Any, view(at(position, made), eyes)) for made in range(first, last)])


def steps(
    position: Position, eyes: Whose, first: int = 0, times: Sequence[int | None] = ()
) -> list[messages.ReplayStep]:
    """What was played from a move on, and what it did."""
    found = []
    mover = CHANCE
    for number, step in enumerate(position.steps):
        begins = step.by not in (CHANCE, mover)
        mover = mover if step.by == CHANCE else step.by
        if number < first:
            continue
        after = position.steps[number + 1].before if number + 1 < len(position.steps) else position.states
        seen = eyes == "all" or step.only in (None, eyes)
        did = sight.deeds_of(position.game, step.text, step.before, after, position.setups, seen)
        text = step.text if seen else HIDDEN
        took = times[number] if number < len(times) else None
        found.append(messages.ReplayStep(None if step.by == CHANCE else step.by, text, did, begins, took))
    return found


def turns(position: Position) -> list[int]:
    """How many moves had been made when each turn began; a retreat in the middle of a turn is a part of it."""
    began, turn = [], CHANCE
    for number, step in enumerate(position.steps):
        whose = CHANCE if step.by == CHANCE else verbs.turn_of(step.before[0])
        if whose not in (CHANCE, turn):
            began.append(number)
            turn = whose
    return began


def times(table: Table) -> list[int | None]:
    """How long each move took, where the log tells: the first of those that were sent together has their time."""
    found: list[int | None] = [None] * len(table.made.moves)
    since = 0
    for fact in table.log:
        match fact:
            case log.Began():
                since = fact.at
            case log.Decided():
                found.append(max(0, fact.at - since - fact.delay) if fact.first else None)
                since = fact.at
            case log.Chanced():
                found.append(None)
            case log.WentBack():
                del found[fact.made :]
                since = fact.at
            case log.Paused():
                since += fact.milliseconds
    return found


def replay(table: Table, shown: messages.Table, eyes: Whose) -> messages.Replay:
    """The whole game."""
    return messages.Replay(shown, steps(finished(table), eyes, times=times(table)))


def varied(table: Table, asked: messages.Vary) -> Position:
    """The position after other moves from a point of the game."""
    position = at(finished(table), asked.at)
    position.manual = True
    for move in asked.moves:
        position.play(move)
    return position


def vary(table: Table, asked: messages.Vary) -> messages.Varied:
    """Other moves from a point of the game, with fresh chance where it decides."""
    eyes = whose(asked.whose)
    position = varied(table, asked)
    if position.to_move == CHANCE:
        position.seed = Seed(new_seed())
        position.go_on()
    legal = position.legal_moves if position.to_move is not None else []
    return messages.Varied(
        asked.at,
        position.moves[asked.at :],
        steps(position, eyes, asked.at),
        cast(Any, view(position, eyes)),
        legal,
        sight.previews(position, legal),
    )


def picture(table: Table, guest: str | None, seat: str | None, made: int | None) -> str:
    """A picture of any moment: of a finished game as anybody saw it, of another as the guest may see it."""
    if table.position is None:
        raise TableRefusal("not-running", "not-started")
    if table.finished:
        moment = at(table.position, len(table.position.steps) if made is None else made)
        return table.game.picture(view(moment, whose(seat or "all")))
    if seat == "all":
        raise TableRefusal("not-running", "not-over")
    wanted = sight.AUTO if seat is None else cast(int | None, whose(seat))
    number = table.moves_made if made is None else made
    return table.game.picture(sight.at_move(table, guest, wanted, number)["view"])


# Records that get a page of their own


def recorded(record: Record, scene: Scene) -> list[log.Facts]:
    """The facts of a table at which a record was played: nobody sits there, and it is over."""
    if not record.moves:
        raise TableRefusal("invalid-setup", "record-empty")
    if len(record.moves) > MOST_MOVES:
        raise TableRefusal("too-large", "record-moves", most=MOST_MOVES)
    position = record.replay()
    sides = position.seats
    end = record.outcome or Outcome((), (0.0,) * len(sides), UNFINISHED)
    seats = [log.Sitter("person", name=name_of(record, side)) for side in sides]
    made = log.Made(
        at=scene.now,
        game=record.game,
        rules=record.rules,
        options=dict(position.options),
        drawn=[],
        asked_options={},
        seed=scene.new_seed(),
        seats=seats,
        settings=messages.Settings(lot=False, hints=False, takeback=False),
        pack=None,
        moves=list(record.moves),
        by=scene.who.guest,
    )
    return [
        made,
        log.Began(at=scene.now, order=list(range(len(sides)))),
        log.Finished(at=scene.now, winners=list(end.winners), scores=list(end.scores), reason=end.reason),
    ]


def name_of(record: Record, side: str) -> str:
    """Who sat there, if the record tells."""
    return " ".join(record.tags.get(side.capitalize(), "").split())[:LONGEST_NAME]


def need_other(table: Table, record: Record) -> None:
    """Refuse the record of a game that is still being played: there is no help with it."""
    position = table.position
    if table.status != "running" or position is None or table.made.game != record.game:
        return
    moves, seen = record.moves, position.seen_moves()
    same = position.public_record().options == record.options
    if same and len(moves) > 0 and list(moves[: len(seen)]) == seen[: len(moves)]:
        raise TableRefusal("not-possible", "still-played", table=table.id)
