"""What one seat, or a spectator, may see of a table: the only door from facts and positions to messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

import msgspec

from mchezo.core import registry
from mchezo.core.chance import Seed
from mchezo.core.deeds import Deed as Told
from mchezo.core.game import Game
from mchezo.core.outcome import OUTSIDE_REASONS, Outcome
from mchezo.core.position import Position
from mchezo.core.record import HIDDEN, Record
from mchezo.core.structs import CHANCE, Structs
from mchezo.server import commands, messages
from mchezo.server import facts as log
from mchezo.server.refusals import TableRefusal
from mchezo.server.table import Table

AUTO = -1  # whoever is to move, if that is the viewer; else the viewer's first seat


def viewing_seat(table: Table, guest: str | None, wanted: int | None) -> int | None:
    """Whose view a guest gets: only ever that of an own seat, or a spectator's."""
    held = table.held_by(guest)
    if wanted == AUTO:
        return table.to_move if table.to_move in held else held[0] if held else None
    if wanted is not None and wanted not in held:
        raise TableRefusal("not-your-seat", "not-your-seat", seat=wanted)
    return wanted


def told(deeds: Iterable[Told]) -> list[messages.Told]:
    """What moves did, as messages."""
    return [messages.Told(deed.key, dict(deed.arguments)) for deed in deeds]


def deeds_of(
    game: Game, move: str, before: Structs, after: Structs, setups: Structs, seen: bool
) -> list[messages.Told]:
    """What a move did."""
    state, setup = before[0], setups[0]
    return told(game.tell(game.parse(move, state, setup), state, after[0], setup, seen))


def player(sitter: log.Sitter) -> messages.Player | None:
    """Who sits in a seat."""
    if sitter.kind == "open":
        return None
    return messages.Player(sitter.kind, sitter.name, sitter.level, sitter.rating)


def event(table: Table, number: int, seat: int | None) -> messages.Events:
    """A fact as this seat may see it."""
    fact = table.log[number]
    common = {"number": number, "at": fact.at}
    match fact:
        case log.Made():
            return messages.Created(game=fact.game, **common)
        case log.Sat():
            sitter = player(fact.sitter)
            assert sitter is not None
            return messages.Joined(seat=fact.seat, player=sitter, **common)
        case log.Stood():
            return messages.Left(seat=fact.seat, **common)
        case log.Began():
            players = [sitter for sitter in map(player, table.seats) if sitter]
            return messages.Started(
                order=fact.order,
                players=players,
                seed_hash=seed_hash(table.made.seed),
                made=len(table.made.moves),
                **common,
            )
        case log.Decided() | log.Chanced():
            deed = table.deeds[number]
            seen = deed.only is None or deed.only == seat or table.finished is not None
            key = ("told", number, seen)
            if key not in table.known:
                table.known[key] = deeds_of(table.game, fact.move, deed.before, deed.after, deed.setups, seen)
            did = table.known[key]
            if isinstance(fact, log.Decided):
                return messages.Moved(seat=fact.seat, move=fact.move, told=did, **common)
            return messages.Drawn(move=fact.move if seen else HIDDEN, told=did, **common)
        case log.TouchedPawn():
            return messages.Touched(seat=fact.seat, place=fact.place, **common)
        case log.Wanted():
            return messages.AskedFor(seat=fact.seat, what=fact.what, **common)
        case log.Replied():
            return messages.Answered(seat=fact.seat, what=fact.what, yes=fact.yes, **common)
        case log.WentBack():
            return messages.TakenBack(seat=fact.seat, made=fact.made, **common)
        case log.FellOut():
            computer = None if fact.level is None else messages.Player("computer", "", fact.level)
            return messages.Out(seat=fact.seat, reason=fact.reason, player=computer, **common)
        case log.Paused():
            return messages.Outage(milliseconds=fact.milliseconds, **common)
        case log.Finished():
            return messages.Ended(
                winners=fact.winners, scores=fact.scores, reason=fact.reason, seed=table.made.seed, **common
            )
        case log.Continued():
            return messages.NextGame(table=fact.table, **common)


