"""Commands at a table -> the facts that follow, or a refusal. Pure: time, names and presence come from outside."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_
from typing import Any, Literal

import msgspec

from mchezo.core import registry
from mchezo.core.chance import Seed, new_seed
from mchezo.core.position import Position
from mchezo.core.record import Record
from mchezo.core.structs import CHANCE
from mchezo.server import facts as log
from mchezo.server import messages
from mchezo.server.refusals import TableRefusal
from mchezo.server.table import Table, first_position, rank

LETTERS = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Who:
    """Who sends a command."""

    guest: str
    name: str | None = None
    bot: bool = False

    @property
    def shown_name(self) -> str:
        """What the others read."""
        return self.name or ("Bot" if self.bot else "Guest")


def clean(name: str) -> str:
    """A name without control signs, and not only of spaces."""
    shown = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    if not shown:
        raise TableRefusal("bad-request", "name-empty")
    return shown


def random_id() -> str:
    """The name of a table, which is also the link for watching: 71 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def random_key() -> str:
    """The key of an open seat: 142 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(24))


@dataclass(frozen=True)
class Scene:
    """What a command meets: who sends it, when, over how slow a connection, and how long others have been away."""

    who: Who
    now: int
    delay: int = 0
    away: Mapping[int, int] = field(default_factory=dict)  # seat -> milliseconds
    new_id: Callable[[], str] = random_id
    new_key: Callable[[], str] = random_key
    new_seed: Callable[[], str] = new_seed


@dataclass(frozen=True)
class Verdict:
    """What follows from a command: facts for this table, and for a new one if the players go on there."""

    facts: list[log.Facts]
    new_table: tuple[str, list[log.Facts]] | None = None
    position: Position | None = None  # with the facts' moves made


def decide(table: Table, command: messages.Commands, scene: Scene) -> Verdict:
    """What follows from a command; what cannot be done is refused."""
    match command:
        case messages.Join():
            return join(table, command, scene)
        case messages.Leave():
            return leave(table, command, scene)
        case messages.Move():
            return move(table, command, scene)
        case messages.Touch():
            return touch(table, command, scene)
        case messages.Resign():
            need_running(table)
            seat = own_seat(table, scene.who, command.seat)
            return fall_out(table, seat, "resignation", scene)
        case messages.Ask():
            return ask(table, command, scene)
        case messages.Answer():
            return answer(table, command, scene)
        case messages.Claim():
            return claim(table, command, scene)


# Before the game


def make(
    request: messages.CreateTable,
    game_options: Mapping[str, Any],
    pack: str | None,
    rating_of: Callable[[str, int], tuple[str, int | None]],
    scene: Scene,
    table: str,
) -> list[log.Facts]:
    """A new table; `game_options` are the options that a stranger may give, `rating_of` names computer players."""
    game = registry.find(request.game)
    check_plan(request)
    options = dict(game_options)
    if any(option.name == "players" for option in game.options):
        options["players"] = len(request.seats)
    record = None if request.record is None else recorded(request, game.name)
    seed = scene.new_seed()
    if record is None:
        start = game.start(seed=seed, chance="manual", **options)
        moves: list[str] = []
    else:
        start = record
        moves = record.moves
    if len(start.seats) != len(request.seats):
        raise TableRefusal("invalid-setup", "seats-count", game=game.title, right=len(start.seats))
    if request.touch_move and game.touch is None:
        raise TableRefusal("not-possible", "no-touch-move", game=game.title)
    if request.series and (game.revenge is None or len(request.seats) != 2):
        raise TableRefusal("not-possible", "no-series", game=game.title)
    made = log.Made(
        at=scene.now,
        game=game.name,
        rules=game.rules,
        options=dict(start.options),
        drawn=list(start.drawn) if record is None else [],
        # A pack is named by its id, now that it is in use.
        asked_options={**options, "pack": start.options["pack"]} if "pack" in options else options,
        seed=seed,
        seats=[seat_for(plan, request, rating_of, scene) for plan in request.seats],
        settings=messages.Settings(
            public=request.public,
            lot=request.lot,
            touch_move=request.touch_move,
            series=request.series,
            swap=game.revenge_swaps if request.swap is None else request.swap,
            takeback=request.takeback,
            hints=request.hints,
            abandoned=request.abandoned,
            grace=request.grace,
            stand_in=request.stand_in,
        ),
        pack=pack,
        moves=moves,
        series=log.SeriesSoFar() if request.series else None,
        by=scene.who.guest,
    )
    return [made, *begin_if_full(Table(table, [made]), scene)]


def check_plan(request: messages.CreateTable) -> None:
    """Somebody must be there to play."""
    if all(plan.kind == "computer" for plan in request.seats):
        raise TableRefusal("invalid-setup", "only-computers")
    if any((plan.kind == "computer") != (plan.level is not None) for plan in request.seats):
        raise TableRefusal("invalid-setup", "level-missing")


def recorded(request: messages.CreateTable, game: str) -> Position:
    """The position of a record that is played on."""
    record = Record.parse(request.record or "")
    if record.game != game:
        raise TableRefusal("invalid-setup", "other-record", game=record.game)
    at = len(record.moves) if request.at is None else request.at
    if at < len(record.moves):
        record = with_(record, moves=record.moves[:at], outcome=None)
    position = record.replay()
    for move in request.then:
        position.play(move)
    if position.outcome is not None:
        raise TableRefusal("invalid-setup", "record-over")
    return position


def seat_for(
    plan: messages.SeatPlan,
    request: messages.CreateTable,
    rating_of: Callable[[str, int], tuple[str, int | None]],
    scene: Scene,
) -> log.Sitter:
    """Who sits there, or may."""
    clock = plan.clock or request.clock
    if plan.kind == "computer":
        assert plan.level is not None
        name, rating = rating_of(request.game, plan.level)
        return log.Sitter("computer", name=name, level=plan.level, rating=rating, clock=clock)
    if plan.kind == "open":
        return log.Sitter("open", key=scene.new_key(), clock=clock)
    name = clean(plan.name or request.name or scene.who.shown_name)
    return log.Sitter("bot" if scene.who.bot else "person", holder=scene.who.guest, name=name, clock=clock)


def begin_if_full(table: Table, scene: Scene) -> list[log.Facts]:
    """The start, if no seat is open: lots are drawn, then chance brings what it brings before the first decision."""
    if any(sitter.kind == "open" for sitter in table.seats):
        return []
    began = log.Began(at=scene.now, order=lot(table.made, len(table.seats)))
    return [began, *chance_after(first_position(table.made), scene.now)]


def lot(made: log.Made, seats: int) -> list[int]:
    """Which planned seat becomes which, from the game's seed: the first seat's player is drawn first."""
    waiting = list(range(seats))
    # In a series lots are drawn once, and a position that is played on has its players.
    if not made.settings.lot or made.moves or (made.series and made.series.games):
        return waiting
    seed = Seed(made.seed)
    return [waiting.pop(seed.draw("lot", index, len(waiting))) for index in range(seats)]


def chance_after(position: Position, now: int) -> list[log.Facts]:
    """What chance brings from here, by the seed; the position is played on."""
    before = len(position.steps)
    if position.to_move == CHANCE:
        position.go_on()
        position.manual = True
    return [log.Chanced(at=now, move=step.text) for step in position.steps[before:]]


def join(table: Table, command: messages.Join, scene: Scene) -> Verdict:
    """Take an open seat."""
    if table.status != "open":
        raise TableRefusal("not-open", "already-started")
    if table.held_by(scene.who.guest):
        raise TableRefusal("not-open", "already-seated")
    free = [seat for seat, sitter in enumerate(table.seats) if sitter.kind == "open"]
    if command.key is not None:
        given = command.key.encode()
        free = [seat for seat in free if secrets.compare_digest((table.seats[seat].key or "").encode(), given)]
        if not free:
            raise TableRefusal("bad-key", "bad-key")
    elif not table.made.settings.public:
        raise TableRefusal("bad-key", "key-needed")
    if command.seat is not None:
        if command.seat not in free:
            raise TableRefusal("not-open", "seat-taken", seat=command.seat)
        free = [command.seat]
    seat, who = free[0], scene.who
    name, clock = clean(command.name or who.shown_name), table.seats[seat].clock
    sitter = log.Sitter("bot" if who.bot else "person", who.guest, name, clock=clock)
    sat = log.Sat(at=scene.now, seat=seat, sitter=sitter)
    seated = Table(table.id, [*table.log, sat])
    return Verdict([sat, *begin_if_full(seated, scene)])


def leave(table: Table, command: messages.Leave, scene: Scene) -> Verdict:
    """Give a seat back."""
    if table.status != "open":
        raise TableRefusal("not-open", "already-started")
    seat = own_seat(table, scene.who, command.seat)
    return Verdict([log.Stood(at=scene.now, seat=seat, key=scene.new_key())])


# The game


def need_running(table: Table) -> None:
    """The game must have begun and not be over."""
    if table.status == "open":
        raise TableRefusal("not-running", "not-started")
    if table.status == "over":
        raise TableRefusal("not-running", "over")


def own_seat(table: Table, who: Who, seat: int | None, prefer: Sequence[int | None] = ()) -> int:
    """The seat for which somebody acts: the one named, else one preferred, else the first of theirs."""
    # Who gave up has no say in the game any more, but may want another one.
    held = [own for own in table.held_by(who.guest) if own not in table.outs or table.finished]
    if seat is not None:
        if seat not in held:
            raise TableRefusal("not-your-seat", "not-your-seat", seat=seat)
        return seat
    if not held:
        raise TableRefusal("not-your-seat", "not-seated")
    return next((wanted for wanted in prefer if wanted in held and wanted is not None), held[0])


def need_decision(table: Table, who: Who, seat: int | None, decision: int, now: int, delay: int) -> int:
    """The seat that answers the open decision."""
    need_running(table)
    own = own_seat(table, who, seat, [table.to_move])
    if decision != table.decision:
        raise TableRefusal("stale", "stale")
    if table.to_move != own:
        raise TableRefusal("not-your-turn", "not-your-turn")
    if table.clock and table.clock.is_down(now, delay):
        raise TableRefusal("not-possible", "time-is-up")
    return own


def move(table: Table, command: messages.Move, scene: Scene) -> Verdict:
    """One decision or more of one seat."""
    seat = need_decision(table, scene.who, command.seat, command.decision, scene.now, scene.delay)
    return play(table, seat, command.moves, scene)


def play(table: Table, seat: int, moves: Sequence[str], scene: Scene) -> Verdict:
    """A seat's decisions, what chance adds, and the end if it is one."""
    assert table.position is not None
    position = table.position.copy()
    if table.touched and moves[0] in position.legal_moves and moves[0] not in table.legal:
        raise TableRefusal("illegal", "touched-must-move", place=table.touched)
    facts: list[log.Facts] = []
    for index, text in enumerate(moves):
        if index and position.to_move != seat:
            key = "beyond-chance" if position.to_move == CHANCE else "beyond-turn"
            raise TableRefusal("illegal", key, move=text)
        position.play(text)
        played = position.steps[-1].text
        facts.append(log.Decided(at=scene.now, seat=seat, move=played, delay=scene.delay, first=index == 0))
    facts += chance_after(position, scene.now)
    return with_(finish_if_over(table, position, facts, scene), position=position)