def look(
    table: Table,
    guest: str | None,
    wanted: int | None,
    now: int,
    here: Sequence[bool] = (),
    claimable: Collection[int] = (),
) -> messages.Table:
    """The table as a guest sees it; `here` says who is connected, `claimable` who has been away for too long."""
    seat = viewing_seat(table, guest, wanted)
    held = table.held_by(guest)
    made, to_move = table.made, table.to_move
    legal = table.legal if to_move in held and table.plays_itself(to_move or 0) is None else []
    return messages.Table(
        seats=[
            messages.Seat(
                side=side,
                player=player(sitter),
                yours=number in held,
                here=sitter.kind == "computer" or bool(here[number] if number < len(here) else False),
                out=table.outs.get(number),
                claim=commands.claim_leads_to(table, number) if number in claimable else None,
            )
            for number, (side, sitter) in enumerate(zip(sides(table), table.seats, strict=True))
        ],
        you=held,
        seat=seat,
        view=None if table.position is None else cast(Any, table.view(seat)),
        legal=legal,
        say=say(table, legal),
        may=may(table, held, claimable),
        clock=clock(table, now),
        keys={
            str(number): sitter.key
            for number, sitter in enumerate(table.seats)
            if sitter.key is not None and guest is not None and guest == made.by
        },
        **for_all(table),
    )


def for_all(table: Table) -> dict[str, Any]:
    """What everybody sees alike, worked out once for all who look."""
    if "for all" not in table.known:
        made = table.made
        table.known["for all"] = {
            "id": table.id,
            "game": made.game,
            "status": table.status,
            "number": table.number,
            "options": made.options,
            "decision": table.decision,
            "to_move": table.to_move,
            "made": table.moves_made,
            "touched": table.touched,
            "asked": [messages.Asked(what, one.seat, sorted(one.agreed)) for what, one in table.questions.items()],
            "result": result(table),
            "settings": made.settings,
            "seed_hash": None if table.began is None or made.moves else seed_hash(made.seed),
            "seed": made.seed if table.finished and not made.moves else None,
            "series": series(table),
            "previous": made.previous,
            "next": table.continued,
        }
    found: dict[str, Any] = table.known["for all"]
    return found


@lru_cache(maxsize=4096)
def seed_hash(seed: str) -> str:
    """What is published of a seed while its game goes on."""
    return Seed(seed).hash


def sides(table: Table) -> tuple[str, ...]:
    """What the game calls the seats."""
    return table.game.seats(table.made.options)


def clock(table: Table, now: int) -> messages.Clock | None:
    """The clocks now."""
    value = table.clock
    if value is None:
        return None
    return messages.Clock(now, list(value.left_at(now)), list(value.increment), value.running)


def say(table: Table, legal: list[str]) -> messages.Told:
    """What happens next, as key and arguments: a decision in the game's words, anything else in ours."""
    if table.finished:
        reason = table.finished.reason
        key = f"reason-{reason}" if reason in table.game.reasons else f"outside-{reason}"
        return messages.Told(key, {"winners": list(table.finished.winners)})
    seat = table.to_move
    if seat is None or table.position is None:
        return messages.Told("waiting", {"open": sum(sitter.kind == "open" for sitter in table.seats)})
    if table.plays_itself(seat) is not None:
        return messages.Told("thinking", {"seat": seat})
    decision = table.view(None)["decision"]
    example = {"example": legal[0]} if legal else {}
    return messages.Told(f"decision-{decision}", {"seat": seat, **example})