def finish_if_over(table: Table, position: Position, facts: list[log.Facts], scene: Scene) -> Verdict:
    """The end, if the board says so."""
    outcome = position.outcome
    if outcome is None:
        return Verdict(facts)
    winners = rank(table, outcome)
    end = log.Finished(at=scene.now, winners=winners, scores=list(outcome.scores), reason=outcome.reason)
    return finish(table, [*facts, end], end, position, scene)


def finish(table: Table, facts: list[log.Facts], end: log.Finished, position: Position, scene: Scene) -> Verdict:
    """The end, and the next game of a series that is not decided."""
    series = table.made.series
    if series is None:
        return Verdict(facts)
    so_far = count_game(series, end)
    if so_far.games % 2 == 0 and so_far.score[0] != so_far.score[1]:
        return Verdict(facts)
    return go_on_elsewhere(table, facts, position, "revenge", so_far, scene)


def count_game(series: log.SeriesSoFar, end: log.Finished) -> log.SeriesSoFar:
    """The score with one more game: a point for a win, half a point each for a draw."""
    points = list(series.score)
    for seat in end.winners or (0, 1):
        points[seat ^ series.swapped] += 1 / (len(end.winners) or 2)
    return log.SeriesSoFar(series.games + 1, (points[0], points[1]), series.swapped)


def touch(table: Table, command: messages.Touch, scene: Scene) -> Verdict:
    """Touch a pawn: it must move, or be taken, if it can."""
    seat = need_decision(table, scene.who, command.seat, command.decision, scene.now, scene.delay)
    game = table.game
    if game.touch is None or not table.made.settings.touch_move:
        raise TableRefusal("not-possible", "no-touch-move", game=game.title)
    if table.touched is not None:
        raise TableRefusal("illegal", "touched-must-move", place=table.touched)
    legal = table.legal
    if game.touch(command.place, legal) == legal:
        raise TableRefusal("not-possible", "touch-nothing", place=command.place)
    return Verdict([log.TouchedPawn(at=scene.now, seat=seat, place=command.place)])


def fall_out(table: Table, seat: int, reason: log.OutReason, scene: Scene, *, play_on: bool = False) -> Verdict:
    """Somebody does not play on. Of two the other wins; of more a computer plays the seat on, and it ranks last."""
    assert table.position is not None
    if play_on or goes_on_without(table, seat):
        return Verdict([log.FellOut(at=scene.now, seat=seat, reason=reason, level=table.made.settings.stand_in)])
    left = others_in_game(table, seat)
    scores = [1.0 / len(left) if other in left else 0.0 for other in range(len(table.seats))]
    end = log.Finished(at=scene.now, winners=left, scores=scores, reason=reason)
    return finish(table, [log.FellOut(at=scene.now, seat=seat, reason=reason), end], end, table.position, scene)