def may(table: Table, held: list[int], claimable: Collection[int]) -> list[str]:
    """The other commands that are open to who holds these seats."""
    if table.status == "open":
        if held:
            return ["leave"]
        return ["join"]
    if not held:
        return []
    found = []
    own = [seat for seat in held if seat not in table.outs or table.finished]
    if table.status == "running" and own:
        found.append("resign")
        found += [f"claim-{seat}" for seat in claimable if seat not in held]
        if table.to_move in own:
            if table.made.settings.touch_move and table.touched is None:
                found.append("touch")
            if may_hint(table, held):
                found.append("hint")
    kinds: tuple[log.What, ...] = ("rematch", "revenge") if table.finished else ("draw", "takeback")
    for what in kinds:
        question = table.questions.get(what)
        if question is not None and any(seat in table.voices(question.seat) - question.agreed for seat in own):
            found.append(f"answer-{what}")
        elif question is not None and question.seat in own:
            found.append(f"withdraw-{what}")
        elif question is None and any(can_ask(table, what, seat) for seat in own):
            found.append(f"ask-{what}")
    return found


def can_ask(table: Table, what: log.What, seat: int) -> bool:
    """Whether a seat could ask for something now."""
    try:
        commands.check_question(table, what, seat)
    except TableRefusal:
        return False
    since = table.declined.get((seat, what))
    return since is None or table.moves_made >= since + len(table.seats)


def may_hint(table: Table, held: list[int]) -> bool:
    """Hints are for those who play computers, or alone, where the table has them."""
    others = [sitter for seat, sitter in enumerate(table.seats) if seat not in held]
    return table.made.settings.hints and all(sitter.kind == "computer" for sitter in others)


def result(table: Table) -> messages.Result | None:
    """How the game ended, with the lines of the score where the board was played to its end."""
    end, position = table.finished, table.position
    if end is None or position is None:
        return None
    lines = []
    if position.outcome is not None:
        for line in table.game.account(position.states[0], position.setups[0]):
            told_line = messages.Told(line.key, dict(line.arguments))
            lines.append(messages.ScoreLine(line.seat, told_line, line.points))
    return messages.Result(end.winners, end.scores, end.reason, lines)


def series(table: Table) -> messages.SeriesScore | None:
    """The match of which this game is one."""
    so_far = table.made.series
    if so_far is None:
        return None
    game = so_far.games + 1
    if table.finished:
        so_far = commands.count_game(so_far, table.finished)
    first, second = so_far.score
    winner = None if so_far.games % 2 or first == second else int(second > first)
    return messages.SeriesScore(game, [first, second], [1, 0] if so_far.swapped else [0, 1], winner)


def step_views(table: Table, first: int, seat: int | None) -> list[messages.View | None]:
    """The views after the events from a number on, of those that changed the board; empty where the last is enough."""
    steps = [number for number in range(first, table.number + 1) if number in table.deeds]
    if len(steps) < 2 or table.position is None:
        return []
    moment = table.position.copy()
    views: list[messages.View | None] = []
    for number in range(first, table.number + 1):
        if number in table.deeds:
            moment.states = table.deeds[number].after
            views.append(cast(Any, moment.view(seat)))
        else:
            views.append(None)
    return views


# What if


def try_moves(table: Table, guest: str | None, asked: messages.Try) -> messages.Tried:
    """Play unsent decisions on a copy, as the seat that is to move; nothing that chance decides is crossed."""
    seat = viewing_seat(table, guest, AUTO if asked.seat is None else asked.seat)
    if seat is None:
        raise TableRefusal("not-your-seat", "not-seated")
    commands.need_running(table)
    if asked.decision != table.decision:
        raise TableRefusal("stale", "stale")
    if table.to_move != seat:
        raise TableRefusal("not-your-turn", "not-your-turn")
    assert table.position is not None
    position, game = table.position.copy(), table.game
    if asked.moves and table.touched and asked.moves[0] not in table.legal:
        raise TableRefusal("illegal", "touched-must-move", place=table.touched)
    did = []
    for text in asked.moves:
        if position.to_move != seat:
            key = "beyond-chance" if position.to_move == CHANCE else "beyond-turn"
            raise TableRefusal("illegal", key, move=text)
        before = position.states
        position.play(text)
        did.append(deeds_of(game, position.steps[-1].text, before, position.states, position.setups, seen=True))
    mine = position.to_move == seat
    legal = position.legal_moves if mine else []
    if not asked.moves:
        legal = table.legal
    view = position.view(seat)
    return messages.Tried(
        id=asked.id,
        decision=asked.decision,
        moves=list(asked.moves),
        view=cast(Any, view),
        legal=legal,
        told=did,
        turn_over=not mine,
        chance=position.to_move == CHANCE,
        say=messages.Told(f"decision-{view['decision']}", {"seat": seat}) if mine else messages.Told("send", {}),
        previews=previews(position, legal) if asked.previews else None,
    )