def others_in_game(table: Table, seat: int) -> list[int]:
    """The other seats whose players have not dropped out."""
    return [other for other in range(len(table.seats)) if other != seat and other not in table.outs]


def goes_on_without(table: Table, seat: int) -> bool:
    """Whether more than one is left, and a person among them: then a computer plays the seat on."""
    left = others_in_game(table, seat)
    return len(left) > 1 and any(table.seats[other].kind != "computer" for other in left)


def time_out(table: Table, scene: Scene) -> Verdict | None:
    """What follows if the running clock is down, for whoever keeps the time; None if it is not."""
    clock = table.clock
    if table.status != "running" or clock is None or clock.deadline is None or scene.now < clock.deadline:
        return None
    assert clock.running is not None
    return fall_out(table, clock.running, "time-out", scene)


def claim(table: Table, command: messages.Claim, scene: Scene) -> Verdict:
    """Act on the seat of somebody who went away."""
    need_running(table)
    own_seat(table, scene.who, None)
    absent = command.absent
    if (
        absent >= len(table.seats)
        or not claimable(table, absent, scene.away)
        or absent in table.held_by(scene.who.guest)
    ):
        raise TableRefusal("not-possible", "not-claimable", seat=absent)
    return fall_out(table, absent, "abandoned", scene, play_on=claim_leads_to(table, absent) == "computer")


def claim_leads_to(table: Table, absent: int) -> Literal["win", "computer"]:
    """What the others get by a claim: the win, or a computer that plays on."""
    plays_on = table.made.settings.abandoned == "computer" or goes_on_without(table, absent)
    return "computer" if plays_on else "win"


def claimable(table: Table, seat: int, away: Mapping[int, int]) -> bool:
    """Whether a player who is to move has been away for longer than the table allows."""
    return (
        table.status == "running"
        and table.to_move == seat
        and table.plays_itself(seat) is None
        and away.get(seat, 0) >= table.made.settings.grace
    )


# Questions among the players


def ask(table: Table, command: messages.Ask, scene: Scene) -> Verdict:
    """Ask the others; where nobody has to be asked, it is done at once."""
    what = command.what
    last_mover = table.messages[-1].seat if table.messages else None
    seat = own_seat(table, scene.who, command.seat, [last_mover] if what == "takeback" else [])
    check_question(table, what, seat)
    open_question = table.questions.get(what)
    if open_question is not None:
        if seat in open_question.agreed:
            raise TableRefusal("not-possible", "already-asked")
        return settle(table, what, seat, [log.Replied(at=scene.now, seat=seat, what=what, yes=True)], scene)
    since = table.declined.get((seat, what))
    if since is not None and table.moves_made < since + len(table.seats):
        raise TableRefusal("too-often", "declined-already")
    return settle(table, what, seat, [log.Wanted(at=scene.now, seat=seat, what=what)], scene)


def check_question(table: Table, what: log.What, seat: int) -> None:
    """Refuse what cannot be asked for at this table, or now."""
    if what in ("rematch", "revenge"):
        if table.status != "over":
            raise TableRefusal("not-running", "not-over")
        if table.continued is not None:
            raise TableRefusal("not-possible", "continued", table=table.continued)
        if what == "revenge" and table.game.revenge is None:
            raise TableRefusal("not-possible", "no-revenge", game=table.game.title)
        return
    need_running(table)
    if what == "draw":
        if not table.game.draws:
            raise TableRefusal("not-possible", "no-draws", game=table.game.title)
        if any(table.plays_itself(other) is not None for other in range(len(table.seats))):
            raise TableRefusal("not-possible", "computer-no-draw")
        return
    if not table.made.settings.takeback or table.made.settings.touch_move:
        raise TableRefusal("not-possible", "no-takeback")
    if not any(message.seat == seat for message in table.messages):
        raise TableRefusal("not-possible", "nothing-to-take-back")
    if table.can_go_back(seat) is None:
        raise TableRefusal("revealed", "revealed")


def answer(table: Table, command: messages.Answer, scene: Scene) -> Verdict:
    """Agree, decline, or withdraw what one asked."""
    what = command.what
    question = table.questions.get(what)
    if question is None:
        raise TableRefusal("not-possible", "not-asked")
    seat = own_seat(table, scene.who, command.seat, sorted(table.voices(question.seat)))
    if command.yes:
        if seat in question.agreed:
            raise TableRefusal("not-possible", "already-asked")
        check_question(table, what, question.seat)
    reply = log.Replied(at=scene.now, seat=seat, what=what, yes=command.yes)
    return settle(table, what, seat, [reply], scene) if command.yes else Verdict([reply])


def settle(table: Table, what: log.What, seat: int, facts: list[log.Facts], scene: Scene) -> Verdict:
    """What follows once everybody who has a say has agreed."""
    question = table.questions.get(what)
    asker = question.seat if question else seat
    agreed = (question.agreed if question else set()) | {seat}
    holders = {table.seats[one].holder for one in agreed}
    if any(table.seats[voice].holder not in holders for voice in table.voices(asker)):
        return Verdict(facts)
    position = table.position
    assert position is not None
    if what == "draw":
        half = [1 / len(table.seats)] * len(table.seats)
        end = log.Finished(at=scene.now, winners=[], scores=half, reason="agreement")
        return finish(table, [*facts, end], end, position, scene)
    if what == "takeback":
        made = table.can_go_back(asker)
        assert made is not None
        return Verdict([*facts, log.WentBack(at=scene.now, seat=asker, made=made)])
    return go_on_elsewhere(table, facts, position, what, None, scene)


def go_on_elsewhere(
    table: Table,
    facts: list[log.Facts],
    position: Position,
    what: log.What,
    series: log.SeriesSoFar | None,
    scene: Scene,
) -> Verdict:
    """The same players at a new table: the game again, or its revenge."""
    made, game, seats = table.made, table.game, list(table.seats)
    swap = made.settings.swap and what == "revenge" and len(seats) == 2
    options = made.asked_options
    if what == "revenge":
        assert game.revenge is not None
        options = game.revenge(position, swap)
    if swap:
        seats.reverse()
    seed = scene.new_seed()
    start = game.start(seed=seed, chance="manual", **options)
    if series is None and made.settings.series:
        series = log.SeriesSoFar()
    if series is not None:
        series = log.SeriesSoFar(series.games, series.score, series.swapped ^ swap if series.games else False)
    settings = msgspec.structs.replace(made.settings, lot=made.settings.lot and what == "rematch")
    new = log.Made(
        at=scene.now,
        game=made.game,
        rules=game.rules,
        options=dict(start.options),
        drawn=list(start.drawn),
        asked_options=dict(options),
        seed=seed,
        seats=seats,
        settings=settings,
        pack=made.pack,
        series=series,
        previous=table.id,
        by=made.by,
    )
    id = scene.new_id()
    following: list[log.Facts] = [new, *begin_if_full(Table(id, [new]), scene)]
    return Verdict([*facts, log.Continued(at=scene.now, table=id)], (id, following))


def computer_plays(table: Table, decision: int, seat: int, moves: Sequence[str], scene: Scene) -> Verdict:
    """The moves of a computer for a seat, if they still answer the open decision."""
    need_running(table)
    if table.decision != decision or table.to_move != seat or table.plays_itself(seat) is None:
        raise TableRefusal("stale", "stale")
    try:
        return play(table, seat, moves, scene)
    except TableRefusal:
        # It may have planned beyond the end of its turn: the first decision counts.
        return play(table, seat, moves[:1], scene)


def pause(table: Table, milliseconds: int, now: int) -> list[log.Facts]:
    """No server was alive: the running clock, if there is one, does not count it."""
    if table.status != "running" or table.clock is None or table.clock.deadline is None:
        return []
    return [log.Paused(at=now, milliseconds=milliseconds)]