def previews(position: Position, legal: list[str]) -> dict[str, messages.Preview]:
    """What every legal move would do, without what chance would add."""
    game, found = position.game, {}
    before, setup = position.states[0], position.setups[0]
    for text in legal:
        after = position.copy()
        after.manual = True
        after.play(text)
        action = game.parse(text, before, setup)
        state = after.states[0]
        did = told(game.tell(action, before, state, setup, True))
        found[text] = messages.Preview(did, **game.foresee(action, before, state, setup))
    return found


# Records


def record(table: Table) -> Record:
    """The game so far as anybody may see it; once it is over, all of it, with its seed."""
    position = table.position
    if position is None:
        raise TableRefusal("not-running", "not-started")
    found = position.record() if table.finished else position.public_record()
    tags = {"Event": "mchezo", "Site": table.id}
    for side, sitter in zip(sides(table), table.seats, strict=True):
        name = sitter.name if sitter.level is None else f"{sitter.name} (level {sitter.level})"
        tags[side.capitalize()] = name
    for seat, reason in table.outs.items():
        tags[f"Out{seat}"] = reason
    found = replace(found, tags=tags)
    end = table.finished
    if end is not None and position.outcome is None and end.reason in OUTSIDE_REASONS:
        outside = Outcome(tuple(end.winners), tuple(end.scores), end.reason)
        found = replace(found, outcome=outside)
    if end is not None and position.dealt:
        found = replace(found, seed=table.made.seed, seed_hash=position.seed.hash)
    return found


def at_move(table: Table, guest: str | None, wanted: int | None, made: int) -> dict[str, Any]:
    """The view after so many moves."""
    seat = viewing_seat(table, guest, wanted)
    if table.position is None:
        raise TableRefusal("not-running", "not-started")
    position = table.position.copy()
    if not 0 <= made <= len(position.steps):
        raise TableRefusal("not-possible", "no-such-move", last=len(position.steps))
    moves = position.moves if table.finished else position.seen_moves(seat)
    while len(position.steps) > made:
        position.undo()
    return {"made": made, "move": moves[made - 1] if made else None, "view": position.view(seat)}


class Summary(msgspec.Struct, frozen=True):
    """What the list of tables keeps of a table."""

    game: str
    status: str
    public: bool
    options: dict[str, Any]
    seats: list[log.Sitter]
    made: int
    to_move: int | None
    created: int
    winners: list[int] | None
    reason: str | None


def summary(table: Table) -> Summary:
    """What the list of tables keeps of a table: nothing in it is hidden, keys and holders aside."""
    end = table.finished
    return Summary(
        game=table.made.game,
        status=table.status,
        public=table.made.settings.public,
        options=table.made.options,
        seats=table.seats,
        made=table.moves_made,
        to_move=table.to_move,
        created=table.made.at,
        winners=None if end is None else end.winners,
        reason=None if end is None else end.reason,
    )


def listed(id: str, found: Summary, changed: int, guest: str | None) -> messages.ListedTable:
    """A table in the list, as a guest sees it."""
    names = registry.find(found.game).seats(found.options)
    mine = [guest is not None and sitter.holder == guest for sitter in found.seats]
    return messages.ListedTable(
        id=id,
        game=found.game,
        status=cast(Any, found.status),
        options=found.options,
        seats=[
            messages.ListedSeat(side, player(sitter), own)
            for side, sitter, own in zip(names, found.seats, mine, strict=True)
        ],
        clock=next((sitter.clock for sitter in found.seats if sitter.clock), None),
        made=found.made,
        created=found.created,
        changed=changed,
        your_move=found.to_move is not None and mine[found.to_move],
        winners=found.winners,
        reason=found.reason,
    )
